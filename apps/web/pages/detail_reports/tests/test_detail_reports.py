"""Detail reports as pages and files: what they show, what they say of what is missing, and what they cost."""

import csv
import io
import re
from dataclasses import replace
from datetime import date, timedelta
from zipfile import ZipFile

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.catalog.details import details_of
from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import get_metric
from apps.charts.figures import SPACE
from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.measured import Measured
from apps.web.pages.detail_reports.day_figures import SPANS, ReportFigures, select_statistics

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    prepare()
    return instance("DWPRD", registered_at=BOOT)


def tell(target: Target, days: list[date], *, tablespaces: int = 3, missing: date | None = None) -> None:
    story = Story(target)
    for number, on in enumerate(days):
        if on == missing:
            continue
        used = {f"TS{at:04}": 100.0 * (tablespaces - at) + number for at in range(tablespaces)}
        story.day(
            on, redo=5 + number, calls=10, used=used, hits=90, waits={"log file sync": (1000, 5.0 + number)}
        )


def page(client: Client, target: Target, report: str, query: str = "") -> str:
    response = client.get(f"{reverse('target_report', args=[target.pk, report])}{query}")
    assert response.status_code == 200
    return response.content.decode()


def sheet(client: Client, target: Target, report: str, table: str, query: str = "") -> list[dict[str, str]]:
    address = f"{reverse('target_report', args=[target.pk, report])}?format=csv&table={table}{query}"
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def queries(client: Client, target: Target, report: str, query: str = "") -> int:
    page(client, target, report, query)  # what a process keeps, it has seen
    with CaptureQueriesContext(connection) as caught:
        page(client, target, report, query)
    return len(caught)


@pytest.mark.parametrize(("busy", "expected"), [([9, 8], ["x", "x:max"]), ([9, 7], ["x", "x:max", "x:busy"])])
def test_the_busiest_hour_stands_beside_the_maximum_only_where_it_differs(busy, expected):
    """W14: of what is read once an hour both are one figure."""
    metric = Metric(
        key="x", label="x", unit="%", kind=Kind.GAUGE, source="p", category=1, reductions=("max", "busy")
    )
    lines = {"x": [5.0, 5.0], "x:max": [9.0, 8.0], "x:busy": busy}
    days = [TODAY, TODAY - timedelta(days=1)]
    keys = [(key, "") for key in lines]
    figures = ReportFigures(
        Measured.of(Target(name="db1"), keys, days, np.array(list(lines.values())), {}), days
    )

    selected = select_statistics([replace(metric, key=key) for key in lines], figures, {})

    assert [statistic.metric.key for statistic in selected] == expected


def test_a_profile_tells_points_from_percent(client, target):
    """W11: the change of a share stood under "Δ %" without a unit."""
    story = Story(target)
    for on, hits, redo in ((TODAY - timedelta(days=7), 90, 10), (TODAY, 80, 15)):
        story.day(on, redo=redo, calls=10, hits=hits)
    client.force_login(User.objects.create_user("reader"))

    html = client.get(f"{target.get_absolute_url()}?on={TODAY}").content.decode()

    assert f"−10.0{SPACE}pt" in html
    assert f"+50.0{SPACE}pt" not in html


@pytest.mark.parametrize("platform", ["oracle", "linux"])
def test_every_report_is_of_figures_that_the_catalogue_has(platform):
    for detail in details_of(platform):
        for listing in detail.listings:
            for column in listing.columns:
                metric = column.is_of
                assert metric.is_figure, column
                assert metric.component_kind, column
                assert metric.to_display_unit(1.0) is not None
            assert set(listing.by_day) <= {column.metric for column in listing.columns}
        for key in (*detail.beside_host, *([detail.lead] if detail.lead else [])):
            assert get_metric(key).is_figure
        assert detail.beside_host or detail.statistics(platform) or detail.listings


def test_used_by_day_is_there_for_every_tablespace_newest_day_first(reader, target):
    tell(target, days_before(TODAY, 3))

    html = page(reader, target, "space", f"?on={TODAY}&days=7")

    rows = re.search(r'id="tablespace-by-day".*?</table>', html, re.S)
    assert rows
    cells = re.findall(r'<td class="num" title="[^"]*">([\d,.]+)</td>', rows[0])
    assert cells[:3] == ["302", "301", "300"]
    assert "TS0000 is first of 3 tablespaces" in re.sub("<[^>]+>", "", html)


def test_a_day_that_was_not_read_says_so_and_is_not_zero(reader, target):
    gap = TODAY - timedelta(days=1)
    tell(target, days_before(TODAY, 3), missing=gap)

    html = page(reader, target, "space", f"?on={TODAY}&days=7")
    rows = sheet(reader, target, "space", "tablespace-by-day", f"&on={TODAY}&days=7")

    assert 'title="DWPRD was not read"' in html
    [missing] = [row for row in rows if row["day"] == gap.isoformat() and row["tablespace"] == "TS0000"]
    assert (missing["used (MB)"], missing["note"]) == ("", "DWPRD was not read")


def test_what_did_not_occur_is_not_present(reader, target):
    story = Story(target)
    first, last = days_before(TODAY, 2)
    story.day(first, waits={"log file sync": (1000, 5)})
    story.day(last, waits={"db file sequential read": (1000, 5)})

    html = page(reader, target, "waits", f"?on={TODAY}&days=7")

    row = re.search(r"<tr>(?:(?!<tr>).)*?log file sync.*?</tr>", html, re.S)
    assert row
    assert "Not present" in row[0]


