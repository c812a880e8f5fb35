"""Names at the right edge of a chart stand apart, each near its line."""

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apps.charts.history import history
from apps.charts.plot_parts import NAME, PLOT_HEIGHT, name_lines

LAST = date(2026, 3, 31)
DAYS = [LAST - timedelta(days=back) for back in range(30, -1, -1)]
FAN = [(LAST + timedelta(days=ahead), 50.0, 45.0, 55.0, 40.0, 60.0) for ahead in range(1, 31)]
EDGE = FAN[-1][0].isoformat()


def heights_of(chart):
    """The names at the edge with the middle of each in pixels above the axis."""
    low, high = chart["layout"]["yaxis"]["range"]
    return {
        note["text"]: (min(max(note["y"], low), high) - low) / (high - low) * PLOT_HEIGHT + note["yshift"]
        for note in chart["layout"]["annotations"]
        if note["x"] == EDGE
    }


@given(st.lists(st.floats(0, 100), min_size=1, max_size=4))
def test_no_name_at_the_edge_is_written_over_another(values):
    chart = history(DAYS, [50.0] * len(DAYS), fan=FAN)

    name_lines(chart, [(f"line {place}", EDGE, value) for place, value in enumerate(values)], "grey")

    heights = heights_of(chart)
    assert {"80 % of futures", "line 0"} <= heights.keys()
    ordered = sorted(heights.values())
    assert all(above - below >= NAME - 0.2 for below, above in pairwise(ordered))
    assert ordered[0] >= 0
    assert ordered[-1] <= PLOT_HEIGHT


def test_a_name_with_room_stands_above_the_end_of_its_line():
    chart = history(DAYS, [10.0, 90.0] * 15 + [50.0], fan=FAN)

    name_lines(chart, [("straight line", EDGE, 85.0)], "grey")

    low, high = chart["layout"]["yaxis"]["range"]
    line = (85.0 - low) / (high - low) * PLOT_HEIGHT
    assert abs(heights_of(chart)["straight line"] - line - NAME / 2) < 1
