"""One statistic of one target: its history, its limit, and how its figure was computed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from apps.catalog.metric import Metric
from apps.catalog.registry import UnknownMetric, get_metric
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.reports.sheets import Sheet
from apps.web import sheets
from apps.web.applies import contests_of
from apps.web.history import SPANS, History, chart_of, read_history
from apps.web.how import how_computed
from apps.web.page import day_asked
from apps.web.rights import may_change
from apps.web.tables import file_of, table_file


def _asked(request: HttpRequest, pk: int, metric: str) -> tuple[Target, Metric, History]:
    target = get_object_or_404(Target, pk=pk)
    try:
        found = get_metric(metric)
    except UnknownMetric as error:
        raise Http404(str(error)) from None
    today = today_of(target, timezone.now())
    until = today.day if today else timezone.now().date()
    until = min(until, day_asked(request) or until)
    try:
        span = int(request.GET.get("days", "90"))
    except ValueError:
        span = 90
    span = span if span in SPANS else 90
    return target, found, read_history(target, found, request.GET.get("component", ""), until, span)


def statistic(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    target, found, history = _asked(request, pk, metric)
    figures = sheets.history(history.days_with_values(), found.display_unit)
    if file := table_file(request, "figures", sheets.HISTORY, figures, _file_name(found, history)):
        return file
    query = request.GET.copy()
    spans = []
    for days in SPANS:
        query["days"] = str(days)
        spans.append({"label": f"{days} d", "url": f"?{query.urlencode()}", "active": days == history.span})
    return render(
        request,
        "pages/statistic.html",
        {
            "target": target,
            "metric": found,
            "component": history.component,
            "sentence": history.sentence(),
            "facts": history.facts(),
            "chart": chart_of(history),
            "chart_rows": history.rows(),
            "how": how_computed(target, found, history.component, history.until),
            "contests": contests_of(target, found.key, [history.component]),
            "spans": spans,
            "csv_url": f"{reverse('statistic_csv', args=[pk, metric])}?{request.GET.urlencode()}",
            "add_url": f"{reverse('threshold_add')}?target={pk}&metric={metric}&component={history.component}",
            "can_change": may_change(request),
        },
    )


def statistic_csv(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """The history as CSV, exact values in the unit of the profile."""
    _target, found, history = _asked(request, pk, metric)
    rows = sheets.history(history.days_with_values(), found.display_unit)
    return file_of(Sheet(_file_name(found, history), sheets.HISTORY, rows), "csv")


def _file_name(metric: Metric, history: History) -> str:
    return f"{metric.key.replace(':', '-')}-{history.until}"
