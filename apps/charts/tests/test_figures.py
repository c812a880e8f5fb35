from datetime import date

import pytest

from apps.charts import figures
from apps.charts.reader import Style, use_style


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2, "2"),
        (2.1, "2.1"),
        (0.76, "0.76"),
        (18.0, "18"),
        (1.564, "1.56"),
        (0.285, "0.29"),
        (20.82, "20.8"),
        (121.4, "121"),
        (999.6, "1,000"),
        (1662.3, "1,662"),
        (-3.2, "−3.2"),
        (-0.001, "> −0.01"),
        (0.004, "< 0.01"),
        (0, "0"),
        (-0.0, "0"),
        (None, "–"),
        (float("nan"), "–"),
        (float("inf"), "∞"),
    ],
)
def test_figure_has_two_or_three_digits(value, text):
    assert figures.figure(value) == text


def test_figure_shows_more_digits_where_fewer_would_hide_the_difference():
    assert figures.figure(1.004, apart_from=1) == "1.004"
    assert figures.figure(50.02, apart_from=50) == "50.02"
    assert figures.figure(1, apart_from=1) == "1"
    assert figures.figure(1.5, apart_from=1) == "1.5"


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (20, "+20.0"),
        (-4.76, "−4.8"),
        (100, "+100"),
        (99.96, "+100"),
        (0, "0"),
        (0.04, "0"),
        (-33.3333, "−33.3"),
        (1234.5, "+1,235"),
        (None, "–"),
    ],
)
def test_delta_has_its_sign_and_one_decimal_below_100(percent, text):
    assert figures.delta(percent) == text


def test_a_change_of_ten_percent_is_big():
    assert figures.is_big(10)
    assert figures.is_big(-12.5)
    assert not figures.is_big(9.9)
    assert not figures.is_big(None)


def test_pads_put_the_points_under_each_other():
    assert figures.pads(["2", "2.1", "1.56", "<1.5", "Not present", "none"]) == [".00", "0", "", "0", "", ""]
    assert figures.pads(["18", "1,662"]) == ["", ""]
    assert figures.pads([]) == []


def test_exact_names_the_bytes_of_a_size_and_all_digits_of_the_rest():
    assert figures.exact(1662, "GB") == "1,662\u00a0GB (1,784,558,911,488 bytes)"
    assert figures.exact(50, "GB/day") == "50\u00a0GB/day (53,687,091,200 bytes per day)"
    assert figures.exact(0.61323, "cs") == "0.61323\u00a0cs"
    assert figures.exact(1234567.25, "") == "1,234,567.25"
    assert figures.exact(None, "cs") == "no data"


def test_days_left():
    assert figures.days_left(25.9) == "25\u00a0d"
    assert figures.days_left(91) == ">\u00a090\u00a0d"
    assert figures.days_left(None) == "–"
    assert figures.days_left(None, over=8) == "over 8\u00a0d"
    assert figures.days_left(None, over=90, is_over_all_kept=True) == "over 90+\u00a0d"


def test_slack_has_its_sign():
    assert figures.slack(11) == "+11\u00a0d"
    assert figures.slack(-18) == "−18\u00a0d"
    assert figures.slack(0) == "0\u00a0d"
    assert figures.slack(None) == "–"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "<\u00a07\u00a0%"), (0.71, "71\u00a0%"), (1, ">\u00a095\u00a0%"), (0.5, "50\u00a0%"), (None, "–")],
)
def test_a_chance_is_never_0_or_100(share, text):
    assert figures.chance(share) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (512, "512\u00a0bytes"),
        (1024**3, "1\u00a0GB"),
        (3.4 * 1024**4, "3.4\u00a0TB"),
        (1000 * 1024, "0.98\u00a0MB"),
        (None, "–"),
    ],
)
def test_bytes_are_written_in_the_unit_that_keeps_them_short(count, text):
    assert figures.bytes_text(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.04, "< 0.1 s"),
        (4.13, "4.1 s"),
        (41.2, "41 s"),
        (120, "2 min"),
        (125, "2 min 5 s"),
        (64080, "17 h 48 min"),
        (90000, "1 d 1 h"),
        (None, "–"),
    ],
)
def test_seconds_as_a_duration(seconds, text):
    assert figures.seconds_text(seconds).replace("\u00a0", " ") == text


def test_days_are_short_in_tables_and_long_in_sentences():
    day = date(2026, 3, 14)
    assert figures.short_day(day) == "14\u00a0Mar"
    assert figures.short_day(day, date(2027, 1, 1)) == "14\u00a0Mar\u00a02026"
    assert figures.long_day(day, date(2026, 1, 1)) == "14\u00a0March"
    assert figures.short_day(None) == "–"
    assert figures.full_day(date(2026, 2, 17)) == "Tue 17 Feb 2026"
    assert figures.month(date(2026, 1, 1)) == "Jan 2026"
    assert figures.month(date(2026, 2, 1)) == "Feb"


def test_a_threshold_is_written_with_the_signs_of_print():
    assert figures.threshold("<=50") == "≤50"
    assert figures.threshold(">=95") == "≥95"
    assert figures.threshold("10..20") == "10..20"
    assert figures.threshold("<1800 GB") == figures.threshold("<1,800 GB") == "<1,800 GB"
    assert figures.threshold("0.05..12345.60") == "0.05..12,345.60"
    assert figures.threshold("<-5") == "<−5"


def test_percent():
    assert figures.percent(71.04) == "71\u00a0%"
    assert figures.percent(None) == "–"


def test_figures_in_a_text_have_the_readers_marks_and_versions_stay():
    text = "Before 12.1, and from 11.2.0.3 on: 1,000 requests, 0.03 % of {slow_1.5}, kernel 3.8.13."

    with use_style(Style(decimal=",", thousands=".")):
        assert figures.mark_figures(text) == (
            "Before 12.1, and from 11.2.0.3 on: 1.000 requests, 0,03 % of {slow_1.5}, kernel 3.8.13."
        )
    assert figures.mark_figures(text) == text
