"""Parse calls and the time they take."""

from functools import partial

from apps.catalog.metric import Worse
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.metrics.sessions.sources import sysstat
from apps.platforms.oracle.sections import SESSIONS

time_model = partial(sources.time_model, section=SESSIONS, worse=Worse.HIGHER)

METRICS = [
    sysstat(
        key="parse_count_total",
        name="parse count (total)",
        label="parse calls",
        reading_unit="parses",
        unit="per second",
        help="All parse calls, soft and hard.",
    ),
    sysstat(
        key="parse_count_hard",
        name="parse count (hard)",
        label="hard parses",
        reading_unit="parses",
        unit="per second",
        worse=Worse.HIGHER,
        help="Statements that had to be optimised anew. Literals in place of binds are the usual cause.",
    ),
    sysstat(
        key="parse_count_failures",
        name="parse count (failures)",
        label="failed parses",
        reading_unit="parses",
        unit="per day",
        worse=Worse.HIGHER,
        help="Statements with errors. Each is parsed hard again every time it is sent.",
    ),
    sysstat(
        key="parse_time_cpu",
        name="parse time cpu",
        label="CPU for parsing",
        reading_unit="centiseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="CPU that parsing took.",
    ),
    sysstat(
        key="parse_time_elapsed",
        name="parse time elapsed",
        label="time for parsing",
        reading_unit="centiseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time that parsing took, waits for latches included.",
    ),
    time_model(
        key="tm_parse_elapsed",
        name="parse time elapsed",
        label="parse time",
        help="Part of DB time spent parsing, soft and hard.",
    ),
    time_model(
        key="tm_hard_parse_elapsed",
        name="hard parse elapsed time",
        label="hard parse time",
        help="Part of DB time spent optimising statements.",
    ),
    time_model(
        key="tm_connection_mgmt",
        name="connection management call elapsed time",
        label="time signing in and out",
        help="Part of DB time spent on sessions coming and going: what a missing connection pool costs the server.",
    ),
]
