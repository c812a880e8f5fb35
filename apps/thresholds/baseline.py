"""What "no change" means: inside the 5th to 95th percentile of the target's baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.snapshots.history import read_histories
from apps.snapshots.models import Series
from apps.thresholds.models import Threshold
from apps.thresholds.notation import Form, Limit

SPREAD = (5, 95)  # percentiles
LEAST_DAYS = 5  # a baseline with fewer figures says nothing


@dataclass(frozen=True)
class Steady:
    """The limits of a target; those of "no change" are filled in from its baseline."""

    spreads: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)

    def limit(self, threshold: Threshold, component: str) -> Limit:
        """The limit of a threshold for one component, in its unit."""
        limit = threshold.limit
        if limit.form is not Form.NO_CHANGE:
            return limit
        low, high = self.spreads.get((threshold.metric, component), (None, None))
        return Limit(Form.NO_CHANGE, low, high)


def steady_limits(target: Target, thresholds: Sequence[Threshold]) -> Steady:
    """Read the baseline's spread for every "no change" among the thresholds; one query, none where there is none."""
    metrics = {threshold.metric for threshold in thresholds if threshold.form == Form.NO_CHANGE}
    if not metrics:
        return Steady()
    baseline = Baseline.objects.filter(target=target).first()
    if baseline is None:
        return Steady()
    series = list(Series.objects.filter(metric__in=metrics))
    found = read_histories([target.pk], [row.pk for row in series], baseline.first_day, baseline.last_day)
    metric_of = {threshold.metric: threshold.about for threshold in thresholds if threshold.metric in metrics}
    spreads = {}
    for row, values in zip(series, found.values[target.pk].T, strict=True):
        known = values[~np.isnan(values)]
        if len(known) >= LEAST_DAYS:
            low, high = np.percentile(known, SPREAD)
            metric = metric_of[row.metric]
            spreads[row.metric, row.component] = (metric.shown(float(low)), metric.shown(float(high)))
    return Steady(spreads)
