"""Which moments a target is due at, and which of its days are closed."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.collection.engine.slots import Timetable
from apps.snapshots.engine.days import day_of

BERLIN = ZoneInfo("Europe/Berlin")
DAILY = timedelta(days=1)


def daily(zone: ZoneInfo = BERLIN, at: time = time(0, 5)) -> Timetable:
    return Timetable(zone, DAILY, at)


FIVE = Timetable(BERLIN, timedelta(minutes=5), time(0, 5))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "slot"),
    [
        ("2026-02-17 12:00", "2026-02-16 23:05"),  # winter: UTC+1
        ("2026-02-16 23:05", "2026-02-16 23:05"),
        ("2026-02-16 23:04", "2026-02-15 23:05"),
        ("2026-07-01 12:00", "2026-06-30 22:05"),  # summer: UTC+2
        ("2026-03-29 12:00", "2026-03-28 23:05"),  # the night the clocks go forward
        ("2026-03-30 12:00", "2026-03-29 22:05"),
        ("2026-10-25 12:00", "2026-10-24 22:05"),  # the night they go back
        ("2026-10-26 12:00", "2026-10-25 23:05"),
    ],
)
def test_a_daily_slot_is_a_time_of_the_targets_zone_as_that_very_moment(now, slot):
    assert daily().last_slot(utc(now)) == utc(slot)


@pytest.mark.parametrize(("on", "hours"), [("2026-03-29", 23), ("2026-03-28", 24), ("2026-10-25", 25)])
def test_between_two_daily_slots_lie_the_hours_of_that_day(on, hours):
    today = date.fromisoformat(on)

    slots = daily().slot_on(today), daily().slot_on(today + DAILY)

    assert slots[1] - slots[0] == timedelta(hours=hours)
    assert daily().next_slot(slots[0]) == slots[1]


def test_a_time_that_the_clocks_skip_is_still_one_slot():
    skipped = daily(at=time(2, 30))

    slots = [skipped.slot_on(date(2026, 3, day)) for day in (28, 29, 30)]

    assert slots == [utc("2026-03-28 01:30"), utc("2026-03-29 01:30"), utc("2026-03-30 00:30")]


def test_a_time_that_comes_twice_is_one_slot():
    twice = daily(at=time(2, 30))
    night = [utc("2026-10-25 00:00") + timedelta(minutes=10 * step) for step in range(24)]

    slots = {twice.last_slot(moment) for moment in night}

    assert slots == {utc("2026-10-24 00:30"), utc("2026-10-25 00:30")}


@pytest.mark.parametrize(
    ("now", "slot"),
    [("2026-02-17 12:04", "2026-02-17 12:00"), ("2026-02-17 12:05", "2026-02-17 12:05"), ("2026-03-29 01:03", "2026-03-29 01:00")],
)  # fmt: skip
def test_a_host_is_due_every_five_minutes(now, slot):
    assert FIVE.last_slot(utc(now)) == utc(slot)
    assert FIVE.next_slot(utc(now)) == utc(slot) + timedelta(minutes=5)


def test_a_slot_may_be_made_up_for_until_half_its_interval_has_gone_by():
    slot = daily().slot_on(date(2026, 2, 17))

    assert daily().due_slot(slot + timedelta(hours=12)) == slot
    assert daily().due_slot(slot + timedelta(hours=12, seconds=1)) is None
    assert FIVE.due_slot(utc("2026-02-17 12:02")) == utc("2026-02-17 12:00")
    assert FIVE.due_slot(utc("2026-02-17 12:03")) is None


@pytest.mark.parametrize(
    ("at", "ends"),
    [(time(0, 5), "2026-02-17 23:05"), (time(22), "2026-02-17 21:00"), (time(12), "2026-02-17 11:00")],
)
def test_a_collection_after_midnight_closes_the_day_before_and_one_in_the_evening_its_own(at, ends):
    day = day_of(date(2026, 2, 17), BERLIN)

    assert daily(at=at).ending_slot(day) == utc(ends)


def test_a_day_is_closed_once_its_ending_slot_was_read_or_is_missed():
    ending = daily().slot_on(date(2026, 2, 17))
    soon, late = ending + timedelta(minutes=1), ending + timedelta(hours=12, minutes=1)

    assert daily().days_closing_until(soon, newest_read_slot=None) == date(2026, 2, 15)
    assert daily().days_closing_until(soon, newest_read_slot=ending) == date(2026, 2, 16)
    assert daily().days_closing_until(late, newest_read_slot=None) == date(2026, 2, 16)


@given(
    some.integers(0, 2 * 365 * 24 * 60 * 60),
    some.sampled_from(["Europe/Berlin", "UTC", "America/St_Johns", "Pacific/Chatham", "Asia/Kolkata"]),
    some.times(),
    some.sampled_from([1, 5, 15, 60, 1440]),
)
def test_slots_follow_each_other_without_gap_or_overlap(seconds, zone, at, minutes):
    timetable = Timetable(ZoneInfo(zone), timedelta(minutes=minutes), at.replace(microsecond=0))
    now = utc("2026-01-01") + timedelta(seconds=seconds)

    last, following = timetable.last_slot(now), timetable.next_slot(now)

    assert last <= now < following
    assert timetable.last_slot(following) == following
    assert timetable.next_slot(last) == following
    assert timedelta(0) < following - last <= timedelta(minutes=minutes) + timedelta(hours=1)
