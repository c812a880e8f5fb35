"""How much room is left: in percent of the limit, in the unit itself; and the days to spare for acting."""

from apps.thresholds.engine.notation import Form


def room(value: float | None, limit: float, side: Form = Form.AT_MOST) -> float | None:
    """Return what is left to the limit, in the unit of both; negative beyond it, None without a value."""
    if value is None or value != value:
        return None
    return limit - value if side.is_upper else value - limit


def headroom(value: float | None, limit: float, side: Form = Form.AT_MOST) -> float | None:
    """
    Return the room left as percent of the limit: (limit - value) / |limit|, or (value - limit) / |limit| for a lower one.

    Negative beyond the limit; None for a limit of 0, of which there is no share, and without a value.
    """
    left = room(value, limit, side)
    return None if left is None or limit == 0 else 100 * left / abs(limit)


def slack(days_left: int | None, lead_time: int) -> int | None:
    """Return the days to spare: days left without the days that acting takes; negative = too late to act in time."""
    return None if days_left is None else days_left - lead_time
