"""The profile of a day: the statistics and wait events worth a decision, with their changes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import UnknownMetric, get_metric, metrics_of
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.compare import compare, follow_renames, top_components
from apps.profiles.renames import renamed_rows
from apps.snapshots.dictionary import Key, classes_of, keys_of
from apps.snapshots.history import HORIZONS, Anchored, read_anchored
from apps.snapshots.ingredients import ingredients
from apps.snapshots.models import Coverage

OTHER_INSTANCE = "another instance answered than at the reading before, so there is no difference"


class Presence(StrEnum):
    """Whether a figure is there, and if not, which of two very different things that means."""

    PRESENT = "present"
    NOT_PRESENT = "not_present"  # the target was read and it did not occur
    NO_DATA = "no_data"  # the target was not read, or the figure cannot be told


@dataclass(frozen=True)
class Cell:
    """One figure of a row, in the unit of the row, with the change from it to today."""

    presence: Presence
    value: float | None
    day: date | None  # the day that was used
    delta: float | None = None  # percent, or points where the statistic is in percent
    change: str = ""  # "new" or "gone" where there is no number
    reason: str = ""  # why there is no figure


@dataclass(frozen=True)
class Row:
    """One statistic of the profile."""

    metric: Metric
    component: str
    component_class: str
    today: Cell
    then: Mapping[int, Cell]  # by horizon: 90, 30, 7
    is_partial: bool = False  # measured over too little of the day to be judged
    hours: float | None = None
    without: tuple[str, ...] = ()  # instances of a database that are missing in the figure
    spans_days: int = 1
    weight: float | None = None  # how many waits the average rests on

    @property
    def key(self) -> tuple[str, str]:
        return self.metric.key, self.component

    @property
    def unit(self) -> str:
        return self.metric.display_unit

    @property
    def is_thin(self) -> bool:
        """The average rests on too few waits to be judged."""
        return bool(self.metric.weight) and self.weight is not None and self.weight < self.metric.enough


@dataclass(frozen=True)
class Section:
    title: str
    rows: list[Row]


@dataclass(frozen=True)
class Profile:
    """A target's day compared with 7, 30 and 90 days before."""

    target: Target
    day: date
    is_so_far: bool
    anchors: Mapping[int, date | None]  # horizon -> the day used
    sections: list[Section] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        return [row for section in self.sections for row in section.rows]


def build_profile(
    target: Target,
    day: date,
    also: Iterable[tuple[str, str]] = (),
    only: Callable[[Metric], bool] = lambda metric: True,
) -> Profile:
    """
    The profile of a target's day; `also` names (metric, component) that are shown whatever their size.

    `only` leaves out the statistics that nobody asks for. One query for the figures of the four days, one for their
    coverage; what series are called is learned once.
    """
    table = _Table.read(target, day)
    sections = _chosen(table, target.platform, also, only)
    rows = iter(table.rows([key for keys in sections.values() for key in keys]))
    return Profile(
        target,
        day,
        table.is_so_far,
        {horizon: table.found.days[anchor] for horizon, anchor in table.anchors.items()},
        [Section(title, list(islice(rows, len(keys)))) for title, keys in sections.items() if keys],
    )


def _chosen(
    table: "_Table", platform: str, also: Iterable[tuple[str, str]], only: Callable[[Metric], bool]
) -> dict[str, list[tuple[Metric, str]]]:
    """The metrics and components that the profile shows, by section."""
    wanted: dict[str, list[str]] = {}
    for key, component in also:
        wanted.setdefault(key, []).append(component)
    sections: dict[str, list[tuple[Metric, str]]] = {}
    for metric in metrics_of(platform):
        key = f"{metric.key}:{metric.profile_reduction}" if metric.profile_reduction else metric.key
        chosen = sections.setdefault(metric.section, [])
        if metric.profile_rows:
            named = wanted.pop(key, [])
            chosen += table.choose(get_metric(key), named) if only(metric) else []
    for key, components in wanted.items():
        try:
            metric = get_metric(key)
        except UnknownMetric:
            continue
        if only(metric):
            sections.setdefault(metric.section, []).extend((metric, component) for component in components)
    return sections


