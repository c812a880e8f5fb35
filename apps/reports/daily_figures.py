"""Daily figures as a report shows them: in the unit people meet, None where there is none."""

from collections.abc import Collection, Mapping
from datetime import date

import numpy as np
from numpy.typing import NDArray

from apps.catalog.registry import get_metric
from apps.snapshots.history import read_histories
from apps.snapshots.models import Coverage, Series

Name = tuple[str, str]  # metric, component
Row = list[float | None]


def find_series(names: Collection[Name]) -> dict[Name, int]:
    """The series of those names that were ever recorded; a report creates none."""
    rows = Series.objects.filter(
        metric__in={metric for metric, _ in names}, component__in={component for _, component in names}
    )
    series_ids = {(row.metric, row.component): row.pk for row in rows}
    return {name: series_ids[name] for name in names if name in series_ids}


def read_daily_figures(target_id: int, names: Collection[Name], first: date, last: date) -> dict[Name, Row]:
    """The figures of a target by name, a value a day."""
    series = find_series(names)
    if not series:
        return {}
    histories = read_histories([target_id], list(series.values()), first, last)
    values = histories.values[target_id]
    return {name: in_display_unit(name[0], values[:, index]) for index, name in enumerate(series)}


def describe_lengths(figures: Mapping[int, tuple[int, str, date]]) -> dict[int, str]:
    """What is to be said of the time that figures were measured over: of target, metric and day, by any number of theirs."""
    covers = {
        (cover.target_id, cover.day): cover
        for cover in Coverage.objects.filter(
            target__in={target for target, _, _ in figures.values()},
            day__in={on for _, _, on in figures.values()},
        )
    }
    lengths = {}
    for number, (target, key, on) in figures.items():
        metric, cover = get_metric(key), covers.get((target, on))
        if cover is not None and metric.is_over_time:
            lengths[number] = cover.length_of(metric.category)
    return lengths


def in_display_unit(metric: str, values: NDArray[np.float64]) -> Row:
    """Stored figures in the unit of the profile."""
    about = get_metric(metric)
    return [
        None if np.isnan(value) else float(f"{about.to_display_unit(float(value)):.6g}") for value in values
    ]
