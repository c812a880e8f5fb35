"""The profile of a day: the statistics and wait events worth a decision, with their changes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import islice

import numpy as np
import pandas as pd

from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, get_metric, metrics_of
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.engine.compare import compare, top_components
from apps.profiles.means_since_start import Means, MeanSinceStart, read_means
from apps.snapshots.coverage_facts import CoverageFacts
from apps.snapshots.day_coverage import read_coverage
from apps.snapshots.dictionary import classes_of
from apps.snapshots.history import HORIZONS, read_anchored
from apps.snapshots.measured import Measured, measured_in, take_rows
from apps.snapshots.presence import Presence
from apps.snapshots.reasons import failed_categories, why_not_read


@dataclass(frozen=True)
class ProfileCell:
    """One figure of a row, in the unit of the row, with the change from it to today."""

    presence: Presence
    value: float | None
    day: date | None  # the day that was used
    delta: float | None = None  # percent, or points where the statistic is in percent
    change: str = ""  # "new" or "gone" where there is no number
    reason: str = ""  # why there is no figure
    hours: float | None = None  # of what is measured over time: how long it was measured ...
    spans_days: int = 1  # ... over how many days, of which the figure is the mean ...
    is_partial: bool = False  # ... whether that is too little to be judged ...
    is_since_restart: bool = False  # ... and whether it counts from a start-up within the day
    length: str = ""  # what is to be said of that; empty where it is a day
    source: str = ""  # where it comes from, if not from readings
    is_at_most: bool = False  # a bound, told from something else
    mean: MeanSinceStart | None = (
        None  # where there is no figure: the mean since start-up, which is of that day too
    )


@dataclass(frozen=True)
class ProfileRow:
    """One statistic of the profile."""

    metric: Metric
    component: str
    component_class: str
    today: ProfileCell
    then: Mapping[int, ProfileCell]  # by horizon: 90, 30, 7
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
    def is_measurable(self) -> bool:
        """Whether one of the days could have had it."""
        cells = (self.today, *self.then.values())
        return self.today.presence is not Presence.NOT_MEASURABLE or any(
            not cell.presence.is_unknown for cell in cells
        )

    @property
    def is_thin(self) -> bool:
        """The average rests on too few waits to be judged."""
        return (
            bool(self.metric.judging.weight)
            and self.weight is not None
            and self.weight < self.metric.judging.enough
        )


@dataclass(frozen=True)
class ProfileSection:
    title: str
    rows: list[ProfileRow]
    missing: list[str] = field(default_factory=list)  # sentences: which sources failed, and why


@dataclass(frozen=True)
class Profile:
    """A target's day compared with 7, 30 and 90 days before."""

    target: Target
    day: date
    is_so_far: bool
    anchors: Mapping[int, date | None]  # horizon -> the day used
    sections: list[ProfileSection] = field(default_factory=list)

    @property
    def rows(self) -> list[ProfileRow]:
        return [row for section in self.sections for row in section.rows]


def build_profile(
    target: Target,
    day: date,
    also: Iterable[tuple[str, str]] = (),
    only: Callable[[Metric], bool] = lambda metric: True,
) -> Profile:
    """
    The profile of a target's day; `also` names (metric, component) that are shown whatever their size.

    `only` leaves out the statistics that nobody asks for. What the way by which the target is read cannot give on any of
    the days has no row either, unless it is named. One query for the figures of the four days, one for their coverage;
    what series are called is learned once.
    """
    also = list(also)
    table = _Table.read(target, day)
    sections = _choose_rows(table, target.platform, also, only)
    chosen = iter(table.rows([key for keys, _ in sections.values() for key in keys]))
    rows_of = {
        title: [row for row in islice(chosen, len(keys)) if row.is_measurable or row.key in also]
        for title, (keys, _) in sections.items()
    }
    for row in _stand_ins(table, target.platform, only, [row for rows in rows_of.values() for row in rows]):
        rows_of[row.metric.section.title].append(row)
    return Profile(
        target,
        day,
        table.is_so_far,
        dict(zip(table.anchors, table.measured.days[1:], strict=True)),
        [
            ProfileSection(title, rows_of[title], table.missing(metrics))
            for title, (_, metrics) in sections.items()
            if rows_of[title] or table.missing(metrics)
        ],
    )


