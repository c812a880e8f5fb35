"""Chances against what came, and days off on either side."""

from hypothesis import given
from hypothesis import strategies as some

from apps.charts.reliability import BARS, HEIGHT, WIDTH, ChancePoint, days_off, reliability
from apps.charts.tests.drawings import of_class, parse, words


def test_a_group_on_the_diagonal_stands_on_it_with_its_counts():
    svg = reliability([ChancePoint(0.7, 28, 40, 0.6, 0.79)])

    (dot,) = of_class(parse(svg), "kept-dot")
    assert abs(float(dot.get("cx", "")) - (42 + 0.7 * 310)) < 0.01
    assert abs(float(dot.get("cy", "")) - (HEIGHT - 34 - 0.7 * 236)) < 0.01
    assert "28 of 40" in words(parse(svg))


def test_a_group_of_few_is_hollow():
    svg = reliability([ChancePoint(0.7, 2, 3, 0.3, 0.9)])

    assert len(of_class(parse(svg), "kept-few")) == 1
    assert not of_class(parse(svg), "kept-dot")


def test_early_stands_left_of_late_and_the_line_below():
    svg = days_off([(-3, 2), (0, 4), (99, 1)], [(12, 4)])

    early, late, last = of_class(parse(svg), "bar-in")
    (line,) = of_class(parse(svg), "bar-line")
    middle = WIDTH / 2
    assert float(early.get("x", "")) < middle < float(late.get("x", "")) < float(last.get("x", ""))
    assert float(line.get("y", "")) > float(late.get("y", "")) + float(late.get("height", ""))
    assert float(late.get("height", "")) == 2 * float(early.get("height", ""))


@given(some.lists(some.tuples(some.integers(-400, 400), some.integers(1, 50)), max_size=30))
def test_every_day_has_a_bar_within_the_drawing(offs):
    bars = of_class(parse(days_off(offs, [])), "bar-in")

    assert len(bars) == len({min(max(off // 5 + BARS // 2, 0), BARS - 1) for off, _ in offs})
    assert all(0 <= float(bar.get("x", "")) < WIDTH for bar in bars)
