"""How long logins take that are timed each night, where somebody asked for it."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Origin, Worse
from apps.platforms.oracle.categories import LOGINS
from apps.platforms.oracle.sections import SESSIONS

HOW = "Several sessions are opened one after another each night and closed at once, where that was asked for with its address."
of_night = partial(
    Metric,
    source="probe",
    category=LOGINS,
    kind=Kind.GAUGE,
    section=SESSIONS,
    unit="ms",
    worse=Worse.HIGHER,
    origin=Origin(is_seldom=True),
)

METRICS = [
    of_night(
        key="login_middle_ms",
        label="login at night, the middle",
        help=f"{HOW} One slow try does not move it.",
    ),
    of_night(
        key="login_worst_ms",
        label="login at night, the longest",
        help=f"{HOW} Far above the middle it says that some logins wait for something.",
    ),
]
