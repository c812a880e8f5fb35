"""What the method asks of collecting: how often, from where, what becomes of a restart, of a missing name."""

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from apps.platforms.linux.sadf import read_samples
from apps.platforms.oracle import queries
from apps.platforms.oracle.guard import LICENSED, views_in
from apps.platforms.oracle.queries import statements
from apps.platforms.oracle.sessions import read_sessions
from apps.platforms.oracle.tests import method
from apps.platforms.oracle.tests.conftest import event, fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, life_of
from apps.profiles.build import build_profile
from apps.profiles.engine.pattern import Pattern, pattern_of
from apps.profiles.models import Baseline
from apps.snapshots.models import Coverage, Snapshot
from apps.snapshots.presence import Presence
from apps.snapshots.reasons import OTHER_INSTANCE
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.register import add_threshold
from testing.oracle_server import Clock, Database, instance

pytestmark = pytest.mark.django_db
SESSION_VIEWS = ("v$sesstat", "v$session_event", "v$statname")


def filled(clock: Clock, **options: object) -> Database:
    return fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10), **options))  # type: ignore[arg-type]


def test_col1_a_target_is_read_once_a_day_and_leaves_one_snapshot_a_slot():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        target = life.target()
        life.collect()
        life.collect()
        buckets = set(Snapshot.objects.filter(target=target).values_list("bucket", flat=True))

    assert target.interval_minutes == 24 * 60
    assert buckets == {MIDNIGHT}


def test_col1_no_rows_of_sessions_are_read_unless_somebody_asks():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        life.collect()
        sent = [statement.sql for statement in life.server.statements]

    assert not [sql for sql in sent for view in SESSION_VIEWS if view in sql]


def test_col2_no_statement_that_is_ever_sent_names_a_licensed_view():
    for _, _, sql in statements():
        assert not [name for name in LICENSED if name in sql.lower()]


def test_col2_what_the_server_was_asked_in_a_collection_names_none_either():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock, pdbs=["SALESPDB"]), clock) as life:
        life.collect()
        sent = [statement.sql.lower() for statement in life.server.statements]

    assert len(sent) > 20
    assert not [sql for sql in sent for name in LICENSED if name in sql]


SERIES = [1_838_346, 1_906_533, 1_754_866, 2_356_571]  # waits of the method's own sample


def waits_of_each_day(clock: Clock) -> Database:
    database = filled(clock)
    database.set_rows(
        "v$system_event",
        lambda now: [
            event("db file scattered read", "User I/O", SERIES[(now - MIDNIGHT).days], 10 * SERIES[(now - MIDNIGHT).days])
        ],
    )  # fmt: skip
    return database


def test_col3_a_restart_is_neither_negative_nor_a_spike():
    clock = Clock(MIDNIGHT)
    database = waits_of_each_day(clock)
    days = []
    with life_of(database, clock) as life:
        life.collect()
        for number in range(1, 4):
            life.clock.advance(days=1)
            if number == 2:
                database.restart(clock() - timedelta(hours=12))
            life.collect()
            day = DAY + timedelta(days=number - 1)
            cover = Coverage.objects.get(target=life.target(), day=day)
            days.append(
                (life.figures(day)["wait_count", "db file scattered read"], cover.restarts, cover.hours)
            )

    assert days[0] == (pytest.approx(1_906_533 - 1_838_346), 0, 24)
    assert days[1] == (pytest.approx(2 * 1_754_866), 1, 12)  # of half a day, so partial and not judged
    assert days[2] == (pytest.approx(2_356_571 - 1_754_866), 0, 24)


def test_col3_a_counter_that_falls_without_a_restart_has_no_figure_and_says_why():
    clock = Clock(MIDNIGHT + timedelta(days=1))
    with life_of(waits_of_each_day(clock), clock) as life:
        life.collect()
        life.clock.advance(days=1)
        life.collect()
        on = DAY + timedelta(days=1)
        rows = build_profile(life.target(), on, also=[("wait_count", "db file scattered read")]).rows
        [cell] = [row.today for row in rows if row.key == ("wait_count", "db file scattered read")]

    assert cell.presence is Presence.NO_DATA
    assert cell.reason == "the counter went backwards without a restart"


