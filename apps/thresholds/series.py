"""The judged days of the recent past of every figure under a threshold: what persistence and closing are told by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from django.db import connection

from apps.catalog.metric import Metric
from apps.catalog.registry import UnknownMetric, get_metric
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.build import Presence
from apps.snapshots.dictionary import keys_of, layout_series, series_ids
from apps.snapshots.history import HORIZONS, Histories, read_histories
from apps.snapshots.ingredients import ingredients
from apps.snapshots.models import Coverage
from apps.thresholds.finding import HORIZON_OF, Finding
from apps.thresholds.models import Threshold

DAYS_BACK = 45  # how far back judged days are looked for


@dataclass
class Figures:
    """The findings of a target's figures under thresholds, by day; ask with `finding`."""

    target: Target
    until: date
    histories: Histories
    coverage: dict[date, Coverage]

    def finding(
        self, metric: Metric, component: str, figure: str, on: date, *, so_far: bool = False
    ) -> Finding:
        """What a limit on this figure meets on a day, in the unit the profile shows; of a running day when `so_far`."""
        cover = self.coverage.get(on)
        at = self._column(metric.key, component)
        if (
            cover is None or (cover.is_so_far and not so_far) or at is None
        ):  # of a closed day: its end was not read
            return Finding(
                Presence.NO_DATA, reason=f"{self.target.name} was not read for {figures.short_day(on)}"
            )
        over_time = _is_over_time(metric)
        presence, value = self._value(at, metric, on, cover)
        found = Finding(
            presence,
            None if value is None else metric.shown(value),
            "the figure is missing for this day" if presence is Presence.NO_DATA else "",
            (over_time and cover.is_partial_in(metric.category)) or bool(cover.without(metric.category)),
            cover.hours_of(metric.category),
            tuple(cover.without(metric.category)),
            self._weight(metric, component, on, cover),
        )
        if figure not in HORIZON_OF:
            return found
        change = self._change(at, metric, on, HORIZON_OF[figure], presence, value)
        if change is None:
            return replace(
                found, presence=Presence.NO_DATA, value=None, reason="there is nothing to compare with"
            )
        return replace(found, presence=Presence.PRESENT, value=change)

    def _value(self, at: int, metric: Metric, on: date, cover: Coverage) -> tuple[Presence, float | None]:
        row = (on - self.histories.days[0]).days
        value = float(self.histories.values[self.target.pk][row, at])
        if not np.isnan(value) and not (metric.is_sparse and value == 0):
            return Presence.PRESENT, value
        was_read = bool(self.histories.was_read[self.target.pk][row, at])
        was_measured = cover.hours_of(metric.category) > 0 or not _is_over_time(metric)
        if (
            metric.is_sparse
            and was_read
            and was_measured
            and str(self.histories.series[at]) not in cover.marks
        ):
            return Presence.NOT_PRESENT, None
        return Presence.NO_DATA, None

    def _change(
        self, at: int, metric: Metric, on: date, horizon: int, presence: Presence, value: float | None
    ) -> float | None:
        """Change against the day so far back, as the profile tells it."""
        then = self._then(at, metric, on, horizon)
        if then is None or presence is Presence.NO_DATA:
            return None
        if not then:
            return 0.0 if not value else None
        if presence is Presence.NOT_PRESENT or value is None:
            return None
        return metric.shown(value - then) if metric.is_percent else 100 * (value - then) / abs(then)

    def then(self, metric: Metric, component: str, on: date, horizon: int) -> float | None:
        """The stored figure that a change on a day, also one to come, is told against; 0 where it did not occur."""
        at = self._column(metric.key, component)
        return None if at is None else self._then(at, metric, on, horizon)

    def _then(self, at: int, metric: Metric, on: date, horizon: int) -> float | None:
        """The figure of the day so far back, or of the nearest earlier one that was read; None where there is none."""
        anchor = on - timedelta(days=horizon)
        reach = (anchor - timedelta(days=earlier) for earlier in range(HORIZONS[horizon] + 1))
        used = next((day for day in reach if day in self.coverage), None)
        if used is None:
            return None
        presence, value = self._value(at, metric, used, self.coverage[used])
        return None if presence is Presence.NO_DATA else value or 0.0

    def _weight(self, metric: Metric, component: str, on: date, cover: Coverage) -> float | None:
        at = self._column(metric.weight, component) if metric.weight else None
        if at is None:
            return None
        value = self.histories.values[self.target.pk][(on - self.histories.days[0]).days, at]
        share = min(1.0, cover.hours_of(metric.category) / cover.day_hours)
        return None if np.isnan(value) else float(value) * share

    def _column(self, metric: str, component: str) -> int | None:
        return self._columns.get((metric, component))

    @cached_property
    def _columns(self) -> dict[tuple[str, str], int]:
        keys = keys_of(self.histories.series)
        return {(metric, component): index for index, (_, metric, component) in enumerate(keys)}


