"""The treemap and the calendar of the estate."""

from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.charts.calendar import calendar
from apps.charts.tests.drawings import of_class, parse, words
from apps.charts.treemap import squarify, treemap

MONDAY = date(2026, 2, 16)


@dataclass(frozen=True)
class Box:
    group: str
    target: str
    url: str
    state: str
    size: float
    used: float


def box(target: str = "DWPRD", state: str = "violated", size: float = 100.0, used: float = 50.0) -> Box:
    return Box("Warehouse", target, "/targets/1", state, size, used)


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=40))
def test_areas_are_as_the_sizes_and_nothing_overlaps_the_edge(sizes: list[float]) -> None:
    boxes = squarify(sizes, (0.0, 0.0, 742.0, 290.0))

    scale = 742.0 * 290.0 / sum(sizes)
    assert [width * height for _, _, width, height in boxes] == pytest.approx(
        [size * scale for size in sizes]
    )
    assert all(
        x >= 0 and y >= 0 and x + width <= 742.001 and y + height <= 290.001 for x, y, width, height in boxes
    )


def test_a_tile_is_a_link_that_says_target_state_and_size() -> None:
    root = parse(treemap([box(size=2**40, used=2**39)]))

    (link,) = [part for part in root.iter() if part.tag == "a"]
    assert (link.get("href"), link.get("aria-label")) == (
        "/targets/1",
        "DWPRD, 1\u00a0TB · 50\u00a0%, violated",
    )


def test_the_filled_part_is_as_high_as_what_is_used() -> None:
    root = parse(treemap([box(size=100.0, used=25.0)]))

    (whole,), (filled,) = of_class(root, "tile"), of_class(root, "tile-used")
    assert float(filled.attrib["height"]) == pytest.approx(float(whole.attrib["height"]) / 4, abs=0.02)


def test_a_target_that_was_not_read_is_hatched_instead_of_filled() -> None:
    root = parse(treemap([box(state="no_data")]))

    assert not of_class(root, "tile-used")
    assert any(part.get("fill", "").startswith("url(#") for part in root.iter())


def test_more_used_than_allocated_fills_the_tile_and_no_more() -> None:
    root = parse(treemap([box(size=100.0, used=140.0)]))

    (whole,), (filled,) = of_class(root, "tile"), of_class(root, "tile-used")
    assert filled.attrib["height"] == whole.attrib["height"]


def test_targets_without_a_size_are_left_out() -> None:
    root = parse(treemap([box("A"), box("B", size=0.0)]))

    assert len(of_class(root, "tile")) == 1


def test_a_name_is_text_whatever_it_holds() -> None:
    root = parse(treemap([box('<script>"x"')]))

    assert '<script>"x"' in list(words(root))


def test_the_count_of_each_day_is_printed_in_its_cell() -> None:
    root = parse(calendar({MONDAY: 4, MONDAY + timedelta(days=1): 11}, MONDAY))

    assert [text for text in words(root) if text.isdigit()] == ["4", "11"]


def test_a_day_on_which_nothing_was_read_is_hatched_and_has_no_count() -> None:
    root = parse(calendar({MONDAY: None}, MONDAY))

    assert not [text for text in words(root) if text.isdigit()]
    assert any(part.get("fill") == "url(#hatch-days)" for part in root.iter())


def test_more_is_deeper_and_none_is_not_red() -> None:
    days = {MONDAY + timedelta(days=offset): count for offset, count in enumerate((0, 1, 6, 12))}

    root = parse(calendar(days, MONDAY))

    depths = [
        name
        for part in root.iter()
        for name in part.get("class", "").split()
        if name.startswith("day-") and name[4:].isdigit()
    ]
    assert depths == ["day-0", "day-1", "day-2", "day-4"]


def test_only_today_is_outlined() -> None:
    days = {MONDAY + timedelta(days=offset): offset for offset in range(7)}

    assert len(of_class(parse(calendar(days, MONDAY + timedelta(days=3))), "day-today")) == 1


def test_a_week_is_a_column() -> None:
    days = dict.fromkeys((MONDAY, MONDAY + timedelta(days=6), MONDAY + timedelta(days=7)), 1)

    cells = [part.attrib for part in of_class(parse(calendar(days, MONDAY)), "day-4")]

    assert cells[0]["x"] == cells[1]["x"] != cells[2]["x"]
    assert cells[0]["y"] == cells[2]["y"] != cells[1]["y"]


def test_no_day_is_an_empty_drawing() -> None:
    assert len(parse(calendar({}, MONDAY))) == 0
