"""From rows to readings."""

from datetime import datetime

import pytest

from apps.collection.collector import Reading
from apps.platforms.oracle import categories, queries
from apps.platforms.oracle.connect import Connection
from apps.platforms.oracle.metrics.other import LEVELS
from apps.platforms.oracle.places import place_of_file
from apps.platforms.oracle.read import Reader, log_switches, number, read_files, read_osstat, statistics
from apps.platforms.oracle.read_segments import read_segments
from apps.platforms.oracle.read_space import read_tablespaces, read_temp, read_temp_peak
from apps.platforms.oracle.versions import Scope


class ScriptedConnection(Connection):
    """Answers each query with recorded rows."""

    def __init__(self, answers):
        self.answers = {query.name: rows for query, rows in answers.items()}

    def rows(self, query, scope, names=(), span=()):
        return self.answers.get(query.name, [])


def reader(answers, **options) -> Reader:
    return Reader(ScriptedConnection(answers), Scope((19, 22)), **options)


def as_dict(run):
    return {(reading.metric, reading.component): reading.value for reading in run}


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (5, 5.0),
        (2.5, 2.5),
        (2**64 - 1, -1.0),
        (2**63, -(2.0**63)),
        (2**53 + 1, 2.0**53),
        ("  1500", 1500.0),
        (" UNLIMITED", None),
        (None, None),
    ],
)
def test_numbers_are_stored_as_they_were_meant(value, stored):
    assert number(value) == stored


@pytest.mark.parametrize(
    "name",
    [
        "prefetch clients - default",
        "java session heap used size max",
        "pinned cursors current",
        "session connect time",
    ],
)
def test_a_level_among_counters_is_read_as_one(name):
    """O9: a level taken for a counter was the only spike of a whole estate."""
    [reading] = statistics(categories.SYSSTAT, [(name, 7)], "sysstat", LEVELS, "sysstat_level")

    assert reading == Reading("sysstat_level", 7.0, name)


def test_counters_with_current_in_their_name_stay_counters():
    names = {"gc current blocks received", "current blocks converted for CR", "java call heap gc count"}

    assert not names & LEVELS


def test_statistics_are_found_by_name_and_none_is_lost():
    rows = [("redo size", 10), ("session pga memory", 7), ("a new statistic", 3), ("empty one", None)]

    run = statistics(categories.SYSSTAT, rows, "sysstat", LEVELS, "sysstat_level")

    assert run == [
        Reading("redo_size", 10.0),
        Reading("sysstat_level", 7.0, "session pga memory"),
        Reading("sysstat", 3.0, "a new statistic"),
    ]


def test_a_statistic_goes_by_the_name_of_its_release():
    [reading] = statistics(categories.SYSSTAT, [("redo sync writes", 4)], "sysstat")

    assert reading == Reading("redo_synch_writes", 4.0)


def test_the_name_of_one_release_does_not_reach_into_another_source():
    rows = [("parse time elapsed", 4)]

    assert statistics(categories.SYSSTAT, rows, "sysstat")[0].metric == "parse_time_elapsed"
    assert statistics(categories.TIME_MODEL, rows, "time_model")[0].metric == "tm_parse_elapsed"


def test_where_cores_are_not_told_cpus_stand_in_for_them():
    values = as_dict(
        read_osstat(reader({queries.OSSTAT: [("NUM_CPUS", 8, "NO"), ("BUSY_TIME", 100, "YES")]}))
    )

    assert (values["cpu_cores", ""], values["cpu_count", ""], values["os_busy_time", ""]) == (8.0, 8.0, 100.0)


def test_the_hosts_counters_are_told_from_its_levels_by_oracle():
    rows = [("TCP_SEND_SIZE_MAX", 4096, "NO"), ("OS_CPU_WAIT_TIME", 55, "YES")]

    values = as_dict(read_osstat(reader({queries.OSSTAT: rows})))

    assert values == {("osstat_level", "TCP_SEND_SIZE_MAX"): 4096.0, ("osstat", "OS_CPU_WAIT_TIME"): 55.0}


