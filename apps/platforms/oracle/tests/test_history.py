"""What a database tells of the days before its first reading, held against what a collector read on those days."""

import csv
import io
from datetime import date, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.urls import reverse

from apps.collection.history.imports import (
    NoHistory,
    ask_for_history,
    look_for_history,
    pause_reading,
    read_history,
    resume_reading,
    start_reading,
    take_back_history,
)
from apps.collection.history.models import HistoryImport
from apps.platforms.oracle import categories
from apps.platforms.oracle.history.session import open_history
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, life_of
from apps.profiles.build import build_profile
from apps.snapshots.engine.days import day_of
from apps.snapshots.imported_days import record_imported_days
from apps.snapshots.models import Coverage, Figure
from apps.thresholds.models import Violation
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Clock, Statspack, instance

HOUR = timedelta(hours=1)
ALL = ("statspack", "archived_log", "log_history", "backups")
EXACT = 0.01  # what they may differ by, as a share
UTC = ZoneInfo("UTC")
TODAY = DAY  # on which the instance is registered


@pytest.fixture
def life(db):
    clock = Clock(MIDNIGHT)
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=20))
    with life_of(database, clock) as life:
        yield life


def imported(life, on: date):
    """The figures of a day as they come from the database's own memory, on a target of their own."""
    target = life.target("LATE")
    with open_history(target) as session:
        day = session.read_day(day_of(on, target.zone), ALL)
    assert day is not None
    record_imported_days(target, [day], "history", {}, life.clock())
    return {key: value for key, value in life.figures(on, "LATE").items() if not np.isnan(value)}


def test_a_day_of_statspack_has_the_figures_that_a_collector_read(life):
    on, statspack = TODAY - timedelta(days=1), Statspack(life.database)
    for hour in range(25):
        life.move_to(day_of(on, UTC).began_at + hour * HOUR)
        statspack.snap(life.clock())
        life.collect(interval_minutes=60)
    read = {key: value for key, value in life.figures(on).items() if not np.isnan(value)}

    late = imported(life, on)

    shared = late.keys() & read.keys()
    assert {
        ("redo_size", ""),
        ("db_time", ""),
        ("log_switches_per_day", ""),
        ("wait_avg_ms", "log file sync"),
    } <= shared
    assert {
        key: (late[key], read[key]) for key in shared if late[key] != pytest.approx(read[key], rel=EXACT)
    } == {}
    assert len(shared) > 300


def look(target, life) -> HistoryImport:
    """What a worker finds when somebody asks."""
    ask_for_history(target, None, life.clock())
    history = look_for_history(target.pk, life.clock())
    assert history is not None
    return history


def read(target, life, *sources: str) -> HistoryImport:
    """Read all that was found, as workers do it one after the other."""
    start_reading(target, sources or ALL, life.clock())
    while read_history(target.pk, life.clock):
        pass
    return HistoryImport.objects.get(target=target)


@pytest.fixture
def remembered(life):
    """Three days of Statspack every six hours, on a target that was read for the first time today."""
    statspack = Statspack(life.database)
    statspack.snap_each(6 * HOUR, day_of(TODAY - timedelta(days=3), UTC).began_at, MIDNIGHT)
    life.collect()
    return statspack


def test_what_a_database_remembers_is_shown_before_anything_is_stored(life, remembered):
    [statspack, archived, switches, *_] = look(life.target(), life).reaches

    assert (statspack.first, statspack.days) == (TODAY - timedelta(days=3), 3)
    assert (statspack.every, statspack.rows, statspack.what) == ("6 hours", 13, "snapshots")
    assert archived.days > 10
    assert switches.days > 10
    assert Coverage.objects.exclude(origin="").count() == 0


def test_history_is_stored_with_its_sources_and_the_same_again_changes_nothing(life, remembered):
    target = life.target()
    look(target, life)

    history = read(target, life, "statspack", "archived_log")

    assert history.state == HistoryImport.State.READ
    covers = {cover.day: cover for cover in Coverage.objects.filter(target=target).exclude(origin="")}
    yesterday = covers[TODAY - timedelta(days=2)]
    assert yesterday.origin == "Statspack, archived log"
    assert yesterday.hours == pytest.approx(24)
    assert yesterday.categories[str(categories.SYSSTAT)]["from"] == "Statspack"
    assert yesterday.categories[str(categories.ARCHIVED_LOG)]["from"] == "archived log"
    assert covers[TODAY - timedelta(days=10)].origin == "archived log"
    figures = life.figures(TODAY - timedelta(days=2))
    assert figures["redo_size", ""] > 0
    assert read(target, life, "statspack", "archived_log").stored == history.stored
    assert life.figures(TODAY - timedelta(days=2)) == pytest.approx(figures, nan_ok=True)
    assert not Violation.objects.exists()


def test_history_is_taken_back_whole(life, remembered):
    target = life.target()
    look(target, life)
    stored = read(target, life).days_stored

    assert take_back_history(target, life.clock()) == stored > 10

    assert not Coverage.objects.filter(target=target).exclude(origin="").exists()
    assert not Figure.objects.filter(target=target, day__lt=TODAY - timedelta(days=1)).exists()
    assert take_back_history(target, life.clock()) == 0


