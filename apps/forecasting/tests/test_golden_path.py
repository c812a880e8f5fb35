"""The golden figures of prediction, and bad input, through the path of all readings: recorded, rolled up, reviewed, told."""

import json
import math
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.collection.tests.scripted import (
    BOOT,
    TODAY,
    Story,
    days_before,
    instance,
    levels,
    prepare,
)
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.review.nightly import review_targets
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
SIZE = "35000"
TABLESPACE1 = [25000, 25120, 25220, 25989]
TABLESPACE2 = [31000, 32001, 32150, 33000]
TABLESPACE_N = [13210] * 4


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def limited(target: Target, notation: str, metric: str = "x_used", **rest: Any) -> None:
    add_threshold(metric, notation, now=BOOT, target=target, **rest)


def answer_of(metric: str = "x_used", component: str = "DATA", on: date = TODAY) -> dict[str, Any]:
    """What `manage.py forecast` says."""
    out = StringIO()
    call_command(
        "forecast", "SCRIPT", metric, "--component", component, "--on", str(on), "--json", stdout=out
    )
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def newest_entry(target: Target, on: date = TODAY) -> Forecast:
    """What the review keeps."""
    review_targets([target], on, NOW)
    return Forecast.objects.get(made_on=on)


# ── the golden figures ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("values", "per_day", "r2", "days", "whole"),
    [(TABLESPACE1, 306.7, 0.78, 29.4, 29), (TABLESPACE2, 614.9, 0.94, 3.25, 3)],
)
def test_PRE2_the_printed_days_as_readings_give_the_printed_lines_and_no_forecast(
    target, values, per_day, r2, days, whole
):
    levels(target, values)
    limited(target, SIZE)

    entry = newest_entry(target)
    (limit,) = answer_of()["limits"]

    assert (entry.likely_on, entry.chance, entry.reason) == (None, None, "needs 14 days, has 4")
    line = limit["lines"][0]
    assert (round(line["per_day"], 1), round(line["r2"], 2)) == (per_day, r2)
    assert line["days"] == pytest.approx(days, abs=0.05)
    assert line["on"] == str(TODAY + timedelta(days=whole))


def test_PRE3_the_three_methods_disagree_on_the_printed_days(target):
    levels(target, TABLESPACE1)
    limited(target, SIZE)

    lines = {line["name"]: line for line in answer_of()["limits"][0]["lines"]}

    assert [round(line["per_day"], 1) for line in lines.values()] == [306.7, 329.7, 224.8]
    assert [round(line["days"], 1) for line in lines.values()] == [29.4, 27.3, 40.1]


def test_PRE4_four_flat_days_have_no_date_anywhere(target):
    levels(target, TABLESPACE_N)
    limited(target, SIZE)

    (limit,) = answer_of()["limits"]

    assert (newest_entry(target).likely_on, limit["likely_on"]) == (None, None)
    assert [(line["per_day"], line["days"], line["on"]) for line in limit["lines"]] == [(0, None, None)] * 3


@pytest.mark.parametrize(
    ("values", "notation"),
    [
        ([13210.0] * 60, SIZE),  # flat
        ([400.0 - day for day in range(60)], "500"),  # falling
        ([400.0 + day for day in range(60)], ">=100"),  # away from a lower limit
    ],
)
def test_PRE4_what_is_flat_or_leads_away_has_no_breach(target, values, notation):
    levels(target, values)
    limited(target, notation)

    entry = newest_entry(target)

    assert (entry.likely_on, entry.soonest_on, entry.is_likely) == (None, None, False)
    assert entry.reason == "none within 60 days"
    assert answer_of()["limits"][0]["chance_in_words"] in ("under 7 %", "under 35 %")


def test_PRE4_a_limit_already_passed_is_a_violation_and_no_breach_in_0_days(target):
    levels(target, [100.0 + day for day in range(60)])
    limited(target, "155")

    entry = newest_entry(target)

    assert (entry.likely_on, entry.chance, entry.reason) == (None, None, "already beyond the limit")
    assert Violation.objects.get().opened_on == TODAY
    assert answer_of()["limits"][0]["words"].startswith("violated since ")


