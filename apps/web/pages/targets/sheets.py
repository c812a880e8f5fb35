"""The list of targets as rows of a file."""

from collections.abc import Iterable, Iterator, Sequence

from apps.reports.sheets import Cell
from apps.web.pages.targets.target_list import TargetRow
from apps.web.sheet_cells import word

TARGETS = (
    "state", "target", "kind", "version", "group", "environment", "owner", "violations", "last read", "note",
)  # fmt: skip


def targets(rows: Iterable[TargetRow]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            word(row.state), row.name, row.kind, row.version, row.group, row.environment, row.owner,
            row.open_violations, row.read_at, "paused" if row.is_paused else row.blocked,
        )  # fmt: skip
