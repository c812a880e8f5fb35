"""
The profile of random readings, with restarts, gaps and events that come and go, against arithmetic written apart.

Nothing of the product's arithmetic is used here: plain Python over the list of readings.
"""

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import count, pairwise
from math import isclose

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.collection.tests.scripted import BOOT, GB, MB, SPACE, TODAY, WAITS, WORK, instance, prepare
from apps.profiles.build import ProfileCell, build_profile
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day

pytestmark = pytest.mark.django_db

EVENTS = ("log file sync", "enq: TX")
KEYS = [("x_redo", ""), ("x_used", "DATA"), *(("x_read_ms", event) for event in EVENTS)]
REACH = {7: 2, 30: 3, 90: 7}
DAY, HALF = timedelta(days=1), timedelta(hours=12)
_numbers = count()


@dataclass
class PlayedReading:
    at: datetime
    started_at: datetime
    redo: float
    used: float
    events: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # waits, µs; absent: none since start-up


def midnight(on: date) -> datetime:
    return datetime.combine(on, time(), UTC)


def made_up(dice: random.Random) -> list[PlayedReading]:
    """Readings near the midnights that a profile of TODAY looks at, some left out, some twice a day."""
    days = sorted(
        {
            TODAY - timedelta(days=back + extra)
            for back in (0, *REACH)
            for extra in range(-1, REACH.get(back, 0) + 2)
        }
    )
    readings: list[PlayedReading] = []
    started_at, redo, events = BOOT, 0.0, dict[str, tuple[float, float]]()
    for on in days:
        if dice.random() < 0.25:
            continue
        for at in {dice.choice((5, 5, -120, 600)), dice.choice((5, 5, 715))}:
            now = midnight(on) + timedelta(minutes=at)
            before = readings[-1].at if readings else BOOT
            if now - before < timedelta(minutes=90):
                continue
            if dice.random() < 0.15:
                started_at = before + (now - before) * dice.uniform(0.05, 0.95)
                redo, events = 0.0, {}
            redo += dice.choice((0, 1, 40)) * dice.random() * GB
            if dice.random() < 0.04 and readings and readings[-1].started_at == started_at:
                redo = readings[-1].redo / 2
            for event in EVENTS:
                if dice.random() < 0.5:
                    waits, micros = events.get(event, (0.0, 0.0))
                    more = dice.randint(1, 5000)
                    events[event] = (waits + more, micros + more * dice.randint(1, 90_000))
            readings.append(PlayedReading(now, started_at, redo, dice.randint(0, 500) * MB, dict(events)))
    return readings


# ── the same figures, told plainly ───────────────────────────────────────────────────────────────────────────────────


def nearest(readings: list[PlayedReading], to: datetime) -> PlayedReading | None:
    within = [reading for reading in readings if abs(reading.at - to) <= HALF]
    return min(within, key=lambda reading: (abs(reading.at - to), reading.at), default=None)


def figures(readings: list[PlayedReading], on: date) -> dict[tuple[str, str], float | None] | None:
    """The figures of a day; None where its end was not read, and an event that did not occur is absent."""
    last = nearest(readings, midnight(on + DAY))
    if last is None:
        return None
    before = [reading for reading in readings if reading.at < last.at]
    first = nearest(before, midnight(on))
    if first is None:
        older = [reading for reading in before if midnight(on) - 7 * DAY <= reading.at < midnight(on)]
        first = older[-1] if older else None
    values: dict[tuple[str, str], float | None] = {("x_used", "DATA"): last.used / MB, ("x_redo", ""): None}
    if first is None:
        return values | {("x_read_ms", event): None for event in EVENTS}
    used = [reading for reading in readings if first.at <= reading.at <= last.at]
    seconds, redo, fell = 0.0, 0.0, False
    waits, micros = dict.fromkeys(EVENTS, 0.0), dict.fromkeys(EVENTS, 0.0)
    for earlier, later in pairwise(used):
        is_restarted = later.started_at != earlier.started_at
        seconds += (later.at - (later.started_at if is_restarted else earlier.at)).total_seconds()
        grown = later.redo if is_restarted else later.redo - earlier.redo
        fell = fell or grown < 0
        redo += grown
        for event in EVENTS:
            old = (0.0, 0.0) if is_restarted else earlier.events.get(event, (0.0, 0.0))
            new = later.events.get(event, (0.0, 0.0))
            waits[event] += new[0] - old[0]
            micros[event] += new[1] - old[1]
    values["x_redo", ""] = None if fell else redo / GB / seconds * 86400
    for event in EVENTS:
        if waits[event]:
            values["x_read_ms", event] = micros[event] / 1000 / waits[event] / 10
    return values


