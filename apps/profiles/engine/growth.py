"""What a size grew (no Django)."""

from collections.abc import Sequence

DAYS = 30  # that growth is measured over where nothing else is said


def growth_a_day(values: Sequence[float | None]) -> float | None:
    """
    What a size grew a day, from the first to the last of its days that has a figure; None with fewer than two.

    `values` has one a day, oldest first; those of the last DAYS and the day before them count.
    """
    sizes = [(at, value) for at, value in enumerate(values[-DAYS - 1 :]) if value is not None]
    if len(sizes) < 2:
        return None
    (first, before), (last, now) = sizes[0], sizes[-1]
    return (now - before) / (last - first)
