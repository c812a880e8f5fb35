"""What the estate would have said, and when it would not have answered."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.metric import Kind
from apps.catalog.registry import get_metric
from apps.collection.collector import Collected, CollectionError
from apps.demo.cast.warehouse import DWPRD
from apps.demo.estate import EVERYBODY, HOSTS, INSTANCES, find_member
from apps.demo.generator import read, timeline_of
from apps.demo.sources import WEEKLY

LAST_DAY = date(2026, 2, 17)
DAYS = 120
GB = 1024.0**3
Values = dict[tuple[str, str], float]

# average wait in centiseconds 90, 30 and 7 days ago and today; None: not present
GOLDEN = {
    "read by other session": (2, 2.1, 3, 2),
    "db file sequential read": (0.6, 0.5, 0.5, 0.6),
    "db file scattered read": (0.8, 0.76, 0.81, 0.8),
    "direct path read temp": (1.56, 1.8, 1.6, 1.6),
    "log file sync": (None, None, 0.5, 1),
    "log file parallel write": (None, None, 0.12, 0.2),
    "direct path write temp": (1.73, 1.5, 1.32, 1.7),
    "db file parallel write": (0.16, 0.12, 0.15, 0.15),
    "control file parallel write": (None, None, 0.98, 1),
    "os thread startup": (18, 14, 18, 18),
}
GOLDEN_AGES = (-90, -31, -7, 0)  # nobody was read 30 days ago: the day before is used
LAST_DAYS = [
    LAST_DAY,
    date(2026, 1, 31),  # a month end
    date(2026, 3, 1),  # a Sunday after a month end
    date(2026, 4, 5),  # clocks went forward a week before
    date(2025, 11, 2),
]


def at(name: str, age: int, last_day: date = LAST_DAY, clock: time = time(0, 5)) -> datetime:
    zone = ZoneInfo(find_member(name).time_zone)
    return datetime.combine(last_day + timedelta(days=age), clock, zone).astimezone(UTC)


def ask(name: str, moment: datetime, last_day: date = LAST_DAY) -> Collected:
    return read(name, moment, first_day=last_day - timedelta(days=DAYS - 1), last_day=last_day)


def values_of(collected: Collected) -> Values:
    return {
        (reading.metric, reading.component): reading.value
        for source in collected.sources
        for reading in source.readings
    }


def nightly(name: str, age: int, last_day: date = LAST_DAY) -> Values:
    """What the night that begins the day of this age has read."""
    return values_of(ask(name, at(name, age, last_day), last_day))


def growth(name: str, age: int, metric: str, component: str = "", last_day: date = LAST_DAY) -> float:
    key = (metric, component)
    return nightly(name, age + 1, last_day).get(key, 0) - nightly(name, age, last_day).get(key, 0)


def nights(name: str, first_age: int = 1 - DAYS, last_age: int = 1) -> Iterator[int]:
    """The nights on which a target was read."""
    for age in range(first_age, last_age + 1):
        try:
            ask(name, at(name, age))
        except CollectionError:
            continue
        yield age


@pytest.mark.parametrize("last_day", LAST_DAYS, ids=str)
@pytest.mark.parametrize("event", GOLDEN)
def test_two_consecutive_nights_give_the_golden_averages(event: str, last_day: date):
    enough = 1000 if "read" in event else 100

    for age, expected in zip(GOLDEN_AGES, GOLDEN[event], strict=True):
        waits = growth("DWPRD", age, "wait_count", event, last_day)
        micros = growth("DWPRD", age, "wait_time", event, last_day)
        if expected is None:
            assert (waits, micros) == (0, 0)
        else:
            assert waits >= enough
            assert float(f"{micros / waits / 10_000:.9g}") == expected


def test_an_event_that_has_not_occurred_since_start_up_is_not_listed():
    assert ("wait_count", "log file sync") not in nightly("DWPRD", -30)
    assert nightly("DWPRD", 1)["wait_count", "log file sync"] > 0


@pytest.mark.parametrize("last_day", LAST_DAYS, ids=str)
def test_redo_was_over_its_limit_in_a_reload_and_on_a_single_day_and_not_lately(last_day: date):
    redo = {
        age: growth("DWPRD", age, "redo_size", "", last_day) / GB
        for age in (*range(-78, -58), *range(-14, 1))
    }

    assert [age for age, amount in redo.items() if amount > 50] == [-75, -74, -62]
    assert redo[0] == pytest.approx(47.3)


@pytest.mark.parametrize("last_day", LAST_DAYS, ids=str)
def test_the_reads_several_sessions_wait_for_are_inside_their_limit_for_three_days_before_the_last(
    last_day: date,
):
    for age in (-3, -2, -1):
        waits = growth("DWPRD", age, "wait_count", "read by other session", last_day)
        assert growth("DWPRD", age, "wait_time", "read by other session", last_day) / waits < 20_000


@pytest.mark.parametrize(
    ("component", "ninety", "thirty", "seven", "today", "most"),
    [
        ("DATA", 1310, 1490, 1623, 1662, 1800),
        ("INDX", 612, 633, 641, 643, 760),
        ("TEMP", 188, 214, 252, 240, 320),
        ("UNDOTBS1", 44, 46, 61, 48, 96),
    ],
)
def test_space_stands_where_the_story_says(
    component: str, ninety: float, thirty: float, seven: float, today: float, most: float
):
    used = [nightly("DWPRD", age + 1)["ts_used_mb", component] / GB for age in GOLDEN_AGES]

    assert used == pytest.approx([ninety, thirty, seven, today], rel=1e-6)
    assert nightly("DWPRD", 1)["ts_max_mb", component] == most * GB


def test_the_warehouse_fills_in_about_25_days_and_is_relieved_later():
    used = {age: nightly("DWPRD", age + 1)["ts_used_mb", "DATA"] / GB for age in range(60)}

    full = min(age for age, gigabytes in used.items() if gigabytes >= 1800)
    assert 22 <= full <= 28
    assert used[40] < 1700


@settings(max_examples=30)
@given(
    name=st.sampled_from([member.name for member in EVERYBODY]),
    minutes=st.lists(st.integers(0, 125 * 1440), min_size=2, max_size=2).map(sorted),
)
def test_counters_never_fall_within_one_start_up(name: str, minutes: list[int]):
    begin = at(name, 1 - DAYS)
    try:
        earlier, later = (ask(name, begin + timedelta(minutes=offset)) for offset in minutes)
    except CollectionError:
        return
    if earlier.started_at != later.started_at:
        return
    weekly = {source.category for source in earlier.sources} - {source.category for source in later.sources}
    before = {
        key: value for key, value in values_of(earlier).items() if get_metric(key[0]).category not in weekly
    }
    after = values_of(later)

    counters = {key for key in before if get_metric(key[0]).kind in (Kind.COUNTER, Kind.HIGH_WATER)}

    assert weekly <= WEEKLY
    assert counters <= after.keys()
    assert all(before[key] <= after[key] for key in counters)
    assert all(after[key] == int(after[key]) for key in counters if get_metric(key[0]).kind is Kind.COUNTER)


@settings(max_examples=25)
@given(
    name=st.sampled_from([member.name for member in EVERYBODY]),
    hours=st.lists(st.integers(0, 3000), min_size=2, max_size=5),
)
def test_the_answer_depends_on_nothing_but_the_moment(name: str, hours: list[int]):
    moments = [at(name, 1 - DAYS) + timedelta(hours=hour) for hour in hours]

    def ask_all(order: list[datetime]) -> dict[datetime, Collected | str]:
        timeline_of.cache_clear()
        answers: dict[datetime, Collected | str] = {}
        for moment in order:
            try:
                answers[moment] = ask(name, moment)
            except CollectionError as error:
                answers[moment] = str(error)
        return answers

    assert ask_all(moments) == ask_all(moments[::-1])


def test_the_nights_that_follow_go_on_from_those_that_were_loaded():
    first_day = LAST_DAY - timedelta(days=DAYS - 1)
    for name in ("DWPRD", "dbx-dw01"):
        moment = at(name, 4)
        short, long = (timeline_of(name, first_day, LAST_DAY, stretches) for stretches in (0, 3))

        for near, far in zip(short.sources, long.sources, strict=True):
            assert short.read(near, moment) == long.read(far, moment)
        assert values_of(ask(name, at(name, 300))).keys() >= values_of(ask(name, moment)).keys()


def test_after_a_restart_the_counters_begin_anew():
    before, after = (
        ask("DWPRD", at("DWPRD", -37, clock=time(6, 12))),
        ask("DWPRD", at("DWPRD", -37, clock=time(6, 13))),
    )

    assert after.started_at == at("DWPRD", -37, clock=time(6, 12, 40))
    assert before.started_at is not None
    assert before.started_at < at("DWPRD", 1 - DAYS)
    assert values_of(after)["redo_size", ""] < 0.001 * values_of(before)["redo_size", ""]
    assert values_of(after)["instance_uptime_s", ""] < values_of(before)["instance_uptime_s", ""]


def test_each_day_of_the_story_that_was_not_read_is_told_with_its_reason():
    with pytest.raises(CollectionError, match="ORA-12170") as listener:
        nightly("DWPRD", -29)
    with pytest.raises(CollectionError, match="network"):
        nightly("CRMPRD1", -45)

    assert listener.value.is_worth_retrying
    assert set(range(1 - DAYS, 2)) - set(nights("DWPRD")) == {-46, -45, -29}


def test_an_expired_password_waits_for_a_person_since_four_nights():
    assert -3 in nights("GISPRD")
    for age in (-2, -1, 0, 1, 30):
        with pytest.raises(CollectionError, match="ORA-28001") as expired:
            nightly("GISPRD", age)
        assert expired.value.needs_a_person
        assert not expired.value.is_worth_retrying


def test_a_host_that_was_registered_later_has_no_past():
    with pytest.raises(CollectionError, match="not there yet"):
        ask("dbx-dw01", at("dbx-dw01", -90))

    assert ask("dbx-dw01", at("dbx-dw01", -76, clock=time(0, 0))).sources
    assert min(nights("MARTPRD")) == -11


def test_one_source_may_fail_while_the_others_are_read():
    last_night = ask("ERPPRD", at("ERPPRD", 1))

    assert [source.name for source in last_night.failed] == ["dba_tablespace_usage_metrics"]
    assert len(last_night.sources) > 10
    assert not ask("ERPPRD", at("ERPPRD", 0)).failed


@pytest.mark.parametrize("member", EVERYBODY, ids=lambda member: member.name)
def test_everything_read_is_in_the_catalogue_and_makes_sense(member):
    collected = ask(member.name, at(member.name, -5))

    categories = [source.category for source in collected.sources]
    assert len(categories) == len(set(categories))
    for source in collected.sources:
        for reading in source.readings:
            metric = get_metric(reading.metric)
            assert metric.formula is None, f"{reading.metric} is computed, not read"
            assert metric.category == source.category
            assert bool(reading.component) == bool(metric.component_kind)
            assert reading.value >= 0, reading


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda member: member.name)
def test_an_instances_time_adds_up(instance):
    before, after = nightly(instance.name, -5), nightly(instance.name, -4)

    def spent(key: str) -> float:
        return after[key, ""] - before[key, ""]

    assert spent("tm_db_cpu") < spent("tm_db_time")
    assert spent("db_time") == pytest.approx(spent("tm_db_time") / 10_000, rel=1e-6)
    assert spent("tm_db_cpu") / 1e6 < 0.9 * instance.cores * 86_400
    assert spent("os_busy_time") + spent("os_idle_time") == pytest.approx(
        instance.cores * 8_640_000, rel=1e-6
    )
    assert after["ts_used_mb", "SYSTEM"] <= after["ts_size_mb", "SYSTEM"] <= after["ts_max_mb", "SYSTEM"]


@pytest.mark.parametrize("host", HOSTS, ids=lambda member: member.name)
def test_a_hosts_ticks_add_up_to_the_time_that_passed(host):
    before, after = (values_of(ask(host.name, at(host.name, -5, clock=time(hour)))) for hour in (9, 10))
    states = ("user", "nice", "system", "irq", "softirq", "steal", "iowait", "idle")

    ticks = sum(after[f"cpu_{state}_ticks", ""] - before[f"cpu_{state}_ticks", ""] for state in states)

    assert ticks == pytest.approx(host.cores * host.threads_per_core * 100 * 3600, rel=1e-4)


@pytest.mark.parametrize(("age", "expected"), [(-31, 52), (-7, 58), (0, 61)])
def test_the_hosts_busy_hours_are_as_busy_as_the_story_says(age: int, expected: float):
    moments = [at("dbx-dw01", age, clock=time(0)) + timedelta(hours=hour) for hour in range(25)]
    readings = [values_of(ask("dbx-dw01", moment)) for moment in moments]

    busy = []
    for before, after in pairwise(readings):
        whole = after["cpu_total_ticks", ""] - before["cpu_total_ticks", ""]
        busy.append(100 - 100 * (after["cpu_unused_ticks", ""] - before["cpu_unused_ticks", ""]) / whole)

    assert sorted(busy)[-2] >= expected - 0.5
    assert sorted(busy)[-4] <= expected + 0.5
    assert min(busy) > 20


def test_every_limit_of_the_warehouse_names_something_that_is_read():
    readings = nightly("DWPRD", 1)

    for limit in DWPRD.limits:
        metric = get_metric(limit.metric)
        if metric.formula is None:
            assert (limit.metric, limit.component) in readings
