"""Effects of planned changes on a target's figures: on a figure itself, and through what it is computed from."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

import numpy as np

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.catalog.units import convert
from apps.forecasting.change_notation import read_change, through_formula
from apps.forecasting.daily_figures import Key
from apps.forecasting.driven_forecast import UNDRIVEN, DrivenFigures
from apps.forecasting.engine.effects import Effect
from apps.forecasting.models import PlannedChange
from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories

NEWEST = 7  # days within which the newest figure of a reading is looked for
Levels = Mapping[tuple[str, str], float]  # by metric and component


def decided_changes(targets: Iterable[Target]) -> list[PlannedChange]:
    """The changes that people have decided for some targets; one query."""
    reachable = list(targets)
    changes = PlannedChange.objects.exclude(decided_at=None).select_related(
        "target", "group", "driver__target", "driver__group"
    )
    return [change for change in changes if any(change.reaches(target) for target in reachable)]


def decided_effects(
    target: Target, keys: Sequence[Key], on: date, driven: DrivenFigures
) -> dict[Key, list[tuple[int, Effect]]]:
    """The effects of decided changes on figures of a target."""
    return find_effects(target, keys, on, decided_changes([target]), driven)


def find_effects(
    target: Target,
    keys: Sequence[Key],
    on: date,
    changes: Sequence[PlannedChange],
    driven: DrivenFigures = UNDRIVEN,
) -> dict[Key, list[tuple[int, Effect]]]:
    """
    The effects of planned changes on figures of a target: for each that they move, days ahead of `on` with the effect.

    Changes of drivers have some on those figures of a forecast that are `driven` by them.
    """
    own = [change for change in changes if change.reaches(target) and change.on > on]
    if not own:
        return {}
    levels = _read_levels(target, keys, on, {metric for change in own for metric in change.metrics})
    effects: dict[Key, list[tuple[int, Effect]]] = {}
    for key in keys:
        for change in own:
            effect = (
                _effect_on(get_metric(key[1]), key[2], change, levels)
                if change.driver is None
                else driven.effect(key, change.driver, change.change, (change.on - on).days)
            )
            if effect is not None:
                effects.setdefault(key, []).append(((change.on - on).days, effect))
    return effects


def _effect_on(metric: Metric, component: str, change: PlannedChange, levels: Levels) -> Effect | None:
    changed = [
        source
        for source in map(get_metric, change.metrics)
        if change.covers(component if source.component_kind else "")
    ]
    if metric in changed:
        return read_change(change.change, metric)
    through = [
        source
        for source in changed
        if source.key in metric.ingredients and source.component_kind in ("", metric.component_kind)
    ]
    if metric.is_difference or not through:
        return None
    in_readings = {}
    for source in through:
        effect = read_change(change.change, source)
        in_readings[source.key] = Effect(effect.factor, effect.addend * _per_reading(source))
    return through_formula(metric, in_readings, _in_readings(metric.ingredients, component, levels))


def _in_readings(keys: Iterable[str], component: str, levels: Levels) -> dict[str, float]:
    """The newest figures of readings in the units that formulas take."""
    values = {}
    for key in keys:
        source = get_metric(key)
        value = levels.get((key, component if source.component_kind else ""))
        if value is not None:
            values[key] = value * _per_reading(source)
    return values


def _per_reading(metric: Metric) -> float:
    """How many of its reading unit one of the stored unit of a metric is: formulas are over readings."""
    return convert(1.0, metric.unit, metric.reading_unit) if metric.reading_unit else 1.0


def _read_levels(target: Target, keys: Sequence[Key], on: date, changed: set[str]) -> Levels:
    """The newest figures of the readings behind the ratios that changes may touch; no query where there are none."""
    sources = set()
    for _, metric, component in keys:
        about = get_metric(metric)
        if about.is_difference or about.formula is None or not changed & about.ingredients:
            continue
        for key in about.ingredients:
            source = get_metric(key)
            sources.add((source.category, key, component if source.component_kind else ""))
    if not sources:
        return {}
    ordered = sorted(sources)
    first = on - timedelta(days=NEWEST - 1)
    values = read_histories([target.pk], series_ids(ordered), first, on).values[target.pk]
    levels = {}
    for column, (_, metric, component) in enumerate(ordered):
        measured = values[:, column][~np.isnan(values[:, column])]
        if len(measured):
            levels[metric, component] = float(measured[-1])
    return levels
