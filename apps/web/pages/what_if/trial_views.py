"""A change tried on one figure, with before and after drawn; a planner keeps it as a scenario."""

from collections.abc import Mapping
from typing import Any, cast

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from apps.charts import figures
from apps.collection.today import last_closed_day
from apps.forecasting.change_trial import ChangeTrial, try_change
from apps.forecasting.engine.forecasts import LONGEST_HORIZON
from apps.forecasting.figure_forecast import BadQuestion, forecast_figure
from apps.forecasting.models import PlannedChange, Scenario
from apps.people.models import User
from apps.web.pages.what_if.forms import ChangeForm
from apps.web.pages.what_if.trial import draw_trial, expected_rows, tell_trial, trial_figures
from apps.web.rights import LACKS_RIGHT, may_change
from apps.web.scenario_moves import find_outlooks, moves_of
from apps.web.sentences import Part
from apps.web.statistic_names import find_target, write_name
from apps.web.tables import FigureColumn, RowHead, Table, page_or_file

BEGINNING = ("driver", "target", "metric", "component", "change", "on", "why")  # what an address may fill in
EXPECTED: Table[Mapping[str, Any]] = Table(
    "expected",
    "Expected day by day, as it is and with the change",
    (
        RowHead("day", lambda row: row["day"], lambda row: figures.full_day(row["day"]), css="nowrap"),
        FigureColumn("as it is", lambda row: row["before"], lambda row: figures.figure(row["before"])),
        FigureColumn("with the change", lambda row: row["after"], lambda row: figures.figure(row["after"])),
    ),
    title="Expected day by day",
    css="",
)
ASKS = [Part("What if it changes?", True), Part(" Name a figure and a change: the chart shows both courses.")]


def try_out(request: HttpRequest) -> HttpResponse:
    """One change of one figure; nothing is kept until a planner says so."""
    today = timezone.now().date()
    sent = (request.POST if request.method == "POST" else request.GET).copy()
    if sent.get("metric"):
        sent["metric"] = write_name(str(sent["metric"]), find_target(sent.get("target")))
    has_change = bool(sent.get("change", "").strip())
    initial = {name: str(sent[name]) for name in BEGINNING if name in sent}
    form = ChangeForm(sent if has_change else None, initial=initial, today=today, is_of_one=True)
    context: dict[str, Any] = {
        "form": form,
        "sentence": ASKS,
        "can_change": may_change(request),
        "limit_url": _limit_url(initial),
        "try_url": reverse("what_if_try"),
    }
    if has_change and form.is_valid():
        change = form.save(commit=False)
        if request.method == "POST":
            return _keep(request, change)
        context |= _tried(change)
    return page_or_file(request, "pages/what_if/trial.html", context)


def _tried(change: PlannedChange) -> dict[str, Any]:
    """What the page says of a change that can be tried, or why it cannot."""
    assert change.target is not None
    on = last_closed_day(change.target, timezone.now())
    try:
        forecast = forecast_figure(change.target, change.about, change.component, on, horizon=LONGEST_HORIZON)
    except BadQuestion as error:
        return {"sentence": [Part("This cannot be forecast", True), Part(f": {error}")]}
    if forecast.reason:
        return {"sentence": [Part("This cannot be forecast yet", True), Part(f": {forecast.reason}.")]}
    return _result_of(try_change(forecast, change))


def _result_of(trial: ChangeTrial) -> dict[str, Any]:
    return {
        "trial": trial,
        "sentence": tell_trial(trial),
        "trial_figures": trial_figures(trial),
        "drawing": draw_trial(trial),
        "moves": moves_of(trial.moved, ["this change"], find_outlooks(trial.moved, timezone.now())),
        "expected": EXPECTED.fill(expected_rows(trial)),
    }


def _keep(request: HttpRequest, change: PlannedChange) -> HttpResponse:
    """A scenario of its own with this change, named after it."""
    if not may_change(request):
        return HttpResponse(LACKS_RIGHT, status=403)
    with transaction.atomic():
        change.scenario = Scenario.objects.create(
            name=_free_name(change), created_by=cast(User, request.user), created_at=timezone.now()
        )
        if change.driver is not None:  # the figure is only what it is tried on
            change.target, change.metric, change.component = None, "", ""
        change.save()
    messages.success(
        request, f"{change.scenario.name} is kept. It moves no forecast until its change is decided."
    )
    return redirect(change.scenario)


def _free_name(change: PlannedChange) -> str:
    what = change.driver or f"{change.about.called(change.component)} on {change.target}"
    name = f"{what}: {change.change}"[:74]
    names_in_use = set(Scenario.objects.filter(name__startswith=name).values_list("name", flat=True))
    names = (name if number == 1 else f"{name} ({number})" for number in range(1, len(names_in_use) + 2))
    return next(free for free in names if free not in names_in_use)


def _limit_url(initial: Mapping[str, str]) -> str:
    """The other tab: a limit on the same figure."""
    names = ("target", "metric", "component")
    return reverse("threshold_add", query={name: initial[name] for name in names if initial.get(name)})