def test_log_switches_are_counted_by_clock_hour():
    at = [
        datetime.fromisoformat(f"2026-02-17 {time}") for time in ("08:59", "09:01", "09:02", "09:40", "23:00")
    ]

    values = as_dict(log_switches(at))

    assert values == {
        ("log_switches_per_day", ""): 5.0,
        ("log_switches_peak_hour", ""): 3.0,
        ("log_switch_min_interval_s", ""): 60.0,
    }


def test_a_day_without_a_switch_has_no_gap():
    assert as_dict(log_switches([])) == {
        ("log_switches_per_day", ""): 0.0,
        ("log_switches_peak_hour", ""): 0.0,
    }


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("+DATA/DWPRD/ONLINELOG/group_1.257.1", "+DATA"),
        ("/u02/oradata/DWPRD/redo01.log", "/u02/oradata/DWPRD"),
        (r"D:\ORADATA\REDO01.LOG", r"D:\ORADATA"),
    ],
)
def test_files_share_a_disk_group_or_a_directory(path, place):
    assert place_of_file(path) == place


def test_files_and_temp_files_are_told_apart_by_their_path():
    row = (8192, 100, 50, 90, 30, 20, 25, 7, 8)

    values = as_dict(
        read_files(
            reader(
                {
                    queries.DATA_FILE_IO: [("/d/data01.dbf", *row)],
                    queries.TEMP_FILE_IO: [("/d/temp01.dbf", *row)],
                }
            )
        )
    )

    assert values["file_reads", "/d/data01.dbf"] == values["file_reads", "/d/temp01.dbf"] == 100.0
    assert values["file_read_time", "/d/data01.dbf"] == 30.0
    assert values["datafile_max_ms", "/d/data01.dbf"] == 7.0


SPACE = {
    queries.TABLESPACES: [
        (0, "DATA", "PERMANENT", 8192),
        (0, "BIG", "PERMANENT", 16384),
        (0, "UNDOTBS1", "UNDO", 8192),
        (0, "TEMP", "TEMPORARY", 8192),
        (0, "OFFLINE", "PERMANENT", 8192),
    ],
    queries.TABLESPACE_USAGE: [
        (0, "DATA", 100),
        (0, "BIG", 100),
        (0, "UNDOTBS1", 90),
        (0, "TEMP", 80),
        (0, "DROPPED", 1),
    ],
    queries.DATA_FILES: [
        (0, "DATA", 500_000, 2_000_000, "/u02/DATA.dbf"),
        (0, "DATA", 500_000, 0, "/u02/DATA.dbf"),
        (0, "BIG", 3_000_000, 1_000_000, "/u02/BIG.dbf"),
        (0, "UNDOTBS1", 1_000_000, 0, "/u02/UNDOTBS1.dbf"),
        (0, "OFFLINE", None, None, None),
    ],
    queries.TEMP_FILES: [(0, "TEMP", 800_000, 900_000, "/u02/TEMP.dbf")],
    queries.TEMP_SPACE: [(0, "TEMP", 800_000, 700_000, 600_000)],
    queries.SORT_SEGMENTS: [(0, "TEMP", 50)],
    queries.UNDO_IN_USE: [("UNDOTBS1", 30)],
}


def test_tablespaces_are_counted_in_blocks_of_their_own_size():
    values = as_dict(read_tablespaces(reader(SPACE)))

    assert values["ts_used_mb", "DATA"] == 100 * 8192
    assert values["ts_used_mb", "BIG"] == 100 * 16384


def test_a_file_that_was_resized_beyond_its_maximum_counts_as_it_is():
    values = as_dict(read_tablespaces(reader(SPACE)))

    assert (values["ts_size_mb", "DATA"], values["ts_max_mb", "DATA"]) == (1_000_000.0, 2_500_000.0)
    assert (values["ts_size_mb", "BIG"], values["ts_max_mb", "BIG"]) == (3_000_000.0, 3_000_000.0)


