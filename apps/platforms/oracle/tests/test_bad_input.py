"""What a database may show that no database should: each has a defined outcome and, where it matters, a sentence."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.urls import reverse

from apps.platforms.oracle.tests.conftest import event, fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.profiles.build import build_profile
from apps.snapshots.models import Coverage
from apps.snapshots.presence import Presence
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Clock, Database, instance

pytestmark = pytest.mark.django_db
GIB = 1024**3
ODD = 'ges: it\'s "odd" & <strange> µ\t=1+1'


def filled(clock: Clock, **options: Any) -> Database:
    options = {"started_at": clock() - timedelta(days=10)} | options
    return fill(Database("GISPRD", clock=clock, **options))


def count(database: Database, *values: int) -> None:
    """Let redo size stand at these values on successive days."""
    database.set_rows(
        "v$sysstat", lambda now: [{"name": "redo size", "value": values[(now - MIDNIGHT).days]}]
    )


def two_days(life: Life) -> dict[tuple[str, str], float]:
    life.collect()
    life.clock.advance(days=1)
    life.collect()
    return life.figures()


def test_a_number_beyond_the_exact_ones_keeps_its_growth_as_far_as_that_can_be_told():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    count(database, 2**60, 2**60 + 100 * GIB)
    with life_of(database, clock) as life:
        figures = two_days(life)

    assert figures["redo_size", ""] == pytest.approx(100)


def test_a_growth_too_small_beside_such_a_number_is_no_data_and_not_0():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    count(database, 2**60, 2**60 + 100)
    with life_of(database, clock) as life:
        figures = two_days(life)

    assert np.isnan(figures["redo_size", ""])


@pytest.mark.parametrize(
    "values",
    [
        pytest.param((2**32 - 5, 100), id="wrapped at 32 bits"),
        pytest.param((2**64 - 4096, 2**64 - 8192), id="negative, printed without its sign"),
        pytest.param((5000, -5000), id="negative"),
    ],
)
def test_a_counter_that_went_backwards_has_no_figure_and_says_why(values):
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    count(database, *values)
    with life_of(database, clock) as life:
        figures = two_days(life)
        [cell] = [row.today for row in build_profile(life.target(), DAY).rows if row.key == ("redo_size", "")]

    assert np.isnan(figures["redo_size", ""])
    assert (cell.presence, cell.reason) == (Presence.NO_DATA, "the counter went backwards without a restart")


@pytest.mark.parametrize(
    ("on", "hours"),
    [
        pytest.param(date(2026, 3, 29), 23, id="clocks forward"),
        pytest.param(date(2026, 10, 25), 25, id="clocks back"),
        pytest.param(date(2026, 6, 1), 24, id="an ordinary day"),
    ],
)
@pytest.mark.parametrize("server_zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata"])
def test_a_day_is_that_of_the_targets_zone_whatever_the_servers_clock_shows(on, hours, server_zone):
    zone = ZoneInfo("Europe/Berlin")
    begin, end = (
        datetime(day.year, day.month, day.day, 0, 5, tzinfo=zone).astimezone(UTC)
        for day in (on, on + timedelta(days=1))
    )
    clock = Clock(begin)
    database = filled(clock, time_zone=server_zone, started_at=begin - timedelta(days=40))
    database.set_rows(
        "v$sysstat",
        lambda now: [{"name": "redo size", "value": round((now - begin).total_seconds() * 1024**2)}],
    )
    with life_of(database, clock, [on]) as life:
        life.target(time_zone="Europe/Berlin")
        life.collect()
        clock.move_to(end)
        run = life.collect()
        cover = Coverage.objects.get(target=life.target(), day=on)
        figures = life.figures(on)

    assert (round(cover.hours, 3), cover.day_hours, cover.restarts) == (hours, hours, 0)
    assert figures["redo_mb_per_s", ""] == pytest.approx(1)
    assert not [note for note in run.notes if "instance" in note]


def test_a_clock_that_is_off_files_by_the_servers_time_and_is_told():
    clock = Clock(MIDNIGHT)  # years away from this machine's
    database = filled(clock)
    count(database, 0, 7 * GIB)
    with life_of(database, clock) as life:
        life.collect()
        life.clock.advance(days=1)
        run = life.collect()
        figures = life.figures()

    assert any("Its clock is" in note and "behind this machine's" in note for note in run.notes)
    assert figures["redo_size", ""] == pytest.approx(7)


def test_a_clock_that_was_set_back_between_two_readings_makes_no_negative_rate():
    clock = Clock(MIDNIGHT + timedelta(hours=2))
    database = filled(clock)
    count(database, GIB, 8 * GIB)
    with life_of(database, clock) as life:
        life.collect()
        life.clock.move_to(MIDNIGHT + timedelta(hours=1))
        life.collect()
        life.clock.move_to(MIDNIGHT + timedelta(days=1))
        life.collect()
        figures = life.figures()

    assert np.isnan(figures["redo_size", ""]) or figures["redo_size", ""] >= 0


def test_an_event_with_an_odd_name_is_shown_as_it_is_and_harms_nothing():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    database.set_rows(
        "v$system_event",
        lambda now: [event(ODD, "Other", 1000 + 5000 * (now - MIDNIGHT).days, 10**9 * (1 + (now - MIDNIGHT).days))],
    )  # fmt: skip
    with life_of(database, clock) as life:
        figures = two_days(life)
        client = signed_in(is_planner=True)
        page = client.get(f"{life.target().get_absolute_url()}?on={DAY}").content.decode()
        table = client.get(f"{reverse('target_csv', args=[life.target().pk])}?on={DAY}").content.decode()

    assert figures["wait_avg_ms", ODD] == pytest.approx(200)
    assert "&lt;strange&gt;" in page
    assert "<strange>" not in page
    assert "strange" in table


def test_a_hundred_thousand_segments_leave_the_largest_two_hundred():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    rows: list[dict[str, Any]] = [
        {"owner": "APP", "segment_name": f"T{number:06}", "segment_type": "TABLE", "bytes": number * 8192}
        for number in range(1, 100_001)
    ]
    database.set_rows("dba_segments", rows)
    with life_of(database, clock) as life:
        run = life.collect()
        figures = life.figures(DAY - timedelta(days=1))

    sizes = {name: size for (key, name), size in figures.items() if key == "segment_mb"}
    assert run.state == "complete"
    assert len(sizes) == 200
    assert max(sizes, key=lambda name: sizes[name]) == "APP.T100000"


def test_an_instance_read_through_a_pluggable_database_says_what_it_cannot_show():
    clock = Clock(MIDNIGHT)
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=9), pdbs=["SALESPDB"])
    database.pdbs[0].set_rows("v$resource_limit", [])
    with life_of(database, clock) as life:
        life.target(service="SALESPDB")
        life.collect()
        clock.advance(days=1)
        run = life.collect()
        figures = life.figures()

    assert run.state == "complete"
    assert ("processes_max", "") not in figures or np.isnan(figures["processes_max", ""])
    assert (
        "v$resource_limit is empty here, as it is in a pluggable database: no limits were read." in run.notes
    )
    assert figures["ts_used_mb", "USERS"] > 0


FAULTS = [
    pytest.param(lambda s: s.faults.refuse(12516), "the listener has no free server process", id="no process"),
    pytest.param(lambda s: s.faults.deny(18), "all its sessions are taken (ORA-00018)", id="no session"),
    pytest.param(lambda s: s.faults.deny(28001), "its password has expired (ORA-28001)", id="expired"),
    pytest.param(lambda s: s.faults.fail("v$osstat", 4031, text="ORA-04031: no memory"), "v$osstat was not read: ORA-04031", id="error"),
    pytest.param(lambda s: s.faults.drop("v$system_event", after_rows=1, times=1), "The connection was lost while v$system_event was read", id="dropped"),
    pytest.param(lambda s: s.stop(), "no listener answers there", id="nobody"),
]  # fmt: skip


@pytest.mark.parametrize(("misbehave", "sentence"), FAULTS)
def test_a_fault_has_its_sentence_on_the_page_about_collection(misbehave, sentence):
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        life.target()
        misbehave(life.server)
        run = life.collect()
        page = signed_in(is_planner=True).get(reverse("collection")).content.decode()

    assert run.state in ("partial", "failed")
    assert sentence in page
