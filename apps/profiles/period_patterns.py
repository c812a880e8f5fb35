"""read_patterns(): every statistic of a target over successive months or quarters."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from typing import Literal

import numpy as np
import pandas as pd

from apps.catalog.metric import Metric, Worse
from apps.inventory.models import Target
from apps.profiles.engine.pattern import Pattern, pattern_of
from apps.profiles.engine.periods import DailyValues, Period
from apps.profiles.engine.significance import Spread, spread
from apps.profiles.valid_days import StatisticRows, classes_of, index_of, known_rows, valid_days
from apps.snapshots.measured import Measured, read_all

Step = Literal["month", "quarter"]

LEAST_DAYS = 7  # days with a figure that a month or quarter needs
SELDOM = 0.1  # of its days; what occurs on fewer did not occur


@dataclass(frozen=True)
class PeriodStretch:
    """A statistic over one period, in stored units: no mean where it did not occur, nothing where it was not read."""

    days: int
    occurred: int
    mean: float | None
    sd: float | None

    @property
    def is_known(self) -> bool:
        return self.days >= LEAST_DAYS


@dataclass(frozen=True)
class PatternRow:
    """One statistic over the periods, oldest first; without a pattern where fewer than two periods are known."""

    target: Target
    metric: Metric
    component: str
    stretches: Sequence[PeriodStretch]
    pattern: Pattern | None
    percent: float | None  # from the first known period to the last

    @property
    def is_worse(self) -> bool:
        """Whether the catalogue calls this way worse."""
        return (self.pattern, self.metric.worse) in (
            (Pattern.RISING, Worse.HIGHER),
            (Pattern.FALLING, Worse.LOWER),
        )


def successive_periods(last: date, count: int, step: Step) -> list[Period]:
    """So many calendar months or quarters, oldest first, up to the one of `last`, which ends on that day."""
    months = 1 if step == "month" else 3
    begins = date(last.year, last.month - (last.month - 1) % months, 1)
    periods = [Period(begins, last)]
    while len(periods) < count:
        ends = periods[0].first - timedelta(days=1)
        number = ends.year * 12 + ends.month - months
        periods.insert(0, Period(date(number // 12, number % 12 + 1, 1), ends))
    return periods


def read_patterns(
    target: Target, periods: Sequence[Period], categories: Collection[int] | None = None
) -> list[PatternRow]:
    """
    Every statistic that the target had in these periods, with its pattern; of chosen categories where some are named.

    A period with fewer than LEAST_DAYS days that count is not known and takes no part.
    """
    return read_all_patterns([target], periods, categories)


def read_all_patterns(
    targets: Sequence[Target],
    periods: Sequence[Period],
    categories: Collection[int] | None = None,
    metrics: Collection[str] | None = None,
) -> list[PatternRow]:
    """
    The same of several targets, one after the other; of chosen metrics of these categories where some are named.

    The number of queries does not depend on how many targets there are.
    """
    read = read_all(targets, [day for period in periods for day in period.days], categories, metrics)
    indexes = {target: index_of(measured) for target, measured in read.items()}
    classes = classes_of(indexes.values())
    return [
        row for target in targets for row in _patterns(read[target.pk], indexes[target.pk], periods, classes)
    ]


def _patterns(
    measured: Measured, index: pd.MultiIndex, periods: Sequence[Period], classes: Mapping[str, str]
) -> list[PatternRow]:
    target = measured.target
    rows = known_rows(index, target, classes=classes)
    whole = valid_days(measured, rows, [day for period in periods for day in period.days])
    ends = list(accumulate(len(period) for period in periods))
    values_of_periods = [
        whole.between(end - len(period), end) for period, end in zip(periods, ends, strict=True)
    ]
    spreads = [spread(values.values) for values in values_of_periods]
    patterns = [
        _row(
            target,
            rows,
            number,
            [_stretch(values, of, number) for values, of in zip(values_of_periods, spreads, strict=True)],
        )
        for number in range(len(rows.metrics))
    ]
    return [row for row in patterns if any(stretch.occurred for stretch in row.stretches)]


def _stretch(days: DailyValues, of: Spread, number: int) -> PeriodStretch:
    read, occurred = int(days.read[number]), int(days.occurred[number])
    if occurred < SELDOM * read or not occurred:
        return PeriodStretch(read, 0, None, None)
    sd = of.sd[number]
    return PeriodStretch(read, occurred, float(of.mean[number]), None if np.isnan(sd) else float(sd))


def _row(target: Target, rows: StatisticRows, number: int, stretches: Sequence[PeriodStretch]) -> PatternRow:
    known_stretches = [stretch for stretch in stretches if stretch.is_known]
    pattern = pattern_of(
        [np.nan if stretch.mean is None else stretch.mean for stretch in known_stretches],
        [np.nan if stretch.sd is None else stretch.sd for stretch in known_stretches],
    )
    means = [stretch.mean for stretch in known_stretches if stretch.mean is not None]
    percent = 100 * (means[-1] - means[0]) / abs(means[0]) if len(means) > 1 and means[0] else None
    return PatternRow(target, rows.metrics[number], str(rows.index[number][1]), stretches, pattern, percent)
