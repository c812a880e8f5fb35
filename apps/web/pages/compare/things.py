"""The rows of a comparison in their order, by thing or each for itself."""

from collections.abc import Sequence

from apps.profiles.differences import ComparedRow
from apps.profiles.engine.periods import ChangeVerdict
from apps.profiles.things import StatisticThing, group_things

ORDER = (
    ChangeVerdict.WORSE, ChangeVerdict.APPEARED, ChangeVerdict.GONE, ChangeVerdict.HIGHER, ChangeVerdict.LOWER, ChangeVerdict.BETTER, ChangeVerdict.SAME,
    ChangeVerdict.TOO_FEW, ChangeVerdict.NO_DATA,
)  # fmt: skip
ComparedThing = StatisticThing[ComparedRow]


def list_things(rows: Sequence[ComparedRow]) -> list[ComparedThing]:
    """One for each thing that has rows, worse first, noise last; within a verdict the largest change first."""
    return group_things(sorted(rows, key=_place))


def list_statistics(rows: Sequence[ComparedRow]) -> list[ComparedThing]:
    """Each statistic for itself, in the same order."""
    return [StatisticThing(row) for row in sorted(rows, key=_place)]


def _place(row: ComparedRow) -> tuple[int, float, bool, str, str]:
    percent = row.judged.percent
    size = float("inf") if percent is None else abs(percent)
    return (
        ORDER.index(row.judged.verdict),
        -size,
        not row.metric.display.rows,
        row.metric.label,
        row.component,
    )
