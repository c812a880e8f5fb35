"""
The documented views: which exist in which release, and with which columns.

The data are in views.json. A type is followed by "@" and the release that brought it, where that is later than 11.2;
a column whose type changed lists both.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path

from .wire import OracleType

Release = tuple[int, ...]

CATALOG_OWNERS = ("rman", "rcat")  # whose schemas may hold recovery catalogs
OWNERS = frozenset({"sys", "public", "system", "perfstat"})


class OpenState(IntEnum):
    """How far an instance has come up."""

    NOMOUNT = 0
    MOUNT = 1
    OPEN = 2


@dataclass(frozen=True)
class ViewColumn:
    """A column of a view, in one release."""

    name: str
    type: OracleType
    size: int


@dataclass(frozen=True)
class View:
    """A view of the dictionary, as one release has it."""

    name: str
    state: OpenState
    pack: str
    columns: tuple[ViewColumn, ...]

    @property
    def is_fixed(self) -> bool:
        """Say whether the view shows memory or control files, and so answers before the database is open."""
        return self.name.startswith(("v$", "gv$"))


def parse_release(text: str) -> Release:
    return tuple(int(part) for part in text.split("."))


@lru_cache
def views_of(release: Release) -> Mapping[str, View]:
    """Return the views of a release by name: those of the catalogue, their gv$ and their cdb_ twins."""
    source = json.loads(Path(__file__).with_name("views.json").read_text())
    views: dict[str, View] = {}
    for name, facts in source.items():
        if parse_release(facts.get("since", "0")) > release:
            continue
        columns = tuple(
            column
            for column_name, spec in facts["columns"].items()
            if (column := column_of(column_name, spec, release))
        )
        view = View(name, OpenState[facts["state"]], facts.get("pack", ""), columns)
        views[name] = view
        for twin in twins(view, release):
            views[twin.name] = twin
    return views


def twins(view: View, release: Release) -> list[View]:
    """Return the same view for all instances (gv$), for all containers (cdb_), and of each catalog owner (rc_)."""
    if view.name.startswith("v$"):
        columns = (ViewColumn("INST_ID", OracleType.NUMBER, 22), *view.columns)
        return [View("g" + view.name, view.state, view.pack, columns)]
    if view.name.startswith("rc_"):
        return [View(f"{owner}.{view.name}", view.state, view.pack, view.columns) for owner in CATALOG_OWNERS]
    if view.name.startswith("dba_") and release >= (12, 1):
        columns = tuple(column for column in view.columns if column.name != "CON_ID")
        container = ViewColumn("CON_ID", OracleType.NUMBER, 22)
        return [View("cdb_" + view.name[4:], view.state, view.pack, (*columns, container))]
    return []


@lru_cache
def known_columns(view: str) -> frozenset[str]:
    """Return the columns a view has had in any release."""
    source = json.loads(Path(__file__).with_name("views.json").read_text())
    name = view.rpartition(".")[2]
    return frozenset(source[name]["columns"]) if name in source else frozenset()


def column_of(name: str, spec: str, release: Release) -> ViewColumn | None:
    """Return the column as `release` has it, or None before the column was there."""
    column = None
    for variant in spec.split(";"):
        kind, _, since = variant.strip().partition("@")
        if parse_release(since or "0") <= release:
            column = ViewColumn(name, *type_of(kind))
    return column


def type_of(text: str) -> tuple[OracleType, int]:
    """Return a type and its size in bytes from the way Oracle writes it."""
    if match := re.fullmatch(r"VARCHAR2\((\d+)\)", text):
        return OracleType.VARCHAR2, int(match[1])
    if match := re.fullmatch(r"RAW\((\d+)\)", text):
        return OracleType.RAW, int(match[1])
    if text.endswith("WITH TIME ZONE"):
        return OracleType.TIMESTAMP_TZ, 13
    if text.startswith("TIMESTAMP"):
        return OracleType.TIMESTAMP, 11
    if text.startswith("INTERVAL"):
        return OracleType.INTERVAL, 11
    return {"NUMBER": (OracleType.NUMBER, 22), "DATE": (OracleType.DATE, 7)}[text]


def plain_name(name: str, owner: str = "") -> str:
    """Return a view's name without owner, and as its public synonym: sys.v_$log is v$log."""
    name = name.lower()
    if owner and owner.lower() not in OWNERS:
        return f"{owner.lower()}.{name}"
    return re.sub(r"^(g?v)_\$", r"\1$", name)
