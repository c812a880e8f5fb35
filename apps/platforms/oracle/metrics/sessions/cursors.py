"""Cursors that are opened, open and found again."""

from apps.catalog.metric import Kind
from apps.platforms.oracle.metrics.sessions.sources import sysstat

METRICS = [
    sysstat(
        key="opened_cursors_cumulative",
        name="opened cursors cumulative",
        label="cursors opened",
        reading_unit="cursors",
        unit="per day",
        help="Cursors opened by all sessions.",
    ),
    sysstat(
        key="opened_cursors_current",
        name="opened cursors current",
        label="open cursors",
        kind=Kind.GAUGE,
        reading_unit="cursors",
        unit="cursors",
        help="Cursors open at the moment of reading. Growth without more sessions is a leak in an application.",
    ),
    sysstat(
        key="session_cursor_cache_hits",
        name="session cursor cache hits",
        label="session cursor cache hits",
        reading_unit="lookups",
        unit="per day",
        help="Parse calls that found their cursor in the session's own cache.",
    ),
]
