"""Which readings bound a day, and the windows made of them (docs/method.md, From a reading to a figure; no Django)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from apps.catalog.metric import Metric, MetricOf
from apps.snapshots.engine.days import Bounds, Day, bounds
from apps.snapshots.engine.rates import Floats
from apps.snapshots.engine.reading_window import ReadingWindow, figure_of
from apps.snapshots.engine.readings import ReadingTable, Shots, components_of, table_of

GAP = 3  # intervals of the schedule; readings further apart leave a gap in a day of samples


class DayReadings(NamedTuple):
    """The readings between the ends of a day, as tables by category, and all moments they were chosen from."""

    slots: list[datetime]
    tables: dict[int, ReadingTable]
    components: dict[str, list[str]]
    limits: Bounds
    captured: list[datetime]


def readings_of_day(
    shots: Shots, categories: frozenset[int], day: Day, metric_of: MetricOf, slot_seconds: float
) -> DayReadings | None:
    """The readings of some categories that bound a day; None where its end was not read."""
    shots_of_day = {category: shots[category] for category in sorted(categories)}
    common = set.intersection(*(set(by_slot) for by_slot in shots_of_day.values()))
    read_at = {slot: shot.captured_at for by_slot in shots_of_day.values() for slot, shot in by_slot.items()}
    # by the clock: a slot may be made up for after the next one was read
    slots = sorted(common or read_at, key=read_at.__getitem__)
    captured = [read_at[slot] for slot in slots]
    limits = bounds(captured, day)
    if limits is None or (slot_seconds <= 3600 and _lies_after(captured, limits, day, slot_seconds)):
        return None
    used = slots[limits.last if limits.first is None else limits.first : limits.last + 1]
    tables = {category: table_of(by_slot, used) for category, by_slot in shots_of_day.items()}
    return DayReadings(used, tables, components_of(tables, metric_of), limits, captured)


def _lies_after(captured: Sequence[datetime], limits: Bounds, day: Day, patience: float) -> bool:
    """Whether a sampled target began to be read only after the day: that says nothing of the day's samples."""
    if limits.first is not None and captured[limits.first] < day.ended_at:
        return False
    return captured[limits.last] > day.ended_at + timedelta(seconds=patience)


def window_of(
    shots: Shots, metric: Metric, day: Day, metric_of: MetricOf, *, slot_seconds: float
) -> tuple[ReadingWindow, list[datetime]] | None:
    """
    The window from which the day's figure of a metric is computed, with the slots of its readings.

    None where nothing bounds the day, or where there is only one reading of what is measured over time.
    """
    inputs = [ingredient for ingredient in map(metric_of, metric.ingredients) if ingredient is not None]
    present = frozenset({ingredient.category for ingredient in inputs} & shots.keys())
    if not present:
        return None
    seconds = np.inf if any(ingredient.origin.is_seldom for ingredient in inputs) else slot_seconds
    readings = readings_of_day(shots, present, day, metric_of, seconds)
    if readings is None or (len(readings.slots) == 1 and metric.is_difference):
        return None
    longest = GAP * seconds if seconds <= 3600 else np.inf
    whole = ReadingWindow(readings.slots, readings.tables, metric_of, readings.components, longest)
    return whole, readings.slots


def interval_figures(
    shots: Shots, metric: Metric, component: str, metric_of: MetricOf, *, slot_seconds: float
) -> tuple[list[datetime], Floats]:
    """
    The figure of one component between each two successive readings, with the moment each interval began.

    In the metric's unit, shape (n,); NaN over gaps and wherever it cannot be told. Gauges are those of the reading that
    ends the interval.
    """
    inputs = [ingredient for ingredient in map(metric_of, metric.ingredients) if ingredient is not None]
    chosen_shots = {
        category: shots[category]
        for category in {ingredient.category for ingredient in inputs} & shots.keys()
    }
    if len(chosen_shots) < len({ingredient.category for ingredient in inputs}) or not chosen_shots:
        return [], np.empty(0)
    read_at = {slot: shot.captured_at for by_slot in chosen_shots.values() for slot, shot in by_slot.items()}
    common = set.intersection(*(set(by_slot) for by_slot in chosen_shots.values()))
    slots = sorted(common, key=read_at.__getitem__)
    if len(slots) < 2:
        return [], np.empty(0)
    tables = {category: table_of(by_slot, slots) for category, by_slot in chosen_shots.items()}
    components = components_of(tables, metric_of)
    names = components.get(metric.component_kind, []) if metric.component_kind else [""]
    if component not in names:
        return [], np.empty(0)
    samples = ReadingWindow(slots, tables, metric_of, components, GAP * slot_seconds, is_whole=False)
    values = np.broadcast_to(figure_of(metric, samples), (len(slots) - 1, len(names)))[
        :, names.index(component)
    ]
    return slots[:-1], np.where(np.isnan(samples.interval_seconds), np.nan, values)
