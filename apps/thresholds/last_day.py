"""What limits say of the last reviewed day of many targets at once: those that no case and no forecast tells of yet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from apps.catalog.registry import get_metric, is_metric
from apps.inventory.models import Target
from apps.snapshots.history import HORIZONS
from apps.snapshots.measured import Measured, read_series
from apps.thresholds.baseline import BaselineLimits, read_baseline_limits_of
from apps.thresholds.calendars import ExcludedDays, read_excluded_days_of
from apps.thresholds.findings import flag_excluded_days, take_findings
from apps.thresholds.judge import FigureState, state_of
from apps.thresholds.models import HORIZON_OF, Threshold
from apps.thresholds.rule import Verdict, judge
from apps.thresholds.series import add_second_conditions


@dataclass(frozen=True)
class LastDay:
    """What a limit says of its figure on the last reviewed day; `value` is in its unit, None where there is none."""

    state: FigureState | None
    value: float | None


def is_judged_alone(threshold: Threshold) -> bool:
    """Whether a limit is on one figure of each target, and that figure is still measured."""
    if not is_metric(threshold.metric) or threshold.is_pattern:
        return False
    return bool(threshold.component) or not get_metric(threshold.metric).component_kind


def judge_last_days(limits: Iterable[tuple[Target, Threshold]]) -> dict[tuple[int, int], LastDay]:
    """
    What limits that are each on one figure say of the last reviewed days, by the ids of target and threshold.

    Eight queries at most, however many targets and limits there are; none for none.
    """
    pairs_to_judge = [
        (target, threshold)
        for target, threshold in limits
        if target.reviewed_through is not None and is_judged_alone(threshold)
    ]
    if not pairs_to_judge:
        return {}
    targets = list({target.pk: target for target, _ in pairs_to_judge}.values())
    thresholds = list({threshold.pk: threshold for _, threshold in pairs_to_judge}.values())
    reviewed = [target.reviewed_through for target in targets if target.reviewed_through is not None]
    first, last = min(reviewed) - timedelta(days=_days_back(thresholds)), max(reviewed)
    pairs = {(threshold.metric, threshold.component) for threshold in thresholds}
    measured = read_series(targets, add_second_conditions(pairs, thresholds), first, last)
    baseline_limits = read_baseline_limits_of(targets, thresholds)
    left_out = read_excluded_days_of(targets, first, last)
    return {
        (target.pk, threshold.pk): _judge(
            threshold, measured[target.pk], baseline_limits[target.pk], left_out[target.pk]
        )
        for target, threshold in pairs_to_judge
    }


def _days_back(thresholds: Sequence[Threshold]) -> int:
    horizons = {HORIZON_OF[threshold.figure] for threshold in thresholds if threshold.figure in HORIZON_OF}
    return max((horizon + HORIZONS[horizon] for horizon in horizons), default=0)


def _judge(
    threshold: Threshold, measured: Measured, baseline_limits: BaselineLimits, left_out: ExcludedDays
) -> LastDay:
    names = [threshold.component]
    findings = take_findings(measured, threshold.about, names, threshold.figure)
    second = (
        take_findings(measured, get_metric(threshold.second_metric), names, Threshold.FigureOf.VALUE)
        if threshold.second_metric
        else None
    )
    is_out = flag_excluded_days(left_out, measured.days, with_peaks=threshold.leaves_out_peaks)
    verdicts = judge([baseline_limits.limit(threshold, threshold.component)], findings, is_out, second)
    day = measured.days.index(measured.target.reviewed_through)
    value = float(findings.values[0, day])
    return LastDay(state_of(Verdict(int(verdicts[0, day]))), None if np.isnan(value) else value)