@pytest.mark.parametrize("report", ["work", "space", "waits"])
def test_a_report_costs_as_many_queries_whatever_it_shows(reader, target, report):
    tell(target, days_before(TODAY, 8), tablespaces=40)

    counts = {queries(reader, target, report, f"?on={TODAY}&days={span}") for span in SPANS}

    assert len(counts) == 1


def test_three_thousand_tablespaces_are_shown_in_part_and_filed_in_full(reader, target):
    tell(target, days_before(TODAY, 2), tablespaces=3000)
    few = instance("SMALL", registered_at=BOOT)
    tell(few, days_before(TODAY, 2), tablespaces=3)

    html = page(reader, target, "space", f"?on={TODAY}&days=7")

    assert "50 of 3000 shown, the largest first" in html
    assert len(html) < 400_000
    assert "TS0000" in html
    assert "TS2999" not in html
    assert "TS2999" in page(reader, target, "space", f"?on={TODAY}&days=7&q=2999")
    assert len(sheet(reader, target, "space", "tablespace", f"&on={TODAY}")) == 3000
    assert queries(reader, target, "space", f"?on={TODAY}") == queries(reader, few, "space", f"?on={TODAY}")


def test_a_filter_that_leaves_nothing_says_so(reader, target):
    tell(target, days_before(TODAY, 2))

    html = page(reader, target, "space", f"?on={TODAY}&q=NOSUCH")

    assert "Nothing here has “NOSUCH” in its name." in html


def test_a_workbook_holds_figures_as_numbers(reader, target):
    tell(target, days_before(TODAY, 2))
    address = reverse("target_report", args=[target.pk, "space"])

    made = reader.get(f"{address}?format=xlsx&table=tablespace&on={TODAY}")

    with ZipFile(io.BytesIO(made.content)) as book:
        cells = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<v>301</v>" in cells
    assert made["Content-Disposition"].endswith('.xlsx"')


def test_tabs_that_have_nothing_are_not_shown(reader, target):
    Story(target).day(TODAY, used={"DATA": 5.0})

    html = page(reader, target, "space", f"?on={TODAY}")

    assert reverse("target_report", args=[target.pk, "space"]) in html
    assert reverse("target_report", args=[target.pk, "waits"]) not in html


def test_statistics_speak_where_nothing_is_listed(reader, target):
    story = Story(target)
    for on in days_before(TODAY, 2):
        story.day(on, hits=90)

    html = page(reader, target, "space", f"?on={TODAY}")

    assert "Hits was 90 %" in re.sub("<[^>]+>", "", html)
    assert "has no figures" not in html


def test_a_report_without_figures_offers_the_next_step(reader, target):
    html = page(reader, target, "space")
    tell(target, days_before(TODAY, 2))

    before = page(reader, target, "space", "?on=2026-01-01&days=7")

    assert "The first figures come with the second reading." in html
    assert "Nothing of this report was read in the 7 days up to" in before


@pytest.mark.parametrize(
    "query",
    ["on=never", "on=9999-12-31", "on=1970-01-01", "days=-1", "days=1e9", "q=%00", "q=<b>", "table=x"],
)
def test_an_impossible_question_gets_a_page(reader, target, query):
    tell(target, days_before(TODAY, 2))

    html = page(reader, target, "space", f"?{query}")

    assert "<b>" not in html


@pytest.mark.parametrize(
    ("report", "query"), [("nothing", ""), ("<script>", ""), ("space", "?format=csv&table=nothing")]
)
def test_what_does_not_exist_is_not_found(reader, target, report, query):
    tell(target, days_before(TODAY, 2))

    assert reader.get(f"{reverse('target_report', args=[target.pk, report])}{query}").status_code == 404


def test_forecasts_of_a_target_without_limits_offer_the_next_step(reader, target):
    tell(target, days_before(TODAY, 2))

    html = reader.get(reverse("target_forecast", args=[target.pk])).content.decode()

    assert "A forecast is made every night for every figure that has a limit" in html


def test_what_is_read_once_a_week_has_a_column_for_each_day_it_was_read(reader, target):
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 9)):
        used = {"DATA": 100.0 + number} if number % 7 == 0 else None
        story.day(on, redo=5, calls=10, used=used)

    html = page(reader, target, "space", "?days=30")

    table = html[html.index('id="tablespace-by-day"') :]
    heads = re.findall(r'<th scope="col" class="num">([^<]*)</th>', table[: table.index("</thead>")])
    days_read = [day for number, day in enumerate(days_before(TODAY, 9)) if number % 7 == 0]
    assert [head.replace("\u00a0", " ").rstrip("*") for head in heads][: len(days_read)] == [
        f"{day:%-d %b}" for day in reversed(days_read)
    ]


def test_the_list_of_everything_says_of_what_did_not_occur_what_other_pages_say(reader):
    prepare(*days_before(TODAY, 3))
    target = instance("DWPRD", registered_at=BOOT)
    story = Story(target)
    for on in days_before(TODAY, 2):
        story.day(on, waits={"log file sync": (1000, 5), "log buffer space": (0, 0)}, cpu=50)

    address = f"{reverse('target_all', args=[target.pk])}?on={TODAY}"
    rows = csv.DictReader(io.StringIO(reader.get(f"{address}&format=csv&table=everything").content.decode()))
    values = {(row["key"], row["component"]): row["value"] for row in rows}

    assert values["x_waits", "log buffer space"] == "not_present"
    assert float(values["x_waits", "log file sync"]) > 0
    assert "Not present" in reader.get(address).content.decode()
