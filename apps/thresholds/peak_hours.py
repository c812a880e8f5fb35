"""Limits on the clock hours of a day, and past days that have no figure of these hours yet."""

from collections.abc import Iterable
from datetime import timedelta

from apps.catalog.metric import base_of
from apps.catalog.registry import hours_of, metrics_of
from apps.inventory.models import Target
from apps.thresholds.models import Threshold

FINEST = 60  # minutes between readings, at most
MADE_UP = timedelta(days=180)  # what a dry run of 90 days looks at, with changes against 90 days before


def no_hours_because(metric: str, target: Target | None) -> str:
    """Why a limit on clock hours cannot hold on a target; empty where it can, or where it is on the whole day."""
    if hours_of(metric) is None or target is None or target.interval_minutes <= FINEST:
        return ""
    return (
        f"A limit on peak hours needs readings at least once an hour, and {target.name} is read {reading_interval(target)};"
        " leave the hours empty, or have it read more often."
    )


def reading_interval(target: Target) -> str:
    """How often a target is read, in a sentence."""
    return "once a day" if target.interval_minutes == 1440 else f"every {target.interval_minutes} minutes"


def targets_of_hours(thresholds: Iterable[Threshold]) -> list[Target]:
    """The targets that limits on clock hours hold for and that are read often enough, by name; none where no limit is on hours."""
    limits = [threshold for threshold in thresholds if hours_of(threshold.metric) is not None]
    if not limits:
        return []
    read_often = Target.objects.in_estate().filter(interval_minutes__lte=FINEST).select_related("group")
    keys = {
        platform: {metric.key for metric in metrics_of(platform)}
        for platform in {target.platform for target in read_often}
    }
    return [
        target
        for target in read_often.order_by("name")
        if any(
            threshold.reaches(target) and base_of(threshold.metric) in keys[target.platform]
            for threshold in limits
        )
    ]
