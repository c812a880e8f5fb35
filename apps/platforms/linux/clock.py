"""The clock of another host beside this machine's."""

from datetime import timedelta

CLOCK = 60  # seconds by which another clock may differ without a word


def clock_notes(host: str, ahead: timedelta) -> list[str]:
    """A sentence where the clock of a host is off."""
    seconds = ahead.total_seconds()
    if abs(seconds) <= CLOCK:
        return []
    way = "ahead of" if seconds > 0 else "behind"
    return [
        f"The clock of {host} is {abs(seconds):.0f} seconds {way} this machine's: its days are shifted by that."
    ]
