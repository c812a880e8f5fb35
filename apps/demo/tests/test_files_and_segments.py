"""Files and segments of the fictional instances: they say what the instance as a whole says, and segments once a week."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from apps.collection.collector import Collected
from apps.demo.estate import INSTANCES
from apps.demo.generator import read
from apps.demo.parts import DemoInstance

LAST = date(2026, 2, 17)
FIRST = LAST - timedelta(days=60)


def read_on(instance: DemoInstance, day: date) -> Collected:
    at = datetime.combine(day + timedelta(days=1), time(0, 5), ZoneInfo(instance.time_zone)).astimezone(UTC)
    return read(instance.name, at, first_day=FIRST, last_day=LAST)


def values_of(collected: Collected, metric: str) -> dict[str, float]:
    return {
        reading.component: reading.value
        for source in collected.sources
        for reading in source.readings
        if reading.metric == metric
    }


def growth(instance: DemoInstance, metric: str, day: date) -> Iterator[float]:
    before, after = (values_of(read_on(instance, on), metric) for on in (day - timedelta(days=1), day))
    yield from (after[name] - before[name] for name in sorted(after))


WAREHOUSE = next(instance for instance in INSTANCES if instance.name == "DWPRD")


def test_the_requests_of_its_files_are_those_of_the_instance_but_for_control_files_and_redo():
    of_files = sum(growth(WAREHOUSE, "file_reads", LAST))
    (of_instance,) = growth(WAREHOUSE, "io_read_requests", LAST)
    control = wait_count("control file sequential read")
    archived = wait_count("log file sequential read")

    assert of_files + control + archived == pytest.approx(of_instance, rel=1e-4)


def wait_count(event: str) -> float:
    before, after = (
        values_of(read_on(WAREHOUSE, on), "wait_count") for on in (LAST - timedelta(days=1), LAST)
    )
    return after[event] - before[event]


def test_a_file_answers_as_fast_as_its_waits_say():
    day = LAST
    reads, times = (
        sum(growth(WAREHOUSE, "file_single_reads", day)),
        sum(growth(WAREHOUSE, "file_single_read_time", day)),
    )
    names = sorted(values_of(read_on(WAREHOUSE, day), "wait_time"))
    waited = dict(zip(names, growth(WAREHOUSE, "wait_time", day), strict=True))["db file sequential read"]
    count = dict(zip(names, growth(WAREHOUSE, "wait_count", day), strict=True))["db file sequential read"]

    assert 10 * times / reads == pytest.approx(waited / count / 1000, rel=0.01)


def test_the_disk_of_a_group_takes_the_requests_of_its_files_and_of_control_files():
    names = sorted(values_of(read_on(WAREHOUSE, LAST), "asm_disk_reads"))
    reads, times = (
        dict(zip(names, growth(WAREHOUSE, key, LAST), strict=True))
        for key in ("asm_disk_reads", "asm_disk_read_time")
    )
    of_files = sum(growth(WAREHOUSE, "file_reads", LAST))
    of_file_times = sum(growth(WAREHOUSE, "file_read_time", LAST)) / 100

    assert names == ["DATA/DATA_0000", "RECO/RECO_0000"]
    assert reads["DATA/DATA_0000"] == pytest.approx(
        of_files + wait_count("control file sequential read"), rel=1e-4
    )
    assert 0.9 * of_file_times < times["DATA/DATA_0000"] < of_file_times
    assert reads["RECO/RECO_0000"] == 0


@pytest.mark.parametrize("name", ["DWPRD", "PAYPRD", "HRPRD"])
def test_files_are_as_large_as_their_tablespaces(name: str):
    collected = read_on(next(instance for instance in INSTANCES if instance.name == name), LAST)

    files, spaces = values_of(collected, "datafile_size_mb"), values_of(collected, "ts_size_mb")
    assert len(files) >= len(spaces) > 5
    assert sum(files.values()) == pytest.approx(sum(spaces.values()), rel=1e-6)


def test_segments_are_read_once_a_week_and_fit_their_tablespaces():
    days = [LAST - timedelta(days=offset) for offset in range(15)]
    sizes = {day: values_of(read_on(WAREHOUSE, day), "segment_mb") for day in days}

    assert [day for day in days if sizes[day]] == [days[0], days[7], days[14]]
    assert (
        0.8
        < sum(sizes[LAST].values())
        / sum(
            value
            for name, value in values_of(read_on(WAREHOUSE, LAST), "ts_used_mb").items()
            if name in ("DATA", "INDX", "HIST_2019", "STAGE")
        )
        < 0.9
    )
    assert len(sizes[LAST]) == 12
