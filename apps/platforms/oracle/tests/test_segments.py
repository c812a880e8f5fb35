"""Activity of segments: whole tables with their partitions, and what is under watch stays there."""

from datetime import timedelta
from typing import Any

import pytest

from apps.platforms.oracle import read_segments
from apps.platforms.oracle.connect import with_names
from apps.platforms.oracle.tests.conftest import fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from testing.oracle_server import Clock, Database

WEEK = timedelta(days=7)
READS_A_DAY = {"ORDERS": 240_000, "EVENTS": 120_000, "STOCK": 60_000}  # of tables with 120 partitions each
PARTITIONS = 120
SMALL = 3000  # of a small table: more than any partition has


def of_tables(**rows: Any) -> Database:
    return fill(Database("GISPRD", started_at=MIDNIGHT - timedelta(days=10), **rows))


def play_partitions(database: Database) -> None:
    """Three tables of 120 partitions, all worked on alike, and 60 small tables with more than one partition has."""
    objects = [
        (1000 * number + part, table, f"P{part}")
        for number, table in enumerate(READS_A_DAY, start=1)
        for part in range(PARTITIONS)
    ] + [(9000 + number, f"SMALL_{number}", None) for number in range(60)]
    database.set_rows(
        "dba_objects",
        [
            {"owner": "SALES", "object_name": name, "subobject_name": part, "object_id": number}
            for number, name, part in objects
        ],
    )

    def rows(now):
        days = (now - MIDNIGHT) / timedelta(days=1) + 5
        return [
            {
                "obj#": number,
                "dataobj#": number,
                "statistic_name": "physical reads",
                "value": round(READS_A_DAY.get(name, SMALL * PARTITIONS) / PARTITIONS * days),
            }
            for number, name, _ in objects
        ]

    database.set_rows("v$segstat", rows)


def play_race(database: Database) -> None:
    """One table that rests after its best days, and more and more others that overtake it."""
    names = ["FIRST", *(f"T{number}" for number in range(80))]
    database.set_rows(
        "dba_objects",
        [{"owner": "SALES", "object_name": name, "object_id": at} for at, name in enumerate(names)],
    )

    def rows(now):
        days = (now - MIDNIGHT) / timedelta(days=1)
        return [
            {
                "obj#": at,
                "dataobj#": at,
                "statistic_name": "physical reads",
                "value": round(10_000 + 100 * days) if name == "FIRST" else round(1000 + at + 20_000 * days),
            }
            for at, name in enumerate(names)
        ]

    database.set_rows("v$segstat", rows)


def collect_weekly(life: Life, weeks: int) -> None:
    for week in range(weeks):
        life.move_to(MIDNIGHT + week * WEEK)
        life.collect()


@pytest.mark.django_db
def test_the_activity_of_a_table_is_that_of_all_its_partitions():
    """O1: the first 50 were chosen among partitions, so that a table lost most of its work, or all of it."""
    clock = Clock(MIDNIGHT)
    database = of_tables(clock=clock)
    play_partitions(database)
    with life_of(database, clock, [DAY, DAY + WEEK]) as life:
        collect_weekly(life, 2)
        figures = life.figures(DAY + WEEK - timedelta(days=1))

        reads = {
            component.removeprefix("SALES."): value
            for (metric, component), value in figures.items()
            if metric == "segment_physical_reads"
        }
        for table, a_day in READS_A_DAY.items():
            assert reads[table] == pytest.approx(a_day, rel=1e-3)
        assert len(reads) == read_segments.HEAD
        assert sorted(reads, key=reads.__getitem__)[-3:] == ["STOCK", "EVENTS", "ORDERS"]


@pytest.mark.django_db
def test_a_segment_under_watch_is_read_on_when_others_overtake_it():
    """O1: a counter needs two readings in a row."""
    clock = Clock(MIDNIGHT)
    database = of_tables(clock=clock)
    play_race(database)
    with life_of(database, clock, [DAY, DAY + 2 * WEEK]) as life:
        collect_weekly(life, 3)
        figures = life.figures(DAY + 2 * WEEK - timedelta(days=1))

    assert figures["segment_physical_reads", "SALES.FIRST"] == pytest.approx(100, rel=1e-2)


@pytest.mark.django_db
def test_a_segment_that_shrank_has_a_negative_growth():
    """W16: it had none."""
    clock = Clock(MIDNIGHT)
    database = of_tables(clock=clock)
    with life_of(database, clock, [DAY, DAY + WEEK]) as life:
        for week, megabytes in enumerate((800, 100)):
            life.move_to(MIDNIGHT + week * WEEK)
            row: dict[str, Any] = {
                "owner": "SALES",
                "segment_name": "LOG",
                "segment_type": "TABLE",
                "bytes": megabytes * 2**20,
            }
            database.set_rows("dba_segments", [row])
            life.collect()

        figures = life.figures(DAY + WEEK - timedelta(days=1))

    assert figures["segment_growth_mb_day", "SALES.LOG"] == pytest.approx(-100)


def test_names_are_bound_and_never_written_into_a_statement():
    sql, binds = with_names("select 1 from v$segstat where x in (:names)", ["SALES.A", "IT'S.B"])

    assert (sql, binds) == ("select 1 from v$segstat where x in (:1, :2)", ["SALES.A", "IT'S.B"])
    assert with_names("x in (:names)", []) == ("x in (:1)", [None])
