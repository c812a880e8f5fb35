"""What "no change" means: inside the 5th to 95th percentile of the target's baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.profiles.whole import is_whole
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.snapshots.models import Series
from apps.thresholds.calendars import left_out
from apps.thresholds.models import Threshold
from apps.thresholds.notation import Form, Limit

SPREAD = (5, 95)  # percentiles
LEAST_DAYS = 5  # a baseline with fewer figures says nothing


@dataclass(frozen=True)
class Steady:
    """
    The limits of a target; those of "no change" are filled in from its baseline.

    `spreads` is by metric, component and whether known peaks are left out.
    """

    spreads: Mapping[tuple[str, str, bool], tuple[float, float]] = field(default_factory=dict)

    def limit(self, threshold: Threshold, component: str) -> Limit:
        """The limit of a threshold for one component, in its unit."""
        limit = threshold.limit
        if limit.form is not Form.NO_CHANGE:
            return limit
        key = (threshold.metric, component, threshold.leaves_out_peaks)
        low, high = self.spreads.get(key, (None, None))
        return Limit(Form.NO_CHANGE, low, high)


@dataclass(frozen=True)
class Band:
    """Where nine of ten figures of a baseline lie, in the unit of the profile, and which days it is of."""

    low: float
    high: float
    first: date
    last: date


def band_of(target: Target, metric: Metric, component: str) -> Band | None:
    """The 5th to 95th percentile of one statistic over the target's baseline; None where it has none, or too few figures."""
    baseline = Baseline.objects.filter(target=target).first()
    if baseline is None:
        return None
    (series,) = series_ids([(metric.category, metric.key, component)])
    found = read_histories([target.pk], [series], baseline.first_day, baseline.last_day)
    whole = is_whole(target, [(metric.key, component)], found.days)[0]
    out = left_out(target, baseline.first_day, baseline.last_day)
    kept = np.array([not out.reason(day, with_peaks=False) for day in found.days])
    values = found.values[target.pk][:, 0]
    known = values[whole & kept & ~np.isnan(values)]
    if len(known) < LEAST_DAYS:
        return None
    low, high = np.percentile(known, SPREAD)
    return Band(metric.shown(float(low)), metric.shown(float(high)), baseline.first_day, baseline.last_day)


def steady_limits(target: Target, thresholds: Sequence[Threshold]) -> Steady:
    """Read the baseline's spread for every "no change" among the thresholds; four queries, none where there is none."""
    wanted = [threshold for threshold in thresholds if threshold.form == Form.NO_CHANGE]
    if not wanted:
        return Steady()
    baseline = Baseline.objects.filter(target=target).first()
    if baseline is None:
        return Steady()
    series = list(Series.objects.filter(metric__in={threshold.metric for threshold in wanted}))
    found = read_histories([target.pk], [row.pk for row in series], baseline.first_day, baseline.last_day)
    out = left_out(target, baseline.first_day, baseline.last_day)
    whole = is_whole(target, [(row.metric, row.component) for row in series], found.days)
    spreads = {}
    for with_peaks in {threshold.leaves_out_peaks for threshold in wanted}:
        kept = [not out.reason(day, with_peaks=with_peaks) for day in found.days]
        of_whole_days = np.where(whole.T, found.values[target.pk], np.nan)[kept]
        for row, values in zip(series, of_whole_days.T, strict=True):
            known = values[~np.isnan(values)]
            if len(known) >= LEAST_DAYS:
                low, high = np.percentile(known, SPREAD)
                metric = get_metric(row.metric)
                spreads[row.metric, row.component, with_peaks] = (
                    metric.shown(float(low)),
                    metric.shown(float(high)),
                )
    return Steady(spreads)
