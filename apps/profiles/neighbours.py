"""What the method reads beside a statistic, on the target itself and on what it runs on, for the same days."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase

import numpy as np
import pandas as pd

from apps.catalog.registry import find_metric
from apps.catalog.subjects import neighbourhood_of, statistics_on
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.build import ProfileRow, build_profile
from apps.profiles.engine.pattern import Pattern, pattern_of
from apps.snapshots.history import read_days
from apps.snapshots.presence import Presence

MOST = 6  # components of one statistic, the busiest


@dataclass(frozen=True)
class Neighbour:
    """One statistic read beside another, with its figures at the horizons of the profile."""

    subject: str
    target: Target
    row: ProfileRow


@dataclass
class StatisticNeighbours:
    """What is read beside a statistic; `missing` says of what it is not, and why."""

    neighbours: list[Neighbour] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)  # subject, reason


def read_neighbours(target: Target, metric: str, component: str, on: date) -> StatisticNeighbours:
    """The statistics that the method reads beside this one, of the target and of its host or its instances."""
    named = neighbourhood_of(target.platform, metric, component)
    result = StatisticNeighbours()
    if named is None:
        return result
    owners = [target, *([target.runs_on] if target.runs_on else [])]
    frames = {owner.pk: _today(owner, on) for owner in owners}
    for subject in named.subjects:
        neighbours, reasons = [], []
        for owner in owners:
            source = statistics_on(owner.platform, subject)
            if source is None:
                continue
            if source.missing:
                reasons.append(source.missing)
            keys = [
                (key, name)
                for key, pattern in source.statistics
                for name in _components(frames[owner.pk], key, pattern)
                if (owner, key, name) != (target, metric, component)
            ]
            neighbours += [Neighbour(subject, owner, row) for row in _rows(owner, keys, on)]
        result.neighbours += neighbours
        if not neighbours:
            result.missing.append((subject, _why(target, reasons, on)))
    return result


def _why(target: Target, reasons: Sequence[str], on: date) -> str:
    if reasons:
        return reasons[0]
    if target.runs_on is None:
        return f"It is not known which host {target.name} runs on, or that host is not read."
    return f"There are no figures of it on {figures.day_and_year(on)}."


def _today(owner: Target, on: date) -> "pd.Series[float]":
    """The figures of the day by (metric, component)."""
    frame = read_days(owner, [on])
    if frame.empty:
        return pd.Series(dtype=float, index=pd.MultiIndex.from_arrays([[], []]))
    return frame[on].droplevel("category")


def _components(figures: "pd.Series[float]", key: str, pattern: str) -> list[str]:
    """The components of a statistic that have a figure, the busiest first."""
    metric = find_metric(key)
    if metric is None:
        return []
    values_by_name = {
        str(name): float(value)
        for (metric_key, name), value in figures.items()
        if metric_key == key and not np.isnan(value) and fnmatchcase(str(name), pattern)
    }
    weights = {
        str(name): float(value)
        for (metric_key, name), value in figures.items()
        if metric_key == metric.judging.weight
    }
    return sorted(values_by_name, key=lambda name: (-weights.get(name, 0.0), name))[:MOST]


def _rows(owner: Target, keys: Sequence[tuple[str, str]], on: date) -> list[ProfileRow]:
    if not keys:
        return []
    rows = {row.key: row for row in build_profile(owner, on, also=keys).rows}
    return [rows[key] for key in keys if key in rows]


def is_rising(row: ProfileRow) -> bool:
    """Whether a figure rose from 90 days ago to today, and by most of its steps."""
    cells = [row.then[90], row.then[30], row.then[7], row.today]
    values = [cell.value for cell in cells if cell.presence is Presence.PRESENT and cell.value is not None]
    return len(values) > 1 and pattern_of(values) is Pattern.RISING