def test_col3_another_instance_is_no_difference_however_its_counters_stand():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    with life_of(database, clock) as life:
        life.collect()
        life.clock.advance(days=1)
        database.instances[0].host_name = "dbx-gis02"
        database.restart(clock() - timedelta(hours=1))
        run = life.collect()
        figures = life.figures()
        [cell] = [row.today for row in build_profile(life.target(), DAY).rows if row.key == ("redo_size", "")]

    assert np.isnan(figures["redo_size", ""])
    assert cell.reason == OTHER_INSTANCE
    assert any(note.startswith("Another instance answers: database") for note in run.notes)


READ_BY = {
    "v$sysstat": queries.SYSSTAT,
    "v$sys_time_model": queries.TIME_MODEL,
    "v$pgastat": queries.PGASTAT,
    "v$sgainfo": queries.SGAINFO,
    "v$filestat": queries.DATA_FILE_IO,
    "v$tempstat": queries.TEMP_FILE_IO,
    "dba_free_space": queries.FREE_SPACE,
    "v$sesstat": queries.SESSION_STATISTICS,
    "v$system_event": queries.SYSTEM_EVENT,
    "v$session_event": queries.SESSION_EVENTS,
    "v$segstat": queries.SEGMENT_STATISTICS,
}


@pytest.fixture(scope="module")
def first_reading(django_db_setup: None, django_db_blocker: Any) -> SimpleNamespace:
    """What a lifelike instance was asked: by a collection, and by a person who looks at its sessions."""
    clock = Clock(MIDNIGHT)
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10))
    with django_db_blocker.unblock(), life_of(database, clock) as life:
        run = life.collect()
        sessions = read_sessions(life.target())
        sent = [statement.sql for statement in life.server.statements]
        return SimpleNamespace(
            run=run,
            sessions=sessions,
            sent=sent,
            sources={each["name"]: each["series"] for each in run.sources},
        )


@pytest.mark.parametrize("view", [pytest.param(view, id=f"COL4 {view}") for view in READ_BY])
def test_a_view_of_the_method_is_read_through_the_driver(first_reading, view):
    assert view in views_in(next(sql for query, _, sql in statements() if query is READ_BY[view]))
    assert [sql for sql in first_reading.sent if view in sql]
    assert not first_reading.run.failed_sources
    if view in ("v$sesstat", "v$session_event"):
        assert first_reading.sessions[0].statistics["CPU used by this session"] > 0
        assert first_reading.sessions[0].waits
    else:
        assert (
            next(series for name, series in first_reading.sources.items() if view in name or name in view) > 0
        )


def test_col5_a_statistic_that_a_release_does_not_have_is_not_available_and_never_0():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        life.collect()
        life.clock.advance(days=1)
        life.collect()
        rows = build_profile(life.target(), DAY, also=[("redo_write_time_usec", "")]).rows
        [cell] = [row.today for row in rows if row.metric.key == "redo_write_time_usec"]
        figures = life.figures()

    assert cell.presence is Presence.NO_DATA
    assert cell.value is None
    assert "this release does not have it" in cell.reason
    assert figures.get(("redo_write_time_usec", ""), np.nan) != 0


def test_col5_names_are_matched_by_name_whatever_their_number():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    with life_of(database, clock) as life:
        for number in (0, 1):
            rows = [
                {"name": "redo size", "value": 5 * 1024**3 * (1 + number)},
                {"name": "user commits", "value": 7},
            ]
            numbered: list[dict[str, Any]] = [
                {**row, "statistic#": at} for at, row in enumerate(rows[:: 1 - 2 * number])
            ]
            database.set_rows("v$sysstat", numbered)
            life.move_to(MIDNIGHT + timedelta(days=number))
            life.collect()
        figures = life.figures()

    assert figures["redo_size", ""] == pytest.approx(5)
    assert figures["user_commits", ""] == 0


