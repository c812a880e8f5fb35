"""
Days that readings lost and a host itself kept: read from its own records, each morning.

A day that was not measured, or in part alone, is asked for as long as most systems keep their records. What was read of it
stays where it covers more, and beside what the records give.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from apps.collection.history.sources import HistorySession, has_history, open_history
from apps.collection.host_files import review_again
from apps.collection.unread_targets import unread_targets
from apps.inventory.models import Target
from apps.snapshots.engine.days import day_of
from apps.snapshots.imported_days import record_imported_days
from apps.snapshots.models import Coverage

BACK = 7  # days
WHOLE = 0.95  # share of a day from which on it is not asked for


def hosts_with_lost_days(now: datetime) -> Sequence[Target]:
    """The hosts that answer now, keep their days themselves, and lack some of the last week."""
    watched = Target.objects.watched().filter(kind=Target.Kind.HOST, blocked_because="")
    hosts = [host for host in watched if has_history(host) and lost_days(host, now)]
    silent = unread_targets([host.pk for host in hosts], now)
    return [host for host in hosts if host.pk not in silent]


def lost_days(target: Target, now: datetime) -> list[date]:
    """The days of the last week, since it was registered, that were not measured as a whole; the newest first."""
    today = now.astimezone(target.zone).date()
    first = target.registered_at.astimezone(target.zone).date()
    days = [on for back in range(1, BACK + 1) if (on := today - timedelta(days=back)) >= first]
    covers = {cover.day: cover for cover in Coverage.objects.filter(target=target, day__in=days)}
    return [on for on in days if on not in covers or _is_lost(covers[on])]


def _is_lost(cover: Coverage) -> bool:
    return not cover.origin and cover.hours < WHOLE * cover.day_hours


def make_up_days(target: Target, now: datetime) -> Sequence[date]:
    """Store what a host kept of its lost days; returns the days that it had more of. Raises CollectionError."""
    with open_history(target) as session:
        keys = [reach.key for reach in session.look()]
        return [on for on in lost_days(target, now) if _make_up(target, session, on, keys, now)]


def _make_up(target: Target, session: HistorySession, on: date, keys: Sequence[str], now: datetime) -> bool:
    day = session.read_day(day_of(on, target.zone), keys)
    if day is None:
        return False
    origin = ", ".join(dict.fromkeys(day.origins.values()))
    outcomes = record_imported_days(target, [day], origin, {}, now, is_beside=True)
    is_stored = outcomes[0].is_stored
    if is_stored:
        review_again(target, outcomes)
    return is_stored
