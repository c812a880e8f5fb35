"""The forecast of one figure on demand, by the functions that the nightly review calls."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.forecasting.ahead import Ahead, look_ahead
from apps.forecasting.breach import Breach, Direction
from apps.forecasting.changes import Change
from apps.forecasting.clean import LEAST_DAYS
from apps.forecasting.crossing import is_beyond_now
from apps.forecasting.figures import HISTORY
from apps.forecasting.headroom import slack
from apps.forecasting.lines import Line, comparison_lines
from apps.forecasting.methods import HORIZON, LONGEST_HORIZON, Forecasts
from apps.forecasting.wanted import FORESEEN, Side, Wanted, second_side_of, sides_of
from apps.forecasting.words import days_missing, outcome
from apps.inventory.models import Target
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.resolve import applying
from apps.thresholds.series import components_of


class BadQuestion(ValueError):
    """This cannot be forecast; the message says what was given and what is expected."""


@dataclass(frozen=True)
class Answer:
    """What is foreseen of one threshold; days are counted from the last day of the history."""

    threshold: Threshold
    sides: Sequence[Side]
    second: Side | None  # of a limit with two conditions
    series: Sequence[NDArray[np.float64]]  # the figures it goes by, in the stored unit: one, or two
    breach: Breach
    lines: Sequence[Line]
    days_missing: int
    violated_since: date | None
    on: date

    @property
    def is_change(self) -> bool:
        """Whether it is on the change of the figure over some days; then there are no plain lines."""
        return self.threshold.figure != Threshold.FigureOf.VALUE

    @property
    def words(self) -> str:
        """ "no breach within 90 days", "violated since 2026-06-01", "not enough data: 6 more days", "breach in 25 days"."""
        told = outcome(self.breach, self.days_missing)
        return (
            f"{told} since {self.violated_since}" if self.breach.is_violated and self.violated_since else told
        )

    def day(self, ahead: int | None) -> date | None:
        """The day so many days ahead."""
        return None if ahead is None else self.on + timedelta(days=ahead)

    @property
    def likely_on(self) -> date | None:
        return self.day(self.breach.day)

    @property
    def slack(self) -> int | None:
        """Days left without the days that acting takes."""
        return slack(self.breach.day, self.threshold.lead_time_days)

    @property
    def act_by(self) -> date | None:
        return self.day(self.slack)


@dataclass(frozen=True)
class Foreseen:
    """A figure's history and forecast; `values` and `forecasts` are in the stored unit."""

    target: Target
    metric: Metric
    component: str
    on: date
    window: int
    values: NDArray[np.float64]
    ahead: Ahead
    answers: Sequence[Answer]
    planned: Sequence[tuple[date, Change]] = ()  # decided changes that it takes in
    moved: Sequence[date] = ()  # accepted trend changes too young for the history to begin there

    @property
    def forecasts(self) -> Forecasts:
        """Those of the batch, in which row 0 is this figure."""
        return self.ahead.forecasts

    @property
    def limits(self) -> list[Wanted]:
        """The limits of the answers, in their order."""
        return [Wanted(one.threshold, self.component) for one in self.answers]

    @property
    def reason(self) -> str:
        """Why there is no forecast; empty where there is one."""
        missing = LEAST_DAYS - int(self.forecasts.observed[0])
        if missing > 0:
            return f"not enough data: {missing} more {'day' if missing == 1 else 'days'}"
        return self.forecasts.reasons[0] or ""


