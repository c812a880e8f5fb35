"""compare_periods(): everything that was collected of two periods, of one target or two, judged row by row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.profiles.engine.periods import LEAST_DAYS, USUAL_DAYS, Judgement, Period, judge
from apps.profiles.valid_days import index_of, known_rows, valid_days
from apps.snapshots.dictionary import Name
from apps.snapshots.measured import Measured, read_all


@dataclass(frozen=True)
class DaysUsed:
    """Of a period of a target: the days that count, those measured in part, those not read."""

    target: Target
    period: Period
    used: Sequence[date]
    partial: Sequence[date]
    unread: Sequence[date]


@dataclass(frozen=True)
class ComparedRow:
    """One statistic of both periods, in stored units."""

    metric: Metric
    component: str
    component_class: str
    judged: Judgement
    never: tuple[str, str] = (
        "",
        "",
    )  # why the earlier and the later days cannot have it, by the way they were read

    @property
    def name(self) -> str:
        return self.metric.called(self.component)


@dataclass(frozen=True)
class Comparison:
    before: DaysUsed
    after: DaysUsed
    rows: Sequence[ComparedRow]

    @cached_property
    def row_of(self) -> Mapping[Name, ComparedRow]:
        return {(row.metric.key, row.component): row for row in self.rows}


def compare_periods(before: tuple[Target, Period], after: tuple[Target, Period]) -> Comparison:
    """
    Both periods, each of its target, with a verdict on every statistic that either has.

    Days measured in part and days that are still running are left out of the figures measured over them. Two queries
    for each target.
    """
    usual = _usual_days(before, after)
    if before[0] == after[0]:
        left = right = _read(after[0], [*before[1].days, *after[1].days, *usual])
        index = index_of(left)
    else:
        left, right = _read(before[0], before[1].days), _read(after[0], [*after[1].days, *usual])
        index = index_of(left).union(index_of(right), sort=False)
    rows = known_rows(index, before[0], after[0])
    judgements = judge(
        valid_days(left, rows, before[1].days),
        valid_days(right, rows, after[1].days),
        [metric.worse for metric in rows.metrics],
        valid_days(right, rows, usual) if usual else None,
    )
    sides = (left, before[1]), (right, after[1])
    compared = [
        ComparedRow(metric, str(component), component_class, judgement, _why_never(sides, metric, judgement))
        for metric, (_, component), component_class, judgement in zip(
            rows.metrics, rows.index, rows.classes, judgements, strict=True
        )
        if judgement.before.occurred or judgement.after.occurred
    ]
    return Comparison(_days_used(left, before[1]), _days_used(right, after[1]), compared)


def _why_never(
    sides: tuple[tuple[Measured, Period], tuple[Measured, Period]], metric: Metric, judged: Judgement
) -> tuple[str, str]:
    (left, before), (right, after) = sides
    return (
        "" if judged.before.read else left.why_never(metric, before.days),
        "" if judged.after.read else right.why_never(metric, after.days),
    )


def _usual_days(before: tuple[Target, Period], after: tuple[Target, Period]) -> list[date]:
    """The days before the later period, whose spread stands in for that of periods too short to have one."""
    if min(len(before[1]), len(after[1])) >= LEAST_DAYS:
        return []
    days = [after[1].first - timedelta(days=back) for back in range(1, USUAL_DAYS + 1)]
    return [day for day in days if before[0] != after[0] or day not in before[1].days]


def _read(target: Target, days: Sequence[date]) -> Measured:
    return read_all([target], list(dict.fromkeys(days)))[target.pk]


def _days_used(measured: Measured, period: Period) -> DaysUsed:
    covers = measured.coverage
    unread = [day for day in period.days if day not in covers]
    partial = [
        day for day in period.days if day in covers and (covers[day].is_so_far or covers[day].is_partial)
    ]
    used = [day for day in period.days if day not in unread and day not in partial]
    return DaysUsed(measured.target, period, used, partial, unread)
