"""compare_periods(): everything that was collected of two periods, of one target or two, judged row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.profiles.counted import Counted, known_rows
from apps.profiles.periods import USUAL_DAYS, Judged, Period, judge


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
    judged: Judged


@dataclass(frozen=True)
class Comparison:
    before: DaysUsed
    after: DaysUsed
    rows: Sequence[ComparedRow]


def compare_periods(before: tuple[Target, Period], after: tuple[Target, Period]) -> Comparison:
    """
    Both periods, each of its target, with a verdict on every statistic that either has.

    Days measured in part and days that are still running are left out of the figures measured over them. Two queries
    for each target.
    """
    usual = [after[1].first - timedelta(days=back) for back in range(1, USUAL_DAYS + 1)]
    usual = [day for day in usual if before[0] != after[0] or day not in before[1].days]
    if before[0] == after[0]:
        left = right = Counted.of(after[0], [*before[1].days, *after[1].days, *usual])
        index = left.frame.index
    else:
        left, right = Counted.of(before[0], before[1].days), Counted.of(after[0], [*after[1].days, *usual])
        index = left.frame.index.union(right.frame.index, sort=False)
    rows = known_rows(index, before[0], after[0])
    judged = judge(
        left.days(rows, before[1].days),
        right.days(rows, after[1].days),
        [metric.worse for metric in rows.metrics],
        right.days(rows, usual),
    )
    compared = [
        ComparedRow(metric, str(component), component_class, one)
        for metric, (_, component), component_class, one in zip(
            rows.metrics, rows.index, rows.classes, judged, strict=True
        )
        if one.before.occurred or one.after.occurred
    ]
    return Comparison(_used(left, before[1]), _used(right, after[1]), compared)


def _used(read: Counted, period: Period) -> DaysUsed:
    unread = [day for day in period.days if not read.was_read(day)]
    partial = [day for day in period.days if day not in unread and read.is_partial(day)]
    used = [day for day in period.days if day not in unread and day not in partial]
    return DaysUsed(read.target, period, used, partial, unread)
