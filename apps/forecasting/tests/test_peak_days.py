"""Known peaks and maintenance in forecasts: what calendars leave out of a limit moves its forecast neither behind nor ahead."""

import json
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import predict_crossings
from apps.forecasting.engine.edges import build_edges, find_first_days
from apps.forecasting.engine.tests.series import growing, predict, sure
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.thresholds.calendars import Calendar
from apps.thresholds.engine.notation import Form
from apps.thresholds.register import add_threshold

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
DAYS = 90


def calendar(days: str, kind: str = "peak") -> None:
    Calendar.objects.create(name="month end", days=days, kind=kind, set_at=BOOT)


def limited(notation: str, **rest: Any) -> None:
    add_threshold("x_used", notation, now=BOOT, component="DATA", **rest)


def made(target: Target, on: date = TODAY) -> dict[str, Forecast]:
    predict_violations(target, on, NOW)
    return {forecast.notation: forecast for forecast in Forecast.objects.filter(made_on=on)}


# ── the arithmetic ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("is_so", "judged", "opening", "day"),
    [
        ("..xx..", "111111", (1, 1), 3),
        ("..xx..", "110011", (1, 1), np.inf),
        ("xxxxxx", "000100", (1, 1), 4),
        ("..xx..", "111111", (2, 3), 4),
        ("..x.x.", "111011", (2, 2), 5),  # the day between is no day
        ("..x.x.", "111111", (2, 2), np.inf),
        ("xxxxxx", "000110", (2, 3), 5),
        ("xxxxxx", "000100", (2, 3), np.inf),  # one day is no two
        ("x....x", "111111", (2, 3), np.inf),
    ],
)
def test_the_days_that_open_a_violation_are_days_that_count(is_so, judged, opening, day):
    path = np.array([[[sign == "x" for sign in is_so]]])
    counts = np.array([[sign == "1" for sign in judged]])

    assert find_first_days(path, [opening], counts).tolist() == [[day]]


def test_days_that_have_passed_count_toward_those_that_open_a_violation():
    path, before = np.array([[[True, False, True]]]), np.array([[False, True]])

    assert find_first_days(path, [(2, 3)], None, before).tolist() == [[1]]
    assert find_first_days(path, [(3, 4)], None, before).tolist() == [[3]]


def test_a_crossing_waits_for_the_next_day_that_counts():
    forecasts = forecast_batch([growing(noise=0)])
    day = sure(predict(forecasts, [2105])[0].day)
    judged = np.ones((1, 90), dtype=np.bool_)
    judged[0, day - 2 : day + 9] = False

    prediction = predict_crossings(forecasts, build_edges([0], [2105], [Form.AT_MOST]), judged=judged)[0]

    assert prediction.day == day + 10


# ── through the review and the command ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def closing_pk(module_db: None) -> int:
    """50 MB, and 80 on the last two days of each month; the last day is the last of June."""
    prepare()
    target = instance()
    first = TODAY - timedelta(days=DAYS - 1)
    days = [first + timedelta(days=number) for number in range(DAYS)]
    levels(target, [80.0 if (day + timedelta(days=2)).month != day.month else 50.0 for day in days])
    return target.pk


@pytest.fixture
def closing(closing_pk: int, db: None) -> Target:
    return Target.objects.get(pk=closing_pk)


def test_a_limit_that_leaves_known_peaks_out_is_not_foreseen_to_break_on_one(closing):
    limited("<=70", leaves_out_peaks=True)
    calendar("last 2 days of the month")

    (forecast,) = made(closing).values()

    assert (forecast.value, forecast.likely_on) == (50, None)
    assert sure(forecast.chance) < 0.07
    assert max(high for _, _, high in forecast.path.values()) < 60


def test_another_limit_on_the_same_figure_sees_the_peaks(closing):
    limited("<=70", leaves_out_peaks=True)
    limited("<=75", severity="critical")
    calendar("last 2 days of the month")

    forecasts = made(closing)

    assert forecasts["<=75"].value == 80
    assert forecasts["<=75"].reason == "already beyond the limit"
    assert sure(forecasts["<=70"].chance) < 0.07


def test_without_a_calendar_the_limit_sees_all_days(closing):
    limited("<=70", leaves_out_peaks=True)

    (forecast,) = made(closing).values()

    assert forecast.reason == "already beyond the limit"


@pytest.mark.parametrize("kind", ["peak", "maintenance"])
def test_a_crossing_within_days_ahead_that_are_left_out_comes_after_them(db, kind):
    prepare()
    target = instance("ANOTHER")
    levels(target, [100.0 + day for day in range(60)])
    limited("<=180", leaves_out_peaks=True)
    plain = sure(made(target)["<=180"].likely_on)
    Forecast.objects.all().delete()
    last = plain + timedelta(days=8)
    calendar(f"{plain - timedelta(days=1)}..{last}", kind)

    (forecast,) = made(target).values()

    assert forecast.likely_on == last + timedelta(days=1)


def test_a_limit_of_peaks_alone_says_that_calendars_leave_them_out(db):
    prepare()
    target = instance("ANOTHER")
    levels(target, [100.0 + day for day in range(60)])
    limited("<=180", leaves_out_peaks=True)
    calendar(f"{TODAY - timedelta(days=9)}..{TODAY}")

    (forecast,) = made(target).values()

    assert forecast.reason == "nothing measured for 10 days; calendars leave out 10 of the last 60"


def test_the_command_tells_each_limit_by_its_own_days(closing):
    limited("<=70", leaves_out_peaks=True)
    limited("<=75", severity="critical")
    calendar("last 2 days of the month")
    out = StringIO()

    call_command(
        "forecast", "SCRIPT", "x_used", "--component", "DATA", "--on", str(TODAY), "--json", stdout=out
    )

    answer = json.loads(out.getvalue())
    words = {limit["threshold"]: limit["words"] for limit in answer["limits"]}
    assert answer["observed_days"] == DAYS
    assert words == {
        "<=70": "no breach within 88 days",
        "<=75": f"violated since {TODAY - timedelta(days=1)}",
    }
    assert {limit["threshold"]: limit["leaves_out_peaks"] for limit in answer["limits"]} == {
        "<=70": True,
        "<=75": False,
    }


def test_where_every_limit_leaves_peaks_out_the_expected_line_does_too(closing):
    limited("<=70", leaves_out_peaks=True)
    calendar("last 2 days of the month")
    out = StringIO()

    call_command(
        "forecast", "SCRIPT", "x_used", "--component", "DATA", "--on", str(TODAY), "--json", stdout=out
    )

    answer = json.loads(out.getvalue())
    assert answer["observed_days"] == DAYS - 6
    assert max(point["high80"] for point in answer["expected"]) < 60