def _is_over_time(metric: Metric) -> bool:
    return ingredients(get_metric(metric.key.partition(":")[0]))[1] or ":" in metric.key


def components_of(target: Target, metrics: Iterable[str], on: date) -> dict[str, list[str]]:
    """The components each metric has on a target around a day: those of the layouts its recent rows name."""
    wanted = set(metrics)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT layout_id FROM figure WHERE target_id = %s AND day BETWEEN %s AND %s",
            [target.pk, on - timedelta(days=7), on],
        )
        layouts = [pk for (pk,) in cursor.fetchall()]
    ids = {int(pk) for members in layout_series(layouts).values() for pk in members}
    found: dict[str, set[str]] = {}
    for _, metric, component in keys_of(sorted(ids)):
        if metric in wanted:
            found.setdefault(metric, set()).add(component)
    return {metric: sorted(names) for metric, names in found.items()}


def components_on(targets: Sequence[Target], metric: str, until: date) -> dict[int, list[str]]:
    """The components a metric has on each of many targets in the week up to a day; two queries and no target without."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT target_id, layout_id FROM figure"
            " WHERE target_id = ANY(%s) AND day BETWEEN %s AND %s AND category = %s",
            [
                [target.pk for target in targets],
                until - timedelta(days=7),
                until,
                get_metric(metric).category,
            ],
        )
        rows = cursor.fetchall()
    layouts = layout_series({layout for _, layout in rows})
    ids = sorted({int(pk) for members in layouts.values() for pk in members})
    named = {pk: name for pk, (_, key, name) in zip(ids, keys_of(ids), strict=True) if key == metric}
    found: dict[int, set[str]] = {}
    for target, layout in rows:
        names = {named[pk] for pk in layouts[layout].tolist() if pk in named}
        if names:
            found.setdefault(target, set()).update(names)
    return {target: sorted(names) for target, names in found.items()}


def days_needed(thresholds: Iterable[Threshold]) -> int:
    """How many days back the figures of these thresholds reach: a change needs the day it is compared with."""
    horizons = {HORIZON_OF[one.figure] for one in thresholds if one.figure in HORIZON_OF}
    return DAYS_BACK + max((horizon + HORIZONS[horizon] for horizon in horizons), default=0)


def with_seconds(pairs: Iterable[tuple[str, str]], thresholds: Iterable[Threshold]) -> list[tuple[str, str]]:
    """The pairs, and those of the second conditions of limits on them."""
    seconds = {(one.metric, one.second_metric) for one in thresholds if one.second_metric}
    wanted = set(pairs)
    wanted |= {(second, name) for metric, second in seconds for of, name in pairs if of == metric}
    return sorted(wanted)


def read_figures(
    target: Target, pairs: Sequence[tuple[str, str]], until: date, days_back: int = DAYS_BACK
) -> Figures:
    """The recent figures of (metric, component) pairs, with the counts behind averages; three queries."""
    keys = []
    for key, component in pairs:
        try:
            metric = get_metric(key)
        except UnknownMetric:
            continue
        keys.append((metric.category, metric.key, component))
        if metric.weight:
            keys.append((get_metric(metric.weight).category, metric.weight, component))
    first = until - timedelta(days=days_back)
    histories = read_histories([target.pk], series_ids(list(dict.fromkeys(keys))), first, until)
    coverage = {row.day: row for row in Coverage.objects.filter(target=target, day__range=(first, until))}
    return Figures(target, until, histories, coverage)
