"""Signing in, and how long the server takes for it."""

from apps.catalog.metric import Judging, Kind, Metric, Worse
from apps.platforms.oracle.categories import DERIVED, SIGN_IN
from apps.platforms.oracle.metrics.sessions.sources import rate, ratio, sysstat
from apps.platforms.oracle.sections import SESSIONS

METRICS = [
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
