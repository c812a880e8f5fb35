"""How far predictions were off: what was said against what happened, and the factor that would have made bands right."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from apps.forecasting.clean import Floats

CHANCE_BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
FEW = 20  # cases below which counts are shown, not percentages
LEAST_CASES = 100
RIGHT_SHARE = 0.8
TOLERATED = (0.75, 0.88)
NARROWEST, WIDEST = 0.7, 1.8


@dataclass(frozen=True)
class Reliability:
    """One line of the reliability table: of `cases` said to have a chance in this bin, `happened` crossed."""

    low: float
    high: float
    cases: int
    mean_chance: float | None
    happened: int

    @property
    def share(self) -> float | None:
        """How often it happened; None with fewer than 20 cases, of which only counts are shown."""
        return self.happened / self.cases if self.cases >= FEW else None


def reliability(chances: Sequence[float], happened: Sequence[bool]) -> list[Reliability]:
    """Return the chances said, in seven bins, against how often it happened; a chance on an edge belongs above it."""
    said = np.array(chances, dtype=np.float64)
    came = np.array(happened, dtype=np.bool_)
    place = np.clip(np.searchsorted(CHANCE_BINS, said, side="right") - 1, 0, len(CHANCE_BINS) - 2)
    table = []
    for row, (low, high) in enumerate(pairwise(CHANCE_BINS)):
        here = place == row
        mean = float(said[here].mean()) if here.any() else None
        table.append(Reliability(low, high, int(here.sum()), mean, int(came[here].sum())))
    return table


@dataclass(frozen=True)
class Verdict:
    """One prediction judged: days it was late (negative = said too early), and whether the range held."""

    days_off: int | None  # None unless both a day was said and the limit was crossed
    is_inside: bool | None  # None when the limit was not crossed


def judge(day: int | None, soonest: int | None, latest: int | None, crossed: int | None) -> Verdict:
    """Judge a prediction; days are counted from the day it was made on, None = not within the horizon."""
    if crossed is None:
        return Verdict(None, None)
    is_inside = soonest is not None and soonest <= crossed and (latest is None or crossed <= latest)
    return Verdict(None if day is None else crossed - day, is_inside)


def width_factor(distances: Floats) -> float:
    """
    Return the factor on the widths of a kind that would have put 80 % inside; 1 while 75 to 88 % are, or under 100 cases.

    `distances` are |observed - mean| over the half-width of the 80 % band, one for each case. Kept between 0.7 and 1.8.
    """
    known = distances[np.isfinite(distances)]
    if len(known) < LEAST_CASES or TOLERATED[0] <= float((known <= 1).mean()) <= TOLERATED[1]:
        return 1.0
    return float(np.clip(np.quantile(known, RIGHT_SHARE), NARROWEST, WIDEST))
