"""What several statistics of sessions have in common."""

from functools import partial
from typing import TYPE_CHECKING, Any

from apps.catalog.metric import Formula, Kind, Metric, Origin, Worse
from apps.catalog.window import Window
from apps.platforms.oracle.categories import SESSION
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import SESSIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

OF_READINGS = ("p95", "max", "busy")

sysstat = partial(sources.sysstat, section=SESSIONS)
ratio = partial(sources.ratio, section=SESSIONS)
rate = partial(ratio, unit="per second", reductions=OF_READINGS)
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