def _choose_rows(
    table: "_Table", platform: str, also: Iterable[tuple[str, str]], only: Callable[[Metric], bool]
) -> dict[str, tuple[list[tuple[Metric, str]], list[Metric]]]:
    """By section, the metrics and components that the profile shows, and the metrics it would show some of."""
    named_components: dict[str, list[str]] = {}
    for key, component in also:
        named_components.setdefault(key, []).append(component)
    sections: dict[str, tuple[list[tuple[Metric, str]], list[Metric]]] = {}
    for metric in metrics_of(platform):
        key = metric.shown_key
        chosen, asked_for = sections.setdefault(metric.section.title, ([], []))
        if metric.display.rows:
            named = named_components.pop(key, [])
            if only(metric):
                chosen += table.choose(get_metric(key), named, metric.display.rows)
                asked_for.append(metric)
    for key, components in named_components.items():
        asked_metric = find_metric(key)
        if asked_metric is not None and only(asked_metric):
            chosen, _ = sections.setdefault(asked_metric.section.title, ([], []))
            # one that ranks among the components of another stands there already
            chosen += [
                key for key in ((asked_metric, component) for component in components) if key not in chosen
            ]
    return sections


def _stand_ins(
    table: "_Table", platform: str, only: Callable[[Metric], bool], rows: Sequence[ProfileRow]
) -> list[ProfileRow]:
    """Rows of what stands in for statistics that have none."""
    bases = {row.metric.base for row in rows}
    keys: list[tuple[Metric, str]] = []
    for metric in metrics_of(platform):
        principal = metric.display.stands_in_for
        if principal and not bases & {principal, metric.base} and only(get_metric(principal)):
            keys += table.choose(get_metric(metric.shown_key), (), get_metric(principal).display.rows)
    stand_ins = table.rows(keys) if keys else []
    return [row for row in stand_ins if row.today.value is not None]


