"""Enqueues: the locks that sessions ask for, wait for and die by."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Worse
from apps.platforms.oracle.categories import SYSSTAT
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import LOCKS

sysstat = partial(sources.sysstat, section=LOCKS, reading_unit="events", unit="per day")

METRICS = [
    sysstat(
        key="enq_waits",
        name="enqueue waits",
        label="lock requests that waited",
        worse=Worse.HIGHER,
        help="Requests for a lock that somebody else held. The wait events tell which kind of lock.",
    ),
    sysstat(
        key="enq_deadlocks",
        name="enqueue deadlocks",
        label="deadlocks",
        worse=Worse.HIGHER,
        help="Sessions that waited for each other until Oracle cancelled one statement (ORA-00060). Should be 0; the"
        " cure is in the application.",
    ),
    sysstat(
        key="enq_timeouts",
        name="enqueue timeouts",
        label="lock requests given up",
        worse=Worse.HIGHER,
        help="Requests for a lock that were not granted in time, or not at once where none would wait.",
    ),
    sysstat(key="enq_requests", name="enqueue requests", label="lock requests", help="Locks asked for."),
    sysstat(
        key="enq_conversions",
        name="enqueue conversions",
        label="lock conversions",
        help="Locks changed into another mode.",
    ),
    sysstat(key="enq_releases", name="enqueue releases", label="lock releases", help="Locks given back."),
    Metric(
        key="enq_wait_pct",
        over_instances="ratio",
        label="share of lock requests that waited",
        source="derived",
        category=SYSSTAT,
        kind=Kind.RATIO,
        section=LOCKS,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("enq_waits") / w.delta("enq_requests"),
        help="How often a lock was not free. Small even where locking hurts: watch the time waited as well.",
    ),
]
