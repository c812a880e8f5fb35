"""Days that are left out: of what, with which reason."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Group, Target
from apps.profiles.models import Baseline
from apps.thresholds.calendars import Calendar, read_excluded_days, read_excluded_days_of
from apps.thresholds.check import check_thresholds
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
WEEK = TODAY - timedelta(days=6)


@pytest.fixture
def target() -> Target:
    prepare()
    return instance(group=Group.objects.create(name="Warehouse"))


def calendar(name: str, days: str, kind: str = "maintenance", **scope: object) -> Calendar:
    return Calendar.objects.create(name=name, days=days, kind=kind, set_at=BOOT, **scope)


def test_maintenance_is_left_out_always_and_peaks_when_asked(target):
    calendar("patches", "2026-06-27")
    calendar("month end", "last 2 days of the month", "peak")

    days = read_excluded_days(target, WEEK, TODAY)

    assert days.days(with_peaks=False) == {TODAY - timedelta(days=3): "maintenance window “patches”"}
    assert days.days(with_peaks=True) == {
        TODAY - timedelta(days=3): "maintenance window “patches”",
        TODAY - timedelta(days=1): "known peak “month end”",
        TODAY: "known peak “month end”",
    }


def test_a_calendar_holds_for_its_target_its_group_or_all(target):
    other = instance("OTHER")
    calendar("mine", "2026-06-24", target=target)
    calendar("ours", "2026-06-25", group=target.group)
    calendar("everybody's", "2026-06-26")
    gone = calendar("gone", "2026-06-27")
    gone.withdrawn_at = NOW
    gone.save()

    excluded = read_excluded_days_of([target, other], WEEK, TODAY)

    assert [day.day for day in excluded[target.pk].maintenance] == [24, 25, 26]
    assert [day.day for day in excluded[other.pk].maintenance] == [26]


def test_what_many_targets_leave_out_is_one_query(target, django_assert_num_queries):
    calendar("month end", "last 2 days of the month", "peak")
    targets = [target, *(instance(f"T{number}") for number in range(5))]

    with django_assert_num_queries(1):
        read_excluded_days_of(targets, WEEK, TODAY)


def test_a_day_left_out_says_so_in_its_row_and_opens_nothing(target):
    add_threshold("x_used", "10", now=BOOT, target=target)
    calendar("patches", str(TODAY))
    levels(target, [11])

    checked = check_thresholds(target, TODAY, NOW)

    (row,) = (row for row in profile_of(target, TODAY).rows if row.row.component == "DATA")
    assert (row.state, checked.opened) == (FigureState.NO_DATA, [])
    assert row.reason == "left out by the maintenance window “patches”, so it is not judged"
    assert checked.states == {("x_used", "DATA", "value"): FigureState.NO_DATA}


def test_known_peaks_are_left_out_only_of_the_limits_that_ask_for_it(target):
    add_threshold("x_used", "10", now=BOOT, target=target, leaves_out_peaks=True)
    add_threshold("x_used", "20", now=BOOT, target=target, severity="critical")
    calendar("month end", "last 3 days of the month", "peak")
    levels(target, [11, 21])

    opened = [check_thresholds(target, day, NOW).opened for day in (TODAY - timedelta(days=1), TODAY)]

    assert opened[0] == []
    assert [(violation.notation, violation.severity) for violation in opened[1]] == [("20", "critical")]


def test_days_of_calendars_are_not_in_what_no_change_means(target):
    add_threshold("x_used", "no change", now=BOOT, target=target)
    days = levels(target, [*[100.0] * 10, 900.0, 900.0, 500.0])
    Baseline.objects.create(target=target, first_day=days[0], last_day=days[11], marked_at=NOW)
    assert check_thresholds(target, TODAY, NOW).opened == []

    calendar("reload", f"{days[10]}..{days[11]}", "maintenance", target=target)

    (violation,) = check_thresholds(target, TODAY, NOW).opened
    assert violation.value == 500


def test_maintenance_enters_no_forecast(target):
    add_threshold("x_used", "1000", now=BOOT, target=target)
    levels(target, [100.0 + day + (700 if day % 7 == 3 else 0) for day in range(60)])
    predict_violations(target, TODAY, NOW)
    with_reloads = Forecast.objects.get()
    Forecast.objects.all().delete()
    reloads = "\n".join(str(TODAY - timedelta(days=59 - day)) for day in range(3, 60, 7))

    calendar("reload", reloads, target=target)
    predict_violations(target, TODAY, NOW)
    without = Forecast.objects.get()

    assert without.path["7"][0] < 200 < with_reloads.path["7"][0]


def test_a_violation_stays_open_through_days_that_are_left_out(target):
    add_threshold("x_used", "10", now=BOOT, target=target, closes_after=2)
    calendar("freeze", f"{TODAY - timedelta(days=4)}..{TODAY - timedelta(days=2)}")

    days = levels(target, [11, 9, 9, 9, 9, 9])
    closed = [bool(check_thresholds(target, day, NOW).closed) for day in days]

    assert closed == [False, False, False, False, False, True]
    assert Violation.objects.get().state == "resolved"
