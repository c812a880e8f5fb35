"""Limits on the peak hours of a day, where readings are hourly or finer."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.catalog.registry import UnknownMetric, get_metric, hours_of
from apps.collection.tests.scripted import BOOT, GB, TODAY, WORK, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.models import Coverage
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import rebuild_figures, roll_up_day
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Threshold
from apps.thresholds.register import BadThreshold, add_threshold
from apps.web.pages.thresholds.preview import preview_of

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)


@pytest.fixture
def hourly() -> Target:
    prepare()
    return instance("HOURLY", interval_minutes=60)


def day(
    target: Target, on: date, redo: Callable[[int], float], read: Callable[[int], bool] = lambda hour: True
) -> None:
    """Redo in GB of each clock hour (UTC), read at the end of each."""
    total = 0.0
    for hour in range(25):
        slot = datetime.combine(on, time(), UTC) + timedelta(hours=hour)
        if hour:
            total += redo(hour - 1)
        if read(hour):
            values = {("x_redo", ""): total * GB, ("x_calls", ""): 0.0}
            record_snapshot(
                target,
                [ReadSource(category=WORK, values=values)],
                slot=slot,
                captured_at=slot,
                started_at=BOOT,
            )
    roll_up_day(target, on, NOW)


def limit(target: Target | None, metric: str = "x_redo:9-17", notation: str = "<=48 GB/day") -> Threshold:
    (made,) = add_threshold(metric, notation, now=BOOT, target=target)
    return made


def test_THR6_a_limit_on_peak_hours_is_judged_by_these_hours_and_one_on_the_day_by_the_whole_day(hourly):
    limit(hourly)
    limit(hourly, "x_redo", "<=48 GB/day")

    day(hourly, TODAY, lambda hour: 3.0 if 9 <= hour < 17 else 0.5)  # 72 GB/day at peak, 32 over the day

    checked = check_thresholds(hourly, TODAY, NOW)
    (violation,) = checked.opened
    assert (violation.metric, violation.unit) == ("x_redo:9-17", "GB/day")
    assert violation.value == pytest.approx(72)
    assert checked.states["x_redo", "", "value"] == "comfortable"
    assert violation.about.label == "redo, 9 to 17 h"


def test_the_hours_are_those_of_the_targets_own_clock():
    prepare()
    berlin = instance("BERLIN", interval_minutes=60, time_zone="Europe/Berlin")
    limit(berlin)

    day(berlin, TODAY, lambda hour: 3.0 if 7 <= hour < 15 else 0.5)  # 9 to 17 in Berlin

    (violation,) = check_thresholds(berlin, TODAY, NOW).opened
    assert violation.value == pytest.approx(72)


def test_hours_of_which_too_little_was_read_are_not_judged(hourly):
    limit(hourly)

    day(hourly, TODAY, lambda hour: 3.0, read=lambda hour: hour < 10 or hour > 16)

    checked = check_thresholds(hourly, TODAY, NOW)
    assert checked.states["x_redo:9-17", "", "value"] == "no_data"


def test_past_days_are_made_up_for_from_their_readings(hourly):
    day(hourly, TODAY, lambda hour: 3.0)
    limit(hourly)
    assert not check_thresholds(hourly, TODAY, NOW).opened

    rebuild_figures(hourly, TODAY, TODAY, NOW)

    assert len(check_thresholds(hourly, TODAY, NOW).opened) == 1
    assert Coverage.objects.filter(target=hourly).count() == 1


def test_a_target_that_is_read_once_a_day_has_no_peak_hours():
    prepare()
    daily = instance("DAILY")

    with pytest.raises(
        BadThreshold,
        match="needs readings at least once an hour, and DAILY is read once a day; leave the hours empty",
    ):
        limit(daily)
    assert (
        "DAILY is read once a day"
        in preview_of(
            {"target": str(daily.pk), "metric": "x_redo", "hours": "9-17", "notation": "50"}
        ).sentence
    )
    assert not Threshold.objects.exists()


@pytest.mark.parametrize("key", ["x_redo:17-9", "x_redo:9-25", "x_redo:9-9", "x_redo:9-", "x_redo:nine"])
def test_what_are_no_hours_is_no_statistic(key):
    assert hours_of(key) is None
    with pytest.raises(UnknownMetric):
        get_metric(key)


def test_a_day_of_hours_is_the_day(hourly):
    limit(hourly, "x_redo:0-24")

    day(hourly, TODAY, lambda hour: 3.0)

    (violation,) = check_thresholds(hourly, TODAY, NOW).opened
    assert violation.value == pytest.approx(72)


# ── the form ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


def test_the_form_takes_hours_and_shows_them_again(planner, hourly):
    fields = {"target": hourly.pk, "metric": "x_redo", "hours": "9 - 17", "notation": "<=48"}

    assert planner.post(reverse("threshold_add"), fields).status_code == 302

    made = Threshold.objects.get()
    assert made.metric == "x_redo:9-17"
    page = planner.get(made.get_absolute_url()).content.decode()
    assert 'value="9-17"' in page
    assert f'value="{get_metric("x_redo").label}"' in page


@pytest.mark.parametrize(
    ("metric", "hours", "sentence"),
    [
        ("x_redo", "17-9", "“17-9” are no hours of a day; give for example 9-17"),
        ("x_redo", "nine", "“nine” are no hours of a day"),
        ("x_busy_pct:p95", "9-17", "give the hours or the reduction, not both"),
    ],
)
def test_the_form_says_what_is_wrong_with_the_hours(planner, hourly, metric, hours, sentence):
    fields = {"metric": metric, "hours": hours, "notation": "<=48"}

    assert sentence in planner.post(reverse("threshold_add"), fields).content.decode()
    assert not Threshold.objects.exists()


def test_the_form_refuses_hours_of_a_target_that_is_read_once_a_day(planner):
    daily = instance("DAILY")
    fields = {"target": daily.pk, "metric": "x_redo", "hours": "9-17", "notation": "<=48"}

    page = planner.post(reverse("threshold_add"), fields).content.decode()

    assert "A limit on peak hours needs readings at least once an hour, and DAILY is read once a day" in page
