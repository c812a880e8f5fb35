"""Sessions, processes, parsing, commits and signing in: what users ask of the instance."""

from functools import partial
from typing import TYPE_CHECKING, Any

from apps.catalog.metric import Display, Formula, Judging, Kind, Metric, Origin, Worse
from apps.catalog.window import Window
from apps.platforms.oracle.categories import DERIVED, RESOURCE_LIMIT, SESSION, SIGN_IN, TIME_MODEL
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import MEMORY, SESSIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_OF_DAY = (
    "Most in use on the day: the mark since start-up where it rose on the day, else the most that was in use at a reading."
    " What is read hourly knows it better than what is read once a day."
)
OF_READINGS = ("p95", "max", "busy")

sysstat = partial(sources.sysstat, section=SESSIONS)
time_model = partial(sources.time_model, section=SESSIONS, worse=Worse.HIGHER)
ratio = partial(sources.ratio, section=SESSIONS)
rate = partial(ratio, unit="per second", reductions=OF_READINGS)
limit = partial(
    Metric, source="v$resource_limit", category=RESOURCE_LIMIT, section=SESSIONS, over_instances="sum"
)
since_start = partial(limit, kind=Kind.HIGH_WATER)
in_use = partial(limit, kind=Kind.GAUGE, reductions=OF_READINGS)
parameter = partial(limit, kind=Kind.SETTING)
of_day = partial(ratio, worse=Worse.HIGHER, origin=Origin(is_maximum=True))
session = partial(
    Metric, source="v$session", category=SESSION, kind=Kind.GAUGE, section=SESSIONS, over_instances="sum",
    reductions=OF_READINGS, unit="sessions",
)  # fmt: skip


def most_of_day(resource: str) -> Formula:
    """Where the mark since start-up rose, it rose to the most of the day; else what was in use when it was read."""

    def most(w: Window) -> "NDArray[Any]":
        import numpy as np  # where it computes: metrics are declared wherever Headroom starts

        has_risen = w.delta(f"{resource}_max") > 0
        return np.where(has_risen, w.level(f"{resource}_max"), w.level(f"{resource}_now"))

    return most


def of_limit(resource: str) -> Formula:
    """The most of the day as a share of the parameter of that name."""
    most = most_of_day(resource)
    return lambda w: 100 * most(w) / w.level(f"{resource}_limit")


PROCESSES_MAX = since_start(
    key="processes_max",
    over_instances="max",
    name="processes MAX_UTILIZATION",
    label="processes, maximum",
    judging=Judging(instead="processes_day_max"),
    unit="processes",
    section=MEMORY,
    display=Display(rows=1),
    help="Most processes at once since start-up. At the limit nobody can sign in any more (ORA-00020).",
)

