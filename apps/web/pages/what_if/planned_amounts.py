"""Planned changes that begin with more, or with something else, than their targets have."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fnmatch import fnmatchcase

import numpy as np

from apps.catalog.metric import Metric
from apps.charts import figures
from apps.forecasting.change_notation import read_capacity
from apps.forecasting.engine.effects import Effect
from apps.inventory.models import Target
from apps.snapshots.history import read_histories
from apps.snapshots.models import Fact, Series

CORES = frozenset({"core", "cores", "cpu", "cpus"})
CPU_FACTS = ("cpus", "cpu_count")
RECENT = timedelta(days=7)  # a figure older than that is not what is there
MOST_NAMED = 3


def no_such_capacity(typed: str, targets: Sequence[Target]) -> str:
    """Why a change begins with another number of cores than its targets have; empty where it does not, or nothing is known."""
    capacity = read_capacity(typed)
    if capacity is None or capacity[2] not in CORES:
        return ""
    before, after, unit = capacity
    others = {
        target: counts
        for target, counts in cores_of(targets).items()
        # two threads to a core are often counted
        if counts and before not in counts and 2 * before not in counts
    }
    if not others:
        return ""
    named = _named([f"{target.name} has {_either(counts)}" for target, counts in others.items()])
    begins = f"“{typed}” begins with {before:g} {unit}, and {named}:"
    if len(targets) > 1:
        return f"{begins} plan one change for each target."
    least = min(next(iter(others.values())))
    return f"{begins} write for example {least:g} -> {least * after / before:g} {unit}."


def cores_of(targets: Sequence[Target]) -> dict[Target, set[float]]:
    """How many processors each target has, as its own facts and those of its host say: cores, or threads of them."""
    owners = {pk for target in targets for pk in (target.pk, target.runs_on_id) if pk is not None}
    facts = Fact.objects.filter(target__in=owners, name__in=CPU_FACTS, component="").order_by("since")
    newest: dict[int, dict[str, str]] = {}
    for pk, name, value in facts.values_list("target_id", "name", "value"):
        newest.setdefault(pk, {})[name] = value
    return {
        target: {
            float(value)
            for pk in (target.pk, target.runs_on_id)
            for value in newest.get(pk or 0, {}).values()
            if value.isdecimal()
        }
        for target in targets
    }


def no_such_amount(
    typed: str, change: Effect, metric: Metric, component: str, targets: Sequence[Target], today: date
) -> str:
    """Why a change takes away more than there is; empty where it does not, or nothing is known."""
    if change.addend >= 0:
        return ""
    unit = metric.display_unit
    less = [
        f"{target.name}{f', {name}' if name else ''} has {figures.figure(metric.to_display_unit(value))} {unit}"
        for target, values in _newest(metric, component, targets, today).items()
        for name, value in values.items()
        if 0 <= value < -change.addend
    ]
    if not less:
        return ""
    return (
        f"“{typed}” takes away more than there is: {_named(less)}. Give less, or a percentage such as -20 %."
    )


def _newest(
    metric: Metric, component: str, targets: Sequence[Target], today: date
) -> Mapping[Target, Mapping[str, float]]:
    """The newest stored figure of each component that is meant, of each target that has one."""
    series = {
        row.pk: row.component
        for row in Series.objects.filter(metric=metric.key)
        if not component or row.component == component or fnmatchcase(row.component, component)
    }
    if not series or not targets:
        return {}
    histories = read_histories([target.pk for target in targets], list(series), today - RECENT, today)
    newest = {}
    for target in targets:
        columns = zip(series.values(), histories.values[target.pk].T, strict=True)
        known = {name: values[~np.isnan(values)] for name, values in columns}
        newest[target] = {name: float(values[-1]) for name, values in known.items() if len(values)}
    return newest


def _either(counts: set[float]) -> str:
    return " or ".join(f"{number:g}" for number in sorted(counts))


def _named(texts: Sequence[str]) -> str:
    """The first of some, and how many more."""
    more = len(texts) - MOST_NAMED
    return f"{', '.join(texts[:MOST_NAMED])}{f' and {more} more' if more > 0 else ''}"
