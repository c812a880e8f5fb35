"""A disk that fills up: how long it lasts, who is warned and when, and what is held back for the last."""

import pytest

from apps.collection.engine import disk
from apps.collection.engine.disk import (
    DAY,
    GIGABYTE,
    HOUR,
    MEGABYTE,
    DiskRoom,
    estimate_days_left,
    measure_disk,
)


def series(hours: int, lost_per_hour: int, free: int = 100 * GIGABYTE) -> disk.Series:
    return tuple((float(hour * HOUR), free - hour * lost_per_hour) for hour in range(hours))


def test_it_lasts_as_long_as_the_last_days_say():
    assert estimate_days_left(series(48, GIGABYTE), 48 * GIGABYTE) == pytest.approx(2)


def test_a_file_that_was_copied_once_is_no_growth():
    with_a_step = tuple(
        (at, free - (40 * GIGABYTE if at > 30 * HOUR else 0)) for at, free in series(48, MEGABYTE)
    )

    assert estimate_days_left(with_a_step, 50 * GIGABYTE) == pytest.approx(50 * 1024 / 24, rel=0.01)


@pytest.mark.parametrize("too_little", [(), series(5, GIGABYTE), series(48, 0), series(48, -GIGABYTE)])
def test_nothing_is_foretold_from_too_little_or_of_a_disk_that_does_not_fill(too_little):
    assert estimate_days_left(too_little, GIGABYTE) is None


@pytest.mark.parametrize(
    ("free", "total", "days_left", "is_short", "is_full"),
    [
        (11 * GIGABYTE, 100 * GIGABYTE, None, False, False),
        (9 * GIGABYTE, 100 * GIGABYTE, None, True, False),
        (50 * GIGABYTE, 100 * GIGABYTE, 3.0, True, False),
        (50 * GIGABYTE, 100 * GIGABYTE, 3.1, False, False),
        (1023 * MEGABYTE, 100 * GIGABYTE, None, True, True),
        (20 * GIGABYTE, 4096 * GIGABYTE, None, True, False),  # 3 % of a large disk is room enough
        (63 * MEGABYTE, 200 * MEGABYTE, None, True, True),
        (65 * MEGABYTE, 200 * MEGABYTE, None, False, False),
    ],
)  # fmt: skip
def test_people_are_warned_before_and_reading_stops_last(free, total, days_left, is_short, is_full):
    measured = DiskRoom(free, total, days_left)

    assert (measured.is_short, measured.is_full) == (is_short, is_full)


def test_the_series_has_an_entry_an_hour_and_three_days(tmp_path):
    noted = [disk.note_free_space(tmp_path, moment) for moment in (0.0, HOUR - 1, HOUR, 3 * DAY + 60)]

    assert noted == [True, False, True, True]
    assert [at for at, _ in disk._read_series(tmp_path)] == [HOUR, 3 * DAY + 60]


def test_a_series_that_cannot_be_read_is_none(tmp_path):
    (tmp_path / disk.SERIES).write_text("[[1, ")

    room = measure_disk(tmp_path)

    assert room is not None
    assert room.days_left is None


def test_what_is_held_back_is_given_away_when_it_comes_to_the_last(tmp_path, monkeypatch):
    measured = DiskRoom(10 * GIGABYTE, 20 * GIGABYTE)
    monkeypatch.setattr(disk, "measure_disk", lambda folder: measured)
    disk.tend_reserve(tmp_path)
    held = (tmp_path / disk.RESERVE).stat()

    measured = DiskRoom(disk.LAST_BYTES - 1, 20 * GIGABYTE)
    disk.tend_reserve(tmp_path)

    assert held.st_size == disk.RESERVE_BYTES == held.st_blocks * 512
    assert not (tmp_path / disk.RESERVE).exists()
