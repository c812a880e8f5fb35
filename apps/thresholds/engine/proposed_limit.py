"""A limit proposed from a steady period, with the reasoning (arithmetic, no Django)."""

from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
from numpy.typing import ArrayLike

from apps.catalog.metric import Worse

ROOM = 0.15  # of the 95th (or 5th) percentile: between what was steady and what is a limit
SPREAD = (5, 95)  # percentiles
LEAST_DAYS = 5  # a period with fewer figures proposes nothing
CEILING = 100.0  # of a share
NOTHING = "it was zero on all days, and neither way is worse"


@dataclass(frozen=True)
class ProposedLimit:
    """
    A proposed limit in the notation of the forms; empty where none can be proposed, and `why` says why.

    `typical` is the median of the period, `low` and `high` its 5th and 95th percentile, `days` how many had a figure.
    """

    notation: str
    why: str
    days: int
    typical: float | None = None
    low: float | None = None
    high: float | None = None


def propose_limit(values: ArrayLike, worse: Worse, *, is_share: bool = False) -> ProposedLimit:
    """
    The limit that a steady period suggests: 15 % beyond its 95th percentile where higher is worse, below its 5th where
    lower is, rounded away from comfort to two digits. Where neither is worse, too much is what people want to be told of. A share of at most 100 % keeps half of what is left to 100.

    What never occurred must not occur. `values` are the period's daily figures in the unit of the profile, NaN where
    a day has none.
    """
    figures = np.asarray(values, dtype=float)
    present = figures[np.isfinite(figures)]
    days = len(present)
    if days < LEAST_DAYS:
        has = "has" if days == 1 else "have"
        return ProposedLimit("", f"only {days} of its days {has} a figure; {LEAST_DAYS} are needed", days)
    low, typical, high = (
        float(percentile) for percentile in np.percentile(present, (SPREAD[0], 50, SPREAD[1]))
    )
    if worse is Worse.LOWER:
        notation, why = _lower(low, is_share)
    elif np.all(present == 0):
        notation, why = (
            ("0", f"it did not occur on any of {days} days") if worse is Worse.HIGHER else ("", NOTHING)
        )
    else:
        notation, why = _upper(high, is_share)
        why = (
            why
            if worse is Worse.HIGHER
            else f"neither way is worse in itself; {why}, to notice when it grows"
        )
    return ProposedLimit(notation, why, days, typical, low, high)


def propose_alternatives(values: ArrayLike, worse: Worse, *, is_share: bool = False) -> list[tuple[str, str]]:
    """
    Limits that a steady period suggests, each once, with where it comes from: what `propose_limit` says, twice as
    much room, and the worst of the period. None of a period that proposes nothing.
    """
    figures = np.asarray(values, dtype=float)
    present = figures[np.isfinite(figures)]
    usual = propose_limit(values, worse, is_share=is_share)
    if not usual.notation or usual.low is None or usual.high is None:
        return []
    limits = {usual.notation: usual.why}
    if worse is Worse.LOWER:
        limits.setdefault(
            f">={_written(_rounded(float(present.min()), up=False))}", "the smallest of the period"
        )
    elif usual.high:
        if not is_share:
            wide = _rounded(usual.high + 2 * ROOM * abs(usual.high), up=True)
            limits.setdefault(f"<={_written(wide)}", f"{200 * ROOM:.0f} % above the 95th percentile")
        limits.setdefault(
            f"<={_written(_rounded(float(present.max()), up=True))}", "the largest of the period"
        )
    return list(limits.items())


def _upper(high: float, is_share: bool) -> tuple[str, str]:
    """The notation and its reason where higher is worse."""
    if high == 0:
        return "", "it occurred on too few days to tell what is usual"
    limit = _rounded(high + ROOM * abs(high), up=True)
    if not is_share or limit <= CEILING - (CEILING - high) / 2:
        return f"<={_written(limit)}", f"{100 * ROOM:.0f} % above the 95th percentile"
    if high >= CEILING - 0.5:
        return "", "it stood at its ceiling of 100 %, so no limit would be inside"
    return f"<={CEILING - (CEILING - high) / 2:.3g}", "half of what the 95th percentile leaves to 100 %"


def _lower(low: float, is_share: bool) -> tuple[str, str]:
    """The notation and its reason where lower is worse."""
    if low == 0:
        return "", "it was at zero, and no figure lies below"
    if is_share and CEILING / 2 < low < CEILING:
        return f">={CEILING - (CEILING - low) * 2:.3g}", "twice as far from 100 % as the 5th percentile"
    return (
        f">={_written(_rounded(low - ROOM * abs(low), up=False))}",
        f"{100 * ROOM:.0f} % below the 5th percentile",
    )


def _rounded(value: float, *, up: bool) -> float:
    """To two significant digits, up or down."""
    if value == 0:
        return 0.0
    step = 10.0 ** (floor(log10(abs(value))) - 1)
    steps = value / step
    nearest = round(steps)
    whole = nearest if abs(steps - nearest) < 1e-9 else ceil(steps) if up else floor(steps)
    return float(f"{whole * step:.12g}")


def _written(value: float) -> str:
    """As a plain number: no exponent below a thousand million."""
    return f"{value:.12g}" if 1e-4 <= abs(value) < 1e9 or value == 0 else f"{value:.2e}"
