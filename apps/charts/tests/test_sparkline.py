import re

from hypothesis import given
from hypothesis import strategies as st

from apps.charts.sparkline import sparkline
from apps.charts.tests.drawings import of_class, parse


def strokes(path: str) -> int:
    return path.count("M")


def test_a_missing_day_is_a_gap_and_never_bridged() -> None:
    root = parse(sparkline([1.0, 2.0, None, 2.0, 3.0]))

    (line,) = of_class(root, "spark-line")
    assert strokes(line.attrib["d"]) == 2


def test_the_part_beyond_the_limit_is_drawn_again_on_top() -> None:
    root = parse(sparkline([1.0, 3.0, 1.0], limit=2.0))

    (over,) = of_class(root, "spark-over")
    assert strokes(over.attrib["d"]) == 1


def test_the_part_beyond_a_lower_limit_is_the_one_below_it() -> None:
    assert not of_class(parse(sparkline([3.0, 4.0], limit=2.0, beyond="below")), "spark-over")
    assert of_class(parse(sparkline([3.0, 1.0], limit=2.0, beyond="below")), "spark-over")


def test_at_the_limit_is_not_beyond_it() -> None:
    root = parse(sparkline([2.0, 2.0, 2.0], limit=2.0))

    assert not of_class(root, "spark-over")


def test_the_dot_at_the_end_has_the_colour_of_the_state() -> None:
    ends = [
        of_class(parse(sparkline([1.0, 3.0], 2.0, state=state)), "spark-end")
        for state in ("", "at_risk", "violated", "comfortable")
    ]

    assert [end.attrib["class"] for (end,) in ends] == [
        "spark-end is-over",
        "spark-end is-risk",
        "spark-end is-over",
        "spark-end",
    ]


def test_there_is_no_dot_where_the_last_day_was_not_read() -> None:
    assert not of_class(parse(sparkline([1.0, None])), "spark-end")


def test_days_on_which_it_did_not_occur_are_a_faint_line_at_the_bottom() -> None:
    root = parse(sparkline([None, None, 1.0], absent=[0, 1]))

    assert len(of_class(root, "spark-absent")) == 2


def test_nothing_known_is_an_empty_drawing_of_the_same_size() -> None:
    root = parse(sparkline([None, None]))

    assert (root.get("width"), root.get("height"), len(root)) == ("112", "18", 0)


def test_it_is_an_image_with_its_words_and_hidden_without() -> None:
    named, unnamed = parse(sparkline([1.0], label="a & <b>")), parse(sparkline([1.0]))

    assert (named.get("role"), named.get("aria-label")) == ("img", "a & <b>")
    assert (unnamed.get("role"), unnamed.get("aria-hidden")) == (None, "true")


@given(
    st.lists(st.none() | st.floats(-1e12, 1e12), min_size=1, max_size=40),
    st.none() | st.floats(-1e12, 1e12),
    st.sampled_from(["above", "below"]),
)
def test_whatever_is_drawn_stays_inside_the_drawing(
    values: list[float | None], limit: float | None, beyond: str
) -> None:
    root = parse(sparkline(values, limit, beyond))

    points = [
        (float(x), float(y))
        for name in ("spark-line", "spark-over")
        for path in of_class(root, name)
        for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.attrib["d"])
    ]
    assert all(0 <= x <= 112 and 0 <= y <= 18 for x, y in points)
