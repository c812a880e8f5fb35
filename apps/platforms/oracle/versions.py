"""Releases of Oracle, and what of a statement depends on them and on where a session landed."""

from dataclasses import dataclass
from enum import IntEnum

Release = tuple[int, ...]

OLDEST: Release = (11, 2)


class State(IntEnum):
    """How far an instance has come up."""

    STARTED = 0
    MOUNTED = 1
    OPEN = 2

    @classmethod
    def of(cls, status: str) -> "State":
        """The state by v$instance.STATUS, which also knows “OPEN MIGRATE”."""
        return {"STARTED": cls.STARTED, "MOUNTED": cls.MOUNTED}.get(status, cls.OPEN)


def parse_release(text: str) -> Release:
    """“19.22.0.0.0” as numbers that compare."""
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def release_number(release: Release) -> float:
    """Major and minor release as one number: 11.2, 12.1, and 19 from 18 on."""
    major, minor = (*release, 0, 0)[:2]
    return major + minor / 10 if major < 18 else float(major)


@dataclass(frozen=True)
class Scope:
    """What a session sees: the release, how far the instance is up, and whether it is the root of a container database."""

    release: Release = OLDEST
    state: State = State.OPEN
    is_root: bool = False

    def words(self) -> dict[str, str]:
        """The parts of statements that depend on it, by the names the statements use."""
        has_containers = self.release >= (12, 1)
        return {
            "version_full": "version_full" if self.release >= (18,) else "version",
            "edition": "edition" if has_containers else "''",
            "cdb": "cdb" if has_containers else "'NO'",
            "con_id": "sys_context('USERENV', 'CON_ID')" if has_containers else "'0'",
            "con_name": "sys_context('USERENV', 'CON_NAME')" if has_containers else "''",
            # a view may list containers beside the whole: what is read last counts, and that is the whole (0)
            "whole_last": "order by con_id desc" if self.is_root else "",
            "of_root": "where con_id in (0, 1)" if self.is_root else "",
            "undo_of_root": "and u.con_id in (0, 1) and t.con_id in (0, 1)" if self.is_root else "",
            "container": "con_id" if self.is_root else "0",
            "dba": "cdb" if self.is_root else "dba",
            "by_container": "con_id," if self.is_root else "",
            "of_segment": "s.con_id" if self.is_root else "0",
            "by_segment": "s.con_id," if self.is_root else "",
            "same_container": "and o.con_id = s.con_id" if self.is_root else "",
        }


# every kind of session that a statement can be written for
SCOPES = [
    Scope((11, 2, 0, 4)),
    Scope((12, 1, 0, 2)),
    Scope((12, 1, 0, 2), is_root=True),
    Scope((12, 2, 0, 1), is_root=True),
    Scope((18, 14), is_root=True),
    Scope((19, 22)),
    Scope((19, 22), is_root=True),
    Scope((21, 13), is_root=True),
    Scope((23, 5), is_root=True),
]
