"""The drawings are well-formed, carry no style, and show what they were given."""

from dataclasses import dataclass
from datetime import date, timedelta
from xml.etree import ElementTree

import pytest

from apps.charts.bars import bars, ticks
from apps.charts.calendar import calendar
from apps.charts.caseband import Stretch, caseband
from apps.charts.riskbar import riskbar, riskbar_axis
from apps.charts.sparkline import sparkline
from apps.charts.treemap import HEIGHT, WIDTH, squarify, treemap

TODAY = date(2026, 2, 17)


def read(svg):
    tree = ElementTree.fromstring(svg)
    assert not [one for one in tree.iter() if "style" in one.attrib]
    return tree


def of_class(tree, name):
    return [one for one in tree.iter() if name in one.get("class", "").split()]


class TestSparkline:
    def test_the_part_beyond_the_limit_is_cut_where_it_crosses(self):
        tree = read(sparkline([1, 3, 1], 2, "above", "rises and falls"))
        (over,) = of_class(tree, "spark-over")
        (line,) = of_class(tree, "spark-limit")
        y = line.get("d").split()[1].split("H")[0]
        assert over.get("d").startswith("M")
        assert over.get("d").count(f" {y}") == 2  # begins and ends on the limit
        assert tree.get("aria-label") == "rises and falls"

    def test_a_gap_stays_a_gap(self):
        (line,) = of_class(read(sparkline([1, 2, None, 2, 1])), "spark-line")
        assert line.get("d").count("M") == 2

    def test_a_single_day_is_a_dot(self):
        (line,) = of_class(read(sparkline([None, 5, None])), "spark-line")
        assert line.get("d").count("L") == 1

    def test_the_end_dot_tells_the_state_of_today(self):
        assert "is-over" in of_class(read(sparkline([1, 3], 2)), "spark-end")[0].get("class")
        assert "is-over" in of_class(read(sparkline([3, 1], 2, "below")), "spark-end")[0].get("class")
        assert "is-risk" in of_class(read(sparkline([1, 1], 2, state="at_risk")), "spark-end")[0].get("class")
        assert "is-" not in of_class(read(sparkline([3, 2], 2)), "spark-end")[0].get("class")
        assert not of_class(read(sparkline([1, None], 2)), "spark-end")

    def test_days_on_which_it_did_not_occur_lie_on_the_base_line(self):
        assert len(of_class(read(sparkline([None, None, 5, 6], 4, absent=[0, 1])), "spark-absent")) == 2

    @pytest.mark.parametrize("values", [[], [None, None], [0, 0], [5], [1e18, -1e18]])
    def test_any_values_can_be_drawn(self, values):
        read(sparkline(values, 0))

    def test_the_label_cannot_leave_its_attribute(self):
        assert read(sparkline([1], label='"><script>')).get("aria-label") == '"><script>'


@dataclass
class Tile:
    group: str
    target: str
    state: str
    size: float
    used: float
    url: str = "/targets/1"


class TestTreemap:
    def test_areas_are_as_the_sizes_and_fill_the_box(self):
        boxes = squarify([6, 6, 4, 3, 2, 2, 1], (0, 0, 600, 400))
        areas = [width * height for _, _, width, height in boxes]
        assert areas == pytest.approx([size * 10_000 for size in (6, 6, 4, 3, 2, 2, 1)])
        assert all(0 <= x <= 600.001 and 0 <= y <= 400.001 for x, y, _, _ in boxes)
        assert max(max(w / h, h / w) for _, _, w, h in boxes) < 4

    def test_no_sizes_no_boxes(self):
        assert squarify([], (0, 0, 10, 10)) == []
        assert squarify([0, 0], (0, 0, 10, 10)) == [(0, 0, 0.0, 0.0)] * 2

    def test_a_tile_is_a_link_with_its_state_in_words(self):
        tree = read(treemap([Tile("Warehouse", "DWPRD", "violated", 1024**4, 0.88 * 1024**4)]))
        (link,) = [one for one in tree.iter("a")]
        assert link.get("href") == "/targets/1"
        assert link.get("aria-label").startswith("DWPRD, violated, 1\u00a0TB")
        (used,) = of_class(tree, "tile-used")
        (whole,) = of_class(tree, "tile")
        assert float(used.get("height")) / float(whole.get("height")) == pytest.approx(0.88, abs=0.01)

    def test_names_are_written_only_where_they_fit(self):
        tiles = [
            Tile("g", "A_VERY_LONG_NAME_OF_A_TARGET", "comfortable", 1, 0),
            Tile("g", "BIG", "", 1000, 0),
        ]
        texts = [one.text for one in read(treemap(tiles)).iter("text")]
        assert "BIG" in texts
        assert "A_VERY_LONG_NAME_OF_A_TARGET" not in texts

    def test_tiles_without_a_size_are_left_out(self):
        assert not list(read(treemap([Tile("g", "NONE", "", 0, 0)])).iter("a"))
        assert WIDTH / HEIGHT > 2


