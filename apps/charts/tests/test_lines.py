"""Several series on one axis, each named at its end."""

import itertools
from datetime import date, timedelta

from apps.charts.lines import ChartLine, lines

FIRST = date(2026, 2, 1)


def draw(*series: ChartLine, days: int = 4) -> str:
    return lines([FIRST + timedelta(days=at) for at in range(days)], series, "used, MB")


def test_a_day_without_a_figure_is_a_gap():
    svg = draw(ChartLine("DATA", [1, 2, None, 4]))

    assert svg.count('class="series series-1"') == 2  # the piece of two days, and the key beside the name
    assert svg.count("<circle") == 1  # the day that stands alone


def test_names_from_the_database_are_text():
    svg = draw(ChartLine("<script>alert(1)</script>", [1, 2, 3, 4]))

    assert "<script>" not in svg
    assert "&lt;script&gt;" in svg


def test_names_of_lines_that_end_together_do_not_lie_on_each_other():
    svg = draw(*(ChartLine(name, [1, 1, 1, 1]) for name in "ABCDE"))

    heights = sorted(float(part.split('y="')[1].split('"')[0]) for part in svg.split("<text")[-5:])
    assert all(after - before >= 14 for before, after in itertools.pairwise(heights))


def test_nothing_known_draws_nothing():
    assert draw(ChartLine("DATA", [None] * 4)) == ""


def test_no_more_than_five_are_drawn():
    svg = draw(*(ChartLine(str(at), [at] * 4) for at in range(8)))

    assert "series-5" in svg
    assert "series-6" not in svg