def test_of_undo_only_what_must_be_kept_counts_and_of_temp_what_is_in_use():
    values = as_dict(read_tablespaces(reader(SPACE)))

    assert values["ts_used_mb", "UNDOTBS1"] == 30 * 8192
    assert values["ts_used_mb", "TEMP"] == 200_000.0


def test_the_used_space_of_a_database_is_that_of_its_permanent_tablespaces():
    values = as_dict(read_tablespaces(reader(SPACE)))

    assert values["db_used_gb", ""] == 100 * 8192 + 100 * 16384


def test_a_tablespace_without_a_figure_has_none():
    values = as_dict(read_tablespaces(reader(SPACE)))

    assert ("ts_used_mb", "OFFLINE") not in values
    assert values["ts_size_mb", "OFFLINE"] == 0.0


def test_where_the_files_of_a_tablespace_lie_is_a_fact_and_blank_where_one_does_not_say():
    files = [
        (0, "DATA", 1, 0, "+data/DW/DATAFILE/a.1.1"),
        (0, "DATA", 1, 0, "/u02/oradata/b.dbf"),
        (0, "DATA", 1, 0, "/u02/oradata/c.dbf"),
        (0, "BIG", 1, 0, "C:\\oradata\\big.dbf"),
        (0, "UNDOTBS1", 1, 0, "/u02/undo.dbf"),
        (0, "UNDOTBS1", 1, 0, "MISSING00005"),
    ]
    scripted = reader(SPACE | {queries.DATA_FILES: files})

    read_tablespaces(scripted)

    assert scripted.facts == {
        "lies_on/DATA": "+DATA\n/u02/oradata",
        "lies_on/BIG": "C:\\oradata",
        "lies_on/UNDOTBS1": "",
        "lies_on/TEMP": "/u02",
    }


def test_the_tablespace_of_a_segment_is_a_fact():
    rows = [
        (0, "DW", "SALES", 8192, "DATA", "DATA"),
        (0, "DW", "PARTED", 4096, "DATA_2025", "DATA_2026"),
        (0, "DW", "ODD", 1, None, None),
    ]
    scripted = reader({queries.SEGMENTS: rows})

    read_segments(scripted)

    assert scripted.facts == {
        "stored_in/DW.SALES": "DATA",
        "stored_in/DW.PARTED": "DATA_2025\nDATA_2026",
        "stored_in/DW.ODD": "",
    }


def test_a_tablespace_of_a_pluggable_database_carries_its_name():
    answers = {
        queries.TABLESPACES: [(1, "USERS", "PERMANENT", 8192), (3, "USERS", "PERMANENT", 8192)],
        queries.TABLESPACE_USAGE: [(1, "USERS", 10), (3, "USERS", 20)],
    }

    values = as_dict(read_tablespaces(reader(answers, containers={3: "SALESPDB"})))

    assert values["ts_used_mb", "USERS"] == 10 * 8192
    assert values["ts_used_mb", "SALESPDB/USERS"] == 20 * 8192


def test_the_peak_of_temp_is_in_blocks_of_its_tablespace():
    values = as_dict(read_temp_peak(reader(SPACE)))

    assert values == {("temp_peak_blocks", "TEMP"): 50 * 8192}
    assert as_dict(read_temp(reader(SPACE)))["temp_free_mb", "TEMP"] == 600_000.0


def test_a_local_temp_tablespace_is_added_up_over_its_instances():
    mb = 1024.0**2
    answers = SPACE | {
        queries.TEMP_SPACE: [(0, "TEMP", 8 * mb, 7 * mb, 6 * mb), (0, "TEMP", 8 * mb, 3 * mb, 5 * mb)]
    }

    values = as_dict(read_temp(reader(answers)))

    assert values["temp_size_mb", "TEMP"] == 16 * mb
    assert values["temp_free_mb", "TEMP"] == 11 * mb
    assert as_dict(read_tablespaces(reader(answers)))["ts_used_mb", "TEMP"] == 5 * mb
