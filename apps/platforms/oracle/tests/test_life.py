"""What an instance lives through between two readings: roles, releases, parameters, containers, rhythms, hours."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from apps.inventory.models import Credential, Target
from apps.platforms.oracle import queries
from apps.platforms.oracle.before import Before
from apps.platforms.oracle.guard import views_in
from apps.platforms.oracle.tests.conftest import MiB, fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.platforms.oracle.versions import SCOPES
from apps.profiles.build import build_profile
from apps.snapshots.models import Coverage, Fact
from testing.oracle_server import Clock, Database, DatabaseUser

pytestmark = pytest.mark.django_db
GIB = 1024**3


def filled(clock: Clock, **options: Any) -> Database:
    options = {"started_at": clock() - timedelta(days=10)} | options
    return fill(Database("GISPRD", clock=clock, **options))


def grows_by_a_gigabyte_an_hour(database: Database, since: datetime) -> None:
    database.set_rows(
        "v$sysstat",
        lambda now: [{"name": "redo size", "value": round(GIB * (100 + (now - since) / timedelta(hours=1)))}],
    )


def facts(life: Life, name: str) -> list[str]:
    figures = Fact.objects.filter(target=life.target(), name=name).order_by("since")
    return list(figures.values_list("value", flat=True))


def test_a_change_of_role_is_a_fact_and_a_note_and_the_series_goes_on():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    grows_by_a_gigabyte_an_hour(database, MIDNIGHT)
    database.add_user(DatabaseUser("SB", "secret", privileges=frozenset({"SYSDG"})))
    with life_of(database, clock) as life:
        Credential.objects.create(
            target=life.target(), use=Credential.Use.STANDBY, username="SB", password="secret"
        )
        life.collect()
        database.fail_over()
        clock.advance(days=1)
        run = life.collect()

        assert facts(life, "role") == ["PRIMARY", "PHYSICAL STANDBY"]
        assert "Its role changed from primary to physical standby." in run.notes
        assert life.figures()["redo_size", ""] == pytest.approx(24)


def test_a_standby_that_was_opened_again_is_read_with_the_ordinary_account():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    database.fail_over()
    database.add_user(DatabaseUser("SB", "secret", privileges=frozenset({"SYSDG"})))
    with life_of(database, clock) as life:
        Credential.objects.create(
            target=life.target(), use=Credential.Use.STANDBY, username="SB", password="secret"
        )
        life.collect()
        database.fail_over()
        clock.advance(days=1)
        run = life.collect()

    assert run.state == "complete"
    assert "tablespaces" in {each["name"] for each in run.sources}


def test_an_upgrade_and_changed_parameters_are_facts_and_notes():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    with life_of(database, clock) as life:
        life.collect()
        database.release_text = "19.24.0.0.0"
        rows: list[dict[str, Any]] = [
            {"name": "sga_target", "value": "17179869184", "display_value": "16G", "isdefault": "FALSE", "con_id": 1},
            {"name": "db_block_size", "value": "8192", "display_value": "8192", "isdefault": "TRUE", "con_id": 1},
        ]  # fmt: skip
        database.set_rows("v$system_parameter", rows)
        clock.advance(days=1)
        run = life.collect()

        assert run.notes[-2:] == [
            "Its release changed from 19.22.0.0.0 to 19.24.0.0.0.",
            "sga_target changed from 8G to 16G.",
        ]
        facts = Fact.objects.filter(name="parameter", component="sga_target").order_by("since")
        assert [(fact.since, fact.value) for fact in facts] == [
            (MIDNIGHT, "8G"),
            (MIDNIGHT + timedelta(days=1), "16G"),
        ]


def test_a_target_that_was_pointed_at_another_database_has_no_difference_over_it():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    grows_by_a_gigabyte_an_hour(database, MIDNIGHT)
    with life_of(database, clock) as life:
        life.collect()
        database.dbid = 4711
        clock.advance(days=1)
        run = life.collect()
        clock.advance(days=1)
        life.collect()

        assert np.isnan(life.figures()["redo_size", ""])
        assert life.figures(DAY + timedelta(days=1))["redo_size", ""] == pytest.approx(24)
        assert facts(life, "identity")[1].startswith("database 4711, instance 1 on ")
        assert any(note.startswith("Another instance answers") for note in run.notes)
        cover = Coverage.objects.get(target=life.target(), day=DAY)
        assert cover.categories["1"]["other_instance"] is True
        assert cover.is_partial


def test_pluggable_databases_have_their_share_of_the_work():
    from testing.oracle_server import instance

    clock = Clock(MIDNIGHT)
    database = instance(
        "GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=9), pdbs=["SALESPDB", "HRPDB"]
    )
    with life_of(database, clock) as life:
        life.collect()
        clock.advance(days=1)
        life.collect()
        figures = life.figures()

    for key in (
        "pdb_db_time",
        "pdb_db_cpu",
        "pdb_executions",
        "pdb_commits",
        "pdb_logical_reads",
        "pdb_redo",
    ):
        assert figures[key, "SALESPDB"] > 0
        assert figures[key, "HRPDB"] > 0
    assert figures["ts_used_mb", "SALESPDB/USERS"] > 0
    assert figures["pdb_db_time", "SALESPDB"] < figures["tm_db_time", ""]


def test_dear_sources_are_read_once_a_week_and_again_when_they_failed():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    database.set_rows(
        "dba_segments", [{"owner": "A", "segment_name": "T", "segment_type": "TABLE", "bytes": 5}]
    )
    read: dict[int, bool] = {}
    with life_of(database, clock, [DAY, DAY + timedelta(days=16)]) as life:
        for number in range(10):
            if number == 7:
                life.server.faults.fail("dba_segments", 1555, text="ORA-01555: snapshot too old", times=1)
            run = life.collect()
            read[number] = "dba_segments" in {each["name"] for each in run.sources if not each["error"]}
            clock.advance(days=1)

    assert [number for number, was_read in read.items() if was_read] == [0, 8]


def test_a_daily_target_reads_everything_but_the_weekly_even_when_the_clocks_change():
    before = Before(
        slot=MIDNIGHT, newest={7: MIDNIGHT - timedelta(hours=23), 22: MIDNIGHT - timedelta(hours=167)}
    )

    assert before.is_due(7, timedelta(hours=1))
    assert before.is_due(22, timedelta(days=7))
    assert not before.is_due(22, timedelta(days=8))
    assert before.is_due(8, timedelta(days=7))


def limited(database: Database) -> None:
    """Take the grant on the usage of tablespaces away."""
    views = {view for scope in SCOPES for _, sql in queries.statements_for(scope) for view in views_in(sql)}
    database.users["HEADROOM"].grants = frozenset(views - {"dba_tablespace_usage_metrics"})


def test_where_usage_cannot_be_read_free_extents_stand_in_and_a_full_tablespace_is_not_lost():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    database.set_rows("dba_free_space", [])
    with life_of(database, clock) as life:
        target = life.target()
        limited(database)
        life.collect()
        full = life.figures(DAY - timedelta(days=1))
        database.set_rows("dba_free_space", [{"tablespace_name": "DATA", "bytes": 5 * MiB}])
        clock.advance(days=1)
        run = life.collect()
        some = life.figures()
        target.refresh_from_db()

    assert full["ts_used_mb", "DATA"] == 20
    assert (some["ts_used_mb", "DATA"], some["ts_free_mb", "DATA"]) == (15, 5)
    assert some["ts_used_mb", "TEMP"] == 2
    assert "Used space comes from dba_free_space: dba_tablespace_usage_metrics cannot be read." in run.notes


def hourly(life: Life) -> Target:
    return life.target(interval_minutes=60)


def test_an_instance_read_hourly_has_mean_p95_maximum_and_busiest_hour():
    start = MIDNIGHT.replace(minute=0)
    clock = Clock(start)
    database = filled(clock)

    def redo(now: datetime) -> list[dict[str, Any]]:
        hours = round((now - start) / timedelta(hours=1))
        written = sum(36 if hour == 14 else 3.6 for hour in range(hours))  # GB in each hour
        return [{"name": "redo size", "value": round(GIB * (100 + written))}]

    database.set_rows("v$sysstat", redo)
    queried: list[int] = []
    with life_of(database, clock) as life:
        hourly(life)
        for _ in range(25):
            life.collect()
            queried.append(sum("dba_data_files" in each.sql for each in life.server.statements))
            clock.advance(hours=1)
        figures = life.figures()

    assert figures["redo_size", ""] == pytest.approx(23 * 3.6 + 36)
    assert figures["redo_mb_per_s", ""] == pytest.approx((23 * 3.6 + 36) * 1024 / 86400)
    assert figures["redo_mb_per_s:max", ""] == pytest.approx(36 * 1024 / 3600)
    assert figures["redo_mb_per_s:busy", ""] == pytest.approx(36 * 1024 / 3600)
    assert figures["redo_mb_per_s:p95", ""] == pytest.approx(3.6 * 1024 / 3600)
    assert figures["ts_used_mb", "DATA"] == 10
    assert queried[-1] == 25


def test_an_instance_read_every_five_minutes_reads_its_dictionary_once_an_hour():
    start = MIDNIGHT.replace(minute=0)
    clock = Clock(start)
    with life_of(filled(clock), clock) as life:
        life.target(interval_minutes=5)
        for _ in range(25):
            run = life.collect()
            clock.advance(minutes=5)
        times = sum("dba_data_files" in each.sql for each in life.server.statements)
        figures = life.figures()

    assert run.state == "complete"
    assert times == 3
    assert figures["ts_used_mb", "DATA"] == 10


def test_a_day_of_the_hosts_zone_has_its_own_length():
    zone = "Europe/Berlin"
    begin = datetime(2026, 3, 29, 0, 5, tzinfo=ZoneInfo(zone)).astimezone(UTC)  # 23 hours long
    clock = Clock(begin)
    database = filled(clock, time_zone=zone)
    grows_by_a_gigabyte_an_hour(database, begin)
    on = date(2026, 3, 29)
    with life_of(database, clock, [on]) as life:
        life.target(time_zone=zone)
        life.collect()
        clock.move_to(datetime(2026, 3, 30, 0, 5, tzinfo=ZoneInfo(zone)).astimezone(UTC))
        run = life.collect()
        cover = Coverage.objects.get(target=life.target(), day=on)
        figures = life.figures(on)

    assert (cover.day_hours, round(cover.hours, 3), cover.restarts) == (23, 23, 0)
    assert figures["redo_size", ""] == pytest.approx(24)  # a day's worth: 23 GB in 23 hours
    assert not [note for note in run.notes if "instance" in note]


def test_log_switches_and_archived_redo_are_of_the_day():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    switches = [MIDNIGHT + timedelta(hours=hour, minutes=minute) for hour in range(24) for minute in (10, 40)]
    switches += [MIDNIGHT + timedelta(hours=9, minutes=minute) for minute in (1, 2, 3)]

    def log_history(now: datetime) -> list[dict[str, Any]]:
        return [
            {"thread#": 1, "sequence#": at, "first_time": database.local(moment)}
            for at, moment in enumerate(sorted(switches))
        ]

    def archived(now: datetime) -> list[dict[str, Any]]:
        return [
            {
                "thread#": 1, "sequence#": at, "resetlogs_id": 1, "dest_id": copy, "blocks": 1024 * 2, "block_size": 512,
                "archived": "YES", "standby_dest": "NO", "next_time": database.local(moment),
                "completion_time": database.local(moment + timedelta(seconds=20)),
            }
            for at, moment in enumerate(sorted(switches)) for copy in (1, 2)
        ]  # fmt: skip

    database.set_rows("v$log_history", log_history)
    database.set_rows("v$archived_log", archived)
    with life_of(database, clock) as life:
        life.collect()
        clock.advance(days=1)
        life.collect()
        figures = life.figures()

    assert figures["log_switches_per_day", ""] == 51
    assert figures["log_switches_peak_hour", ""] == 5
    assert figures["log_switch_min_interval_s", ""] == 60
    assert figures["archived_redo_gb_day", ""] == pytest.approx(51 / 1024)
    assert figures["archive_lag_s", ""] == pytest.approx(20)


def test_a_log_fills_at_the_rate_of_the_hour_with_most_redo():
    """W8: it was an hour over the switches of the busiest hour, whatever the logs held when they were switched."""
    clock = Clock(MIDNIGHT)
    database = filled(clock)  # members of 500 MB
    logs = [  # begin and end in minutes, MB
        (0, 9 * 60, 400),
        (9 * 60, 9 * 60 + 18, 500),
        (9 * 60 + 18, 9 * 60 + 48, 200),
        (9 * 60 + 48, 10 * 60 + 48, 60),  # a fifth of it in the busiest hour
        (10 * 60 + 48, 23 * 60, 400),
    ]

    def archived(now: datetime) -> list[dict[str, Any]]:
        return [
            {
                "thread#": 1, "sequence#": at, "resetlogs_id": 1, "dest_id": 1, "blocks": megabytes * 2048,
                "block_size": 512, "archived": "YES", "standby_dest": "NO",
                "first_time": database.local(midnight + timedelta(minutes=begin)),
                "next_time": database.local(midnight + timedelta(minutes=end)),
                "completion_time": database.local(midnight + timedelta(minutes=end, seconds=20)),
            }
            for at, (begin, end, megabytes) in enumerate(logs)
        ]  # fmt: skip

    midnight = MIDNIGHT.replace(minute=0)
    database.set_rows("v$archived_log", archived)
    with life_of(database, clock) as life:
        life.collect()
        clock.advance(days=1)
        life.collect()
        figures = life.figures()

    megabytes_of_the_hour = 500 + 200 + 60 / 5
    assert figures["redo_peak_mb_s", ""] == pytest.approx(megabytes_of_the_hour / 3600)
    assert figures["redo_log_fill_s", ""] == pytest.approx(500 / (megabytes_of_the_hour / 3600))


@pytest.mark.parametrize(
    ("readings", "most"),
    [
        pytest.param([(100, 400), (120, 460)], 460, id="the mark rose on the day"),
        pytest.param([(100, 400), (120, 400)], 120, id="the mark stood, so that it is what was in use"),
    ],
)
def test_the_most_sessions_of_a_day_fall_again(readings, most):
    """W17: the mark since start-up never falls, and no violation of a limit on it could close."""
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    with life_of(database, clock) as life:
        for now, mark in readings:
            database.set_rows("v$resource_limit", limits_of(now, mark))
            life.collect()
            clock.advance(days=1)

        assert life.figures()["sessions_day_max", ""] == most


def test_the_most_sessions_of_a_day_read_hourly_are_its_highest_reading():
    clock = Clock(MIDNIGHT.replace(minute=0))
    database = filled(clock)
    in_use = [100, 110, 250, 90, *[80] * 21]
    with life_of(database, clock) as life:
        hourly(life)
        for now in in_use:
            database.set_rows("v$resource_limit", limits_of(now, 400))
            life.collect()
            clock.advance(hours=1)

        assert life.figures()["sessions_day_max", ""] == 250


def limits_of(now: int, mark: int) -> list[dict[str, Any]]:
    return [
        {"resource_name": name, "current_utilization": now, "max_utilization": mark, "limit_value": "500"}
        for name in ("processes", "sessions")
    ]


def test_one_reading_signs_in_once_and_that_is_how_long_signing_in_takes():
    """O11: two more logons were made to time it, and three audit records a reading."""
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        run = life.collect()
        [source] = [each for each in run.sources if each["name"] == "signing in"]

        assert life.server.connections == 1
    assert source["series"] == 1
    assert source["seconds"] > 0
    assert not source["error"]


def test_a_profile_names_what_was_measured_of_a_tablespace_that_was_dropped_and_made_again():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    with life_of(database, clock) as life:
        life.collect()
        before = database.source("dba_tablespaces")
        assert before is not None
        database.set_rows("dba_tablespaces", [])
        clock.advance(days=1)
        life.collect()
        gone = life.figures()
        database.set_rows("dba_tablespaces", before)
        clock.advance(days=1)
        life.collect()
        rows = {row.key: row for row in build_profile(life.target(), DAY + timedelta(days=1)).rows}

    assert np.isnan(gone.get(("ts_used_mb", "DATA"), np.nan))
    assert rows["ts_used_mb", "DATA"].today.value == pytest.approx(10 / 1024)
