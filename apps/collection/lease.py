"""
At most one collection at a time for a target: a lease in its row, with an expiry.

Not an advisory lock, which would hold a database connection while the target is waited for. A lease is no longer than
the shortest rhythm, so that a killed holder costs its target no slot; whoever goes on reading renews it meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock, Thread
from time import monotonic, sleep

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Q

from apps.inventory.models import Target

log = structlog.get_logger()

LEASE = timedelta(minutes=1)  # a killed holder's lease ends by itself after so long
RENEWED_AFTER = 15.0  # seconds


def take_lease(target: Target, holder: str, now: datetime) -> bool:
    """
    Take the lease unless somebody else has it; the same holder may take it again (a task delivered twice).

    A lease that ends much later than any taken now was given by a clock that has since jumped back, and counts as expired.
    """
    free = (
        Q(leased_until=None)
        | Q(leased_until__lt=now)
        | Q(leased_until__gt=now + 2 * LEASE)
        | Q(leased_by=holder)
    )
    count = Target.objects.filter(free, pk=target.pk).update(leased_until=now + LEASE, leased_by=holder)
    return count == 1


def give_back(target: Target, holder: str) -> None:
    Target.objects.filter(pk=target.pk, leased_by=holder).update(leased_until=None, leased_by="")


@dataclass(frozen=True)
class _HeldLease:
    """A lease of this process: it is renewed by the clock it was taken by."""

    target_id: int
    holder: str
    taken_at: datetime
    taken_at_seconds: float  # of the monotonic clock

    def renew(self) -> None:
        since = timedelta(seconds=monotonic() - self.taken_at_seconds)
        Target.objects.filter(pk=self.target_id, leased_by=self.holder).update(
            leased_until=self.taken_at + since + LEASE
        )


_held: set[_HeldLease] = set()
_lock = Lock()
_threads: list[Thread] = []  # the one that renews, while there is anything to renew


@contextmanager
def hold_lease(target: Target, holder: str, now: datetime) -> Iterator[None]:
    """Keep a lease that was taken from ending as long as the block goes on. One thread renews all of a process."""
    lease = _HeldLease(target.pk, holder, now, monotonic())
    with _lock:
        _held.add(lease)
        if not _threads:
            _threads.append(Thread(target=_renew, name="leases", daemon=True))
            _threads[0].start()
    try:
        yield
    finally:
        with _lock:
            _held.discard(lease)


def _renew() -> None:
    while True:
        sleep(RENEWED_AFTER)
        with _lock:
            if not _held:
                _threads.clear()
                return
            leases = list(_held)
        try:
            for lease in leases:
                lease.renew()
        except (DatabaseError, InterfaceError) as error:
            log.warning("leases not renewed", reason=str(error))
        finally:
            connection.close()
