"""Processes and sessions in use beside what the parameters allow."""

from functools import partial

from apps.catalog.metric import Display, Formula, Judging, Kind, Metric
from apps.platforms.oracle.categories import RESOURCE_LIMIT
from apps.platforms.oracle.metrics.sessions.sources import OF_READINGS, most_of_day, of_day
from apps.platforms.oracle.sections import MEMORY, SESSIONS

MOST_OF_DAY = (
    "Most in use on the day: the mark since start-up where it rose on the day, else the most that was in use at a reading."
    " What is read hourly knows it better than what is read once a day."
)

limit = partial(
    Metric, source="v$resource_limit", category=RESOURCE_LIMIT, section=SESSIONS, over_instances="sum"
)
since_start = partial(limit, kind=Kind.HIGH_WATER)
in_use = partial(limit, kind=Kind.GAUGE, reductions=OF_READINGS)
parameter = partial(limit, kind=Kind.SETTING)


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

METRICS = [
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
]