def test_a_day_that_was_measured_stays_as_it_is(life):
    on, statspack = TODAY - timedelta(days=1), Statspack(life.database)
    for moment in (day_of(on, UTC).began_at, day_of(on, UTC).ended_at):
        life.move_to(moment)
        life.collect()
    statspack.snap_each(6 * HOUR, day_of(on, UTC).began_at - 3 * 24 * HOUR, MIDNIGHT)
    life.move_to(MIDNIGHT)
    look(life.target(), life)

    history = read(life.target(), life, "statspack")

    assert set(history.stored) == {str(on - timedelta(days=back)) for back in (2, 3)}
    assert Coverage.objects.get(target=life.target(), day=on).origin == ""


def test_a_reading_goes_on_where_it_was_paused(life, remembered):
    target = life.target()
    look(target, life)
    start_reading(target, ["statspack"], life.clock())
    pause_reading(target)
    assert not read_history(target.pk, life.clock)

    assert resume_reading(target, life.clock())
    assert not read_history(target.pk, life.clock)

    assert HistoryImport.objects.get(target=target).days_stored == 2  # the reading of today ends yesterday


def test_a_gap_and_a_restart_are_named_and_no_figure_is_made_of_them(life):
    statspack = Statspack(life.database)
    began = day_of(TODAY - timedelta(days=9), UTC).began_at
    statspack.snap_each(6 * HOUR, began, MIDNIGHT - 4 * 24 * HOUR)
    life.database.restart(MIDNIGHT - 3 * 24 * HOUR)
    statspack.snap_each(6 * HOUR, MIDNIGHT - 2 * 24 * HOUR, MIDNIGHT)
    life.collect()

    [reach, *_] = look(life.target(), life).reaches

    assert reach.notes == ["no snapshots 13–14\N{NO-BREAK SPACE}Feb", "one restart"]
    read(life.target(), life, "statspack")
    assert not Coverage.objects.filter(target=life.target(), day=TODAY - timedelta(days=4)).exists()


def test_snapshots_of_another_database_are_not_taken(life, remembered):
    remembered.snapshots[:] = [{**row, "dbid": 1} for row in remembered.snapshots]

    [reach, *_] = look(life.target(), life).reaches

    assert reach.days == 0
    assert "another database" in reach.reason


def test_without_a_grant_the_statement_that_would_help_is_told_and_others_go_on(life):
    life.database.users["HEADROOM"].forbidden = frozenset({"stats$snapshot"})
    life.collect()

    [statspack, archived, *_] = look(life.target(), life).reaches

    assert "GRANT READ ON perfstat.stats$sysstat TO HEADROOM;" in statspack.remedy
    assert archived.days > 10


def test_nothing_is_read_that_was_not_found(life):
    life.collect()
    look(life.target(), life)

    with pytest.raises(NoHistory, match="at least one source"):
        start_reading(life.target(), ["statspack"], life.clock())


def test_an_instance_that_does_not_answer_says_so(life):
    target = life.target()
    life.server.stop()

    history = look(target, life)

    assert history.state == HistoryImport.State.REFUSED
    assert target.name in history.reason


def test_where_no_day_is_there_the_mean_since_start_up_stands_in_words_of_its_own(life):
    life.collect()
    life.move_to(MIDNIGHT + 24 * HOUR)
    life.collect()
    target = life.target()
    counters = {
        row["name"]: row["value"]
        for row in life.database.rows("v$sysstat", life.database.instances[0], None, life.clock())
    }
    seconds = (life.clock() - life.database.instances[0].started_at).total_seconds()

    row = next(row for row in build_profile(target, TODAY).rows if row.metric.key == "redo_size")

    mean = row.then[7].mean
    assert mean is not None
    assert mean.value == pytest.approx(counters["redo size"] / seconds * 86400 / 1024**3, rel=1e-6)
    assert mean.days == 21
    assert row.then[7].value is None  # no limit is judged by it
    assert row.then[30].mean is None  # it was not up yet


def test_the_page_has_a_time_line_of_each_statistic_with_its_source(life, remembered, monkeypatch):
    monkeypatch.setattr("apps.web.pages.history.views.timezone", SimpleNamespace(now=life.clock))
    target, planner = life.target(), signed_in(is_planner=True)
    look(target, life)
    page = reverse("target_history", args=[target.pk])
    assert "timeline-brought" not in planner.get(page).content.decode()
    read(target, life, "statspack", "archived_log")

    text = planner.get(page).content.decode()
    rows = list(
        csv.DictReader(io.StringIO(planner.get(f"{page}?table=lines&format=csv").content.decode("utf-8-sig")))
    )

    assert "timeline-brought" in text
    by_source = {row["history from"]: row for row in rows}
    assert by_source.keys() >= {"Statspack", "archived log"}
    assert by_source["Statspack"]["days"] == "3"
    assert int(by_source["archived log"]["days"]) > 10
    assert (by_source["archived log"]["−7"], by_source["archived log"]["−90"]) == ("filled", "")