@dataclass(frozen=True)
class _Table:
    """The figures of the four days, aligned, with everything a row needs to know of them."""

    target: Target
    day: date
    anchors: Mapping[int, date]  # horizon -> the anchor day itself
    found: Anchored
    figures: pd.DataFrame  # indexed by (category, metric, component): today, 7, 30, 90, in stored units
    today: NDArray[np.float64]  # the first column
    coverage: Mapping[date, Coverage]
    classes: Mapping[str, str]
    marks: Mapping[date, Mapping[Key, str]]

    @classmethod
    def read(cls, target: Target, day: date) -> "_Table":
        anchors = {horizon: day - timedelta(days=horizon) for horizon in HORIZONS}
        reach = {anchors[horizon]: earlier for horizon, earlier in HORIZONS.items()}
        found = read_anchored(target.pk, {day: 0, **reach})
        frame = follow_renames(found.frame, renamed_rows(found.frame.index))
        used = [used for used in found.days.values() if used is not None]
        coverage = {row.day: row for row in Coverage.objects.filter(target=target, day__in=used)}
        return cls(
            target,
            day,
            anchors,
            found,
            frame[[day, *anchors.values()]].set_axis(["today", *anchors], axis="columns"),
            frame[day].to_numpy(),
            coverage,
            classes_of(found.series),
            _marks(coverage.values()),
        )

    @property
    def is_so_far(self) -> bool:
        today = self.coverage.get(self.day)
        return bool(today and today.is_so_far)

    def choose(self, metric: Metric, also: Sequence[str]) -> list[tuple[Metric, str]]:
        """What the default profile shows of a metric: itself, or its largest components."""
        if not metric.component_kind:
            return [(metric, "")]
        ranking = self._today(metric.ranked_by or metric.key)
        rivals = {rival.label: rival for rival in (get_metric(key) for key in metric.ranked_with)}
        ranking |= {label: self._figure(rival, "") for label, rival in rivals.items()}
        hides = metric.hides
        names = top_components(
            ranking,
            metric.profile_rows,
            (lambda name: hides(name, self.classes.get(name, ""))) if hides else None,
            also,
        )
        return [(rivals[name], "") if name in rivals else (metric, name) for name in names]

    def _today(self, key: str) -> dict[str, float]:
        """Today's figures of a metric by component."""
        index = self.figures.index
        try:
            code = index.levels[1].get_loc(key)
        except KeyError:
            return {}
        at = np.flatnonzero(index.codes[1] == code)
        components = index.levels[2].take(index.codes[2][at])
        return dict(zip(components, self.today[at].tolist(), strict=True))

    def _place(self, metric: Metric, component: str) -> int:
        """The row of a series among the figures; -1 where no day has it."""
        try:
            return int(self.figures.index.get_loc((metric.category, metric.key, component)))
        except KeyError:
            return -1

    def _figure(self, metric: Metric, component: str) -> float:
        place = self._place(metric, component)
        return float(self.today[place]) if place >= 0 else np.nan

    def rows(self, keys: Sequence[tuple[Metric, str]]) -> list[Row]:
        """The rows of metrics and components, whatever is or is not known of them."""
        places = np.array([self._place(*key) for key in keys], dtype=int)
        values = pd.DataFrame(
            np.full((len(keys), len(self.figures.columns)), np.nan), columns=self.figures.columns
        )
        is_known = places >= 0
        values.iloc[is_known] = self.figures.to_numpy()[places[is_known]]
        changes = compare(values, pd.Series([metric.is_percent for metric, _ in keys], dtype=bool))
        return [
            self._row(*key, now, change)
            for key, now, change in zip(
                keys, values.to_dict("records"), changes.to_dict("records"), strict=True
            )
        ]

    def _row(
        self,
        metric: Metric,
        component: str,
        values: Mapping[Hashable, float],
        changes: Mapping[Hashable, float],
    ) -> Row:
        base = _base(metric)
        is_over_time = ingredients(base)[1]
        today = self._cell(metric, component, self.day, values["today"], is_over_time)
        then = {}
        for horizon, anchor in self.anchors.items():
            cell = self._cell(metric, component, anchor, values[horizon], is_over_time)
            then[horizon] = _with_change(cell, today, changes[horizon], metric)
        cover = self.coverage.get(self.day)
        without = tuple(cover.without(metric.category)) if cover else ()
        is_reduced = metric.key != base.key
        return Row(
            metric=metric,
            component=component,
            component_class=self.classes.get(component, "") if component else "",
            today=today,
            then=then,
            is_partial=bool(
                cover and (((is_over_time or is_reduced) and cover.is_partial_in(metric.category)) or without)
            ),
            without=without,
            hours=cover.hours_of(metric.category) if cover else None,
            spans_days=int(cover.categories.get(str(metric.category), {}).get("spans", 1)) if cover else 1,
            weight=self._weight(metric, component),
        )

    def _weight(self, metric: Metric, component: str) -> float | None:
        """How many waits a day the average rests on, over the hours that were measured."""
        if not metric.weight:
            return None
        value = self._figure(get_metric(metric.weight), component)
        cover = self.coverage.get(self.day)
        if np.isnan(value) or cover is None:
            return None
        return value * min(1.0, cover.hours_of(metric.category) / cover.day_hours)

    def _cell(self, metric: Metric, component: str, anchor: date, value: float, is_over_time: bool) -> Cell:
        used = self.found.days[anchor]
        if used is None:
            return Cell(Presence.NO_DATA, None, None, reason=_why_not_read(self.target, anchor))
        if not np.isnan(value) and not (metric.is_sparse and value == 0):
            return Cell(Presence.PRESENT, metric.shown(float(value)), used)
        mark = self.marks.get(used, {}).get((metric.category, metric.key, component), "")
        if mark:
            return Cell(Presence.NO_DATA, None, used, reason=mark)
        cover = self.coverage.get(used)
        if is_over_time and cover and cover.categories.get(str(metric.category), {}).get("other_instance"):
            return Cell(Presence.NO_DATA, None, used, reason=OTHER_INSTANCE)
        was_read = metric.category in self.found.categories[anchor]
        was_measured = not (is_over_time and cover and cover.hours_of(metric.category) == 0)
        if metric.is_sparse and was_read and was_measured:  # at both ends of some interval
            return Cell(Presence.NOT_PRESENT, None, used)
        if not was_read:
            return Cell(Presence.NO_DATA, None, used, reason=f"{metric.source} was not read for this day")
        return Cell(Presence.NO_DATA, None, used, reason=_why_no_figure(metric, is_over_time))