LIMITS = [
    PROCESSES_MAX,
    in_use(
        key="processes_now",
        name="processes CURRENT_UTILIZATION",
        label="processes in use",
        unit="processes",
        help="Processes at the moment of reading, background included.",
    ),
    parameter(
        key="processes_limit",
        name="processes LIMIT_VALUE",
        label="limit of processes",
        unit="processes",
        help="The parameter PROCESSES; raising it takes a restart.",
    ),
    since_start(
        key="sessions_max",
        name="sessions MAX_UTILIZATION",
        label="sessions, maximum",
        judging=Judging(instead="sessions_day_max"),
        unit="sessions",
        help="Most sessions at once since start-up, background and recursive ones included.",
    ),
    in_use(
        key="sessions_now",
        name="sessions CURRENT_UTILIZATION",
        label="sessions in use",
        unit="sessions",
        help="Sessions at the moment of reading, background and recursive ones included.",
    ),
    of_day(
        key="sessions_day_max",
        over_instances="sum",
        label="sessions, most of the day",
        category=RESOURCE_LIMIT,
        unit="sessions",
        formula=most_of_day("sessions"),
        help=MOST_OF_DAY,
    ),
    parameter(
        key="sessions_limit",
        name="sessions LIMIT_VALUE",
        label="limit of sessions",
        unit="sessions",
        help="The parameter SESSIONS, usually derived from PROCESSES.",
    ),
    of_day(
        key="processes_day_max",
        over_instances="max",
        label="processes, most of the day",
        category=RESOURCE_LIMIT,
        unit="processes",
        formula=most_of_day("processes"),
        help=MOST_OF_DAY,
    ),
    of_day(
        key="processes_pct",
        over_instances="max",
        label="processes of their limit",
        category=RESOURCE_LIMIT,
        unit="%",
        formula=of_limit("processes"),
        help="How close the instance came to refusing connections on the day.",
    ),
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

CALLS = [
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
    ratio(
        key="hard_parse_ratio",
        label="hard parses of parses",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("parse_count_hard") / w.delta("parse_count_total"),
        help="Share of parse calls that needed the optimiser. Only worrying together with a high rate.",
    ),
    rate(
        key="hard_parses_per_s",
        label="hard parses per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("parse_count_hard") / w.seconds,
        help="Twenty a second are worth a look, a hundred are a problem.",
    ),
    ratio(
        key="hard_parse_time_pct",
        label="hard parsing of DB time",
        category=TIME_MODEL,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("tm_hard_parse_elapsed") / w.delta("tm_db_time"),
        help="Share of DB time lost to optimising statements.",
    ),
    ratio(
        key="execute_to_parse_pct",
        label="executions without a parse",
        unit="%",
        worse=Worse.LOWER,
        formula=lambda w: 100 * (1 - w.delta("parse_count_total") / w.delta("execute_count")),
        help="Share of executions that reused an open cursor. Low where an application parses before every execution.",
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

TRANSACTIONS = [
    sysstat(
        key="user_rollbacks",
        name="user rollbacks",
        label="user rollbacks",
        reading_unit="rollbacks",
        unit="per second",
        worse=Worse.HIGHER,
        help="Rollbacks that users asked for. Some frameworks send one after every query, to no effect.",
    ),
    ratio(
        key="commits_per_s",
        label="commits per second",
        unit="per second",
        formula=lambda w: w.delta("user_commits") / w.seconds,
        help="Rate of commits.",
    ),
    rate(
        key="transactions_per_s",
        label="transactions per second",
        formula=lambda w: (w.delta("user_commits") + w.delta("user_rollbacks")) / w.seconds,
        help="Commits and rollbacks together.",
    ),
    ratio(
        key="rollback_pct",
        label="transactions rolled back",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: (
            100 * w.delta("user_rollbacks") / (w.delta("user_commits") + w.delta("user_rollbacks"))
        ),
        help="Share of transactions that users rolled back: work done for nothing, or an application in trouble.",
    ),
]

LOGONS = [
    sysstat(
        key="logons_cumulative",
        name="logons cumulative",
        label="logons",
        reading_unit="logons",
        unit="per day",
        help="Sessions made since start-up, per day.",
    ),
    sysstat(
        key="logons_current",
        name="logons current",
        label="sessions signed in",
        kind=Kind.GAUGE,
        reading_unit="sessions",
        unit="sessions",
        help="Sessions signed in at the moment of reading.",
    ),
    rate(
        key="logons_per_s",
        label="logons per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("logons_cumulative") / w.seconds,
        help="More than one a second says that an application connects anew for each piece of work.",
    ),
    ratio(
        key="login_server_ms",
        label="server time per logon",
        category=DERIVED,
        unit="ms",
        worse=Worse.HIGHER,
        judging=Judging(weight="logons_cumulative", enough=100),
        formula=lambda w: w.delta("tm_connection_mgmt") / 1000 / w.delta("logons_cumulative"),
        help="Time the database spends on a session coming or going. Starting the server process is not in it.",
    ),
    Metric(
        key="login_time_ms",
        over_instances="max",
        label="time to sign in",
        source="probe",
        category=SIGN_IN,
        kind=Kind.GAUGE,
        section=SESSIONS,
        unit="ms",
        worse=Worse.HIGHER,
        reductions=("p95", "max"),
        help="What Headroom waited for the session that it reads with: network, listener, server process and password"
        " check. Users feel the same.",
    ),
]

METRICS = [*LIMITS, *CALLS, *TRANSACTIONS, *LOGONS]
