"""
What a limit would have done: the rule of check.py over many days of many targets at once, without writing anything.

The figures of all targets are read by one query and judged as arrays (days, components); the verdicts are those that
`judge` would give one by one, and violations open and close by the same rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import HORIZONS, Histories, read_histories
from apps.snapshots.ingredients import ingredients
from apps.snapshots.models import Coverage
from apps.thresholds.baseline import Steady, steady_limits
from apps.thresholds.calendars import LeftOut, left_out_of
from apps.thresholds.finding import HORIZON_OF
from apps.thresholds.models import Threshold
from apps.thresholds.notation import Form, Limit
from apps.thresholds.series import DAYS_BACK

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
NEAR = 1e-7  # relative; so near to its limit a figure is compared digit by digit


@dataclass(frozen=True)
class DryRun:
    """
    What a limit would have done on a target's days, over all components together.

    `fired` and `judged` are by day, `worst` is the figure furthest from comfort; `opened` counts violations, and
    `avoided` are the days beyond the limit that persistence kept from opening one. `left_out` are days of calendars.
    """

    days: Sequence[date]
    fired: Flags
    judged: Flags
    worst: Floats
    opened: int
    avoided: Sequence[date]
    left_out: Mapping[date, str]
    peaks: frozenset[date]
    components: int

    @property
    def fired_days(self) -> list[date]:
        return [day for day, is_fired in zip(self.days, self.fired, strict=True) if is_fired]


@dataclass(frozen=True)
class _Cover:
    """How much of each day was measured in one category, arrays by day."""

    is_read: Flags  # at all
    is_closed: Flags
    is_whole: Flags
    is_with_all: Flags  # instances of the database
    hours: Floats
    share: Floats
    marks: Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class _Figures:
    """One metric of one target: (days, components) in the unit of the limit, and what of it may be judged."""

    values: Floats  # NaN where there is none
    is_present: Flags
    is_absent: Flags  # read, and it did not occur
    is_sound: Flags  # closed, whole and measured with all instances
    weights: Floats | None


def dry_runs(
    draft: Threshold, components: Mapping[Target, Sequence[str]], until: date, count: int = 90
) -> dict[int, DryRun]:
    """
    The dry run of a limit on each target's components over so many days up to one, by target id.

    The threshold need not be saved. Five queries whatever the number of targets, six with a second condition.
    """
    targets = [target for target, names in components.items() if names]
    if not targets:
        return {}
    horizon = HORIZON_OF.get(draft.figure, 0)
    back = horizon + HORIZONS[horizon] if horizon else 0
    first = until - timedelta(days=count + DAYS_BACK + back - 1)
    keys = [get_metric(draft.metric), *([get_metric(draft.second_metric)] if draft.second_metric else [])]
    names = sorted({name for found in components.values() for name in found})
    reader = _Reader(keys, names, targets, first, until)
    out = left_out_of(targets, first, until)
    runs = {}
    for target in targets:
        steady = steady_limits(target, [draft]) if draft.form == Form.NO_CHANGE else Steady()
        runs[target.pk] = _run(
            draft, reader, target, components[target], out[target.pk], steady, count, horizon
        )
    return runs


def _run(
    draft: Threshold,
    reader: "_Reader",
    target: Target,
    names: Sequence[str],
    out: LeftOut,
    steady: Steady,
    count: int,
    horizon: int,
) -> DryRun:
    metric = draft.about
    figures = reader.figures(target, metric, names, horizon)
    days = reader.days
    reasons = out.days(with_peaks=draft.leaves_out_peaks)
    is_out = np.array([day in reasons for day in days])
    limits = [steady.limit(draft, name) for name in names]
    seconds = (
        reader.figures(target, get_metric(draft.second_metric), names, 0) if draft.second_metric else None
    )
    beyond, judged = _verdicts(limits, figures, seconds, metric)
    judged &= ~is_out[:, None]
    beyond &= judged
    other = None if seconds is None else seconds.values
    recovered = ~_beyond_each(limits, figures.values, draft.recovery_gap / 100, other)
    opened, avoided = 0, np.zeros(len(days), dtype=bool)
    for column in np.flatnonzero(beyond.any(axis=0)):
        told = (judged[:, column].tolist(), beyond[:, column].tolist(), recovered[:, column].tolist())
        one, kept = _life(draft, *told, len(days) - count)
        opened += one
        avoided[kept] = True
    shown = slice(len(days) - count, None)
    worst = figures.values.copy()
    worst[np.isnan(worst)] = np.inf if draft.limit.direction == "lower" else -np.inf
    extreme = worst.min(axis=1) if draft.limit.direction == "lower" else worst.max(axis=1)
    return DryRun(
        days[shown],
        np.any(beyond[shown], axis=1),
        np.any(judged[shown], axis=1),
        np.where(np.isfinite(extreme), extreme, np.nan)[shown],
        opened,
        [day for day, is_kept in zip(days[shown], avoided[shown], strict=True) if is_kept],
        {day: reason for day, reason in reasons.items() if day >= days[shown][0]},
        frozenset(day for day in out.peaks if day >= days[shown][0]),
        len(names),
    )


class _Reader:
    """Figures and coverage of all targets, read at once."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        names: Sequence[str],
        targets: Sequence[Target],
        first: date,
        until: date,
    ) -> None:
        keys = [(one.category, one.key, name) for one in metrics for name in names]
        for one in metrics:
            if one.weight:
                keys += [(get_metric(one.weight).category, one.weight, name) for name in names]
        ids = series_ids(keys)
        pks = [target.pk for target in targets]
        self.histories: Histories = read_histories(pks, ids, first, until)
        self.days = self.histories.days
        self.columns = {key[1:]: column for column, key in enumerate(keys)}
        self.ids = ids
        self._rows: dict[int, list[tuple[Any, ...]]] = {pk: [] for pk in pks}
        wanted = Coverage.objects.filter(target__in=pks, day__range=(first, until))
        fields = ("target_id", "day", "hours", "day_hours", "is_so_far", "categories", "marks")
        for row in wanted.values_list(*fields):
            self._rows[row[0]].append(row)
        self._covers: dict[tuple[int, int], _Cover] = {}

    def cover(self, target: int, category: int) -> _Cover:
        """The coverage of a target's days in a category."""
        key = (target, category)
        if key not in self._covers:
            self._covers[key] = self._cover(self._rows[target], str(category))
        return self._covers[key]

    def _cover(self, rows: Sequence[tuple[Any, ...]], category: str) -> _Cover:
        size = len(self.days)
        is_read, is_closed, is_whole, with_all = (np.zeros(size, dtype=bool) for _ in range(4))
        hours, share = np.zeros(size), np.zeros(size)
        marks: list[Mapping[str, str]] = [{}] * size
        for _, day, least, length, is_so_far, categories, marked in rows:
            at = (day - self.days[0]).days
            told = categories.get(category, {})
            hours[at] = float(told.get("hours", least))
            share[at] = min(1.0, hours[at] / length)
            is_read[at], is_closed[at] = True, not is_so_far
            is_whole[at] = hours[at] >= Coverage.ENOUGH * length
            with_all[at] = not told.get("without")
            marks[at] = marked
        return _Cover(is_read, is_closed, is_whole, with_all, hours, share, marks)

    def figures(self, target: Target, metric: Metric, names: Sequence[str], horizon: int) -> _Figures:
        """A metric of a target's components, or its change over so many days."""
        cover = self.cover(target.pk, metric.category)
        at = [self.columns[metric.key, name] for name in names]
        raw = self.histories.values[target.pk][:, at]
        was_read = self.histories.was_read[target.pk][:, at]
        over_time = ingredients(get_metric(metric.key.partition(":")[0]))[1] or ":" in metric.key
        known = ~np.isnan(raw) & ~((raw == 0) if metric.is_sparse else np.zeros_like(was_read))
        absent = np.zeros_like(known)
        if metric.is_sparse:
            measured = (cover.hours > 0) | (not over_time)
            absent = ~known & was_read & measured[:, None]
            for day, marked in enumerate(cover.marks):
                if marked:
                    absent[day] &= np.array([str(self.ids[column]) not in marked for column in at])
        sound = cover.is_closed & cover.is_with_all & (cover.is_whole | (not over_time))
        values = np.where(known, raw * metric.shown(1.0), np.nan)
        if horizon:
            values = self._changes(cover, metric, raw, known, absent, horizon)
            known, absent = ~np.isnan(values), np.zeros_like(absent)
        weights = None
        if metric.weight:
            columns = [self.columns[metric.weight, name] for name in names]
            weights = self.histories.values[target.pk][:, columns] * cover.share[:, None]
        return _Figures(values, known, absent, np.repeat(sound[:, None], len(names), axis=1), weights)

    def _changes(
        self, cover: _Cover, metric: Metric, raw: Floats, known: Flags, absent: Flags, horizon: int
    ) -> Floats:
        """The change against the day so far back, or the nearest earlier one that was read; NaN where none can be told."""
        result = np.full(raw.shape, np.nan)
        for day in range(horizon, len(self.days)):
            reach = range(day - horizon, max(-1, day - horizon - HORIZONS[horizon] - 1), -1)
            then = next((one for one in reach if cover.is_read[one]), None)
            if then is None:
                continue
            was = np.where(known[then], raw[then], 0.0)
            now = np.where(known[day], raw[day], 0.0)
            both = (known[day] | absent[day]) & (known[then] | absent[then])
            with np.errstate(all="ignore"):
                grown = (
                    (now - was) * metric.shown(1.0) if metric.is_percent else 100 * (now - was) / np.abs(was)
                )
            from_nothing = np.where(now == 0, 0.0, np.nan)
            change = np.where(was == 0, from_nothing, np.where(known[day], grown, np.nan))
            result[day] = np.where(both, change, np.nan)
        return result


