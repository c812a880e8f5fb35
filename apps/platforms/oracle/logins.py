"""How long logins take, timed once a day where somebody asked for it: sessions are opened one after another, and closed at once."""

import socket
import statistics
import time
from contextlib import suppress
from ipaddress import ip_address

import oracledb

from apps.collection.collector import Reading, SourceRun
from apps.inventory.models import Target
from apps.platforms.oracle.address import TIMES_LOGINS
from apps.platforms.oracle.before import Before
from apps.platforms.oracle.categories import CATEGORIES, LOGINS
from apps.platforms.oracle.connect import Address, Connection, Login, Silence, connect
from apps.platforms.oracle.errors import first_line

WAY_OF_LOGINS = "way of logins"  # the fact that says which way they took
TRIES = 5
LEAST = 3  # tries of which a middle is told


def are_logins_due(target: Target, before: Before) -> bool:
    """Whether logins are timed now: with the first reading of a day of the target, where somebody asked for it."""
    if not target.address.get(TIMES_LOGINS) or LOGINS in before.read:
        return False
    newest = before.newest.get(LOGINS)
    if newest is None or before.slot is None:
        return True
    return newest.astimezone(target.zone).date() < before.slot.astimezone(target.zone).date()


def read_logins(address: Address, login: Login, host_name: str, ends_at: float) -> tuple[SourceRun, str]:
    """Time some logins; which way they take is said beside them, for the driver knows no way around the listener."""
    began = time.monotonic()
    seconds, error = _time_logins(address, login, ends_at)
    readings = []
    if len(seconds) >= LEAST:
        readings = [
            Reading("login_middle_ms", 1000 * statistics.median(seconds)),
            Reading("login_worst_ms", 1000 * max(seconds)),
        ]
        error = ""
    run = SourceRun(
        name=CATEGORIES[LOGINS],
        category=LOGINS,
        seconds=time.monotonic() - began,
        readings=readings,
        error=error,
        is_worth_retrying=False,
    )
    return (
        run,
        f"through the listener, {'on this machine' if _is_here(address, host_name) else 'over the network'}",
    )


def _time_logins(address: Address, login: Login, ends_at: float) -> tuple[list[float], str]:
    """How long each took, in seconds, and why there are no more."""
    seconds: list[float] = []
    for _ in range(TRIES):
        began = time.monotonic()
        if began >= ends_at:
            return seconds, "Not timed: the time given to the whole reading was over."
        try:
            opened = connect(address, login, ends_at - began)
        except Silence:
            return seconds, "Not timed: the listener took a connection and did not answer."
        except (oracledb.Error, OSError) as problem:
            return seconds, f"Not timed: {first_line(problem)}"
        seconds.append(time.monotonic() - began)
        Connection(opened, ends_at).close()
    return seconds, ""


def _is_here(address: Address, host_name: str) -> bool:
    """Whether the instance runs on the machine that reads it."""
    with suppress(ValueError):
        return ip_address(str(address.get("host", ""))).is_loopback
    return host_name.partition(".")[0].casefold() == socket.gethostname().partition(".")[0].casefold()
