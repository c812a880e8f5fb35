"""The figures of a detail report: a stretch of days of a target, by one query, as arrays that pages and files are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.catalog.details import Listing, ListingColumn
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.catalog.units import convert, readable_unit
from apps.inventory.models import Target
from apps.snapshots.coverage_facts import CoverageFacts
from apps.snapshots.measured import Measured, frame_of, read_all, take_rows
from apps.snapshots.models import Series

SPANS = (7, 30, 90)
NOT_OF_IT = "not of it"  # a figure that a thing cannot have, as CPU has no average wait
Array = NDArray[np.float64]


@dataclass
class ReportFigures:
    """What was measured of some categories of a target, on days in a row, newest first."""

    measured: Measured
    days: Sequence[date]

    @property
    def target(self) -> Target:
        return self.measured.target

    @property
    def coverage(self) -> Mapping[date, CoverageFacts]:
        return self.measured.coverage

    @cached_property
    def _by_metric(self) -> dict[str, pd.DataFrame]:
        frame = frame_of(self.measured)
        return {str(key): part.droplevel("metric") for key, part in frame.groupby(level="metric", sort=False)}

    def of(self, key: str) -> pd.DataFrame:
        """The components of a metric, a column per day, in its stored unit."""
        return self._by_metric.get(key, pd.DataFrame(columns=list(self.days), dtype=float))

    def line(self, metric: Metric, component: str = "", unit: str = "") -> Array:
        """One statistic by day, newest first, in the unit asked for, else that of the profile."""
        row = self.measured.row_of.get((metric.key, component))
        if row is None:
            return np.full(len(self.days), np.nan)
        return convert_values(metric, self.measured.values[row], unit)

    def why(self, day: date, metric: Metric, component: str = "") -> str:
        """Why there is no figure; empty where the thing was read and did not occur."""
        series = take_rows(self.measured, [(metric.key, component)])
        return series.reason(0, self.days.index(day))


def convert_values(metric: Metric, values: Array, unit: str = "") -> Array:
    """Stored figures in a unit of the same dimension, else in that of the profile."""
    factor = convert(1.0, metric.unit, unit or metric.display_unit)
    return values * factor


def read_figures(target: Target, until: date, span: int, categories: set[int]) -> ReportFigures:
    """The figures of so many days up to one: a query for them, one for how the days were covered."""
    days = [until - timedelta(days=back) for back in range(span)]
    return ReportFigures(read_all([target], days, sorted(categories))[target.pk], days)


@dataclass(frozen=True)
class Thing:
    """One row of a listing; `whole` is the statistic of the whole target that stands among the things."""

    name: str
    klass: str = ""
    whole: Metric | None = None

    @property
    def component(self) -> str:
        return "" if self.whole else self.name


@dataclass
class ThingFigures:
    """The things of a listing, largest first, with their figures by column: (things, days), newest day first."""

    listing: Listing
    figures: ReportFigures
    things: Sequence[Thing]
    values: Mapping[str, Array] = field(default_factory=dict)

    @cached_property
    def newest(self) -> int | None:
        """The newest day on which anything of it has a figure, as its position; None where none has."""
        positions = [
            np.flatnonzero(~np.isnan(values).all(axis=0)) for values in self.values.values() if values.size
        ]
        return min((int(at[0]) for at in positions if len(at)), default=None)

    @property
    def was_read(self) -> NDArray[np.bool_]:
        """The days on which anything of it has a figure: what is read once a week has no others."""
        by_column = [~np.isnan(values).all(axis=0) for values in self.values.values() if values.size]
        return np.logical_or.reduce(by_column) if by_column else np.zeros(len(self.figures.days), dtype=bool)

    def cut(self, words: str = "", most: int | None = None) -> "ThingFigures":
        """The things whose name or class contains the words, at most so many of them."""
        phrase = words.casefold()
        positions = [
            at for at, thing in enumerate(self.things) if phrase in f"{thing.name} {thing.klass}".casefold()
        ][:most]
        return ThingFigures(
            self.listing,
            self.figures,
            [self.things[at] for at in positions],
            {key: values[positions] for key, values in self.values.items()},
        )

    def why(self, thing: Thing, column: ListingColumn, day: date) -> str:
        """Why a cell is empty: "not present" where the thing did not occur, NOT_OF_IT where it cannot have the figure."""
        if thing.whole is not None and column is not self.listing.columns[0]:
            return NOT_OF_IT
        return self.figures.why(day, thing.whole or column.is_of, thing.component) or "not present"


def read_things(listing: Listing, figures: ReportFigures, unit_of: Mapping[str, str]) -> ThingFigures:
    """
    Every thing of a listing that has a figure on any of the days; idle events and their like are left out.

    `unit_of` replaces units: {"cs": "ms"} shows waits in milliseconds.
    """
    rank = listing.columns[0]
    frames = {column.metric: figures.of(column.metric) for column in listing.columns}
    names = pd.Index(dict.fromkeys(name for frame in frames.values() for name in frame.index))
    values = {
        column.metric: convert_values(
            column.is_of,
            frames[column.metric].reindex(index=names).to_numpy(dtype=float),
            unit_of.get(column.shown_in, column.shown_in),
        )
        for column in listing.columns
    }
    absent = np.nan_to_num(values[rank.metric]) == 0
    for column in listing.columns:
        if column.is_of.origin.is_sparse:  # what did not occur at all is not zero times of it
            values[column.metric] = np.where(absent, np.nan, values[column.metric])
    classes = _classes(rank.is_of) if rank.is_of.origin.is_sparse else {}
    things = [Thing(name, classes.get(name, "")) for name in names]
    for key in listing.whole_target:
        metric = get_metric(key)
        if "" in figures.of(key).index:
            things.append(Thing(metric.label, "", metric))
            line = figures.line(metric, "", rank.shown_in)
            for name, array in values.items():
                own = line if name == rank.metric else np.full(len(line), np.nan)
                values[name] = np.vstack([array, own])
    return _rank_things(ThingFigures(listing, figures, things, values))


def _rank_things(unranked: ThingFigures) -> ThingFigures:
    """Largest first by the first column on the newest day, then what had it before; what has no figure at all is left out."""
    first = unranked.listing.columns[0]
    hides = first.is_of.ranking.hides
    ranking = unranked.values[first.metric]
    newest = ranking[:, unranked.newest] if unranked.newest is not None else np.full(len(ranking), np.nan)
    before = np.nansum(ranking, axis=1)
    empty = np.ones(len(unranked.things), dtype=bool)
    for array in unranked.values.values():
        empty &= np.isnan(array).all(axis=1)
    positions = [
        at
        for at, thing in enumerate(unranked.things)
        if not empty[at] and (thing.whole is not None or hides is None or not hides(thing.name, thing.klass))
    ]
    positions.sort(
        key=lambda at: (
            np.isnan(newest[at]),
            -np.nan_to_num(newest[at]),
            -before[at],
            unranked.things[at].name,
        )
    )
    values = {key: array[positions] for key, array in unranked.values.items()}
    return ThingFigures(unranked.listing, unranked.figures, [unranked.things[at] for at in positions], values)


def _classes(metric: Metric) -> dict[str, str]:
    named = Series.objects.filter(category=metric.category, metric=metric.key).exclude(component_class="")
    return dict(named.values_list("component", "component_class"))


@dataclass(frozen=True)
class Statistic:
    """One statistic by day, newest first, in `unit`."""

    metric: Metric
    unit: str
    values: Array

    @property
    def readable(self) -> "Statistic":
        """The same in the unit that writes its figures with four digits at most."""
        peak = 0.0 if np.isnan(self.values).all() else float(np.nanmax(np.abs(self.values)))
        unit = readable_unit(self.unit, peak)
        return replace(self, unit=unit, values=self.values * convert(1.0, self.unit, unit))


def select_statistics(
    metrics: Sequence[Metric], figures: ReportFigures, unit_of: Mapping[str, str]
) -> list[Statistic]:
    """
    Those of the statistics that have a figure on any of the days.

    Of what is read once an hour the busiest hour is the maximum: it is left out where both are one on every day.
    """
    by_key: dict[str, Statistic] = {}
    for metric in metrics:
        unit = unit_of.get(metric.display_unit, metric.display_unit)
        values = figures.line(metric, "", unit)
        maximum = by_key.get(f"{metric.base}:max") if metric.reduction == "busy" else None
        is_twice = maximum is not None and np.array_equal(maximum.values, values, equal_nan=True)
        if not np.isnan(values).all() and not is_twice:
            by_key[metric.key] = Statistic(metric, unit, values)
    return list(by_key.values())
