"""Tables as files: what is in them, and what is refused."""

import csv
import io
from collections.abc import Sequence
from datetime import UTC, date, datetime
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from apps.notices.models import Delivery
from apps.people.models import User
from apps.reports.sheets import Cell, Sheet, as_csv, as_workbook, escape_formula
from apps.snapshots.models import Fact
from apps.thresholds.models import Threshold
from apps.web.tables import file_of
from apps.web.tests.scenes import FORMULA, NASTY

DAY, MOMENT = date(2026, 2, 17), datetime(2026, 2, 17, 2, 3, tzinfo=UTC)
XML = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
ROWS: list[Sequence[Cell]] = [
    ("DATA", 1662.05, 3, DAY, MOMENT),
    (FORMULA, None, 0, None, None),
    ("-2+3", "not present", -1.5, DAY, MOMENT),
    ("nan", float("nan"), float("inf"), DAY, MOMENT),
]
SHEET = Sheet("figures", ("name", "used, GB", "change", "day", "read"), ROWS)


def cells(workbook: bytes) -> list[list[tuple[str, str]]]:
    """The cells of the first sheet: their kind ("n" number, "s" text, "f" formula) and what is in them."""
    with ZipFile(io.BytesIO(workbook)) as parts:
        shared = [
            "".join(text.itertext()) for text in ElementTree.fromstring(parts.read("xl/sharedStrings.xml"))
        ]
        sheet = ElementTree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
    rows = []
    for row in sheet.iter(f"{XML}row"):
        tables = []
        for cell in row.iter(f"{XML}c"):
            value = cell.findtext(f"{XML}v") or ""
            if cell.find(f"{XML}f") is not None:
                tables.append(("f", value))
            elif cell.get("t") == "s":
                tables.append(("s", shared[int(value)]))
            elif value:
                tables.append(("n", value))
        rows.append(tables)
    return rows


def test_csv_has_figures_as_numbers_days_as_days_and_no_formula():
    lines = list(csv.reader(io.StringIO(as_csv(SHEET))))

    assert lines[0] == ["name", "used, GB", "change", "day", "read"]
    assert lines[1] == ["DATA", "1662.05", "3", "2026-02-17", "2026-02-17T02:03:00+00:00"]
    assert lines[2] == [f"'{FORMULA}", "", "0", "", ""]
    assert lines[3][:3] == ["'-2+3", "not present", "-1.5"]
    assert lines[4][:3] == ["nan", "", ""]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "＝1"])
def test_a_text_that_begins_a_formula_is_marked_as_text(text):
    assert escape_formula(text) == f"'{text}"


def test_a_workbook_has_figures_as_numbers_days_as_days_and_no_formula():
    rows = cells(as_workbook([SHEET]))

    assert rows[0] == [("s", head) for head in SHEET.heads]
    assert rows[1] == [
        ("s", "DATA"),
        ("n", "1662.05"),
        ("n", "3"),
        ("n", "46070"),
        ("n", "46070.08541666667"),
    ]
    assert rows[2] == [("s", FORMULA), ("n", "0")]
    assert rows[3][:3] == [("s", "-2+3"), ("s", "not present"), ("n", "-1.5")]
    assert [kind for row in rows for kind, _ in row if kind == "f"] == []


def test_a_file_is_named_so_that_every_disk_takes_it():
    response = file_of(Sheet("DW/PRD <1>", SHEET.heads, SHEET.rows), "csv")

    assert response["Content-Disposition"] == 'attachment; filename="DW_PRD__1_.csv"'


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_every_list_is_there_as_a_file(planner, measured, kind):
    pk = [measured.pk]
    for since, value in ((MOMENT, "1 GB"), (datetime(2026, 2, 18, tzinfo=UTC), "2 GB")):
        Fact.objects.create(
            target=measured, name="parameter", component="sga_target", since=since, value=value
        )
    Delivery.objects.create(
        recipient="ada@example.com", message_id="1", subject="Two violations", made_at=MOMENT
    )
    for address, table, heads in (
        (reverse("targets"), "targets", measured.name),
        (reverse("target", args=pk), "profile", "x_used"),
        (reverse("target_all", args=pk), "everything", "x_used"),
        (reverse("target_violations", args=pk), "violations", "violated"),
        (reverse("target_collection", args=pk), "runs", "complete"),
        (f"{reverse('statistic', args=[measured.pk, 'x_used'])}?component=DATA", "figures", "present"),
        (reverse("violations"), "violations", "violated"),
        (reverse("thresholds"), "thresholds", "used"),
        (Threshold.objects.in_force()[0].get_absolute_url(), "applies-1", measured.name),
        (reverse("estate"), "risk-list", "violated"),
        (reverse("estate"), "open-by-day", "no data"),
        (reverse("reads"), "statements", "v$sysstat"),
        (reverse("notices"), "deliveries", "Two violations"),
        (reverse("target_collection", args=pk), "changed", "2 GB"),
        (reverse("collection"), "readings", measured.name),
        (reverse("collection"), "cost-of-reading", NASTY),
    ):
        page = planner.get(address)
        mark = "&" if "?" in address else "?"
        response = planner.get(f"{address}{mark}format={kind}&table={table}")

        assert f'id="{table}"' in page.text, address
        assert f"format={kind}" in page.text or table == "profile", address
        assert "attachment" in response["Content-Disposition"], address
        texts = [
            text
            for row in (
                cells(response.content)
                if kind == "xlsx"
                else [[("s", cell) for cell in row] for row in csv.reader(io.StringIO(response.text))]
            )
            for _, text in row
        ]
        assert any(heads in text for text in texts), (address, texts)


@pytest.mark.django_db
def test_a_name_that_looks_like_a_formula_is_text_in_the_file_of_a_list():
    User.objects.create_user("mallory", first_name=FORMULA, email="m@example.com")
    client = Client()
    client.force_login(User.objects.create_user("root", is_staff=True))
    address = f"{reverse('people')}?format=csv&table=people"

    rows = list(csv.reader(io.StringIO(client.get(address).text)))

    assert rows[0][:2] == ["person", "signs in as"]
    assert [f"'{FORMULA}", "mallory"] in [row[:2] for row in rows]


@pytest.mark.django_db
def test_nobody_gets_a_table_without_signing_in(client):
    assert client.get(f"{reverse('people')}?format=csv&table=people").status_code == 302
