"""A table that is declared once: what its page shows, what its file holds, what a script sorts by."""

import csv
import io
from dataclasses import dataclass
from datetime import date

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils.safestring import SafeString

from apps.reports.sheets import as_csv
from apps.web.cells import link
from apps.web.tables import (
    Column,
    DrawingColumn,
    FigureColumn,
    FilledTable,
    RowGroup,
    RowHead,
    Table,
    page_or_file,
)
from apps.web.tests.scenes import FORMULA, NASTY

DAY = date(2026, 2, 17)


@dataclass(frozen=True)
class SpaceRow:
    name: str
    used: float | None
    full_on: date | None
    note: str = ""


SPACES: Table[SpaceRow] = Table(
    "spaces",
    "Spaces, fullest first",
    (
        RowHead("space", lambda row: row.name, lambda row: link("/x", row.name)),
        FigureColumn("used", lambda row: row.used, file_head="used, MB"),
        Column("full", lambda row: row.full_on, css=lambda row: "late" if row.full_on else ""),
        DrawingColumn("30 days", show=lambda row: SafeString("<svg></svg>")),
        Column("note", lambda row: row.note, span=lambda row: 2 if row.note == "wide" else 1),
        Column("owner", lambda row: f"owner of {row.name}"),
        Column("key", lambda row: row.name.lower(), in_file_only=True),
    ),
    empty="There are none.",
)
ROWS = [SpaceRow("DATA", 1662.25, DAY), SpaceRow(NASTY, None, None, "wide"), SpaceRow(FORMULA, 7, None)]

SECOND: Table[SpaceRow] = Table("second", "Second", SPACES.columns[:1])
TWO_TABLES = {"first": SPACES.fill(ROWS), "parts": [SECOND.fill(ROWS, file_name="DW/PRD")]}


def page(filled: FilledTable[SpaceRow], tag: str = "table") -> str:
    context = Context({"spaces": filled, "request": RequestFactory().get("/x?on=2026-02-17")})
    return Template(f"{{% load tables %}}{{% {tag} spaces %}}").render(context)


def lines(filled: FilledTable[SpaceRow]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(as_csv(filled.sheet))))


def test_a_page_shows_what_a_file_holds_with_the_exact_figure_beside_it():
    text = page(SPACES.fill(ROWS))

    assert '<th scope="row" class="first"><a class="name" href="/x">DATA</a></th>' in text
    assert '<td class="num" data-l="used" data-v="1662.25">1,662</td>' in text
    assert '<td class="late" data-v="2026-02-17">17\xa0Feb</td>' in text
    assert '<th scope="col" data-sorts="no">30 days</th>' in text
    assert '<td class="num" data-l="used">7</td>' in text
    assert "owner of DATA" in text
    assert ">key<" not in text
    assert NASTY not in text


def test_a_wide_cell_takes_the_place_of_those_behind_it():
    text = page(SPACES.fill(ROWS))

    assert '<td colspan="2">wide</td></tr>' in text


def test_the_file_has_exact_figures_days_and_columns_of_its_own_and_no_drawing():
    assert lines(SPACES.fill(ROWS)) == [
        ["space", "used, MB", "full", "note", "owner", "key"],
        ["DATA", "1662.25", "2026-02-17", "", "owner of DATA", "data"],
        [NASTY, "", "", "wide", f"owner of {NASTY}", NASTY.lower()],
        [f"'{FORMULA}", "7", "", "", f"owner of {FORMULA}", f"'{FORMULA.lower()}"],
    ]


def test_groups_name_their_rows_on_the_page_and_in_the_file():
    filled = SPACES.fill(groups=[RowGroup("New", ROWS[:1], "1"), RowGroup("Old", ROWS[2:], "1")])

    assert '<th scope="rowgroup" colspan="6">Old <span>1</span></th>' in page(filled)
    assert [line[:2] for line in lines(filled)] == [
        ["group", "space"],
        ["New 1", "DATA"],
        ["Old 1", f"'{FORMULA}"],
    ]
    assert len(filled) == 2


def test_a_file_may_hold_more_than_its_page_in_an_order_of_its_own():
    table: Table[SpaceRow] = Table("two", "Two", SPACES.columns[:2], file_order=("used, MB", "space"))

    filled = table.fill(ROWS[:1], all_rows=lambda: iter(ROWS[::2]))

    assert lines(filled) == [["used, MB", "space"], ["1662.25", "DATA"], ["7", f"'{FORMULA}"]]
    assert page(filled).count("<tr>") == 2


def test_a_table_without_rows_says_so():
    assert page(SPACES.fill([])).strip() == "<p>There are none.</p>"


def test_tools_lead_to_the_files_of_this_very_page():
    text = page(SPACES.fill(ROWS), "table_tools")

    assert "/x?on=2026-02-17&amp;table=spaces&amp;format=xlsx" in text
    assert 'aria-label="Spaces, fullest first"' in text


@pytest.mark.parametrize(
    ("query", "file_name"),
    [
        ("format=csv&table=spaces", "spaces.csv"),
        ("format=csv", "spaces.csv"),
        ("format=xlsx&table=second", "DW_PRD.xlsx"),
    ],
)
def test_an_address_asks_for_one_table_of_a_page_as_a_file(query, file_name):
    response = page_or_file(RequestFactory().get(f"/?{query}"), "base.html", TWO_TABLES)

    assert response["Content-Disposition"] == f'attachment; filename="{file_name}"'


@pytest.mark.parametrize("query", ["format=csv&table=others", "format=pdf", "format=CSV", "table=spaces", ""])
def test_an_address_that_asks_for_no_table_of_the_page_gets_the_page(query):
    response = page_or_file(RequestFactory().get(f"/?{query}"), "pages/plan_templates/steps.html", TWO_TABLES)

    assert response["Content-Type"].startswith("text/html")