def test_col7_a_steady_period_becomes_the_reference_of_a_limit():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    growth = [10, 11, 10, 12, 11, 10, 30]

    def redo(now: datetime) -> list[dict[str, Any]]:
        return [{"name": "redo size", "value": 1024**3 * (100 + sum(growth[: (now - MIDNIGHT).days]))}]

    database.set_rows("v$sysstat", redo)
    with life_of(database, clock) as life:
        life.collect()
        for _ in growth:
            life.clock.advance(days=1)
            life.collect()
        target = life.target()
        Baseline.objects.create(
            target=target, first_day=DAY, last_day=DAY + timedelta(days=5), note="steady", marked_at=clock()
        )
        add_threshold("redo_size", "no change", target=target, now=clock())
        states = {}
        for offset in (3, 6):
            judged = profile_of(target, DAY + timedelta(days=offset)).rows
            states[offset] = next(row for row in judged if row.row.metric.key == "redo_size")

    limit = states[6].limit
    assert limit is not None
    assert (limit.low, limit.high) == (pytest.approx(10), pytest.approx(11.75))
    assert states[6].state is FigureState.VIOLATED


@pytest.mark.parametrize(
    ("months", "pattern"),
    [
        pytest.param([10, 11, 12, 13], Pattern.RISING, id="COL8 rising"),
        pytest.param([13, 12, 11, 10], Pattern.FALLING, id="COL8 falling"),
        pytest.param([10, 10.2, 9.9, 10.1], Pattern.FLAT, id="COL8 flat"),
        pytest.param([np.nan, np.nan, 3, 4], Pattern.APPEARED, id="COL8 appeared"),
        pytest.param([3, 4, 4, np.nan], Pattern.GONE, id="COL8 gone"),
    ],
)
def test_profiles_of_successive_months_show_a_pattern(months, pattern):
    clock = Clock(MIDNIGHT - timedelta(days=90))
    database = filled(clock)
    waits = {"count": 0}
    database.set_rows(
        "v$system_event",
        lambda now: [
            event("other", "Other", 5, 5),
            event("log file sync", "Commit", waits["count"], waits["count"]),
        ],
    )
    starts = [MIDNIGHT - timedelta(days=days) for days in (90, 60, 30, 0)]
    counts = []
    with life_of(database, clock, [start.date() for start in starts]) as life:
        for start, amount in zip(starts, months, strict=True):
            life.move_to(start)
            life.collect()
            waits["count"] += 0 if np.isnan(amount) else round(1000 * amount)
            life.clock.advance(days=1)
            life.collect()
            figure = life.figures(start.date()).get(("wait_count", "log file sync"), np.nan)
            counts.append(figure or np.nan)

    assert pattern_of(counts) is pattern


def test_col10_sysstats_records_are_read_as_they_are_kept_five_minutes_seven_days():
    since = datetime(2026, 2, 10, tzinfo=UTC)
    moments = [since + timedelta(minutes=5 * (number + 1)) for number in range(7 * 288)]
    text = json.dumps(
        {
            "sysstat": {
                "hosts": [
                    {
                        "statistics": [
                            {
                                "timestamp": {"date": f"{at:%Y-%m-%d}", "time": f"{at:%H:%M:%S}", "utc": 1, "interval": 300},
                                "queue": {"runq-sz": 3},
                            }
                            for at in moments
                        ],
                        "restarts": [],
                    }
                ]
            }
        }
    )  # fmt: skip

    samples = read_samples(text)

    assert len(samples) == 2016
    assert {sample.seconds for sample in samples} == {300}
    assert samples[-1].ended_at - samples[0].began_at == timedelta(days=7)


def test_every_row_of_the_checklist_has_a_test():
    rows = method.tests_by_row(method.modules())

    assert [row for row, tests in rows.items() if not tests] == []


def test_the_page_about_the_method_is_current():
    current_page = method.page(method.modules())

    assert method.PAGE.read_text() == current_page, (
        "Write it again: python -m apps.platforms.oracle.tests.method"
    )