@dataclass(frozen=True)
class _Table:
    """What was measured on the four days, with everything a row needs to know of it."""

    target: Target
    day: date
    anchors: Mapping[int, date]  # horizon -> the anchor day itself
    measured: Measured  # today, then the day that was used for each anchor
    classes: Mapping[str, str]

    @classmethod
    def read(cls, target: Target, day: date) -> "_Table":
        anchors = {horizon: day - timedelta(days=horizon) for horizon in HORIZONS}
        reach = {anchors[horizon]: earlier for horizon, earlier in HORIZONS.items()}
        anchored = read_anchored(target.pk, {day: 0, **reach})
        used = [used for used in anchored.days.values() if used is not None]
        coverage = read_coverage([target.pk], used)[target.pk] if used else {}
        compared_days = [day, *anchors.values()]
        used_days = [anchored.days[anchor] for anchor in compared_days]
        measured = measured_in(target, anchored.frame[compared_days], used_days, coverage)
        return cls(target, day, anchors, measured, classes_of(anchored.series))

    @property
    def cover(self) -> CoverageFacts | None:
        """How today was covered."""
        return self.measured.coverage.get(self.day)

    @property
    def is_so_far(self) -> bool:
        return bool(self.cover and self.cover.is_so_far)

    def _mean(self, metric: Metric, component: str, on: date) -> MeanSinceStart | None:
        """
        The mean since start-up in the unit of the profile, where it is of that day too.

        Only of days before the target was registered: of a gap later on, the days around it say more.
        """
        if not _is_before_registration(self.target, on):
            return None
        mean = self._means.get((metric.key, component))
        if mean is None or not mean.covers(on, self.target):
            return None
        return replace(mean, value=metric.to_display_unit(mean.value))

    @cached_property
    def _means(self) -> Means:
        """The means since start-up, read where one of the days is missing."""
        return read_means(self.target, self.day)

    @cached_property
    def _today(self) -> dict[str, dict[str, float]]:
        """Today's figures by metric and component."""
        return self._by_metric(0)

    def _by_metric(self, column: int) -> dict[str, dict[str, float]]:
        figures_of: dict[str, dict[str, float]] = {}
        for (key, component), value in zip(
            self.measured.keys, self.measured.values[:, column].tolist(), strict=True
        ):
            figures_of.setdefault(key, {})[component] = value
        return figures_of

    def _ranking(self, metric: Metric) -> dict[str, float]:
        """Figures by component to rank by: today's; where today's source failed, those of the newest anchor that has any."""
        key = metric.ranking.by or metric.key
        ranking = self._today.get(key, {})
        if not ranking or not failed_categories(metric, self.cover):
            return dict(ranking)
        horizons = list(self.anchors)
        for horizon in sorted(horizons):
            earlier = self._by_metric(1 + horizons.index(horizon)).get(key, {})
            if not all(np.isnan(value) for value in earlier.values()):
                return earlier
        return dict(ranking)

    def missing(self, metrics: Iterable[Metric]) -> list[str]:
        """What is missing in today's figures of these metrics, a sentence a source."""
        failed = [category for metric in metrics for category in failed_categories(metric, self.cover)]
        if self.cover is None:
            return []
        return [why_not_read(self.target, category, self.cover) for category in dict.fromkeys(failed)]

    def choose(self, metric: Metric, also: Sequence[str], most: int) -> list[tuple[Metric, str]]:
        """What the default profile shows of a metric: itself, or at `most` so many of its largest components."""
        if not metric.component_kind:
            return [(metric, "")]
        ranking = self._ranking(metric)
        rivals = {rival.label: rival for rival in (get_metric(key) for key in metric.ranking.rivals)}
        for label, rival in rivals.items():
            ranking[label] = self._today.get(rival.key, {}).get("", np.nan)
        hides = metric.ranking.hides
        names = top_components(
            ranking,
            most,
            (lambda name: hides(name, self.classes.get(name, ""))) if hides else None,
            also,
        )
        return [(rivals[name], "") if name in rivals else (metric, name) for name in names]

    def rows(self, keys: Sequence[tuple[Metric, str]]) -> list[ProfileRow]:
        """The rows of metrics and components, whatever is or is not known of them."""
        names = [(metric.key, component) for metric, component in keys]
        figures = take_rows(self.measured, names)
        values = pd.DataFrame(figures.values, columns=["today", *self.anchors])
        changes = compare(values, pd.Series([metric.is_percent for metric, _ in keys], dtype=bool))
        return [self._row(figures, row, change) for row, change in enumerate(changes.to_dict("records"))]

    def _row(self, figures: Measured, row: int, changes: Mapping[Hashable, float]) -> ProfileRow:
        metric, component = figures.metrics[row], figures.keys[row][1]
        today = self._cell(figures, row, 0, self.day)
        then = {
            horizon: _with_change(self._cell(figures, row, column, anchor), today, changes[horizon], metric)
            for column, (horizon, anchor) in enumerate(self.anchors.items(), 1)
        }
        cover, covered = self.cover, figures.covered(metric)
        weight = float(figures.weight[row, 0])
        return ProfileRow(
            metric=metric,
            component=component,
            component_class=self.classes.get(component, "") if component else "",
            today=today,
            then=then,
            is_partial=cover is not None and not (covered.is_whole[0] and covered.is_complete[0]),
            without=tuple(cover.without(metric.category)) if cover else (),
            hours=cover.hours_of(metric.category) if cover else None,
            spans_days=cover.spans_of(metric.category) if cover else 1,
            weight=None if np.isnan(weight) else weight,
        )

    def _cell(self, figures: Measured, row: int, column: int, anchor: date) -> ProfileCell:
        used = figures.days[column]
        if used is None:
            reason = _why_not_read(self.target, anchor)
            mean = self._mean(figures.metrics[row], figures.keys[row][1], anchor)
            return ProfileCell(Presence.NO_DATA, None, None, reason=reason, mean=mean)
        metric, cover = figures.metrics[row], figures.coverage.get(used)
        cell = ProfileCell(
            figures.presence(row, column),
            figures.value(row, column),
            used,
            reason=figures.reason(row, column),
            source=cover.source_of(metric.category) if cover is not None else "",
            is_at_most=cover is not None and cover.is_at_most(metric.category),
        )
        if cover is None or not metric.is_over_time or cell.presence.is_unknown:
            return cell
        return replace(
            cell,
            hours=cover.hours_of(metric.category),
            spans_days=cover.spans_of(metric.category),
            is_partial=cover.is_partial_in(metric.category),
            is_since_restart=cover.is_since_restart(metric.category),
            length=cover.length_of(metric.category),
        )


def _with_change(cell: ProfileCell, today: ProfileCell, delta: float, metric: Metric) -> ProfileCell:
    """The cell of an earlier day with the change from it to today."""
    change, number = "", None
    if not (cell.presence.is_unknown or today.presence.is_unknown):
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
            number = metric.to_display_unit(float(delta)) if metric.is_percent else float(delta)
    return replace(cell, delta=number, change=change)


def _why_not_read(target: Target, anchor: date) -> str:
    if _is_before_registration(target, anchor):
        return f"{target.name} was registered later"
    return f"{target.name} was not read on {figures.short_day(anchor)}, nor shortly before"


def _is_before_registration(target: Target, on: date) -> bool:
    return on < target.registered_at.astimezone(target.zone).date()