def _verdicts(
    limits: Sequence[Limit], figures: _Figures, seconds: _Figures | None, metric: Metric
) -> tuple[Flags, Flags]:
    """Which days are beyond the limit, and which can be judged, (days, components) each."""
    judged = figures.is_sound & (figures.is_present | figures.is_absent)
    never = [one.form is Form.UNDECIDED or (one.form is Form.NO_CHANGE and one.low is None) for one in limits]
    is_lower = np.array([one.low is not None for one in limits])
    judged &= ~np.array(never) & ~(figures.is_absent & is_lower)
    if figures.weights is not None and limits[0].form is not Form.ELIMINATE:
        judged &= figures.is_absent | ~(figures.weights < metric.enough)
    beyond = _beyond_each(limits, figures.values)
    if seconds is not None:
        judged &= ~beyond | (seconds.is_present & seconds.is_sound)
        beyond = _beyond_each(limits, figures.values, 0.0, seconds.values)
    return beyond & judged, judged


def _beyond_each(
    limits: Sequence[Limit], values: Floats, gap: float = 0.0, second: Floats | None = None
) -> Flags:
    """`Limit.is_beyond` of (days, components), each component under its own limit; at once where they are the same."""
    if len(set(limits)) == 1:
        return _beyond(limits[0], values, gap, second)
    columns = [_beyond(one, values[:, at], gap) for at, one in enumerate(limits)]
    return np.stack(columns, axis=1)


