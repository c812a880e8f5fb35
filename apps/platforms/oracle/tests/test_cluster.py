"""A database of several instances: what is added up, what is read once, and what happens when one is missing."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.inventory.register import BadTarget, register_database, set_password
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.tests.conftest import MiB, event, fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.profiles.build import build_profile
from apps.snapshots.models import Coverage
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.register import add_threshold
from testing.oracle_server import Clock, Database

pytestmark = pytest.mark.django_db
GIB = 1024**3
OF_DATABASE = {
    "tablespaces",
    "temporary space",
    "v$recovery_file_dest",
    "v$asm_diskgroup_stat",
    "dba_segments",
}


def days(now: datetime) -> float:
    return (now - MIDNIGHT) / timedelta(days=1)


@pytest.fixture
def life() -> Iterator[Life]:
    """Two instances, the second of which works harder, and the database they share."""
    clock = Clock(MIDNIGHT)
    database = fill(
        Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=5), hosts=["n1", "n2"])
    )
    for number, instance in enumerate(database.instances, start=1):

        def sysstat(now: datetime, times: int = number) -> list[dict[str, Any]]:
            grown = days(now) + 5
            return [
                {"name": "redo size", "value": round(10 * GIB * times * grown)},
                {"name": "redo wastage", "value": round(GIB * grown)},
                {"name": "logons current", "value": 30 * times},
            ]

        def waits(now: datetime, times: int = number) -> list[dict[str, Any]]:
            done = round(10_000 * times * times * (days(now) + 5))
            events = [event("log file sync", "Commit", done, done * 1000 * times)]
            return events + ([event("gc cr block lost", "Cluster", 50 + done, done)] if times == 2 else [])

        def limits(now: datetime, times: int = number) -> list[dict[str, Any]]:
            return [
                {
                    "resource_name": "processes", "current_utilization": 100 * times, "max_utilization": 200 * times,
                    "limit_value": "500",
                }
            ]  # fmt: skip

        instance.set_rows("v$sort_segment", [{"tablespace_name": "TEMP", "max_used_blocks": 128 * number}])
        instance.set_rows("v$sysstat", sysstat)
        instance.set_rows("v$system_event", waits)
        instance.set_rows("v$resource_limit", limits)
    with life_of(database, clock) as life:
        for each in database.instances:
            life.target(each.name, service=each.name)
        members = [life.targets["GISPRD1"], life.targets["GISPRD2"]]
        life.targets["GISPRD"] = register_database("GISPRD", members, now=clock())
        for name, target in life.targets.items():
            life.targets[name] = Target.objects.get(pk=target.pk)
        yield life


def read_all(life: Life, *names: str) -> dict[str, CollectionRun]:
    return {name: life.collect(name) for name in names or ("GISPRD1", "GISPRD2", "GISPRD")}


def test_figures_of_a_database_are_sums_maxima_and_ratios_of_sums(life):
    read_all(life)
    life.clock.advance(days=1)
    read_all(life)

    first, second, both = (life.figures(name=name) for name in ("GISPRD1", "GISPRD2", "GISPRD"))
    assert (first["redo_size", ""], second["redo_size", ""]) == (pytest.approx(10), pytest.approx(20))
    assert both["redo_size", ""] == pytest.approx(30)
    assert both["redo_gb_per_day", ""] == pytest.approx(30)
    assert both["redo_wastage_pct", ""] == pytest.approx(100 * 2 / 30)
    assert both["logons_current", ""] == 90
    assert both["processes_max", ""] == 400
    assert both["processes_pct", ""] == pytest.approx(40)
    # 10,000 waits of 1 ms and 40,000 of 2 ms
    assert both["wait_avg_ms", "log file sync"] == pytest.approx(1.8)
    assert both["wait_count", "gc cr block lost"] == pytest.approx(second["wait_count", "gc cr block lost"])
    assert both["cpu_cores", ""] == 32
    # 1 and 2 MB of temp at most, of 8 MB that its file may grow to
    assert (first["temp_peak_blocks", "TEMP"], second["temp_peak_blocks", "TEMP"]) == (1, 2)
    assert both["temp_peak_blocks", "TEMP"] == 3
    assert both["temp_peak_pct", "TEMP"] == pytest.approx(100 * 3 / 8)


def test_what_is_the_same_everywhere_is_read_once_and_filed_under_the_database(life):
    read_all(life)
    life.clock.advance(days=1)
    runs = read_all(life)

    names = {name: {each["name"] for each in run.sources} for name, run in runs.items()}
    assert not OF_DATABASE & (names["GISPRD1"] | names["GISPRD2"])
    assert OF_DATABASE - {"dba_segments"} <= names["GISPRD"]
    assert "v$sysstat" not in names["GISPRD"]
    both = life.figures(name="GISPRD")
    assert both["ts_used_mb", "DATA"] == pytest.approx(10)
    assert both["ts_used_pct_max", "DATA"] == pytest.approx(25)
    assert both["db_size_gb", ""] == pytest.approx((28 + 3000) * MiB / GIB)
    assert ("ts_used_mb", "DATA") not in life.figures(name="GISPRD1")


def test_an_instance_that_was_not_read_at_both_ends_is_named_and_the_figure_is_not_judged(life):
    read_all(life)
    add_threshold("redo_size", "<1", now=life.clock())
    life.clock.advance(days=1)
    read_all(life, "GISPRD1", "GISPRD")

    database = life.targets["GISPRD"]
    assert life.figures(name="GISPRD")["redo_size", ""] == pytest.approx(10)
    [row] = [row for row in build_profile(database, DAY).rows if row.metric.key == "redo_size"]
    assert (row.is_partial, row.without) == (True, ("GISPRD2",))
    [judged] = [each for each in profile_of(database, DAY).rows if each.row.metric.key == "redo_size"]
    assert judged.state is FigureState.NO_DATA
    assert judged.reason == "measured without GISPRD2, not read at both ends, so it is not judged"
    assert not Coverage.objects.get(target=database, day=DAY).without(7)


def test_the_other_instance_stands_in_when_the_first_does_not_let_us_in(life):
    life.database.instances[0].is_up = False

    run = life.collect("GISPRD")

    assert (run.state, run.reason) == ("complete", "")


def test_a_database_none_of_whose_instances_answers_says_why(life):
    for instance in life.database.instances:
        instance.is_up = False

    run = life.collect("GISPRD")

    assert run.state == "failed"
    assert run.reason.startswith(
        "GISPRD was not read: none of its instances let us in. GISPRD1: the listener does not know this service"
    )


def test_an_instance_is_filed_under_what_answered_wherever_the_service_led(life):
    read_all(life)
    life.targets["GISPRD1"].address["service"] = "GISPRD2"
    life.targets["GISPRD1"].save()
    set_password(
        life.targets["GISPRD1"], "HEADROOM", "secret-of-gis"
    )  # the one typed for the former address goes nowhere else
    life.clock.advance(days=1)

    run = life.collect("GISPRD1")

    assert any("instance 2 on n2, before it was" in note for note in run.notes)


def test_a_single_instance_needs_no_database_of_its_own(life):
    alone = life.targets["GISPRD1"]
    Target.objects.filter(pk=alone.pk).update(database=None)
    alone.refresh_from_db()

    with pytest.raises(BadTarget, match="takes two instances"):
        register_database("ALONE", [alone], now=life.clock())


def test_every_statistic_says_how_it_combines():
    assert {metric.over_instances for metric in METRICS} == {"", "sum", "max", "min", "ratio"}
    assert not [m.key for m in METRICS if (m.over_instances == "ratio") and m.formula is None]
