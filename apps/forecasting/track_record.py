"""How far predictions were off: what was said against what happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

CHANCE_BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
FEW = 20  # cases below which counts are shown, not percentages


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