def expected(
    readings: list[PlayedReading], key: tuple[str, str], back: int
) -> tuple[str, date | None, float | None]:
    """Presence, day and value of a cell."""
    anchor = TODAY - timedelta(days=back)
    for on in (anchor - timedelta(days=earlier) for earlier in range(REACH.get(back, 0) + 1)):
        values = figures(readings, on)
        if values is None:
            continue
        if key not in values:
            return "not_present", on, None
        return ("no_data" if values[key] is None else "present"), on, values[key]
    return "no_data", None, None


def change(
    now: tuple[str, date | None, float | None], then: tuple[str, date | None, float | None]
) -> tuple[str, float | None]:
    if "no_data" in (now[0], then[0]):
        return "", None
    old, new = then[2] or 0.0, now[2] or 0.0
    if now[0] == "not_present":
        return ("", 0.0) if old == 0 else ("gone", None)
    if old == 0:
        return ("", 0.0) if new == 0 else ("new", None)
    return "", 100 * (new - old) / abs(old)


def same(cell: ProfileCell, expectation: tuple[str, date | None, float | None]) -> bool:
    presence, on, value = expectation
    if (cell.presence, cell.day) != (presence, on):
        return False
    return (
        cell.value is None
        if value is None
        else cell.value is not None and isclose(cell.value, value, rel_tol=1e-6, abs_tol=1e-9)
    )


@settings(
    max_examples=10,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(some.integers(0, 2**32))
def test_the_profile_of_any_readings_is_what_plain_arithmetic_says(seed):
    prepare()
    target = instance(f"ANY{next(_numbers)}")
    readings = made_up(random.Random(seed))
    for reading in readings:
        waits = {("x_waits", event): counts[0] for event, counts in reading.events.items()}
        times = {("x_wait_time", event): counts[1] for event, counts in reading.events.items()}
        record_snapshot(
            target,
            [
                ReadSource(category=WORK, values={("x_redo", ""): reading.redo, ("x_calls", ""): 0.0}),
                ReadSource(category=SPACE, values={("x_used", "DATA"): reading.used}),
                ReadSource(category=WAITS, values={("x_waits", "nothing"): 0.0} | waits | times),
            ],
            slot=reading.at,
            captured_at=reading.at,
            started_at=reading.started_at,
        )
    for back in (0, *REACH):
        for earlier in range(REACH.get(back, 0) + 1):
            roll_up_day(target, TODAY - timedelta(days=back + earlier), midnight(TODAY + 2 * DAY))

    rows = {row.key: row for row in build_profile(target, TODAY, also=KEYS).rows}

    for key in KEYS:
        now = expected(readings, key, 0)
        assert same(rows[key].today, now if now[1] else ("no_data", None, None)), (key, rows[key].today, now)
        for back in REACH:
            then, cell = expected(readings, key, back), rows[key].then[back]
            assert same(cell, then), (key, back, cell, then)
            word, delta = change(now, then)
            assert cell.change == word, (key, back, cell, now, then)
            assert (cell.delta is None) == (delta is None), (key, back, cell, now, then)
            assert delta is None or isclose(cell.delta or 0.0, delta, rel_tol=1e-6, abs_tol=1e-6)
