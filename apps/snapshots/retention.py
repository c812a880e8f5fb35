"""Partitions ahead of time, and retention as nothing but drops."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from django.db import connection, transaction

from apps.snapshots.models import FailedSource

TABLES = {"snapshot": "timestamptz", "figure": "date"}
AHEAD = 3  # months


class NotKept(ValueError):
    """A moment lies outside of what is kept; the message says so to people."""


def first_of_month(on: date, months: int = 0) -> date:
    """The first day of the month of a day, or of one so many months later."""
    index = on.year * 12 + on.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def ensure_partitions(days: Iterable[date]) -> list[str]:
    """Make the monthly partitions these days need, where missing; returns the names of the new ones."""
    months = sorted({first_of_month(day) for day in days})
    made = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('headroom partitions'))")
        have = {table: set(partitions(table)) for table in TABLES}
        for table, kind in TABLES.items():
            for month in months:
                if month in have[table]:
                    continue
                name = f"{table}_{month:%Y_%m}"
                after = first_of_month(month, 1)
                zone = " 00:00+00" if kind == "timestamptz" else ""
                cursor.execute(
                    f"CREATE TABLE IF NOT EXISTS {name} PARTITION OF {table}"
                    f" FOR VALUES FROM ('{month}{zone}') TO ('{after}{zone}')"
                )
                made.append(name)
    return made


def make_room_for(slot: datetime, now: datetime, *, reading_days: int) -> None:
    """Make the partitions that a reading of this slot needs, where they are missing. Raises NotKept."""
    on, today = slot.astimezone(UTC).date(), now.astimezone(UTC).date()
    # a day of any zone that the reading can bound
    days = [on + timedelta(days=offset) for offset in (-2, -1, 0, 1)]
    names = [f"{table}_{month:%Y_%m}" for table in TABLES for month in {first_of_month(day) for day in days}]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT bool_and(to_regclass(name) IS NOT NULL) FROM unnest(%s::text[]) AS name", [names]
        )
        (is_there,) = cursor.fetchone()
    if is_there:
        return
    oldest = today - timedelta(days=reading_days)
    if on < oldest:
        raise NotKept(
            f"{slot:%Y-%m-%d %H:%M} lies before what is kept: readings are kept for {reading_days} days,"
            f" since {oldest}. Give a later moment, or set HEADROOM_READING_DAYS."
        )
    if on >= first_of_month(today, AHEAD + 1):
        raise NotKept(f"{slot:%Y-%m-%d %H:%M} lies in the future; give a moment up to now.")
    ensure_partitions(days)


def ensure_ahead(today: date) -> list[str]:
    """Make the partitions of last month, this month and the next three."""
    return ensure_partitions(first_of_month(today, months) for months in range(-1, AHEAD + 1))


def partitions(table: str) -> list[date]:
    """The months a table has a partition for."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass", [table]
        )
        names = [name for (name,) in cursor.fetchall()]
    return sorted(date(int(name[-7:-3]), int(name[-2:]), 1) for name in names)


def prune(today: date, *, reading_days: int, figure_days: int) -> list[str]:
    """
    Drop the partitions that lie wholly before what is kept, and why readings before were partial; returns their names.

    DETACH .. CONCURRENTLY does not stop readers; it must run outside a transaction.
    """
    dropped = []
    for table, days in (("snapshot", reading_days), ("figure", figure_days)):
        oldest = today - timedelta(days=days)
        for month in partitions(table):
            if first_of_month(month, 1) > oldest:
                continue
            name = f"{table}_{month:%Y_%m}"
            with connection.cursor() as cursor:
                cursor.execute(f"ALTER TABLE {table} DETACH PARTITION {name} CONCURRENTLY")
                cursor.execute(f"DROP TABLE {name}")
            dropped.append(name)
    FailedSource.objects.filter(
        slot__lt=datetime.combine(today, time(), UTC) - timedelta(days=reading_days)
    ).delete()
    return dropped
