"""Limits that were set where none is taken any more: why, and the form that moves each to the figure in its place."""

from dataclasses import dataclass
from urllib.parse import urlencode

from apps.catalog.registry import get_metric, is_metric
from apps.thresholds.models import Threshold
from apps.thresholds.register import no_limit_because


@dataclass(frozen=True)
class LimitMove:
    """Why a limit should not stay where it is; `label` and `url` are empty where no statistic takes its place."""

    why: str
    label: str
    url: str


def move_of(threshold: Threshold) -> LimitMove | None:
    """Where a limit in force should be moved to; None where it is well where it is."""
    if not is_metric(threshold.metric) or not (why := no_limit_because(threshold.about)):
        return None
    instead = threshold.about.judging.instead
    if not instead:
        return LimitMove(why, "", "")
    url = f"{threshold.get_absolute_url()}?{urlencode({'metric': instead})}"
    return LimitMove(why, get_metric(instead).label, url)
