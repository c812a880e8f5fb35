"""The golden figures of the method on pages and in files: from a server that speaks Oracle's protocol to what people read."""

import csv
import html
import io
import re
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from apps.platforms.oracle.tests.conftest import event, fill
from apps.platforms.oracle.tests.families import SPACES, families_begun
from apps.platforms.oracle.tests.golden import DATA_FILES, PROFILE, TABLESPACE_DAYS, TEMP_FILE
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.platforms.oracle.tests.slide import slide_lived
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Clock, Database

SPAN = "days=7"
ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.S)
CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.S)


def text(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", markup)).replace("\u00a0", " ").strip()


def table(page: str, key: str) -> list[list[str]]:
    """The rows of a table of a page as texts, its head first."""
    match = re.search(rf'<table[^>]*id="{key}"[^>]*>(.*?)</table>', page, re.S)
    assert match, key
    return [[text(cell) for cell in CELL.findall(row)] for row in ROW.findall(match[1])]


@pytest.fixture(scope="module")
def families(django_db_setup: None, django_db_blocker: Any) -> SimpleNamespace:
    """Seven days of the families' instance, as pages and files of its reports."""
    with django_db_blocker.unblock(), families_begun() as life:
        for _ in range(7):
            life.clock.advance(days=1)
            life.collect()
        return _opened(life, ("space", "io", "segments", "redo", "waits"), DAY + timedelta(days=6))


def _opened(life: Life, reports: tuple[str, ...], on: Any) -> SimpleNamespace:
    client, pages, files = signed_in("reader of the method"), {}, {}
    for report in reports:
        address = f"{reverse('target_report', args=[life.target().pk, report])}?on={on}&{SPAN}"
        pages[report] = client.get(address).content.decode()
        for key in re.findall(r'<table[^>]*id="([^"]+)"', pages[report]):
            made = client.get(f"{address}&format=csv&table={key}").content.decode()
            files[report, key] = list(csv.DictReader(io.StringIO(made)))
    return SimpleNamespace(pages=pages, files=files)


@pytest.mark.django_db  # asks for the database to be made
def test_fam12_used_and_available_of_every_tablespace_are_its_size_on_every_day(families):
    rows = families.files["space", "tablespaces-by-day"]

    assert {row["tablespace"] for row in rows} >= set(SPACES)
    for row in rows:
        if row["tablespace"] in SPACES:
            used, available, size = (float(row[f"{name} (GB)"]) for name in ("used", "available", "size"))
            assert (used + available) * 1024 == pytest.approx(size * 1024) == 35_000, row


@pytest.mark.parametrize(
    ("number", "used", "available"),
    [
        pytest.param(at, used, available, id=f"FAM12 day {at + 1}")
        for at, (used, available) in enumerate(TABLESPACE_DAYS)
    ],
)
def test_a_tablespace_has_its_used_and_available_megabytes_by_day(families, number, used, available):
    day = (DAY + timedelta(days=number)).isoformat()

    [row] = [
        row
        for row in families.files["space", "tablespaces-by-day"]
        if row["tablespace"] == "Tablespace2" and row["day"] == day
    ]
    rows = table(families.pages["space"], "tablespaces-by-day")
    at = rows[0].index(f"{DAY.day + number} Feb") - 1  # the name stands in the first row alone
    first = next(index for index, cells in enumerate(rows) if cells[0] == "Tablespace2")

    assert (float(row["used (GB)"]) * 1024, float(row["available (GB)"]) * 1024) == (used, available)
    assert float(rows[first][at + 1]) == pytest.approx(
        used / 1024, rel=0.005
    )  # three digits stand on the page
    assert float(rows[first + 1][at]) == pytest.approx(available / 1024, rel=0.005)


def file_row(families: SimpleNamespace, name: str) -> tuple[list[str], list[str]]:
    """The head of the table of files, and the row of one of them."""
    head, *rows = table(families.pages["io"], "files")
    [cells] = [row for row in rows if row[0] == name]
    return head, cells


@pytest.mark.parametrize("name", [pytest.param(name, id=f"FAM14 {name}") for name in DATA_FILES])
def test_a_data_file_has_its_requests_and_response_on_the_page_and_in_the_file(families, name):
    ios, average, longest = DATA_FILES[name]

    head, cells = file_row(families, name)
    days = [row for row in families.files["io", "files-by-day"] if row["file"] == name]

    assert head[2] == "I/O a day, k/day"
    assert float(cells[2]) == pytest.approx(ios / 1000, rel=0.005)
    assert cells[3:5] == [str(average), str(longest)]
    assert len(days) == 7
    for row in days:
        assert float(row["I/O a day (per day)"]) == pytest.approx(ios)
        assert float(row["average response (ms)"]) == pytest.approx(average, rel=1e-3)
        assert float(row["maximum response (ms)"]) == pytest.approx(longest)


def test_fam11_the_temp_file_stands_among_the_files(families):
    name, ios, average, longest = TEMP_FILE

    _, cells = file_row(families, name)

    assert (float(cells[2]) * 1000, *cells[3:5]) == (ios, str(average), str(longest))


def test_fam13_segments_are_ranked_by_their_growth(families):
    names = [row[0] for row in table(families.pages["segments"], "growth")[1:4]]

    assert names == ["SALES.ORDERS", "SALES.AUDIT_TRAIL", "SALES.ORDERS_PK"]


def test_fam2_every_statistic_of_redo_is_told_by_day(families):
    rows = {row[0] if len(row) < 11 else row[1]: row for row in table(families.pages["redo"], "statistics")}

    assert rows["redo per entry"][3] == "744"
    assert rows["log writer above redo"][3] == "3.57"
    assert rows["redo size"][4] == "797"  # GB a day; the section's name stands before the first


# ── the profile ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def profile(django_db_setup: None, django_db_blocker: Any) -> SimpleNamespace:
    """The profile of the method's slide as a page: 7 days ago was read a day earlier than asked for."""
    with django_db_blocker.unblock(), slide_lived() as life:
        client, target = signed_in("reader of the method"), life.target()
        html = client.get(f"{reverse('target', args=[target.pk])}?on={DAY}").content.decode()
        report = reverse("target_report", args=[target.pk, "waits"])
        waits = client.get(f"{report}?on={DAY}&{SPAN}").content.decode()
        everything = client.get(f"{reverse('target_all', args=[target.pk])}?on={DAY}").content.decode()
    match = re.search(r'<table\s+class="grid profile.*?</table>', html, re.S)
    assert match
    rows = [[text(cell) for cell in CELL.findall(row)] for row in ROW.findall(match[0])]
    return SimpleNamespace(
        heads=rows[0],
        rows={cells[-13]: cells[-12:] for cells in rows[1:] if len(cells) >= 13},
        foot=text(re.search(r'<ul class="foot-notes">.*?</ul>', html, re.S)[0]),  # type: ignore[index]
        waits=table(waits, "events"),
        everything=everything,
    )


def test_pro1_the_largest_waits_have_class_number_and_average_with_cpu_among_them(profile):
    names = [row[0] for row in profile.waits[1:]]

    assert names[:2] == ["CPU time", "os thread startup"]
    assert not {"SQL*Net message from client", "PX Deq: Execution Msg", "PX Deq Credit: send blkd"} & set(
        names
    )
    by_name = {row[0]: row for row in profile.waits}
    for name, wait_class, values, *_ in PROFILE:
        row = by_name[name]
        assert (row[1], row[4], float(row[5])) == (wait_class, "5,000", pytest.approx(values[3])), name


@pytest.mark.parametrize(
    "number", [pytest.param(at, id=f"PRO2 PRO3 PRO4 {row[0]}") for at, row in enumerate(PROFILE)]
)
def test_a_row_of_the_profile_shows_values_changes_limit_and_state(profile, number):
    name, wait_class, values, limit, state, changes = PROFILE[number]

    cells = profile.rows[name]

    assert cells[0] == wait_class
    for at in range(3):
        value, change = values[at], changes[at]
        assert cells[1 + 2 * at] == ("Not present" if value is None else f"{value:g}")
        change_text = cells[2 + 2 * at].replace("\u2212", "-").replace("+", "")
        assert (
            change_text == "new" if value is None else float(change_text) == pytest.approx(change, abs=0.11)
        )  # -6.25 is printed -6.2, and shown -6.3
    assert float(cells[7]) == values[3]
    assert limit in cells
    assert any(cell.startswith(state) for cell in cells)


def test_pro4_eight_are_violated_and_two_comfortable_on_the_page(profile):
    states = [
        next(
            cell.split()[0] for cell in profile.rows[name][8:] if cell.startswith(("violated", "comfortable"))
        )
        for name, *_ in PROFILE
    ]

    assert (states.count("violated"), states.count("comfortable")) == (8, 2)


def test_pro5_the_page_names_the_day_that_stood_in(profile):
    assert any("9 Feb*" in head.replace("\u00a0", " ") for head in profile.heads)
    assert "Not read on that very day; the nearest earlier day is used." in profile.foot


def test_pro6_what_the_profile_leaves_out_is_one_click_away(profile):
    assert len(profile.rows) <= 40
    assert profile.everything.count("<tr>") > 2 * len(profile.rows)


RATES = [
    # event, waits a second, average in ms, busy share of its process, sessions waiting on average, both as shown
    pytest.param("log file parallel write", 74, 11.8, "87.3", "0.87", id="PRO7 log writer before"),
    pytest.param("log file parallel write", 845, 0.55, "46.5", "0.46", id="PRO7 log writer after"),
    pytest.param("log file sync", 72, 26.45, "190", "1.9", id="PRO8 commits before"),
    pytest.param("log file sync", 519, 2.13, "111", "1.11", id="PRO8 commits after"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "per_second", "average", "busy", "sessions"), RATES)
def test_the_waits_show_how_busy_a_process_was_and_how_many_sessions_waited(
    name, per_second, average, busy, sessions
):
    def rows(now: datetime) -> list[dict[str, Any]]:
        waits = round(per_second * (now - MIDNIGHT).total_seconds()) + 1000
        return [event(name, "Commit", waits, round(waits * average * 1000))]

    clock = Clock(MIDNIGHT)
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=1)))
    database.set_rows("v$system_event", rows)
    with life_of(database, clock) as life, transaction.atomic():
        life.collect()
        life.clock.advance(days=1)
        life.collect()
        lines = table(_opened(life, ("waits",), DAY).pages["waits"], "events")

    head, row = lines[0], next(cells for cells in lines if cells[0] == name)
    assert row[head.index("share of the day, %")] == busy
    assert row[head.index("sessions waiting")] == sessions
