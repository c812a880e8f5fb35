"""Wait events: what sessions waited for, how often and how long, and which of them a profile leaves out."""

from functools import partial

from apps.catalog.metric import Display, Judging, Kind, Metric, Origin, Ranking, Worse
from apps.platforms.oracle.categories import SYSTEM_EVENT, TIME_MODEL
from apps.platforms.oracle.sections import WAITS

# names that releases changed, old to new; readings keep the name they were read under
RENAMED = {
    "os thread startup": "os thread creation",
    "log file switch (archival incomplete)": "log file switch (archiving needed)",
    "Log Archive IO": "Log archive I/O",
    "gc buffer busy": "gc buffer busy acquire",
}

# not classed as idle by every release, yet nothing a user waits for
HIDDEN = frozenset(
    {
        "SQL*Net message to client",  # a transfer into the local socket; large with array fetches
        "SQL*Net more data from client",
        "null event",
        "KSV master wait",
        "parallel recovery slave wait for change",
        "PING",
        "class slave wait",
        "parallel query dequeue",
        "parallel query idle wait - Slaves",
    }
)

# look idle or parallel, yet somebody really waits
NEVER_HIDDEN = frozenset(
    {
        "PX Queuing: statement queue",  # statements wait because parallel servers are short
        "SQL*Net message from dblink",  # a remote database is waited for
        "resmgr:cpu quantum",
    }
)


def hides(event: str, wait_class: str) -> bool:
    """Whether a ranking leaves the event out: idle, between parallel servers, or noise."""
    if event in NEVER_HIDDEN:
        return False
    return wait_class == "Idle" or event.startswith("PX ") or event in HIDDEN


wait = partial(
    Metric,
    source="v$system_event",
    category=SYSTEM_EVENT,
    section=WAITS,
    component_kind="event",
    origin=Origin(is_sparse=True, renames=tuple(RENAMED.items())),
    ranking=Ranking(hides=hides),
    over_instances="ratio",
)
counter = partial(wait, kind=Kind.COUNTER, over_instances="sum")

WAIT_AVG_MS = wait(
    key="wait_avg_ms",
    label="average wait",
    display=Display(unit="cs", rows=10, noun="wait event"),
    aliases=("AVERAGE_WAIT",),
    kind=Kind.RATIO,
    unit="ms",
    worse=Worse.HIGHER,
    judging=Judging(weight="wait_count", enough=100),
    ranking=Ranking(by="wait_time", rivals=("cpu_time",), hides=hides),
    formula=lambda w: w.delta("wait_time") / 1000 / w.delta("wait_count"),
    help="Time waited over waits, of this day alone. Oracle's own average counts from start-up and hides a bad day.",
)
WAIT_BUSY_PCT = wait(
    key="wait_busy_pct",
    label="share of the day in the event",
    kind=Kind.RATIO,
    unit="%",
    formula=lambda w: 100 * w.delta("wait_time") / 1e6 / w.seconds,
    help="Time waited over the time that passed. Of an event of one background process, such as log file parallel write"
    " of the log writer, it is how busy that process is.",
)
SESSIONS_WAITING = wait(
    key="wait_sessions",
    label="sessions waiting on average",
    kind=Kind.RATIO,
    unit="sessions",
    worse=Worse.HIGHER,
    formula=lambda w: w.delta("wait_time") / 1e6 / w.seconds,
    help="How many processes were in the event at any moment: waits per second times average wait.",
)
WAIT_TIME = counter(
    key="wait_time",
    name="TIME_WAITED_MICRO",
    label="time waited",
    aliases=("TIME_WAITED", "Time Waited"),
    reading_unit="microseconds",
    unit="seconds/day",
    worse=Worse.HIGHER,
    help="Time all processes spent in the event. A wait counts when it ends, be it days after it began.",
)
WAIT_COUNT = counter(
    key="wait_count",
    name="TOTAL_WAITS",
    label="waits",
    reading_unit="waits",
    unit="waits/day",
    help="How often the event was waited for, by users and background processes together.",
)
CPU_TIME = Metric(
    key="cpu_time",
    over_instances="ratio",
    display=Display(unit="hours/day"),
    label="CPU time",
    source="v$sys_time_model",
    category=TIME_MODEL,
    kind=Kind.RATIO,
    section=WAITS,
    unit="seconds/day",
    formula=lambda w: (w.delta("tm_db_cpu") + w.delta("tm_background_cpu")) / 1e6 / w.seconds * 86400,
    help="CPU of users and background processes. It stands among the waits because time not spent waiting is spent here.",
)

METRICS = [
    WAIT_AVG_MS,
    WAIT_BUSY_PCT,
    SESSIONS_WAITING,
    WAIT_TIME,
    WAIT_COUNT,
    CPU_TIME,
    counter(
        key="wait_timeouts",
        name="TOTAL_TIMEOUTS",
        label="waits that timed out",
        reading_unit="waits",
        unit="per day",
        worse=Worse.HIGHER,
        help="Waits that ended because their time was up, not because what they waited for had come.",
    ),
    counter(
        key="wait_time_fg",
        name="TIME_WAITED_MICRO_FG",
        label="time waited by users",
        reading_unit="microseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time that sessions of users spent in the event. With DB CPU these add up to DB time. Since 11.1.",
    ),
    counter(
        key="wait_count_fg",
        name="TOTAL_WAITS_FG",
        label="waits of users",
        reading_unit="waits",
        unit="waits/day",
        help="How often sessions of users waited for the event. Since 11.1.",
    ),
    counter(
        key="wait_timeouts_fg",
        name="TOTAL_TIMEOUTS_FG",
        label="waits of users that timed out",
        reading_unit="waits",
        unit="per day",
        worse=Worse.HIGHER,
        help="Waits of users' sessions that ended because their time was up. Since 11.1.",
    ),
    wait(
        key="wait_avg_fg_ms",
        label="average wait of users",
        kind=Kind.RATIO,
        unit="ms",
        display=Display(unit="cs"),
        worse=Worse.HIGHER,
        judging=Judging(weight="wait_count_fg", enough=100),
        ranking=Ranking(by="wait_time_fg", hides=hides),
        formula=lambda w: w.delta("wait_time_fg") / 1000 / w.delta("wait_count_fg"),
        help="What a user's session waits on average, without the background processes.",
    ),
]
