"""Limits that the steady period of a target suggests for the statistic that is being typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from apps.catalog.metric import Metric
from apps.charts import figures
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.thresholds.proposals import SteadyLimit, suggest_limits
from apps.thresholds.register import no_limit_because


@dataclass(frozen=True)
class SteadySuggestions:
    """The limits, the days they come from, and where a steady period is marked."""

    limits: Sequence[SteadyLimit]
    period: str
    url: str


def read_suggestions(
    target: Target, metric: Metric, component: str, now: datetime
) -> SteadySuggestions | None:
    """What the steady period suggests; without limits where none is marked or its days are too few. None of what takes no limit."""
    today = today_of(target, now)
    if today is None or no_limit_because(metric) or (metric.component_kind and not component):
        return None
    url = reverse("target_baseline", args=[target.pk])
    baseline = Baseline.objects.filter(target=target).first()
    if baseline is None:
        return SteadySuggestions((), "", url)
    period = figures.day_span(baseline.first_day, baseline.last_day)
    return SteadySuggestions(suggest_limits(target, baseline, today.day, metric, component), period, url)
