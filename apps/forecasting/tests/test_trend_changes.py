"""Trend changes: proposed by the review, decided by people, and what forecasts make of them."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, days_before, instance, levels, prepare
from apps.forecasting.engine.level_shifts import LevelShift
from apps.forecasting.engine.tests.series import wobble
from apps.forecasting.figure_forecast import forecast_figure
from apps.forecasting.models import Forecast, TrendChange
from apps.forecasting.predict import predict_violations
from apps.forecasting.trend_changes import begin_on, decide, propose_trend_changes
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
SHIFTED = TODAY - timedelta(days=39)  # the first day at the new level


@pytest.fixture(scope="module")
def moved_pk(module_db: None) -> int:
    """A tablespace that lost 400 MB by a purge forty days ago, and grows by 1 MB a day."""
    prepare()
    target = instance()
    levels(target, [500.0 + day for day in range(50)] + [150.0 + day for day in range(40)])
    add_threshold("x_used", "210", now=BOOT, target=target, component="DATA")
    return target.pk


@pytest.fixture
def moved(moved_pk: int, db: None) -> Target:
    return Target.objects.get(pk=moved_pk)


@pytest.fixture
def person() -> User:
    return User.objects.create(username="lindqvist")


def test_the_review_proposes_a_level_shift_once(moved):
    for on in days_before(TODAY, 3):
        predict_violations(moved, on, NOW)

    change = TrendChange.objects.get()
    assert (change.metric, change.component, change.on, change.state) == (
        "x_used",
        "DATA",
        SHIFTED,
        "proposed",
    )
    assert change.size == pytest.approx(-399, abs=2)


@pytest.mark.parametrize("is_accepted", [True, False])
def test_what_was_decided_is_not_proposed_again(moved, person, is_accepted):
    predict_violations(moved, TODAY, NOW)
    decide(TrendChange.objects.get(), is_accepted=is_accepted, by=person, now=NOW)

    assert (
        propose_trend_changes(moved, TODAY, [("x_used", "DATA", [LevelShift(days_ago=37, size=-399.0)])])
        == []
    )

    change = TrendChange.objects.get()
    assert (change.decided_by, change.decided_at) == (person, NOW)


def test_an_accepted_trend_change_begins_the_history_of_the_nightly_forecast(moved, person):
    predict_violations(moved, TODAY - timedelta(days=1), NOW)
    decide(TrendChange.objects.get(), is_accepted=True, by=person, now=NOW)

    predict_violations(moved, TODAY, NOW)

    assert [made.horizon for made in Forecast.objects.order_by("made_on")] == [89, 40]
    assert forecast_figure(moved, get_metric("x_used"), "DATA", TODAY).forecasts.observed[0] == 40


def test_a_rejected_one_leaves_the_history_whole(moved, person):
    predict_violations(moved, TODAY, NOW)
    decide(TrendChange.objects.get(), is_accepted=False, by=person, now=NOW)

    assert forecast_figure(moved, get_metric("x_used"), "DATA", TODAY).forecasts.observed[0] == 90


def test_a_day_that_a_person_names_begins_the_history_too(moved, person):
    begin_on(moved, "x_used", "DATA", TODAY - timedelta(days=29), by=person, now=NOW)

    forecast = forecast_figure(moved, get_metric("x_used"), "DATA", TODAY)

    assert (forecast.forecasts.observed[0], forecast.shifted_on) == (30, [])


@pytest.mark.parametrize("since", [1, 2, 7, 14, 29])
def test_until_30_days_have_followed_what_was_before_is_moved_to_the_new_level(person, since):
    """A flow fell to a tenth: so few days after it the forecast goes on from there, at the old slope, with its band."""
    prepare()
    target = instance("ANOTHER")
    before = [500.0 + 20 * step for step in wobble(90 - since)]
    levels(target, before + [50.0 + 20 * step for step in wobble(since, seed=4)])
    add_threshold("x_used", "450", now=BOOT, target=target, component="DATA")
    begin_on(target, "x_used", "DATA", TODAY - timedelta(days=since - 1), by=person, now=NOW)

    forecast = forecast_figure(target, get_metric("x_used"), "DATA", TODAY)
    predict_violations(target, TODAY, NOW)

    assert (forecast.reason, forecast.shifted_on) == ("", [TODAY - timedelta(days=since - 1)])
    assert forecast.forecasts.observed[0] == 90
    assert forecast.forecasts.mean[0].max() < 110
    made = Forecast.objects.get()
    assert (made.likely_on, made.horizon) == (None, 90)
    assert made.chance is not None


def test_of_two_accepted_days_the_history_begins_at_the_older_and_the_young_one_moves_it(moved, person):
    for ago in (39, 9):
        begin_on(moved, "x_used", "DATA", TODAY - timedelta(days=ago), by=person, now=NOW)

    forecast = forecast_figure(moved, get_metric("x_used"), "DATA", TODAY)

    assert (forecast.forecasts.observed[0], forecast.shifted_on) == (40, [TODAY - timedelta(days=9)])


def test_a_day_on_which_nothing_moved_moves_nothing(moved, person):
    plain = forecast_figure(moved, get_metric("x_used"), "DATA", TODAY).forecasts.mean[0]
    begin_on(moved, "x_used", "DATA", TODAY - timedelta(days=9), by=person, now=NOW)

    forecast = forecast_figure(moved, get_metric("x_used"), "DATA", TODAY)

    assert forecast.forecasts.mean[0] == pytest.approx(plain, rel=0.02)


def test_a_trend_change_after_the_day_that_is_asked_for_does_not_count_yet(moved, person):
    begin_on(moved, "x_used", "DATA", TODAY, by=person, now=NOW)

    assert (
        forecast_figure(moved, get_metric("x_used"), "DATA", TODAY - timedelta(days=1)).forecasts.observed[0]
        == 89
    )
