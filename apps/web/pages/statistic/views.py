"""One statistic of one target: its history, its limit, and how its figure was computed."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.reports.sheets import Sheet
from apps.thresholds.register import no_limit_because
from apps.web.date_range import asked_statistic, file_name, spans_of
from apps.web.day_notes import NOTES, add_url
from apps.web.figure_history import SPANS, History, read_history
from apps.web.pages.statistic.figure_workings import how_computed
from apps.web.pages.statistic.statistic_chart import HEADS, read_drawn
from apps.web.rights import may_change
from apps.web.tables import file_of, page_or_file
from apps.web.threshold_precedence import contest_tables, contests_of


def _asked(request: HttpRequest, pk: int, metric: str) -> tuple[Target, Metric, History]:
    target, found, component, until, span = asked_statistic(request, pk, metric)
    return target, found, read_history(target, found, component, until, span)


def statistic(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    target, found, history = _asked(request, pk, metric)
    figures = history.table(_file_name(found, history))
    if file := figures.file(request):
        return file
    drawn = read_drawn(request, history)
    return page_or_file(
        request,
        "pages/statistic/statistic.html",
        {
            "target": target,
            "metric": found,
            "component": history.component,
            "sentence": history.sentence(),
            "facts": history.facts(),
            "chart": drawn.chart(),
            "occasions": drawn.key(),
            "legend": drawn.legend(),
            "notes": NOTES.fill(drawn.occasions.notes),
            "note_url": add_url(target, history.until, request.get_full_path()),
            "notes_url": f"{reverse('notes')}?target={pk}",
            "chart_table": figures,
            "how": how_computed(target, found, history.component, history.until, history.values[-1].value),
            "contests": contest_tables(contests_of(target, found.key, [history.component])),
            "spans": spans_of(request, history.span, SPANS),
            "related_url": f"{reverse('statistic_related', args=[pk, metric])}?{request.GET.urlencode()}",
            "patterns_url": f"{reverse('statistic_patterns', args=[pk, metric])}?{request.GET.urlencode()}",
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
    _target, found, history = _asked(request, pk, metric)
    drawn = read_drawn(request, history)
    return file_of(Sheet(_file_name(found, history), HEADS, drawn.rows()), "csv")


def _file_name(metric: Metric, history: History) -> str:
    return f"{file_name(metric.key)}-{history.until}"
