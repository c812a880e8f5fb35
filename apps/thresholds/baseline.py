"""What "no change" means: inside the 5th to 95th percentile of the target's baseline."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.snapshots.measured import Measured, read_series
from apps.snapshots.models import Series
from apps.thresholds.calendars import ExcludedDays, read_excluded_days, read_excluded_days_of
from apps.thresholds.engine.notation import Form, Limit
from apps.thresholds.models import Threshold

SPREAD = (5, 95)  # percentiles
LEAST_DAYS = 5  # a baseline with fewer figures says nothing


@dataclass(frozen=True)
class BaselineLimits:
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
class BaselineBand:
    """Where nine of ten figures of a baseline lie, in the unit of the profile, and which days it is of."""

    low: float
    high: float
    first: date
    last: date


def read_baseline_band(target: Target, metric: Metric, component: str) -> BaselineBand | None:
    """The 5th to 95th percentile of one statistic over the target's baseline; None where it has none, or too few figures."""
    baseline = Baseline.objects.filter(target=target).first()
    if baseline is None:
        return None
    pair = (metric.key, component)
    measured = read_series([target], [pair], baseline.first_day, baseline.last_day)[target.pk]
    out = read_excluded_days(target, baseline.first_day, baseline.last_day)
    is_judged = np.array([not out.reason(day, with_peaks=False) for day in measured.days if day])
    values = measured.values[0, measured.is_alone[0] & is_judged & measured.is_present[0]]
    if len(values) < LEAST_DAYS:
        return None
    low, high = np.percentile(values, SPREAD)
    return BaselineBand(
        metric.to_display_unit(float(low)),
        metric.to_display_unit(float(high)),
        baseline.first_day,
        baseline.last_day,
    )


def has_baseline_limit(target: Target, threshold: Threshold, components: Sequence[str]) -> bool:
    """Whether "no change" has a spread to be judged by for any of the components."""
    baseline_limits = read_baseline_limits(target, [threshold])
    return any(baseline_limits.limit(threshold, component).low is not None for component in components)


def read_baseline_limits(target: Target, thresholds: Sequence[Threshold]) -> BaselineLimits:
    """The limits of a target's thresholds; four queries for "no change", none where there is none."""
    return read_baseline_limits_of([target], thresholds)[target.pk]


def read_baseline_limits_of(
    targets: Sequence[Target], thresholds: Sequence[Threshold]
) -> dict[int, BaselineLimits]:
    """The baselines' spreads for every "no change" among the thresholds, by target id; as many queries as for one target."""
    limits = [threshold for threshold in thresholds if threshold.form == Form.NO_CHANGE]
    baselines = _newest_baselines(targets) if limits else {}
    limits_by_target = {target.pk: BaselineLimits() for target in targets}
    if not baselines:
        return limits_by_target
    marked = [target for target in targets if target.pk in baselines]
    first = min(baseline.first_day for baseline in baselines.values())
    last = max(baseline.last_day for baseline in baselines.values())
    series = Series.objects.filter(metric__in={threshold.metric for threshold in limits})
    pairs = list(series.values_list("metric", "component"))
    measured = read_series(marked, pairs, first, last)
    out = read_excluded_days_of(marked, first, last)
    peaks = {threshold.leaves_out_peaks for threshold in limits}
    for target in marked:
        of_target = baselines[target.pk], measured[target.pk], out[target.pk]
        limits_by_target[target.pk] = BaselineLimits(_spreads(*of_target, peaks))
    return limits_by_target


def _newest_baselines(targets: Sequence[Target]) -> dict[int, Baseline]:
    newest = Baseline.objects.filter(target__in=targets).order_by("target_id", "-marked_at")
    return {baseline.target_id: baseline for baseline in newest.distinct("target_id")}


def _spreads(
    baseline: Baseline, measured: Measured, out: ExcludedDays, peaks: Iterable[bool]
) -> dict[tuple[str, str, bool], tuple[float, float]]:
    """By metric, component and whether known peaks are left out."""
    spreads = {}
    for with_peaks in peaks:
        is_judged = np.array(
            [
                day is not None
                and baseline.first_day <= day <= baseline.last_day
                and not out.reason(day, with_peaks=with_peaks)
                for day in measured.days
            ]
        )
        usable = measured.is_alone & measured.is_present & is_judged
        for row, (metric, component) in enumerate(measured.keys):
            values = measured.values[row, usable[row]]
            if len(values) >= LEAST_DAYS:
                low, high = (
                    get_metric(metric).to_display_unit(float(edge)) for edge in np.percentile(values, SPREAD)
                )
                spreads[metric, component, with_peaks] = low, high
    return spreads
