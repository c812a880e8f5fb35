"""How much room is left: in percent of the limit, in the unit itself, and in days; and the days to spare for acting."""

from dataclasses import dataclass
from datetime import date, timedelta

from apps.forecasting.breach import Breach, Direction


def room(value: float | None, limit: float, direction: str = Direction.AT_MOST) -> float | None:
    """Return what is left to the limit, in the unit of both; negative beyond it, None without a value."""
    if value is None or value != value:
        return None
    return limit - value if Direction(direction).is_upper else value - limit


def headroom(value: float | None, limit: float, direction: str = Direction.AT_MOST) -> float | None:
    """
    Return the room left as percent of the limit: (limit - value) / |limit|, or (value - limit) / |limit| for a lower one.

    Negative beyond the limit; None for a limit of 0, of which there is no share, and without a value.
    """
    left = room(value, limit, direction)
    return None if left is None or limit == 0 else 100 * left / abs(limit)


def headroom_in_range(value: float | None, low: float, high: float) -> float | None:
    """Return the headroom within a range: the smaller one of its two limits; None when neither has one."""
    sides = (headroom(value, low, Direction.AT_LEAST), headroom(value, high, Direction.AT_MOST))
    return min((side for side in sides if side is not None), default=None)


@dataclass(frozen=True)
class DaysLeft:
    """Days from the last day of the series to the likely crossing, its soonest and latest, or words in their place."""

    days: int | None
    soonest: int | None
    latest: int | None
    words: str

    def slack(self, lead_time: int) -> int | None:
        """Return the days to spare: days left without the days that acting takes; negative = too late to act in time."""
        return None if self.days is None else self.days - lead_time

    def act_by(self, last_on: date, lead_time: int) -> date | None:
        """Return the last day to begin acting on: the day of the crossing minus the lead time."""
        slack = self.slack(lead_time)
        return None if slack is None else last_on + timedelta(days=slack)


def days_left(breach: Breach, violated_since: date | None = None) -> DaysLeft:
    """Return what is left until a limit is crossed: days, "violated since ...", "none within 90 days", or why not known."""
    if breach.is_violated:
        words = f"violated since {violated_since.isoformat()}" if violated_since else "violated"
        return DaysLeft(None, None, None, words)
    if breach.day is None:
        return DaysLeft(None, breach.soonest, None, breach.reason or "no forecast")
    words = "1 day" if breach.day == 1 else f"{breach.day} days"
    return DaysLeft(breach.day, breach.soonest, breach.latest, words)
