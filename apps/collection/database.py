"""Our own database while a target is read: given up before a long wait, and waited for when it does not answer."""

from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import TypeVar

import structlog
from django.db import InterfaceError, OperationalError, connection

log = structlog.get_logger()
T = TypeVar("T")

PATIENCE = 120.0  # seconds that a reading is held in hand for our own database to come back
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0


def keep_trying(act: Callable[[], T], seconds: float = PATIENCE) -> T:
    """
    Do what needs our own database, and do it again while that does not answer: what was read is not to be lost with it.

    The act must be one that can be repeated. Within somebody's transaction it is done once. Raises the last
    OperationalError or InterfaceError once `seconds` are over.
    """
    ends_at, pause = monotonic() + seconds, FIRST_PAUSE
    while True:
        try:
            return act()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or monotonic() + pause > ends_at:
                raise
            log.warning("our own database does not answer", reason=str(error))
        release_connection()
        sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def release_connection() -> None:
    """Give the database connection up before a long wait; the next query opens one again."""
    if not connection.in_atomic_block:
        with suppress(OperationalError, InterfaceError):  # it is gone already
            connection.close()
