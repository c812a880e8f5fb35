"""
Since when the counters of v$osstat count: since the host was started, which the view does not say.

They outlive a restart of the instance, and begin anew with the host. All CPUs together are busy or idle all the time, so
what both add up to says how long ago that was. Only an instance that restarted can have lost its host.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apps.collection.collector import Reading
from apps.inventory.models import Target
from apps.platforms.oracle.categories import OSSTAT
from apps.snapshots.vectors import vector_cursor

UNKNOWN_BOOT = datetime(1970, 1, 1, tzinfo=UTC)  # before every reading: counts go on from one to the next
LONGEST = timedelta(days=35)


@dataclass(frozen=True)
class HostCounters:
    """What was read of the host the last time; `started_at` is since when its counters are taken to count."""

    captured_at: datetime
    started_at: datetime


def read_host_counters(target: Target, slot: datetime) -> HostCounters | None:
    """The newest reading of the host's counters before a slot; None where there is none of the last five weeks."""
    with vector_cursor() as cursor:
        cursor.execute(
            "SELECT captured_at, started_at FROM snapshot"
            " WHERE target_id = %s AND category = %s AND part = 0 AND bucket >= %s AND bucket < %s"
            " ORDER BY bucket DESC LIMIT 1",
            [target.pk, OSSTAT, slot - LONGEST, slot],
        )
        row = cursor.fetchone()
    return HostCounters(row[0], row[1] or UNKNOWN_BOOT) if row else None


def find_host_start(
    readings: Iterable[Reading], before: HostCounters | None, now: datetime, instance_started_at: datetime
) -> datetime:
    """Since when the counters of the host count: as at the reading before, or since a start after it."""
    if before is None:
        return UNKNOWN_BOOT
    if instance_started_at <= before.captured_at:
        return before.started_at
    values = {reading.metric: reading.value for reading in readings if not reading.component}
    up_for = uptime_of(values)
    if up_for is None or now - up_for <= before.captured_at:
        return before.started_at
    return min(now - up_for, instance_started_at)


def uptime_of(values: Mapping[str, float]) -> timedelta | None:
    """How long the host is up, by the centiseconds of all its CPUs; None where they are not all there."""
    cpus = values.get("cpu_count", 0.0)
    if cpus <= 0 or "os_busy_time" not in values or "os_idle_time" not in values:
        return None
    return timedelta(seconds=(values["os_busy_time"] + values["os_idle_time"]) / 100 / cpus)
