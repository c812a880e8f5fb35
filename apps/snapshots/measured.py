"""
What was measured: of series of a target on days, each figure, or why there is none, and whether the day counts.

Every page, file, comparison, limit and forecast asks here, so that none can contradict another:

present         there is a figure
not present     the target was read and the thing did not occur: its total is 0, its average has no value
not measurable  the way by which the target is read cannot give it; `reason` says why, and what would
no data         the target was not read, or the figure cannot be told; `reason` says why

A figure counts when its day is over, it was measured over enough of the day (ENOUGH of its length) and with all
instances of a database. What does not count is shown with its reason, and is neither judged, compared nor forecast from.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, get_metric, is_metric, remembered_metric
from apps.inventory.models import Target
from apps.snapshots.cover_flags import CoverFlags, Flags, Floats
from apps.snapshots.coverage_facts import CoverageFacts
from apps.snapshots.day_coverage import read_coverage
from apps.snapshots.dictionary import Name, series_ids
from apps.snapshots.history import read_exactly, read_histories, read_metrics
from apps.snapshots.not_measurable import reasons_by_statistic
from apps.snapshots.presence import Presence
from apps.snapshots.reasons import NOTHING_COUNTED, notes_of, why_no_data
from apps.snapshots.renames import follow_renames, renamed_rows


@dataclass(frozen=True)
class Measured:
    """
    Figures of a target, arrays (series, days), in the unit in which they are stored.

    `values` is NaN where nothing is present; `keys` are (metric, component), `days` in the order asked for. Where a
    day was looked for and none was found, its place in `days` is None. `weights` are the counts behind averages, by
    their own keys; `kinds` is how days were covered by category and whether over time, filled when asked for.
    """

    target: Target
    keys: Sequence[Name]
    days: Sequence[date | None]
    values: Floats
    coverage: Mapping[date, CoverageFacts]
    row_of: Mapping[Name, int] = field(default_factory=dict)
    weights: Mapping[Name, Floats] = field(default_factory=dict)
    kinds: dict[tuple[int, bool], CoverFlags] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        target: Target,
        keys: Sequence[Name],
        days: Sequence[date | None],
        values: Floats,
        coverage: Mapping[date, CoverageFacts],
        weights: Mapping[Name, Floats] | None = None,
    ) -> Self:
        """Raw figures (series, days) with how the days were covered."""
        is_sparse = {key: remembered_metric(key, "").origin.is_sparse for key in {key for key, _ in keys}}
        sparse = np.array([is_sparse[key] for key, _ in keys], dtype=bool)[:, None]
        figures = np.where(sparse & (values == 0), np.nan, values)
        rows = {key: row for row, key in enumerate(keys)}
        return cls(target, keys, days, figures, coverage, rows, weights or {})

    # ── whole arrays ──────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def metrics(self) -> list[Metric]:
        return [remembered_metric(key, "") for key, _ in self.keys]

    @cached_property
    def is_present(self) -> Flags:
        return ~np.isnan(self.values)

    @cached_property
    def is_absent(self) -> Flags:
        """Where the target was read and the thing did not occur."""
        sparse = np.array([metric.origin.is_sparse for metric in self.metrics], dtype=bool)[:, None]
        is_measured = self._by_kind("was_read") & self._by_kind("was_measured")
        return np.asarray(~self.is_present & sparse & is_measured & ~self._is_marked)

    @cached_property
    def counts(self) -> Flags:
        """Where the day counts for the figure: it is over, and enough of it was measured, with all instances."""
        return self._by_kind("is_over") & self._by_kind("is_whole") & self._by_kind("is_complete")

    @cached_property
    def is_alone(self) -> Flags:
        """Where the figure counts and is of its day alone: what may be set beside other figures of the day."""
        return self.counts & self._by_kind("is_alone")

    @cached_property
    def is_like_others(self) -> Flags:
        """Where the figure counts, is of its day alone, and no restart fell into it: what a usual day is told from."""
        return self.is_alone & self._by_kind("is_steady")

    @cached_property
    def totals(self) -> Floats:
        """The figures with 0 for what did not occur, where they are totals; an average of nothing has no value."""
        total = np.array([metric.is_total for metric in self.metrics], dtype=bool)[:, None]
        return np.where(total & self.is_absent, 0.0, self.values)

    @cached_property
    def weight(self) -> Floats:
        """How many waits (or the like) each average rests on, over the hours that were measured; NaN without any."""
        counts = np.full(self.values.shape, np.nan)
        for row, (metric, (_, component)) in enumerate(zip(self.metrics, self.keys, strict=True)):
            behind = self.weights.get((metric.judging.weight, component)) if metric.judging.weight else None
            if behind is not None:
                counts[row] = behind * self.covered(metric).share
        return counts

    @cached_property
    def is_thin(self) -> Flags:
        """Where an average rests on too few to be judged."""
        enough = np.array(
            [metric.judging.enough if metric.judging.weight else 0.0 for metric in self.metrics]
        )[:, None]
        with np.errstate(invalid="ignore"):
            return np.asarray(self.weight < enough)

    def covered(self, metric: Metric) -> CoverFlags:
        """How the days were covered for a metric."""
        kind = metric.category, metric.is_over_time
        if kind not in self.kinds:
            self.kinds[kind] = CoverFlags(self.days, self.coverage, *kind)
        return self.kinds[kind]

    def _by_kind(self, name: str) -> Flags:
        covers, cover_of = self._covers
        by_cover = [getattr(cover, name) for cover in covers]
        return np.array(by_cover, dtype=bool).reshape(len(covers), len(self.days))[cover_of]

    @cached_property
    def _covers(self) -> tuple[list[CoverFlags], NDArray[np.intp]]:
        """The kinds of coverage among the series, and which of them each series has."""
        kinds = [(metric.category, metric.is_over_time) for metric in self.metrics]
        row_of_kind = {kind: row for row, kind in enumerate(dict.fromkeys(kinds))}
        of_kind = dict(zip(kinds, self.metrics, strict=True))
        covers = [self.covered(of_kind[kind]) for kind in row_of_kind]
        return covers, np.array([row_of_kind[kind] for kind in kinds], dtype=np.intp)

    @cached_property
    def _is_marked(self) -> Flags:
        marked = np.zeros(self.values.shape, dtype=bool)
        for row, column in self._marks:
            marked[row, column] = True
        return marked

    @cached_property
    def _marks(self) -> dict[tuple[int, int], str]:
        """Why single series have no figure, by row and column."""
        covers = [(column, self._cover(column)) for column in range(len(self.days))]
        marked = [(column, cover.marks) for column, cover in covers if cover is not None and cover.marks]
        if not marked:
            return {}
        keys = [
            (metric.category, key, component)
            for metric, (key, component) in zip(self.metrics, self.keys, strict=True)
        ]
        rows = {str(pk): row for row, pk in enumerate(series_ids(keys))}
        return {
            (rows[pk], column): str(why)
            for column, marks in marked
            for pk, why in marks.items()
            if pk in rows
        }

    # ── one figure ────────────────────────────────────────────────────────────────────────────────────────────────

    def presence(self, row: int, column: int) -> Presence:
        if self.is_present[row, column]:
            return Presence.PRESENT
        if self.is_absent[row, column]:
            return Presence.NOT_PRESENT
        return Presence.NOT_MEASURABLE if self._why_not_measurable(row, column) else Presence.NO_DATA

    def value(self, row: int, column: int) -> float | None:
        """The figure in the unit of the profile; None where there is none."""
        value = float(self.values[row, column])
        return None if np.isnan(value) else self.metrics[row].to_display_unit(value)

    def newest(self, name: Name) -> tuple[float, date] | None:
        """The newest figure of a series in the unit of the profile, with its day; None where none of the days has one."""
        row = self.row_of[name]
        columns = np.flatnonzero(~np.isnan(self.values[row]))
        day = self.days[columns[-1]] if len(columns) else None
        return (
            None
            if day is None
            else (self.metrics[row].to_display_unit(float(self.values[row, columns[-1]])), day)
        )

    def reason(self, row: int, column: int) -> str:
        """Why there is no figure; empty where there is one, or where it did not occur."""
        if self.is_present[row, column] or self.is_absent[row, column]:
            return ""
        return (
            self._marks.get((row, column))
            or self._why_not_measurable(row, column)
            or (NOTHING_COUNTED if self._is_of_nothing(row, column) else "")
            or why_no_data(self.target, self.metrics[row], self._cover(column))
        )

    def _is_of_nothing(self, row: int, column: int) -> bool:
        """Whether an average has no value because what it is of was counted, and there was none."""
        counts = self.weights.get((self.metrics[row].judging.weight, self.keys[row][1]))
        return counts is not None and counts[column] == 0

    def note(self, row: int, column: int) -> str:
        """What is to be said of a figure that is there, or of one that did not occur; empty where it is whole."""
        cover = self._cover(column)
        if cover is None:
            return ""
        notes = [] if self.is_present[row, column] else ["read, and it did not occur"]
        return "; ".join([*notes, *notes_of(self.metrics[row], cover)])

    def why_never(self, metric: Metric, days: Iterable[date | None]) -> str:
        """Why none of the days that were read can have a figure, by the way they were read; empty where one could, or none was read."""
        covers = [cover for day in days if day and (cover := self.coverage.get(day)) is not None]
        reasons = [self._why_not_by_way(metric, cover) for cover in covers]
        return reasons[0] if reasons and all(reasons) else ""

    def _why_not_measurable(self, row: int, column: int) -> str:
        cover = self._cover(column)
        return "" if cover is None else self._why_not_by_way(self.metrics[row], cover)

    def _why_not_by_way(self, metric: Metric, cover: CoverageFacts) -> str:
        """Why the way by which a day was read has no such figure; empty where it has, or its source failed."""
        if cover.missing(metric.category):
            return ""
        reasons = self._reasons_of_files if cover.is_of_file(metric.category) else self._reasons_of_collector
        return reasons.get(metric.base, "")

    @cached_property
    def _reasons_of_files(self) -> Mapping[str, str]:
        return reasons_by_statistic(self.target, is_of_file=True)

    @cached_property
    def _reasons_of_collector(self) -> Mapping[str, str]:
        return reasons_by_statistic(self.target, is_of_file=False)

    def _cover(self, column: int) -> CoverageFacts | None:
        day = self.days[column]
        return None if day is None else self.coverage.get(day)


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def days_between(first: date, last: date) -> list[date]:
    """Every day from the first to the last."""
    return [first + timedelta(days=offset) for offset in range((last - first).days + 1)]


def read_series(
    targets: Sequence[Target], keys: Iterable[Name], first: date, last: date
) -> dict[int, Measured]:
    """
    Chosen series of several targets over a stretch of days, by target id; what left the catalogue has no figures.

    Two queries, however many targets there are, and those that name the series.
    """
    series = list(dict.fromkeys(keys))
    metrics = {key: get_metric(key) for key, _ in series if is_metric(key)}
    current_names = [name for name in series if name[0] in metrics]
    weights = [
        (metrics[key].judging.weight, component)
        for key, component in current_names
        if metrics[key].judging.weight
    ]
    names = list(dict.fromkeys([*current_names, *weights]))
    full = [(get_metric(key).category, key, component) for key, component in names]
    histories = read_histories([target.pk for target in targets], series_ids(full), first, last)
    days = days_between(first, last)
    coverage = read_coverage([target.pk for target in targets], days, {category for category, _, _ in full})
    measured = {}
    for target in targets:
        figures_by_name = dict(zip(names, histories.values[target.pk].T, strict=True))
        values = np.array([figures_by_name.get(name, np.full(len(days), np.nan)) for name in series])
        values = values.reshape(len(series), len(days))
        measured[target.pk] = Measured.of(target, series, days, values, coverage[target.pk], figures_by_name)
    return measured


def read_all(
    targets: Sequence[Target],
    days: Sequence[date],
    categories: Collection[int] | None = None,
    metrics: Collection[str] | None = None,
) -> dict[int, Measured]:
    """
    Everything that several targets have on some days, by target id; of chosen categories where some are named, and of
    chosen metrics of these, with the counts behind their averages.

    Components that a release renamed stand under their new name. Two queries, however many targets there are.
    """
    target_ids = [target.pk for target in targets]
    if metrics is None:
        anchored = read_exactly(target_ids, days, categories)
        frames = {pk: figures.frame[list(days)] for pk, figures in anchored.items()}
    else:
        frames = read_metrics(target_ids, days, _with_counts(metrics), categories)
    coverage = read_coverage(target_ids, days, categories)
    return {
        target.pk: measured_in(target, frames[target.pk], days, coverage[target.pk], metrics)
        for target in targets
    }


def _with_counts(metrics: Collection[str]) -> set[str]:
    """Metrics with those that count what their averages rest on."""
    counts = {metric.judging.weight for key in metrics if (metric := find_metric(key)) is not None}
    return {*metrics, *counts} - {""}


def measured_in(
    target: Target,
    raw: pd.DataFrame,
    days: Sequence[date | None],
    coverage: Mapping[date, CoverageFacts],
    metrics: Collection[str] | None = None,
) -> Measured:
    """
    What a frame of raw figures holds, a column for each of the days, of the statistics that the catalogue knows.

    Where metrics are named, of these alone.
    """
    names = raw.index.get_level_values("metric")
    catalogued = [key for key in names.unique() if is_metric(key)]
    chosen = catalogued if metrics is None else [key for key in catalogued if key in metrics]
    counts = {get_metric(key).judging.weight for key in chosen} - {""}
    frame = raw[names.isin({*chosen, *counts})].droplevel("category")
    frame = follow_renames(frame, renamed_rows(frame.index))
    keys: list[Name] = frame.index.tolist()
    values = frame.to_numpy(dtype=float)
    weighted = {key: values[row] for row, key in enumerate(keys) if key[0] in counts}
    is_chosen = frame.index.isin(chosen, level="metric")
    keys = [key for key, is_wanted in zip(keys, is_chosen, strict=True) if is_wanted]
    return Measured.of(target, keys, days, values[is_chosen], coverage, weighted)


def take_rows(measured: Measured, keys: Sequence[Name]) -> Measured:
    """The same days of chosen series, in this order; what the target never had is nowhere present."""
    rows = np.array([measured.row_of.get(key, -1) for key in keys], dtype=int)
    values = np.full((len(keys), len(measured.days)), np.nan)
    values[rows >= 0] = measured.values[rows[rows >= 0]]
    selection = Measured.of(measured.target, keys, measured.days, values, measured.coverage, measured.weights)
    return replace(selection, kinds=measured.kinds)


def take_days(measured: Measured, days: Sequence[date]) -> Measured:
    """The same series on some of the days, in this order."""
    column_of = {day: column for column, day in enumerate(measured.days)}
    columns = [column_of[day] for day in days]
    counted = {
        (metric.judging.weight, component)
        for metric, (_, component) in zip(measured.metrics, measured.keys, strict=True)
        if metric.judging.weight
    }
    weights = {key: counts[columns] for key, counts in measured.weights.items() if key in counted}
    own_days = [measured.days[column] for column in columns]
    return Measured.of(
        measured.target, measured.keys, own_days, measured.values[:, columns], measured.coverage, weights
    )


def frame_of(measured: Measured) -> pd.DataFrame:
    """The figures as a frame indexed by (metric, component), a column per day."""
    index = pd.MultiIndex.from_tuples(list(measured.keys), names=["metric", "component"])
    return pd.DataFrame(measured.values, index=index, columns=list(measured.days))
