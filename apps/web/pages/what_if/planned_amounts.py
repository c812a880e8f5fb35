"""Planned changes that begin with more, or with something else, than their targets have."""

import re
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
from apps.snapshots.models import Series
from apps.snapshots.newest_facts import read_newest_facts

CORES = frozenset({"core", "cores", "cpu", "cpus"})
CPU_FACTS = ("cpus", "cpu_count")
MEMORY_FACT, MEMORY_UNIT = "memory", "gb"
MEMORY_RESERVED = 0.15  # of the memory that was bought, the kernel may not count so much
_SIZE = re.compile(r"(\d+(?:\.\d+)?) GB$")
RECENT = timedelta(days=7)  # a figure older than that is not what is there
MOST_NAMED = 3


def no_such_capacity(typed: str, metric: Metric, targets: Sequence[Target]) -> str:
    """
    Why a change begins with other cores, or other memory, than its targets have; empty where it does not, or nothing is known.

    Gigabytes are memory where the whole of a host is meant, not one of its components.
    """
    capacity = read_capacity(typed)
    if capacity is None:
        return ""
    before, after, unit = capacity
    if unit in CORES:
        # two threads to a core are often counted
        others = {
            target: counts
            for target, counts in cores_of(targets).items()
            if counts and before not in counts and 2 * before not in counts
        }
    elif unit == MEMORY_UNIT and not metric.component_kind:
        others = {
            target: {size}
            for target, size in memory_of(targets).items()
            if abs(before - size) > MEMORY_RESERVED * size
        }
    else:
        return ""
    return _tell_capacity(typed, before, after, unit, others, is_one=len(targets) == 1) if others else ""


def _tell_capacity(
    typed: str, before: float, after: float, unit: str, others: Mapping[Target, set[float]], *, is_one: bool
) -> str:
    """What the targets have instead, and how the change could be written."""
    unit = unit if unit in CORES else unit.upper()
    named = _named([f"{target.name} has {_either(counts)}" for target, counts in others.items()])
    begins = f"“{typed}” begins with {before:g} {unit}, and {named}:"
    if not is_one:
        return f"{begins} plan one change for each target."
    least = min(next(iter(others.values())))
    return f"{begins} write for example {least:g} -> {least * after / before:g} {unit}."


def memory_of(targets: Sequence[Target]) -> dict[Target, float]:
    """The memory of each host in GB, as its newest fact says."""
    hosts = {target.pk: target for target in targets if target.kind == Target.Kind.HOST}
    facts = read_newest_facts(hosts, [MEMORY_FACT], component="")
    sizes = {hosts[pk]: _SIZE.match(value) for (pk, *_), value in facts.items()}
    return {target: float(size[1]) for target, size in sizes.items() if size is not None}


def cores_of(targets: Sequence[Target]) -> dict[Target, set[float]]:
    """How many processors each target has, as its own facts and those of its host say: cores, or threads of them."""
    owners = {pk for target in targets for pk in (target.pk, target.runs_on_id) if pk is not None}
    facts = read_newest_facts(owners, CPU_FACTS, component="")
    return {
        target: {
            float(value)
            for (pk, *_), value in facts.items()
            if pk in (target.pk, target.runs_on_id) and value.isdecimal()
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
        measured = {name: values[~np.isnan(values)] for name, values in columns}
        newest[target] = {name: float(values[-1]) for name, values in measured.items() if len(values)}
    return newest


def _either(counts: set[float]) -> str:
    return " or ".join(f"{number:g}" for number in sorted(counts))


def _named(texts: Sequence[str]) -> str:
    """The first of some, and how many more."""
    more = len(texts) - MOST_NAMED
    return f"{', '.join(texts[:MOST_NAMED])}{f' and {more} more' if more > 0 else ''}"
