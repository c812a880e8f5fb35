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
from apps.forecasting.figure_forecast import BadQuestion, FigureForecast, check_component, forecast_figure
from apps.forecasting.models import TrendChange, forecast_url
from apps.forecasting.trend_changes import begin_on, decide
from apps.inventory.models import Target
from apps.outlook.profile import read_figure_outlooks
from apps.outlook.track_record import read_track_record
from apps.people.models import User
from apps.web.date_range import file_name, resolve_statistic
from apps.web.forecast_change_table import CHANGE, change_rows, find_change, write_change
from apps.web.pages.forecast import forecast_page
from apps.web.pages.forecast.change_drawing import draw_change
from apps.web.pages.forecast.forecast_tables import CROSSINGS, LINES, expected_table
from apps.web.pages.forecast.scenario_lines import choose_scenarios, hidden_of, legend_of, rows_of
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, day_in_words
from apps.web.tables import page_or_file
from apps.web.target_page import day_asked
from apps.web.track_record_table import TRACK_RECORD

UNTIL_THEN = "Until 30 days of figures have followed, the days before are shifted to the new level."


def forecast(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Expected line, interval, chance and days of one statistic, by the horizon and window of the address."""
    target, statistic, component, _, _ = resolve_statistic(request, pk, metric)
    closed = last_closed_day(target, timezone.now())
    until = min(day_asked(request) or closed, closed)
    question = forecast_page.read_question(request.GET)
    context = {
        "target": target,
        "metric": statistic,
        "component": component,
        "name": statistic.called(component),
        "question": question,
        "on": until,
        "statistic_url": _with(reverse("statistic", args=[pk, metric]), component),
        "add_url": f"{reverse('threshold_add')}?{urlencode({'target': pk, 'metric': metric, 'component': component})}",
        "can_change": may_change(request),
        "forecast": None,
    }
    try:
        figure_forecast = forecast_figure(
            target, statistic, component, until, horizon=question.horizon, window=question.window
        )
    except BadQuestion as error:
        context["sentence"] = [Part("This cannot be forecast", True), Part(f": {error}")]
        return render(request, "pages/forecast/forecast.html", context)
    name = f"forecast-{file_name(statistic.key)}-{until}"
    scenario_lines = choose_scenarios(figure_forecast, request.GET)
    expected = expected_table(scenario_lines.names).fill(
        forecast_page.expected_rows(figure_forecast, scenario_lines), file_name=name
    )
    if file := expected.file(request):
        return file
    changes = list(
        TrendChange.objects.filter(target=target, metric=statistic.key, component=component).select_related(
            "decided_by"
        )
    )
    standings = read_figure_outlooks(target, statistic.key, component, [], until, timezone.now())
    sentence, record = read_track_record(figure_forecast)
    context |= {
        "forecast": figure_forecast,
        "sentence": forecast_page.sentence_of(figure_forecast, standings),
        "chart": forecast_page.chart_of(
            figure_forecast,
            [change for change in changes if change.state != TrendChange.State.REJECTED],
            scenario_lines,
        ),
        "expected": expected,
        "legend": legend_of(scenario_lines),
        "hidden": hidden_of(scenario_lines, request.GET),
        "moves": rows_of(scenario_lines, standings),
        "chosen": [line.scenario for line in scenario_lines.visible],
        "change": _change_of(figure_forecast, request.GET.get("since", "")),
        "answers": CROSSINGS.fill(forecast_page.answer_rows(figure_forecast, standings)),
        "lines": LINES.fill(forecast_page.line_rows(figure_forecast)),
        "method": forecast_page.method_of(figure_forecast),
        "record_sentence": sentence,
        "record": TRACK_RECORD.fill(record),
        "proposed": [change for change in changes if change.state == TrendChange.State.PROPOSED],
        "decided": [change for change in changes if change.state != TrendChange.State.PROPOSED],
    }
    return page_or_file(request, "pages/forecast/forecast.html", context)


def _change_of(forecast: FigureForecast, since: str) -> dict[str, object] | None:
    """Why the forecast is another than a week ago, or than on a night of the address."""
    try:
        night = date.fromisoformat(since) if since else None
    except ValueError:
        night = None
    change = find_change(forecast, night)
    if change is None:
        return None
    url = forecast_url(forecast.target.pk, forecast.metric.key, forecast.component)
    return {
        "sentence": capital(write_change(change, forecast.metric.called(forecast.component))),
        "drawing": draw_change(forecast, change),
        "table": CHANGE.fill(change_rows(change)),
        "made_on": change.before.made_on,
        "url": f"{url}{'&' if '?' in url else '?'}on={change.before.made_on}",
    }


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
    target, statistic, _, _, _ = resolve_statistic(request, pk, metric)
    component, text = request.POST.get("component", ""), request.POST.get("on", "").strip()
    last = last_closed_day(target, timezone.now())
    try:
        day = date.fromisoformat(text)
        check_component(target, statistic, component, last)
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
            begin_on(target, statistic.key, component, day, by=cast(User, request.user), now=timezone.now())
            messages.success(request, f"The history begins on {day_in_words(day)} from now on. {UNTIL_THEN}")
    return redirect(_page_of(target, statistic.key, component))
