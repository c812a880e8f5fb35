"""Counters of the host over restarts: those of the instance leave them alone, those of the host begin anew."""

from datetime import datetime, timedelta

import pytest

from apps.platforms.oracle.tests.conftest import fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.snapshots.models import Coverage
from testing.oracle_server import Clock, Database

pytestmark = pytest.mark.django_db
CPUS = 16
BUSY = 0.3  # of the time, always
HOUR = timedelta(hours=1)


class Host:
    """A host of 16 CPUs, 30 % busy, that counts since it was started."""

    def __init__(self, database: Database, booted_at: datetime) -> None:
        self.booted_at = booted_at
        database.set_rows("v$osstat", self.rows)

    def rows(self, now):
        total = CPUS * 100 * (now - self.booted_at) / timedelta(seconds=1)
        return [
            {"stat_name": "NUM_CPUS", "value": CPUS, "cumulative": "NO"},
            {"stat_name": "BUSY_TIME", "value": round(total * BUSY), "cumulative": "YES"},
            {"stat_name": "IDLE_TIME", "value": round(total * (1 - BUSY)), "cumulative": "YES"},
        ]


def boot(life: Life, host: Host, at: datetime) -> None:
    life.move_to(at)
    host.booted_at = at - timedelta(minutes=3)
    life.database.restart(at)


def filled(clock: Clock) -> Database:
    return fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10)))


def test_a_host_that_was_started_anew_is_measured_since_then():
    """O8: it was said that its counters went backwards without a restart."""
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    host = Host(database, MIDNIGHT - timedelta(days=30))
    with life_of(database, clock) as life:
        life.collect()
        boot(life, host, MIDNIGHT + 9 * HOUR)
        life.move_to(MIDNIGHT + 24 * HOUR)
        life.collect()

        assert life.figures()["os_busy_time", ""] == pytest.approx(24 * CPUS * BUSY, rel=1e-3)
        assert life.figures()["os_busy_pct", ""] == pytest.approx(100 * BUSY)
        cover = Coverage.objects.get(target=life.target(), day=DAY)
        assert (cover.marks, cover.categories["4"]["since_restart"]) == ({}, True)
        assert cover.categories["4"]["hours"] == pytest.approx(15.05, abs=0.01)


def test_two_starts_of_a_host_around_a_reading_take_nothing_away():
    """O8: counters that had passed those of the reading before looked like one life, and busy time lost a quarter."""
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    host = Host(database, MIDNIGHT - 6 * HOUR)
    with life_of(database, clock) as life:
        life.collect()
        boot(life, host, MIDNIGHT + HOUR / 2)
        life.move_to(MIDNIGHT + 24 * HOUR)
        life.collect()

        assert life.figures()["os_busy_time", ""] == pytest.approx(24 * CPUS * BUSY, rel=1e-3)


def test_the_hosts_counters_go_on_through_a_restart_of_the_instance():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    Host(database, MIDNIGHT - timedelta(days=30))
    with life_of(database, clock) as life:
        life.collect()
        life.database.restart(MIDNIGHT + 9 * HOUR)
        life.move_to(MIDNIGHT + 24 * HOUR)
        life.collect()

        assert life.figures()["os_busy_time", ""] == pytest.approx(24 * CPUS * BUSY, rel=1e-3)
        cover = Coverage.objects.get(target=life.target(), day=DAY)
        assert cover.categories["4"]["since_restart"] is False


def test_the_days_after_a_start_of_the_host_count_from_the_same_moment():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    host = Host(database, MIDNIGHT - timedelta(days=30))
    with life_of(database, clock) as life:
        life.collect()
        boot(life, host, MIDNIGHT + 9 * HOUR)
        for day in (1, 2):
            life.move_to(MIDNIGHT + day * 24 * HOUR)
            life.collect()

        tomorrow = life.figures(DAY + timedelta(days=1))
        assert tomorrow["os_busy_time", ""] == pytest.approx(24 * CPUS * BUSY, rel=1e-3)


def test_counters_that_fall_while_the_instance_runs_on_have_no_figure():
    clock = Clock(MIDNIGHT)
    database = filled(clock)
    host = Host(database, MIDNIGHT - timedelta(days=30))
    with life_of(database, clock) as life:
        life.collect()
        host.booted_at = MIDNIGHT + 9 * HOUR
        life.move_to(MIDNIGHT + 24 * HOUR)
        life.collect()

        assert ("os_busy_time", "") not in {key for key, value in life.figures().items() if value == value}