def _with_change(cell: Cell, today: Cell, delta: float, metric: Metric) -> Cell:
    """The cell of an earlier day with the change from it to today."""
    change, number = "", None
    if Presence.NO_DATA not in (cell.presence, today.presence):
        then_nothing = cell.presence is Presence.NOT_PRESENT or cell.value == 0
        now_nothing = today.presence is Presence.NOT_PRESENT
        if now_nothing:
            change = "gone" if not then_nothing else ""
            number = 0.0 if then_nothing else None
        elif then_nothing and today.value != 0:
            change = "new"
        elif then_nothing:
            number = 0.0
        elif not np.isnan(delta):
            number = metric.shown(float(delta)) if metric.is_percent else float(delta)
    return Cell(cell.presence, cell.value, cell.day, number, change, cell.reason)


def _base(metric: Metric) -> Metric:
    return get_metric(metric.key.partition(":")[0])


def _marks(covers: Iterable[Coverage]) -> dict[date, dict[Key, str]]:
    """Why single series have no figure, by day and series."""
    marked = {cover.day: cover.marks for cover in covers if cover.marks}
    pks = sorted({int(pk) for marks in marked.values() for pk in marks})
    keys = dict(zip(pks, keys_of(pks), strict=True))
    return {day: {keys[int(pk)]: str(why) for pk, why in marks.items()} for day, marks in marked.items()}


def _why_not_read(target: Target, anchor: date) -> str:
    if anchor < target.registered_at.astimezone(target.zone).date():
        return f"{target.name} was registered later"
    return f"{target.name} was not read on {figures.short_day(anchor)}, nor shortly before"


def _why_no_figure(metric: Metric, is_over_time: bool) -> str:
    if metric.kind is Kind.COUNTER or is_over_time:
        return "there is only one reading so far, or this release does not have it"
    return f"{metric.source} did not give it"
