"""What users said of days, held against a figure."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.profiles.models import Note
from apps.snapshots.measured import days_between, read_series


@dataclass(frozen=True)
class FigureByVerdict:
    """The middle of a figure on days that users called slow, and on those it is compared with, in the unit of the profile."""

    slow_days: int
    slow: float
    other_days: int
    other: float
    is_against_fine: bool  # compared with days that users called fine; else with all others


def days_called(target: Target, verdict: str, first: date, last: date) -> set[date]:
    """The days of a stretch that users of a target called so."""
    notes = Note.objects.about(target).filter(verdict=verdict).between(first, last)
    spans = [
        (max(begins, first), min(ends, last)) for begins, ends in notes.values_list("first_day", "last_day")
    ]
    return {day for span in spans for day in days_between(*span)}


def hold_against_verdicts(
    target: Target, metric: Metric, component: str, until: date, days: int
) -> FigureByVerdict | None:
    """A figure on slow days beside the others of a stretch; None where nobody called a day slow that it has a figure of."""
    first = until - timedelta(days=days - 1)
    slow = days_called(target, Note.Verdict.SLOW, first, until)
    if not slow:
        return None
    fine = days_called(target, Note.Verdict.FINE, first, until) - slow
    measured = read_series([target], [(metric.key, component)], first, until)[target.pk]
    values = {
        day: metric.to_display_unit(value)
        for day, value, is_alone in zip(
            measured.days, measured.values[0].tolist(), measured.is_alone[0].tolist(), strict=True
        )
        if day is not None and is_alone and value == value
    }
    on_slow = _middle(values, slow)
    against = fine & values.keys() or values.keys() - slow
    if on_slow is None or (other := _middle(values, against)) is None:
        return None
    return FigureByVerdict(
        len(slow & values.keys()), on_slow, len(against), other, is_against_fine=bool(fine & values.keys())
    )


def _middle(values: dict[date, float], days: Collection[date]) -> float | None:
    chosen = [values[day] for day in days if day in values]
    return float(np.median(chosen)) if chosen else None