class TestCalendar:
    def test_counts_are_printed_and_unread_days_hatched(self):
        tree = read(calendar({TODAY - timedelta(days=1): None, TODAY: 11}, TODAY))
        assert [one.text for one in tree.iter("text") if (one.text or "").isdigit()] == ["11"]
        assert len([one for one in tree.iter("rect") if one.get("fill") == "url(#hatch-days)"]) == 1
        assert len(of_class(tree, "day-today")) == 1

    def test_depth_is_by_quarters_of_the_most(self):
        counts = {TODAY - timedelta(days=back): count for back, count in enumerate([0, 1, 3, 5, 8])}
        tree = read(calendar(counts, TODAY))
        assert [len(of_class(tree, f"day-{level}")) for level in range(5)] == [1, 1, 1, 1, 1]

    def test_nothing_to_show(self):
        read(calendar({}, TODAY))


class TestRiskbar:
    def test_a_breach_has_its_range_its_likely_day_and_the_day_to_act(self):
        tree = read(
            riskbar(
                TODAY,
                state="at_risk",
                soonest=date(2026, 3, 2),
                likely=date(2026, 3, 14),
                latest=date(2026, 5, 9),
                act_by=date(2026, 2, 28),
            )
        )
        assert len(of_class(tree, "risk-range")) == 1
        assert len(of_class(tree, "risk-dot")) == len(of_class(tree, "risk-act")) == 1
        assert (
            tree.get("aria-label").replace("\u00a0", " ")
            == "soonest 2 Mar, likely 14 Mar, latest 9 May, act by 28 Feb"
        )

    def test_later_than_the_axis_ends_in_an_arrow_head(self):
        assert len(of_class(read(riskbar(TODAY, state="at_risk", soonest=TODAY)), "risk-range")) == 2

    def test_without_a_day_the_note_takes_its_place(self):
        tree = read(riskbar(TODAY, state="violated", note="over since 9 Feb"))
        assert [one.text for one in tree.iter("text")] == ["over since 9 Feb"]
        assert of_class(tree, "risk-over")

    def test_the_axis_names_its_months(self):
        assert [one.text for one in read(riskbar_axis(TODAY)).iter("text")] == ["now", "Apr", "May"]


class TestBars:
    def test_days_that_would_have_fired_are_marked(self):
        days = [TODAY - timedelta(days=back) for back in (2, 1, 0)]
        tree = read(bars(days, [40, None, 55], 50, [False, False, True], "redo size, 3 days"))
        assert len(of_class(tree, "bar-in")) == 1
        assert len(of_class(tree, "bar-over")) == 1
        assert "limit 50" in [one.text for one in tree.iter("text")]

    def test_nothing_measured(self):
        read(bars([], []))
        read(bars([TODAY], [None], 5))

    @pytest.mark.parametrize(("low", "high"), [(0, 58), (0, 0.003), (-3, 4), (0, 1e9)])
    def test_ticks_are_few_and_round(self, low, high):
        found = ticks(low, high)
        assert 2 <= len(found) <= 7
        assert found[0] >= low
        assert found[-1] <= high * 1.000001

    def test_a_flat_axis_has_one_tick(self):
        assert ticks(3, 3) == [3]


class TestCaseband:
    def test_each_state_is_a_stretch(self):
        band = caseband([Stretch(date(2026, 1, 1), "predicted"), Stretch(date(2026, 1, 20), "open")], TODAY)
        tree = read(band)
        assert len(of_class(tree, "band-predicted")) == len(of_class(tree, "band-open")) == 1
        assert tree.get("aria-label").replace("\u00a0", " ") == "predicted 1 Jan, open 20 Jan"

    def test_a_single_day_and_none_at_all(self):
        assert caseband([], TODAY) == ""
        read(caseband([Stretch(TODAY, "open")], TODAY))
        assert of_class(read(caseband([Stretch(TODAY, "unheard of")], TODAY)), "band-other")