def _beyond(limit: Limit, values: Floats, gap: float = 0.0, second: Floats | None = None) -> Flags:
    """`Limit.is_beyond` of each value; plain comparisons, digit by digit where a value lies at its edge."""
    with np.errstate(invalid="ignore"):
        over = np.zeros(values.shape, dtype=bool)
        near = np.zeros(values.shape, dtype=bool)
        for edge, sign in ((limit.high, 1.0), (limit.low, -1.0)):
            if edge is None:
                continue
            moved = edge - sign * gap * abs(edge)
            over |= sign * (values - moved) > 0
            near |= np.abs(values - moved) <= NEAR * np.maximum(np.abs(values), abs(moved))
    over &= ~np.isnan(values)
    for at in zip(*np.nonzero(near), strict=True):
        over[at] = limit.is_beyond(float(values[at]), gap)
    if limit.second is not None and second is not None:
        over &= np.isnan(second) | _beyond(limit.second.limit, second, gap)
    return over


def _life(
    draft: Threshold,
    judged: Sequence[bool],
    beyond: Sequence[bool],
    recovered: Sequence[bool],
    shown_from: int,
) -> tuple[int, list[int]]:
    """How many violations of one component open on the days that are shown, and which days beyond open none."""
    opened = 0
    avoided: list[int] = []
    seen: list[int] = []
    opened_at: int | None = None
    for day in (day for day, is_judged in enumerate(judged) if is_judged):
        seen.append(day)
        if opened_at is not None:
            last = seen[-draft.closes_after :]
            is_long = len(last) == draft.closes_after and last[0] > opened_at and day - last[0] < DAYS_BACK
            if is_long and all(recovered[one] for one in last):
                opened_at = None
        elif beyond[day]:
            recent = (beyond[one] for one in seen[-draft.opens_within :] if day - one < DAYS_BACK)
            if sum(recent) >= draft.opens_after:
                opened_at = day
                opened += int(day >= shown_from)
            else:
                avoided.append(day)
    return opened, avoided
