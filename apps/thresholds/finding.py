"""A figure of a day as a limit meets it."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.charts import figures
from apps.profiles.build import Presence
from apps.thresholds.models import Threshold

HORIZON_OF: Mapping[str, int] = {
    Threshold.FigureOf.CHANGE_7: 7,
    Threshold.FigureOf.CHANGE_30: 30,
    Threshold.FigureOf.CHANGE_90: 90,
}


@dataclass(frozen=True)
class Finding:
    """A figure as a limit meets it: in the unit of the limit, with what keeps it from being judged."""

    presence: Presence
    value: float | None = None
    reason: str = ""  # why there is no figure
    is_partial: bool = False
    hours: float | None = None
    without: tuple[str, ...] = ()
    weight: float | None = None
    left_out: str = ""  # the calendar that leaves the day out
    second: "Finding | None" = None  # of a limit with two conditions

    @property
    def missing(self) -> str:
        """Why the figure cannot be judged as a second condition; empty where it can."""
        if self.presence is not Presence.PRESENT or self.value is None:
            return self.reason or "it has no figure of this day"
        if self.without:
            return f"measured without {' and '.join(self.without)}"
        return f"measured over {figures.fixed(self.hours or 0, 1)} hours only" if self.is_partial else ""