@pytest.mark.parametrize(("count", "words"), [(1, "13 more days"), (13, "1 more day"), (29, "1 more day")])
def test_PRE5_fewer_days_than_it_takes_are_counted(target, count, words):
    levels(target, [100.0 + day for day in range(count)])
    limited(target, "900")

    assert newest_entry(target).likely_on is None
    assert answer_of()["limits"][0]["words"] == f"not enough data: {words}"


def test_PRE6_a_predicted_violation_is_due_its_lead_time_before_the_likely_day(target):
    levels(target, [100.0 + day for day in range(60)])
    limited(target, "190", lead_time_days=14)

    for on in days_before(TODAY, 3):
        review_targets([target], on, NOW)

    newest = Forecast.objects.get(made_on=TODAY)
    assert newest.likely_on is not None
    assert Violation.objects.get().due_on == newest.likely_on - timedelta(days=14)
    assert answer_of()["limits"][0]["act_by"] == str(newest.likely_on - timedelta(days=14))


# ── bad input ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_days_that_were_not_read_and_figures_that_are_none_are_missing_and_not_zero(target):
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 60)):
        if number % 6:
            story.day(on, used={"DATA": math.nan if number % 6 == 1 else 100.0 + number})
    limited(target, "190")

    answer = answer_of()

    assert answer["observed_days"] == 40
    assert newest_entry(target).value == 159
    assert min(point["low80"] for point in answer["expected"]) > 100


def test_a_restart_is_no_drop_of_the_figure(target):
    """Counters begin anew at a restart: on such days the figure is that of the time since, or missing."""
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 60)):
        begins, _ = story.slots(on)
        at = begins + timedelta(hours=1 if number % 20 else 12) if number in (15, 20, 40) else None
        story.day(on, redo=10.0, restarted_at=at)
    limited(target, "50", "x_redo")

    entry = newest_entry(target)
    answer = answer_of("x_redo", "")

    assert 57 <= answer["observed_days"] <= 60
    assert answer["level_shifts"] == []
    assert entry.path["30"][0] == pytest.approx(10, abs=0.5)
    assert (entry.likely_on, entry.reason) == (None, "none within 60 days")


@pytest.mark.parametrize("value", [0.0, 7.0])
def test_a_constant_or_nothing_at_all_has_a_band_and_no_breach(target, value):
    levels(target, [value] * 60)
    limited(target, "9")

    answer = answer_of()

    assert newest_entry(target).likely_on is None
    assert answer["expected"][59]["expected"] == value
    assert answer["expected"][59]["low80"] <= value <= answer["expected"][59]["high80"]
    assert (answer["expected"][59]["high80"] > value) == (value > 0)


def test_a_day_before_anything_was_read_gets_a_sentence(target):
    levels(target, [100.0 + day for day in range(20)])

    with pytest.raises(CommandError, match="has no figures of x_used in the days before 2026-01-15"):
        answer_of(on=date(2026, 1, 15))


def test_of_a_day_in_the_past_nothing_later_is_known(target):
    levels(target, [100.0] * 40 + [500.0] * 20)
    limited(target, "600")
    past = TODAY - timedelta(days=25)

    entry = newest_entry(target, past)

    assert (entry.value, entry.path["14"][0]) == (100, pytest.approx(100, rel=0.01))
    assert answer_of(on=past)["value"] == 100


@pytest.mark.parametrize("is_predicted", [True, False])
def test_an_older_day_reviewed_again_predicts_and_takes_back_nothing(target, is_predicted):
    """Three quiet reviews long ago do not avert what is predicted now, nor do three alarming ones predict what is not."""
    now, then = (190.0, 9000.0) if is_predicted else (9000.0, 190.0)
    levels(target, [100.0 + day for day in range(60)])
    limited(target, str(now))
    for on in days_before(TODAY, 3):
        review_targets([target], on, NOW)
    assert Violation.objects.predicted().exists() is is_predicted
    threshold = Forecast.objects.latest("made_on").threshold
    chance = 0.01 if is_predicted else 0.99
    for on in days_before(TODAY - timedelta(days=8), 3):
        Forecast.objects.create(
            target=target, metric="x_used", component="DATA", threshold=threshold, notation=str(then), made_on=on,
            method="told", horizon=60, chance=chance, is_likely=not is_predicted,
        )  # fmt: skip

    predict_violations(target, TODAY - timedelta(days=8), NOW)

    assert Violation.objects.predicted().exists() is is_predicted
