"""The profile of a day: the statistics and wait events worth a decision, with their changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

import numpy as np
import pandas as pd

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import UnknownMetric, get_metric, metrics_of
from apps.inventory.models import Target
from apps.profiles.compare import compare, follow_renames, top_components
from apps.snapshots.figures import ingredients
from apps.snapshots.history import HORIZONS, Anchored, read_anchored
from apps.snapshots.models import Coverage, Series

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


def build_profile(target: Target, day: date, also: Iterable[tuple[str, str]] = ()) -> Profile:
    """
    The profile of a target's day; `also` names (metric, component) that are shown whatever their size.

    One query for the figures of the four days, one for their coverage.
    """
    table = _Table.read(target, day)
    wanted: dict[str, list[str]] = {}
    for key, component in also:
        wanted.setdefault(key, []).append(component)
    sections: dict[str, list[Row]] = {}
    for metric in metrics_of(target.platform):
        key = f"{metric.key}:{metric.profile_reduction}" if metric.profile_reduction else metric.key
        rows = table.rows_of(get_metric(key), wanted.pop(key, [])) if metric.profile_rows else []
        sections.setdefault(metric.section, []).extend(rows)
    for key, components in wanted.items():
        try:
            metric = get_metric(key)
        except UnknownMetric:
            continue
        sections.setdefault(metric.section, []).extend(
            table.row(metric, component) for component in components
        )
    return Profile(
        target,
        day,
        table.is_so_far,
        {horizon: table.found.days[anchor] for horizon, anchor in table.anchors.items()},
        [Section(title, rows) for title, rows in sections.items() if rows],
    )


@dataclass
class _Table:
    """The figures of the four days, aligned, with everything a row needs to know of them."""

    target: Target
    day: date
    anchors: dict[int, date]  # horizon -> the anchor day itself
    found: Anchored
    figures: pd.DataFrame  # indexed by (metric, component): today, 7, 30, 90, in stored units
    changes: pd.DataFrame
    coverage: dict[date, Coverage]
    classes: dict[str, str]

    @classmethod
    def read(cls, target: Target, day: date) -> "_Table":
        anchors = {horizon: day - timedelta(days=horizon) for horizon in HORIZONS}
        reach = {anchors[horizon]: earlier for horizon, earlier in HORIZONS.items()}
        found = read_anchored(target.pk, {day: 0, **reach})
        frame = found.frame.droplevel("category")
        frame = follow_renames(frame, _renames(frame)).rename(
            columns={day: "today", **{anchor: horizon for horizon, anchor in anchors.items()}}
        )
        percent = pd.Series(
            [_is_percent(key) for key in frame.index.get_level_values("metric")], index=frame.index
        )
        used = [used for used in found.days.values() if used is not None]
        coverage = {row.day: row for row in Coverage.objects.filter(target=target, day__in=used)}
        return cls(target, day, anchors, found, frame, compare(frame, percent), coverage, _classes(frame))

    @property
    def is_so_far(self) -> bool:
        today = self.coverage.get(self.day)
        return bool(today and today.is_so_far)

    def rows_of(self, metric: Metric, also: Sequence[str]) -> list[Row]:
        """The rows of a metric in the default profile: itself, or its largest components."""
        if not metric.component_kind:
            return [self.row(metric, "")]
        ranking = self._today(metric.ranked_by or metric.key)
        rivals = {get_metric(key): self._today(key).get("", np.nan) for key in metric.ranked_with}
        for rival, value in rivals.items():
            ranking = pd.concat([ranking, pd.Series({rival.label: value})])
        labels = {rival.label: rival for rival in rivals}
        hides = metric.hides
        names = top_components(
            ranking,
            metric.profile_rows,
            (lambda name: hides(name, self.classes.get(name, ""))) if hides else None,
            also,
        )
        return [self.row(labels[name], "") if name in labels else self.row(metric, name) for name in names]

    def _today(self, key: str) -> "pd.Series[float]":
        try:
            return self.figures["today"].xs(key, level="metric")
        except KeyError:
            return pd.Series(dtype=float)

    def row(self, metric: Metric, component: str) -> Row:
        """One row, whatever is or is not known of it."""
        try:
            values = self.figures.loc[(metric.key, component)]
            deltas = self.changes.loc[(metric.key, component)]
        except KeyError:
            values = deltas = pd.Series(dtype=float)
        today = self._cell(metric, component, self.day, values.get("today", np.nan))
        then = {}
        for horizon, anchor in self.anchors.items():
            cell = self._cell(metric, component, anchor, values.get(horizon, np.nan))
            then[horizon] = _with_change(cell, today, deltas.get(horizon, np.nan), metric)
        cover = self.coverage.get(self.day)
        measured_over_time = ingredients(_base(metric))[1] or metric.key != _base(metric).key
        return Row(
            metric=metric,
            component=component,
            component_class=self.classes.get(component, "") if component else "",
            today=today,
            then=then,
            is_partial=bool(
                cover
                and (
                    (measured_over_time and cover.is_partial_in(metric.category))
                    or cover.without(metric.category)
                )
            ),
            without=tuple(cover.without(metric.category)) if cover else (),
            hours=cover.hours_of(metric.category) if cover else None,
            spans_days=int(cover.categories.get(str(metric.category), {}).get("spans", 1)) if cover else 1,
            weight=self._weight(metric, component),
        )

    def _weight(self, metric: Metric, component: str) -> float | None:
        """How many waits a day the average rests on, over the hours that were measured."""
        if not metric.weight:
            return None
        value = self._today(metric.weight).get(component, np.nan)
        cover = self.coverage.get(self.day)
        if np.isnan(value) or cover is None:
            return None
        return float(value) * min(1.0, cover.hours_of(metric.category) / cover.day_hours)

    def _cell(self, metric: Metric, component: str, anchor: date, value: float) -> Cell:
        used = self.found.days[anchor]
        if used is None:
            return Cell(Presence.NO_DATA, None, None, reason=_why_not_read(self.target, anchor))
        if not np.isnan(value) and not (metric.is_sparse and value == 0):
            return Cell(Presence.PRESENT, metric.shown(float(value)), used)
        mark = self._mark(used, metric, component)
        if mark:
            return Cell(Presence.NO_DATA, None, used, reason=mark)
        if self._is_other(used, metric):
            return Cell(Presence.NO_DATA, None, used, reason=OTHER_INSTANCE)
        if metric.is_sparse and self._was_measured(used, metric, anchor):
            return Cell(Presence.NOT_PRESENT, None, used)
        if metric.category not in self.found.categories[anchor]:
            return Cell(Presence.NO_DATA, None, used, reason=f"{metric.source} was not read for this day")
        return Cell(Presence.NO_DATA, None, used, reason=_why_no_figure(metric))

    def _was_measured(self, day: date, metric: Metric, anchor: date) -> bool:
        """Whether what did not occur would have been seen: its source was read, at both ends of some interval."""
        if metric.category not in self.found.categories[anchor]:
            return False
        cover = self.coverage.get(day)
        return not (cover and ingredients(_base(metric))[1] and cover.hours_of(metric.category) == 0)

    def _is_other(self, day: date, metric: Metric) -> bool:
        """Whether the figure is missing because another instance answered."""
        cover = self.coverage.get(day)
        return bool(
            cover
            and cover.categories.get(str(metric.category), {}).get("other_instance")
            and ingredients(_base(metric))[1]
        )

    def _mark(self, day: date, metric: Metric, component: str) -> str:
        cover = self.coverage.get(day)
        if cover is None or not cover.marks:
            return ""
        series = Series.objects.filter(
            category=metric.category, metric=metric.key, component=component
        ).first()
        return str(cover.marks.get(str(series.pk), "")) if series else ""


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


def _is_percent(key: str) -> bool:
    try:
        return get_metric(key).is_percent
    except UnknownMetric:
        return False


def _renames(frame: pd.DataFrame) -> dict[str, dict[str, str]]:
    """The components that a release renamed, by metric: old name to new."""
    found = {}
    for key in frame.index.get_level_values("metric").unique():
        try:
            renames = get_metric(key).renames
        except UnknownMetric:
            continue
        if renames:
            found[key] = dict(renames)
    return found


def _classes(frame: pd.DataFrame) -> dict[str, str]:
    """The class of each component that has one."""
    named = Series.objects.exclude(component_class="").filter(
        category__in=_categories_with_classes(), component__in=set(frame.index.get_level_values("component"))
    )
    return dict(named.values_list("component", "component_class"))


def _categories_with_classes() -> list[int]:
    return list(Series.objects.exclude(component_class="").values_list("category", flat=True).distinct())


def _why_not_read(target: Target, anchor: date) -> str:
    if anchor < target.registered_at.astimezone(target.zone).date():
        return f"{target.name} was registered later"
    return f"{target.name} was not read on {anchor:%-d %b}, nor shortly before"


def _why_no_figure(metric: Metric) -> str:
    if metric.kind is Kind.COUNTER or ingredients(_base(metric))[1]:
        return "there is only one reading so far, or this release does not have it"
    return f"{metric.source} did not give it"