def foresee(
    target: Target,
    metric: Metric,
    component: str,
    on: date,
    *,
    horizon: int = HORIZON,
    window: int = HISTORY,
) -> Foreseen:
    """
    Forecast one figure of a target from its last `window` days up to `on`, against every threshold that applies.

    A window longer than the history is the history. Raises BadQuestion.
    """
    if not 1 <= horizon <= LONGEST_HORIZON:
        raise BadQuestion(f"Horizon: given {horizon}, expected 1 to {LONGEST_HORIZON} days.")
    if not LEAST_DAYS <= window <= HISTORY:
        raise BadQuestion(f"Training window: given {window}, expected {LEAST_DAYS} to {HISTORY} days.")
    check_component(target, metric, component, on)
    key = (metric.category, metric.key, component)
    limits = [
        Wanted(one.threshold, component)
        for one in applying(Threshold.objects.touching([target]), target, metric.key, component)
        if one.threshold.form in FORESEEN
    ]
    limits.sort(key=lambda one: one.is_change)
    leave_out = bool(limits) and all(one.threshold.leaves_out_peaks for one in limits)
    ahead = look_ahead(target, limits, on, horizon=horizon, window=window, also=[(key, leave_out)])
    told = ahead.breaches(limits)
    violations = Violation.objects.open().filter(target=target, metric=metric.key, component=component)
    opened_on = {one.threshold_id: one.opened_on for one in violations}
    answers = []
    for limit, one in zip(limits, told, strict=True):
        threshold = limit.threshold
        opened = opened_on.get(threshold.pk)
        rows = [ahead.rows[ahead.series(limit, each)] for each in limit.keys]
        series = [ahead.values[row] for row in rows]
        asked = [] if limit.is_change else conditions_of(threshold)
        answers.append(
            Answer(
                threshold=threshold,
                sides=sides_of(threshold),
                second=second_side_of(threshold),
                series=series,
                breach=one,
                lines=_lines(series, on, asked) if asked else [],
                days_missing=max(days_missing(ahead.plain, row) for row in rows),
                violated_since=opened or (beyond_since(series, on, asked) if asked else None),
                on=on,
            )
        )
    taken_in = [
        (on + timedelta(days=day), change) for day, change in ahead.decided.get(key, ()) if day <= horizon
    ]
    moved = [on - timedelta(days=ago) for ago in ahead.moved[0]]
    return Foreseen(target, metric, component, on, window, ahead.values[0], ahead, answers, taken_in, moved)


def check_component(target: Target, metric: Metric, component: str, on: date) -> None:
    """Refuse a component that a target has not, with the names of those it has."""
    names = components_of(target, [metric.key], on).get(metric.key, [])
    if component in names:
        return
    if not names:
        raise BadQuestion(f"{target.name} has no figures of {metric.key} in the days before {on}.")
    some = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
    if not metric.component_kind:
        raise BadQuestion(f"{metric.key} has no components; leave “{component}” out.")
    if not component:
        raise BadQuestion(f"{metric.key} is told by {metric.component_kind}: name one of {some}.")
    raise BadQuestion(f"{target.name} has no {metric.component_kind} “{component}”; it has {some}.")


Edge = tuple[float, Direction]  # in the stored unit


def conditions_of(threshold: Threshold) -> list[list[Edge]]:
    """Of each condition, all of which must be broken, the edges, of which one must be; in the stored unit."""
    about = threshold.about
    found = [[(about.stored(side.limit), side.direction) for side in sides_of(threshold)]]
    second = second_side_of(threshold)
    if second is not None:
        metric = get_metric(threshold.second_metric)
        found.append([(metric.stored(second.limit), second.direction)])
    return found


def _lines(
    series: Sequence[NDArray[np.float64]], on: date, conditions: Sequence[Sequence[Edge]]
) -> list[Line]:
    """The comparison lines; of a range each with the edge that it leads to, of two conditions with the later day."""
    sets = [
        [comparison_lines(values, on, limit, direction) for limit, direction in edges]
        for values, edges in zip(series, conditions, strict=True)
    ]
    first = [
        next((line for line in same if line.on is not None), same[0]) for same in zip(*sets[0], strict=True)
    ]
    if len(sets) == 1:
        return first
    other = sets[1][0]
    is_beyond = [_is_beyond(values, edges) for values, edges in zip(series, conditions, strict=True)]
    return [
        later(*pair, is_beyond)
        for pair in zip(first, other or [replace(one, on=None) for one in first], strict=True)
    ]


def later(one: Line, other: Line, is_beyond: Sequence[bool]) -> Line:
    """The first line with the day on which both have crossed; what is beyond its limit already waits for the other."""
    if is_beyond[0] != is_beyond[1]:
        last = other if is_beyond[0] else one
    elif one.on is None or other.on is None:
        return replace(one, on=None, days=None)
    else:
        last = max(one, other, key=lambda line: line.on or date.max)
    return replace(one, on=last.on, days=last.days)


def _is_beyond(values: NDArray[np.float64], edges: Sequence[Edge]) -> bool:
    known = values[np.isfinite(values)]
    return len(known) > 0 and any(is_beyond_now(float(known[-1]), limit, side) for limit, side in edges)


def beyond_since(
    series: Sequence[NDArray[np.float64]], on: date, conditions: Sequence[Sequence[Edge]]
) -> date | None:
    """The first of the measured days in a row, up to the last, that are beyond the limit; None when the last is not."""
    since = None
    for back in range(len(series[0])):
        today = [float(values[-1 - back]) for values in series]
        if any(np.isnan(today)):
            continue
        if not all(
            any(is_beyond_now(value, limit, side) for limit, side in edges)
            for value, edges in zip(today, conditions, strict=True)
        ):
            break
        since = on - timedelta(days=back)
    return since
