"""The reader of the whole product sees a contradiction where there is one, and names both places."""

import re
from datetime import date

import pytest

from apps.web.tests.truth.html import tables_in
from apps.web.tests.truth.ledger import Ledger, StatedFact

FIGURE = StatedFact("DWPRD", "ts_used_mb", "DATA", "2026-11-21", "figure")


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ({"exact": 1662.0}, {"exact": 1662.5}),
        ({"exact": 1662.0}, {"text": "1,663"}),
        ({"text": "1,662"}, {"text": "1,663"}),
        ({"exact": "no data"}, {"exact": "not present"}),
        ({"exact": "not present"}, {"exact": 0.0}),
        ({"exact": 1662.0, "unit": "GB", "plain_unit": "MB"}, {"exact": 1662.0, "unit": "MB"}),
    ],
)
def test_two_places_that_differ_are_a_contradiction_that_names_both(value, other):
    ledger = Ledger()
    ledger.say(FIGURE, "/targets/6", **value)
    ledger.say(FIGURE, "/targets/6/all", **other)

    (contradiction,) = ledger.contradictions()

    assert "DWPRD / ts_used_mb / DATA / 2026-11-21" in contradiction
    assert re.search(r"at /targets/6(?!/)", contradiction)
    assert "at /targets/6/all" in contradiction


@pytest.mark.parametrize(
    ("aspect", "value", "other"),
    [
        ("figure", {"exact": 1662.4}, {"text": "1,662"}),
        ("figure", {"exact": 2.0, "unit": "GB", "plain_unit": "MB"}, {"exact": 2048.0, "unit": "MB"}),
        ("chance", {"exact": 0.713}, {"text": "71 %"}),
        ("slack", {"exact": -3.0}, {"text": "−3 d"}),
        ("likely", {"exact": date(2026, 12, 18)}, {"text": "18 Dec"}),
    ],
)
def test_an_exact_figure_and_its_rounding_agree(aspect, value, other):
    ledger = Ledger()
    ledger.say(FIGURE._replace(aspect=aspect), "a file", **value)
    ledger.say(FIGURE._replace(aspect=aspect), "a page", **other)

    assert list(ledger.contradictions()) == []
    assert ledger.met_twice == 1


def test_cells_that_reach_over_rows_and_columns_stand_in_each_of_them():
    html = (
        '<table id="t"><thead><tr><th>of</th><th>a</th><th>b</th></tr></thead><tbody>'
        '<tr><th rowspan="2">group</th><td data-v="1">one</td><td>two</td></tr><tr><td colspan="2">why</td></tr></tbody></table>'
    )

    table = tables_in(html)["t"]

    assert [[cell.text for cell in row] for row in table.rows] == [
        ["group", "one", "two"],
        ["group", "why", "why"],
    ]
    assert table.rows[0][1].sorts_as == "1"


def test_tables_stand_in_forms_and_in_cells_and_drawings_are_no_text():
    html = (
        '<form><table id="t"><thead><tr><th>what</th><th>drawn</th></tr></thead><tbody>'
        '<tr><td><input name="take" value="x|y">one <table><tr><td>within</td></tr></table></td><td><svg class="a"/></td></tr>'
        "<tr><td>two</td><td><svg><text>no</text></svg>three</td></tr></tbody></table></form>"
    )

    table = tables_in(html)["t"]

    assert [[cell.text for cell in row] for row in table.rows] == [["one", ""], ["two", "three"]]
    assert table.rows[0][0].fields == {"take": "x|y"}
