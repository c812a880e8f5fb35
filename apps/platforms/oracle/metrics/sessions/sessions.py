"""Sessions that users have open, and those at work."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.categories import DERIVED
from apps.platforms.oracle.metrics.sessions.sources import most_of_day, of_day, session

METRICS = [
    of_day(
        key="sessions_per_core",
        label="sessions per core",
        category=DERIVED,
        unit="count",
        formula=lambda w: most_of_day("sessions")(w) / w.level("cpu_cores"),
        help="The size of a possible storm: if all sessions became active at once, so many would queue for each core.",
    ),
    session(
        key="sessions_current",
        label="sessions of users",
        help="Sessions of users at the moment of reading, idle ones included.",
    ),
    session(
        key="sessions_active",
        label="active sessions of users",
        worse=Worse.HIGHER,
        help="Sessions inside a call at the moment of reading; the collector's own is one of them.",
    ),
]
