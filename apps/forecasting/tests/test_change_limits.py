"""Limits on the change of a figure, foreseen as far as the days they are told against have been measured."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, levels, prepare
from apps.forecasting.change_limits import EarlierFigures
from apps.forecasting.engine.tests.series import sure
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.outlook.profile import read_profile_outlook
from apps.people.models import User
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
# 100 MB, and from 20 days ago on 2 more a day: 140 today, 40 % more than 30 days ago
FASTER = [100.0] * 40 + [102.0 + 2 * day for day in range(20)]


@pytest.fixture(scope="module")
def faster_pk(module_db: None) -> int:
    prepare()
    target = instance()
    levels(target, FASTER)
    return target.pk


@pytest.fixture
def faster(faster_pk: int, db: None) -> Target:
    return Target.objects.get(pk=faster_pk)


def limited(target: Target, notation: str, figure: str = "change_30", **rest: Any) -> Threshold:
    rest = {"component": "DATA"} | rest
    (made,) = add_threshold("x_used", notation, now=BOOT, target=target, figure=figure, **rest)
    return made


def made(target: Target) -> Forecast:
    predict_violations(target, TODAY, NOW)
    return Forecast.objects.get(made_on=TODAY)


# ── the arithmetic ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_limit_on_a_change_moves_with_the_figure_of_so_many_days_before():
    used = EarlierFigures(get_metric("x_used"), now=200.0, ahead=np.array([100.0, 0.0, np.nan, -50.0]))
    share = EarlierFigures(get_metric("x_hit_pct"), now=40.0, ahead=np.array([44.0]))

    np.testing.assert_array_equal(used.limit(20), [120.0, np.nan, np.nan, -40.0])
    assert used.limit_now(-10) == 180
    assert (used.change(130.0, 1), used.change(-40.0, 4), used.change(210.0)) == (30, 20, 5)
    assert np.isnan([used.change(130.0, 2), used.change(130.0, 3)]).all()
    assert share.limit(-4).tolist() == [40.0]
    assert share.change(44.0) == 4


# ── through the review, the profile and the command ──────────────────────────────────────────────────────────────────


def test_the_review_foresees_the_day_on_which_it_has_changed_too_much(faster):
    limited(faster, "<=50")

    forecast = made(faster)

    assert (forecast.figure, forecast.unit, forecast.value) == ("change_30", "%", pytest.approx(40))
    assert abs((sure(forecast.likely_on) - TODAY).days - 6) <= 2
    assert forecast.horizon == 30
    assert forecast.path["7"][0] == pytest.approx(54, abs=4)
    assert "60" not in forecast.path  # what that day would be told against is to come


@pytest.mark.parametrize(
    ("notation", "figure", "reason"),
    [
        ("<=35", "change_30", "already beyond the limit"),
        ("<=500", "change_30", "none within 30 days"),
        ("<=500", "change_7", "none within 7 days"),
        ("<=500", "change_90", "none within 60 days"),  # the history is no longer
        (">=-20", "change_30", "none within 30 days"),
    ],
)
def test_without_a_day_the_reason_says_how_far_it_was_looked(faster, notation, figure, reason):
    limited(faster, notation, figure)

    assert (made(faster).likely_on, made(faster).reason) == (None, reason)


def test_a_day_ahead_without_anything_to_compare_with_is_not_judged(faster):
    """60 days of history: what is 90 days before is known for the days from 31 ahead on."""
    limited(faster, "<=10", "change_90")

    forecast = made(faster)

    assert forecast.value is None
    assert abs((sure(forecast.likely_on) - TODAY).days - 31) <= 1


def test_a_figure_that_was_nothing_has_no_percentage(faster):
    levels(instance("EMPTY"), [0.0] * 60)
    limited(Target.objects.get(name="EMPTY"), "<=10", "change_7")

    forecast = made(Target.objects.get(name="EMPTY"))

    assert (forecast.chance, forecast.reason) == (None, "there is nothing to compare the days ahead with")


def test_the_change_of_today_is_that_of_the_profile_also_where_its_anchor_was_not_read():
    prepare()
    target = instance("ANOTHER")
    values: list[float | None] = [100.0 + day**2 / 10 for day in range(60)]
    values[29] = values[28] = None  # 30 and 31 days ago
    levels(target, values)
    limited(target, "<=500")

    forecast = made(target)

    (row,) = (row for row in profile_of(target, TODAY).rows if row.row.component == "DATA")
    assert forecast.value == pytest.approx(row.row.then[30].delta)


def test_a_change_in_points_is_foreseen_for_a_share():
    prepare()
    target = instance("ANOTHER")
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 60)):
        story.day(on, hits=95.0 - max(0, number - 39) * 0.5)  # half a point a day of late
    add_threshold("x_hit_pct", ">=-13", now=BOOT, target=target, figure="change_30")

    forecast = made(target)

    assert (forecast.value, forecast.unit) == (pytest.approx(-10), "%")
    assert abs((sure(forecast.likely_on) - TODAY).days - 7) <= 3


def test_three_reviews_in_a_row_predict_it_beside_a_violation_of_the_value(faster):
    limited(faster, "<=50", lead_time_days=3)
    limited(faster, "<=150", Threshold.FigureOf.VALUE)

    for on in days_before(TODAY, 3):
        predict_violations(faster, on, NOW)

    assert {forecast.figure for forecast in Violation.objects.predicted()} == {"value", "change_30"}
    row = read_profile_outlook(faster, TODAY, NOW).outlooks["x_used", "DATA"]
    assert row.state is FigureState.AT_RISK
    assert row.days_left_words[1] == "risk"


def test_the_command_tells_it_beside_the_limits_on_the_value(faster):
    limited(faster, "<=50", lead_time_days=2)
    limited(faster, "<=500", Threshold.FigureOf.VALUE)
    out = StringIO()

    call_command(
        "forecast", "SCRIPT", "x_used", "--component", "DATA", "--on", str(TODAY), "--json", stdout=out
    )

    value, change = json.loads(out.getvalue())["limits"]
    plain = StringIO()
    call_command("forecast", "SCRIPT", "x_used", "--component", "DATA", "--on", str(TODAY), stdout=plain)
    assert f"\n<=50, change in 30 days (warning): breach in {change['days_left']} days" in plain.getvalue()
    assert (value["figure"], change["figure"], change["lines"]) == ("value", "change_30", [])
    assert change["words"] == f"breach in {change['days_left']} days"
    assert change["slack_days"] == change["days_left"] - 2


# ── on the pages ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_forecast_page_and_the_risk_board_tell_the_change_beside_the_value():
    client = Client()
    client.force_login(User.objects.create(username="reader"))
    target = instance("ANOTHER")
    yesterday = timezone.now().date() - timedelta(days=1)
    prepare(*(yesterday - timedelta(days=back) for back in range(0, 60, 14)))
    levels(target, FASTER, last=yesterday)
    limited(target, "<=50")
    limited(target, "<=500", Threshold.FigureOf.VALUE)
    predict_violations(target, yesterday, NOW)
    target.reviewed_through = yesterday
    target.save()

    page = client.get(reverse("statistic_forecast", args=[target.pk, "x_used"]) + "?component=DATA")
    board = client.get(reverse("risks") + "?format=csv").content.decode("utf-8-sig")
    listed = client.get(reverse("risks")).content.decode()

    assert "reaches 50 % (change in 30 days) around" in page.content.decode()
    assert '<span class="sub">change in 30 days</span>' in page.content.decode()
    rows = list(csv.DictReader(io.StringIO(board)))
    assert [(row["limit"], row["unit"]) for row in rows] == [("<=50", "%"), ("<=500", "MB")]
    assert "DATA, change in 30 days" in listed
