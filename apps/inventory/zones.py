"""The time zones that targets can be in."""

from functools import cache
from zoneinfo import available_timezones


@cache
def time_zones() -> frozenset[str]:
    """Their names, looked up once: they are a folder of files."""
    return frozenset(available_timezones())
