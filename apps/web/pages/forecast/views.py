"""The forecast of one statistic, and what people decide of its trend changes."""

from datetime import date
from typing import cast
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.collection.today import last_closed_day
from apps.forecasting.figure_forecast import BadQuestion, check_component, forecast_figure
from apps.forecasting.models import TrendChange
from apps.forecasting.trend_changes import begin_on, decide
from apps.inventory.models import Target
from apps.outlook.profile import read_figure_outlooks
from apps.outlook.track_record import read_track_record
from apps.people.models import User
from apps.web.date_range import asked_statistic, file_name
from apps.web.pages.forecast import forecast_page as shown
from apps.web.pages.forecast.forecast_tables import CROSSINGS, LINES, TRACK_RECORD, expected_table
from apps.web.pages.forecast.scenario_lines import drawn_courses, hidden_of, legend_of, rows_of
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, day_in_words
from apps.web.tables import page_or_file
from apps.web.target_page import day_asked

UNTIL_THEN = "Until 30 days of figures have followed, the days before are moved to the level since."


def forecast(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Expected line, interval, chance and days of one statistic, by the horizon and window of the address."""
    target, found, component, _, _ = asked_statistic(request, pk, metric)
    closed = last_closed_day(target, timezone.now())
    until = min(day_asked(request) or closed, closed)
    asked = shown.asked(request.GET)
    context = {
        "target": target,
        "metric": found,
        "component": component,
        "asked": asked,
        "on": until,
        "statistic_url": _with(reverse("statistic", args=[pk, metric]), component),
        "add_url": f"{reverse('threshold_add')}?{urlencode({'target': pk, 'metric': metric, 'component': component})}",
        "can_change": may_change(request),
        "told": None,
    }
    try:
        told = forecast_figure(target, found, component, until, horizon=asked.horizon, window=asked.window)
    except BadQuestion as error:
        context["sentence"] = [Part("This cannot be forecast", True), Part(f": {error}")]
        return render(request, "pages/forecast/forecast.html", context)
    name = f"forecast-{file_name(found.key)}-{until}"
    drawn = drawn_courses(told, request.GET)
    expected = expected_table(drawn.names).fill(shown.expected_rows(told, drawn), file_name=name)
    if file := expected.file(request):
        return file
    changes = list(
        TrendChange.objects.filter(target=target, metric=found.key, component=component).select_related(
            "decided_by"
        )
    )
    standings = read_figure_outlooks(target, found.key, component, [], until, timezone.now())
    sentence, record = read_track_record(told)
    context |= {
        "told": told,
        "sentence": shown.sentence_of(told, standings),
        "chart": shown.chart_of(
            told, [one for one in changes if one.state != TrendChange.State.REJECTED], drawn
        ),
        "expected": expected,
        "legend": legend_of(drawn),
        "hidden": hidden_of(drawn, request.GET),
        "moves": rows_of(drawn, standings),
        "chosen": [one.scenario for one in drawn.shown],
        "answers": CROSSINGS.fill(shown.answer_rows(told, standings)),
        "lines": LINES.fill(shown.line_rows(told)),
        "method": shown.method_of(told),
        "record_sentence": sentence,
        "record": TRACK_RECORD.fill(record),
        "proposed": [one for one in changes if one.state == TrendChange.State.PROPOSED],
        "decided": [one for one in changes if one.state != TrendChange.State.PROPOSED],
    }
    return page_or_file(request, "pages/forecast/forecast.html", context)


def _with(address: str, component: str) -> str:
    return f"{address}?{urlencode({'component': component})}" if component else address


def _page_of(target: Target, metric: str, component: str) -> str:
    return _with(reverse("statistic_forecast", args=[target.pk, metric]), component)


@require_POST
@planner_required
def decide_trend(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or reject a trend change."""
    change = get_object_or_404(TrendChange.objects.select_related("target"), pk=pk)
    is_accepted = request.POST.get("decision") == "accept"
    decide(change, is_accepted=is_accepted, by=cast(User, request.user), now=timezone.now())
    day = day_in_words(change.on)
    messages.success(
        request,
        f"The history begins on {day} from now on, here and in the nightly review. {UNTIL_THEN}"
        if is_accepted
        else f"The level shift of {day} is part of the history, and not proposed again.",
    )
    return redirect(_page_of(change.target, change.metric, change.component))


@require_POST
@planner_required
def begin_trend(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Let the history of a figure begin on a day that a person names."""
    target, found, _, _, _ = asked_statistic(request, pk, metric)
    component, text = request.POST.get("component", ""), request.POST.get("on", "").strip()
    last = last_closed_day(target, timezone.now())
    try:
        day = date.fromisoformat(text)
        check_component(target, found, component, last)
    except BadQuestion as error:
        messages.error(request, str(error))
    except ValueError:
        messages.error(request, f"Begin on: given “{text[:30]}”, expected a day such as {last}.")
    else:
        if not date(1970, 1, 1) <= day <= last:
            messages.error(
                request, f"Begin on: given {day}, expected a day up to {last}, the last one measured."
            )
        else:
            begin_on(target, found.key, component, day, by=cast(User, request.user), now=timezone.now())
            messages.success(request, f"The history begins on {day_in_words(day)} from now on. {UNTIL_THEN}")
    return redirect(_page_of(target, found.key, component))
