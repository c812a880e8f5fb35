"""`manage.py forecast`: what operators and scripts are told of one figure."""

import json
from collections.abc import Sequence
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db


def answer_of(*arguments: str, **options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command(
        "forecast",
        "SCRIPT",
        "x_used",
        *arguments,
        "--component",
        "DATA",
        "--on",
        str(TODAY),
        "--json",
        stdout=out,
    )
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def limited(values: Sequence[float | None], notation: str, **rest: Any) -> Target:
    prepare()
    target = instance()
    levels(target, values)
    add_threshold("x_used", notation, now=BOOT, target=target, component="DATA", **rest)
    return target


def test_PRE1_growth_is_told_against_the_threshold_as_the_review_tells_it():
    target = limited([100.0 + day for day in range(60)], "190", lead_time_days=14)
    predict_violations(target, TODAY, BOOT)

    (limit,) = answer_of()["limits"]

    entry = Forecast.objects.get()
    assert limit["likely_on"] == str(entry.likely_on)
    assert limit["soonest_on"] == str(entry.soonest_on)
    assert limit["chance"] == pytest.approx(entry.chance, abs=1e-4)
    assert limit["slack_days"] == limit["days_left"] - 14
    assert limit["words"] == f"breach in {limit['days_left']} days"


def test_PRE2_four_days_are_told_as_lines_and_not_as_a_forecast():
    limited([25000, 25120, 25220, 25989], "35000")

    answer = answer_of()
    (limit,) = answer["limits"]

    assert (answer["reason"], limit["words"]) == ("not enough data: 10 more days",) * 2
    assert answer["expected"] == []
    line = limit["lines"][0]
    assert (line["name"], round(line["per_day"], 1), round(line["r2"], 2)) == ("least squares", 306.7, 0.78)
    assert round(line["days"], 1) == 29.4


def test_PRE3_the_lines_show_how_far_they_disagree():
    limited([25000, 25120, 25220, 25989], "35000")

    (limit,) = answer_of()["limits"]

    assert [round(line["days"], 1) for line in limit["lines"]] == [29.4, 27.3, 40.1]


def test_PRE4_a_flat_figure_has_no_breach():
    limited([13210.0] * 60, "14000")

    (limit,) = answer_of()["limits"]

    assert limit["words"] == "no breach within 60 days"
    assert (limit["likely_on"], limit["slack_days"]) == (None, None)
    assert [line["on"] for line in limit["lines"]] == [None] * 3


def test_PRE4_a_figure_beyond_its_limit_is_violated_since_the_day_it_crossed():
    limited([100.0 + day for day in range(60)], "155")

    (limit,) = answer_of()["limits"]

    assert limit["words"] == "violated since 2026-06-27"
    assert (limit["is_violated"], limit["chance"], limit["likely_on"]) == (True, None, None)


def test_PRE5_a_young_figure_says_how_many_days_are_missing():
    limited([100.0 + day for day in range(8)], "155")

    assert answer_of()["limits"][0]["words"] == "not enough data: 6 more days"


def test_PRE5_a_level_alone_says_how_many_days_a_day_of_crossing_needs():
    limited([100.0 + day for day in range(20)], "155")

    answer = answer_of()

    assert answer["limits"][0]["words"] == "not enough data: 10 more days"
    assert len(answer["expected"]) == 20
    assert answer["why"].startswith("With 20 days of figures only the level is carried on")


def test_a_window_longer_than_the_history_is_the_history():
    limited([100.0 + day for day in range(60)], "190")

    assert answer_of("--window", "400")["limits"] == answer_of("--window", "60")["limits"]


def test_a_shorter_window_forgets_what_was_before():
    limited([500.0] * 40 + [100.0 + day for day in range(30)], "190")

    assert answer_of("--window", "30")["observed_days"] == 30


def test_days_that_were_not_read_are_missing_and_not_zero():
    limited([100.0 + day if day % 5 else None for day in range(60)], "190")

    answer = answer_of()

    assert answer["observed_days"] == 48
    assert answer["expected"][29]["expected"] == pytest.approx(189, rel=0.05)


def test_without_a_limit_it_is_foreseen_all_the_same():
    prepare()
    levels(instance(), [100.0 + day for day in range(60)])

    answer = answer_of()

    assert answer["limits"] == []
    assert next(line["name"] for line in answer["lines"]) == "least squares"


def test_both_edges_of_a_range_are_named():
    limited([100.0 - day for day in range(60)], "20..200")

    (limit,) = answer_of()["limits"]

    assert [(edge["limit"], edge["direction"]) for edge in limit["edges"]] == [
        (200, "at_most"),
        (20, "at_least"),
    ]
    assert limit["lines"][0]["days"] == pytest.approx(21)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["SCRIPT", "x_nothing"], "x_nothing is not a statistic of the catalogue."),
        (["SCRIPT", "x_used"], "x_used is measured by tablespace: name one of DATA."),
        (["SCRIPT", "x_used", "--component", "DATE"], "SCRIPT has no tablespace “DATE”; it has DATA."),
        (["SCRIPT", "x_redo"], "SCRIPT has no figures of x_redo in the days before 2026-06-30."),
        (
            ["SCRIPT", "x_used", "--component", "DATA", "--horizon", "0"],
            "Horizon: given 0, expected 1 to 180 days.",
        ),
        (
            ["SCRIPT", "x_used", "--component", "DATA", "--window", "5"],
            "Training window: given 5, expected 14 to 400 days.",
        ),
    ],
)
def test_bad_input_gets_a_sentence(arguments, sentence):
    prepare()
    levels(instance(), [1.0] * 20)

    with pytest.raises(CommandError, match="^" + sentence.replace("(", r"\(").replace(".", r"\.") + "$"):
        call_command("forecast", *arguments, "--on", str(TODAY), stdout=StringIO())


def test_in_words_it_fits_a_line_for_each_limit():
    limited([100.0 + day for day in range(60)], "190", lead_time_days=14)
    out = StringIO()

    call_command("forecast", "script", "x_used", "--component", "DATA", "--on", str(TODAY), stdout=out)

    first, second, *lines = out.getvalue().splitlines()
    assert first == "DATA on SCRIPT, 159 MB on 2026-06-30"
    assert second.startswith("190 (warning): breach in ")
    assert len(lines) == 3
