"""What pages of one statistic share: which one is asked for, up to which day, over how many days."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone

from apps.catalog.metric import Metric
from apps.catalog.registry import UnknownMetric, get_metric
from apps.charts import figures
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.web.figure_history import SPANS
from apps.web.target_page import day_asked, target_of

USUAL = 90


def resolve_statistic(request: HttpRequest, pk: int, metric: str) -> tuple[Target, Metric, str, date, int]:
    """Target, statistic, component, last day and number of days; what is impossible is taken for the usual."""
    target = target_of(pk)
    try:
        statistic = get_metric(metric)
    except UnknownMetric as error:
        raise Http404(str(error)) from None
    today = today_of(target, timezone.now())
    until = today.day if today else timezone.now().date()
    until = min(until, day_asked(request) or until)
    try:
        span = int(request.GET.get("days", str(USUAL)))
    except ValueError:
        span = USUAL
    return target, statistic, request.GET.get("component", ""), until, span if span in SPANS else USUAL


def spans_of(request: HttpRequest, active: int, spans: Sequence[int]) -> list[dict[str, Any]]:
    """The segments that change how many days are shown; all else of the address stays."""
    query = request.GET.copy()
    segments = []
    for days in spans:
        query["days"] = str(days)
        segments.append(
            {"label": f"{figures.whole(days)} d", "url": f"?{query.urlencode()}", "active": days == active}
        )
    return segments


def file_name(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in text)
