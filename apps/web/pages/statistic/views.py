"""One statistic of one target: its history, its limit, and how its figure was computed."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.reports.sheets import Sheet
from apps.thresholds.register import no_limit_because
from apps.web.date_range import file_name, resolve_statistic, spans_of
from apps.web.day_notes import NOTES, add_url
from apps.web.figure_history import SPANS, History, read_history
from apps.web.pages.statistic.figure_workings import explain_figure
from apps.web.pages.statistic.statistic_chart import HEADS, read_chart
from apps.web.rights import may_change
from apps.web.tables import file_of, page_or_file
from apps.web.threshold_precedence import contest_tables, contests_of


def _read_history(request: HttpRequest, pk: int, metric: str) -> tuple[Target, Metric, History]:
    target, statistic, component, until, span = resolve_statistic(request, pk, metric)
    return target, statistic, read_history(target, statistic, component, until, span)


def statistic(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    target, statistic, history = _read_history(request, pk, metric)
    figures = history.table(_file_name(statistic, history))
    if file := figures.file(request):
        return file
    chart = read_chart(request, history)
    return page_or_file(
        request,
        "pages/statistic/statistic.html",
        {
            "target": target,
            "metric": statistic,
            "component": history.component,
            "name": history.name,
            "sentence": history.sentence(),
            "facts": history.facts(),
            "chart": chart.chart(),
            "occasions": chart.key(),
            "legend": chart.legend(),
            "notes": NOTES.fill(chart.occasions.notes),
            "note_url": add_url(target, history.until, request.get_full_path()),
            "notes_url": f"{reverse('notes')}?target={pk}",
            "chart_table": figures,
            "how": explain_figure(
                target, statistic, history.component, history.until, history.values[-1].value
            ),
            "contests": contest_tables(contests_of(target, statistic.key, [history.component])),
            "spans": spans_of(request, history.span, SPANS),
            "related_url": f"{reverse('statistic_related', args=[pk, metric])}?{request.GET.urlencode()}",
            "patterns_url": f"{reverse('statistic_patterns', args=[pk, metric])}?{request.GET.urlencode()}",
            "record_url": f"{reverse('statistic_record', args=[pk, metric])}?{request.GET.urlencode()}",
            "csv_url": f"{reverse('statistic_csv', args=[pk, metric])}?{request.GET.urlencode()}",
            "no_limit": no_limit_because(history.metric),
            "add_url": f"{reverse('threshold_add')}?target={pk}&metric={metric}&component={history.component}",
            "what_if_url": reverse(
                "what_if_try", query={"target": pk, "metric": metric, "component": history.component}
            ),
            "can_change": may_change(request),
        },
    )


def statistic_csv(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Everything that is drawn as CSV, exact values in the unit of the profile."""
    _target, statistic, history = _read_history(request, pk, metric)
    chart = read_chart(request, history)
    return file_of(Sheet(_file_name(statistic, history), HEADS, chart.rows()), "csv")


def _file_name(metric: Metric, history: History) -> str:
    return f"{file_name(metric.key)}-{history.until}"
