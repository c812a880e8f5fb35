"""Planned changes of a target's figures: those that touch a figure itself, and those that touch what it is computed from."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

import numpy as np

from apps.catalog.registry import get_metric
from apps.catalog.units import convert
from apps.forecasting.changes import Change, read_change, through_formula
from apps.forecasting.figures import Key
from apps.forecasting.models import PlannedChange
from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories

NEWEST = 7  # days within which the newest figure of a reading is looked for


def decided_changes(targets: Iterable[Target]) -> list[PlannedChange]:
    """The changes that people have decided for some targets; one query."""
    wanted = list(targets)
    found = PlannedChange.objects.exclude(decided_at=None).select_related("target", "group")
    return [one for one in found if any(one.reaches(target) for target in wanted)]


def planned_for(
    target: Target, keys: Sequence[Key], on: date, changes: Sequence[PlannedChange]
) -> dict[Key, list[tuple[int, Change]]]:
    """What planned changes make of figures of a target: for each that they move, days ahead of `on` with the change."""
    mine = [one for one in changes if one.reaches(target) and one.on > on]
    if not mine:
        return {}
    levels = _levels(target, keys, on, {metric for one in mine for metric in one.metrics})
    found: dict[Key, list[tuple[int, Change]]] = {}
    for key in keys:
        for one in mine:
            if (change := _effect(one, key[1], key[2], levels)) is not None:
                found.setdefault(key, []).append(((one.on - on).days, change))
    return found


def _effect(
    planned: PlannedChange, metric: str, component: str, levels: dict[tuple[str, str], float]
) -> Change | None:
    about = get_metric(metric)
    changed = [
        one
        for one in map(get_metric, planned.metrics)
        if planned.covers(component if one.component_kind else "")
    ]
    if about in changed:
        return read_change(planned.change, about)
    used = about.ingredients
    through = [one for one in changed if one.key in used and one.component_kind in ("", about.component_kind)]
    if about.is_difference or not through:
        return None
    known = {}
    for key in used:
        source = get_metric(key)
        value = levels.get((key, component if source.component_kind else ""))
        if value is not None:
            known[key] = value * _per_reading(key)
    in_readings = {}
    for one in through:
        change = read_change(planned.change, one)
        in_readings[one.key] = Change(change.factor, change.addend * _per_reading(one.key))
    return through_formula(about, in_readings, known)


def _per_reading(key: str) -> float:
    """How many of its reading unit one of the stored unit of a metric is: formulas are over readings."""
    metric = get_metric(key)
    return convert(1.0, metric.unit, metric.reading_unit) if metric.reading_unit else 1.0


def _levels(target: Target, keys: Sequence[Key], on: date, changed: set[str]) -> dict[tuple[str, str], float]:
    """The newest figures of the readings behind the ratios that changes may touch; no query where there are none."""
    wanted = set()
    for _, metric, component in keys:
        about = get_metric(metric)
        if about.is_difference or about.formula is None or not changed & about.ingredients:
            continue
        for key in about.ingredients:
            source = get_metric(key)
            wanted.add((source.category, key, component if source.component_kind else ""))
    if not wanted:
        return {}
    asked = sorted(wanted)
    first = on - timedelta(days=NEWEST - 1)
    values = read_histories([target.pk], series_ids(asked), first, on).values[target.pk]
    found = {}
    for column, (_, metric, component) in enumerate(asked):
        known = values[:, column][~np.isnan(values[:, column])]
        if len(known):
            found[metric, component] = float(known[-1])
    return found
