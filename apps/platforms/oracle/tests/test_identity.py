"""Moments of a host's clock in UTC."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from apps.platforms.oracle.identity import in_utc
from apps.platforms.oracle.versions import State, parse_release, release_number

BERLIN = ZoneInfo("Europe/Berlin")
STARTED = datetime.fromisoformat("2026-02-01 06:00")  # winter time


def test_a_start_up_does_not_move_when_the_clocks_change():
    in_winter = in_utc(
        STARTED, datetime.fromisoformat("2026-03-01 02:05"), datetime(2026, 3, 1, 1, 5, tzinfo=UTC), BERLIN
    )
    in_summer = in_utc(
        STARTED, datetime.fromisoformat("2026-04-01 03:05"), datetime(2026, 4, 1, 1, 5, tzinfo=UTC), BERLIN
    )

    assert in_winter == in_summer == datetime(2026, 2, 1, 5, 0, tzinfo=UTC)


def test_a_host_in_another_zone_than_was_said_goes_by_its_own_offset():
    here, now = datetime.fromisoformat("2026-03-01 06:35:02"), datetime(2026, 3, 1, 1, 5, tzinfo=UTC)

    assert in_utc(STARTED, here, now, BERLIN) == datetime(2026, 2, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "number"),
    [("11.2.0.4.0", 11.2), ("12.1.0.2.0", 12.1), ("19.22.0.0.0", 19.0), ("23.5.0.24.07", 23.0)],
)
def test_releases_compare_as_numbers(text, number):
    assert release_number(parse_release(text)) == number


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("STARTED", State.STARTED),
        ("MOUNTED", State.MOUNTED),
        ("OPEN", State.OPEN),
        ("OPEN MIGRATE", State.OPEN),
    ],
)
def test_how_far_an_instance_is_up(status, state):
    assert State.of(status) is state
