"""The disks of ASM groups as an instance counts them: two readings, the figures of the day between, and what is lacking."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from math import isnan, nan
from typing import Any

import pytest

from apps.inventory.models import Target
from apps.inventory.register import register_database
from apps.platforms.oracle import categories
from apps.platforms.oracle.collector import SOURCES
from apps.platforms.oracle.connect import Login
from apps.platforms.oracle.grants import views_read
from apps.platforms.oracle.tests.conftest import MiB, fill, read, source
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.snapshots.measured import read_all
from apps.snapshots.models import Fact, Snapshot
from testing.oracle_server import Clock, Database, DatabaseUser

pytestmark = pytest.mark.django_db
DAY_SECONDS = 86_400
GROUPS: list[dict[str, Any]] = [
    {"group_number": 1, "name": "DATA", "total_mb": 409_600, "free_mb": 102_400, "usable_file_mb": 102_400},
    {"group_number": 2, "name": "RECO", "total_mb": 204_800, "free_mb": 51_200, "usable_file_mb": 51_200},
]
NAME, SECOND = "DATA/DATA_0000", "RECO/DATA_0000"  # a name of its own within its group alone
DISK = {"header_status": "MEMBER", "mode_status": "ONLINE", "total_mb": 204_800, "free_mb": 51_200}


def counted(now: datetime, times: int = 1) -> dict[str, Any]:
    """What a disk counted since its group was mounted: by day 8.64 million reads of 0.5 ms, half as many writes of 2 ms."""
    days = (now - MIDNIGHT) / timedelta(days=1) + 5
    return {
        "reads": round(8_640_000 * days * times),
        "writes": round(4_320_000 * days * times),
        "read_time": 4320.0 * days * times,
        "write_time": 8640.0 * days * times,
        "bytes_read": round(100 * MiB * DAY_SECONDS * days * times),
        "bytes_written": round(25 * MiB * DAY_SECONDS * days * times),
        "read_errs": round(3 * days),
        "write_errs": 0,
    }


def disks(now: datetime, times: int = 1) -> list[dict[str, Any]]:
    return [
        {"group_number": 1, "name": "DATA_0000", "path": "/dev/mapper/asm1", **DISK, **counted(now, times)},
        {"group_number": 2, "name": "DATA_0000", "path": "ORCL:RECO1", **DISK, **counted(now, 2 * times)},
        {"group_number": 1, "name": "_DROPPED_0001_DATA", "path": None, **DISK, "mode_status": "OFFLINE"},
        {"group_number": 0, "name": None, "path": "/dev/sdz", **DISK, **counted(now)},  # of no group
    ]


def of_clock(clock: Clock, **options: Any) -> Database:
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=5), **options))
    database.set_rows("v$asm_diskgroup_stat", GROUPS)
    database.set_rows("v$asm_disk_stat", disks)
    return database


@pytest.fixture
def life() -> Iterator[Life]:
    clock = Clock(MIDNIGHT)
    with life_of(of_clock(clock), clock) as life:
        yield life


def facts(life: Life, name: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for fact in Fact.objects.filter(target=life.target(), name=name).order_by("since"):
        values.setdefault(fact.component, []).append(fact.value)
    return values


def test_two_readings_give_requests_response_and_throughput_of_each_disk_exactly(life):
    life.collect()
    life.clock.advance(days=1)
    life.collect()

    figures = life.figures()
    per_day = {"asm_disk_reads": 8_640_000, "asm_disk_writes": 4_320_000}
    seconds = {"asm_disk_read_time": 4320, "asm_disk_write_time": 8640}
    megabytes = {"asm_disk_read_bytes": 100, "asm_disk_write_bytes": 25}  # a second
    for key, amount in (per_day | seconds | megabytes).items():
        assert figures[key, NAME] == pytest.approx(amount, rel=1e-12)
        assert figures[key, SECOND] == pytest.approx(2 * amount, rel=1e-12)
    for name in (NAME, SECOND):
        assert figures["asm_disk_read_ms", name] == pytest.approx(0.5, rel=1e-12)
        assert figures["asm_disk_write_ms", name] == pytest.approx(2, rel=1e-12)
        assert (figures["asm_disk_read_errors", name], figures["asm_disk_write_errors", name]) == (3, 0)
        assert (figures["asm_disk_total_mb", name], figures["asm_disk_free_mb", name]) == (200, 50)
    assert {name for key, name in figures if key.startswith("asm_disk")} == {
        NAME,
        SECOND,
        "DATA/_DROPPED_0001_DATA",
    }


def test_where_a_disk_is_and_in_which_state_are_facts_that_change(life):
    life.collect()
    life.database.set_rows(
        "v$asm_disk_stat",
        lambda now: [{**disks(now)[0], "path": "/dev/mapper/asm9", "mode_status": "OFFLINE"}],
    )
    life.clock.advance(days=1)
    life.collect()

    assert facts(life, "disk_path") == {
        NAME: ["/dev/mapper/asm1", "/dev/mapper/asm9"],
        SECOND: ["ORCL:RECO1"],
        "DATA/_DROPPED_0001_DATA": [""],
    }
    assert facts(life, "disk_status")[NAME] == ["MEMBER, ONLINE", "MEMBER, OFFLINE"]


def test_a_group_that_was_mounted_again_has_no_difference_over_it(life):
    life.collect()
    life.database.set_rows(
        "v$asm_disk_stat", lambda now: [{**disks(now)[0], **dict.fromkeys(("reads", "read_time"), 10)}]
    )
    life.clock.advance(days=1)
    life.collect()

    figures = life.figures()
    assert isnan(figures["asm_disk_read_ms", NAME])
    assert isnan(figures["asm_disk_reads", NAME])
    assert figures["asm_disk_write_ms", NAME] == pytest.approx(2)


def test_a_disk_that_nothing_was_read_from_has_no_average_and_says_so(life):
    quiet = {"reads": 700, "read_time": 3.5, "bytes_read": 700 * 8192}
    life.database.set_rows("v$asm_disk_stat", lambda now: [{**disks(now)[0], **quiet}])
    life.collect()
    life.clock.advance(days=1)
    life.collect()

    target = life.target()
    [measured] = read_all([target], [DAY], {categories.ASM_DISKS}).values()
    reads, average = (measured.row_of[key, NAME] for key in ("asm_disk_reads", "asm_disk_read_ms"))
    assert (measured.value(reads, 0), measured.value(average, 0)) == (0, None)
    assert measured.reason(average, 0) == "none were counted, so there is no average"
    assert measured.reason(measured.row_of["asm_disk_write_ms", NAME], 0) == ""


def test_without_timed_statistics_times_of_zero_are_none(life):
    parameter = {"name": "timed_statistics", "value": "FALSE", "display_value": "FALSE", "isdefault": "FALSE"}
    life.database.set_rows("v$system_parameter", [parameter])
    life.collect()
    life.clock.advance(days=1)
    life.collect()

    figures = life.figures()
    assert figures["asm_disk_reads", NAME] == pytest.approx(8_640_000)
    assert not [
        key for key in ("asm_disk_read_ms", "asm_disk_write_ms") if not isnan(figures.get((key, NAME), nan))
    ]


def test_a_database_without_asm_is_not_asked_for_disks_and_stores_none():
    clock = Clock(MIDNIGHT)
    with life_of(fill(Database("GISPRD", clock=clock)), clock) as life:
        run = life.collect()

        assert run.state == "complete"
        assert not Snapshot.objects.filter(target=life.target(), category=categories.ASM_DISKS).exists()
        assert facts(life, "disk_path") == {}
        assert not [each for each in life.server.statements if "v$asm_disk_stat" in each.sql]


def test_without_the_grant_the_sentence_names_it_and_the_rest_is_read(serve):
    database = of_clock(Clock(MIDNIGHT))
    server = serve(database)
    database.add_user(DatabaseUser("LIMITED", "secret", grants=frozenset(views_read()) - {"v$asm_disk_stat"}))

    collected = read(server, Login("LIMITED", "secret"))

    [failed] = collected.failed
    assert failed.error == (
        "v$asm_disk_stat cannot be read (ORA-00942). GRANT READ ON sys.v_$asm_disk_stat TO LIMITED;"
    )
    assert source(collected, "v$asm_diskgroup_stat").readings


def test_without_the_grant_on_groups_one_sentence_is_enough(serve):
    database = of_clock(Clock(MIDNIGHT))
    server = serve(database)
    lacking = "v$asm_diskgroup_stat"
    database.add_user(DatabaseUser("LIMITED", "secret", grants=frozenset(views_read()) - {lacking}))

    collected = read(server, Login("LIMITED", "secret"))

    assert {failed.name for failed in collected.failed} == {lacking, "v$asm_disk_stat"}
    assert {failed.error for failed in collected.failed} == {
        f"{lacking} cannot be read (ORA-00942). GRANT READ ON sys.v_$asm_diskgroup_stat TO LIMITED;"
    }
    assert not [note for note in collected.notes if "may not be read" in note]


def test_each_instance_of_a_database_counts_its_own_requests_of_a_disk():
    clock = Clock(MIDNIGHT)
    database = of_clock(clock, hosts=["n1", "n2"])
    for times, instance in enumerate(database.instances, start=1):
        instance.set_rows("v$asm_disk_stat", partial(disks, times=times))
    with life_of(database, clock) as life:
        for each in database.instances:
            life.target(each.name, service=each.name)
        members = [life.targets["GISPRD1"], life.targets["GISPRD2"]]
        life.targets["GISPRD"] = register_database("GISPRD", members, now=clock())
        for name, target in life.targets.items():
            life.targets[name] = Target.objects.get(pk=target.pk)
        for _ in range(2):
            for name in life.targets:
                life.collect(name)
            clock.advance(days=1)

        both = life.figures(name="GISPRD")
        assert both["asm_disk_reads", NAME] == pytest.approx(3 * 8_640_000)
        assert both["asm_disk_read_ms", NAME] == pytest.approx(0.5)
        assert both["asm_disk_total_mb", NAME] == 200
        assert life.figures(name="GISPRD2")["asm_disk_reads", NAME] == pytest.approx(2 * 8_640_000)


def test_disks_are_read_after_their_groups():
    order = [each.category for each in SOURCES]

    assert order.index(categories.ASM) < order.index(categories.ASM_DISKS)
