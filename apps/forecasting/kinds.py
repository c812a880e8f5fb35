"""Stock or flow: said by whoever asks, else told from how much of a day is left in the next."""

from collections.abc import Sequence

import numpy as np

from apps.forecasting.clean import Flags, Floats

STOCK = "stock"  # an amount that is there: used bytes, sessions, beds in use
FLOW = "flow"  # an amount or a mean per day: redo, executions, wait time
RECENT = 90
LEAST_LIKENESS = 0.75  # measured: all but a few in a hundred stocks are above it, flows below


def are_flows(kinds: Sequence[str], days: Sequence[Floats]) -> Flags:
    """Return which series are flows; a kind other than stock or flow is decided from the last 90 days."""
    pairs = zip(kinds, days, strict=True)
    return np.array([is_flow(kind, each) for kind, each in pairs], dtype=np.bool_)


def is_flow(kind: str, days: Floats) -> bool:
    """Return whether one series is a flow."""
    return kind == FLOW or (kind != STOCK and likeness(days) < LEAST_LIKENESS)


def likeness(days: Floats) -> float:
    """
    Return how like each other neighbouring days are, from 1 (a stock) to 0 and below (noise).

    One minus half of von Neumann's ratio: mean square of the day-to-day changes over the variance.
    """
    known = days[np.isfinite(days)][-RECENT:]
    size = np.abs(known).max(initial=0.0)
    if size == 0 or len(known) < 2:
        return 1.0
    known = known / size
    spread = float(((known - known.mean()) ** 2).sum())
    return 1.0 if spread < 1e-18 else 1.0 - float((np.diff(known) ** 2).sum()) / (2 * spread)
