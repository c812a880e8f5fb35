"""The forecast of one figure on demand, by the functions that the nightly review calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.forecasting.breach import Breach, is_beyond_now
from apps.forecasting.changes import Change, with_changes
from apps.forecasting.clean import LEAST_DAYS
from apps.forecasting.figures import HISTORY, cap_of, daily_figures
from apps.forecasting.limits import FORESEEN, Side, breaches, sides_of
from apps.forecasting.lines import Line, comparison_lines
from apps.forecasting.methods import HORIZON, LONGEST_HORIZON, Forecasts, forecast_batch
from apps.forecasting.planned import decided_changes, planned_for
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
    breach: Breach
    lines: Sequence[Line]
    days_missing: int
    violated_since: date | None
    on: date

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
        return None if self.breach.day is None else self.breach.day - self.threshold.lead_time_days

    @property
    def act_by(self) -> date | None:
        return self.day(self.slack)


@dataclass(frozen=True)
class Foreseen:
    """A figure's history and forecast; `values` and the one row of `forecasts` are in the stored unit."""

    target: Target
    metric: Metric
    component: str
    on: date
    window: int
    values: NDArray[np.float64]
    forecasts: Forecasts
    answers: Sequence[Answer]
    planned: Sequence[tuple[date, Change]] = ()  # decided changes that it takes in

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
    values = daily_figures([target], [(metric.category, metric.key, component)], on, window)[target.pk][:, 0]
    plain = forecast_batch([values], horizon=horizon, caps=[cap_of(metric.key, values)])
    decided = decided_changes([target])
    planned = planned_for(target, [(metric.category, metric.key, component)], on, decided)
    forecasts = with_changes(plain, planned)
    limits = [
        one.threshold
        for one in applying(Threshold.objects.touching([target]), target, metric.key, component)
        if one.threshold.form in FORESEEN
        and one.threshold.figure == Threshold.FigureOf.VALUE
        and not one.threshold.second_metric
    ]
    told = breaches(forecasts, [(threshold, 0) for threshold in limits])
    violation = (
        Violation.objects.open()
        .filter(target=target, metric=metric.key, component=component, figure=Threshold.FigureOf.VALUE)
        .first()
    )
    answers = []
    for threshold, one in zip(limits, told, strict=True):
        sides = sides_of(threshold)
        opened = violation.opened_on if violation and violation.threshold_id == threshold.pk else None
        answers.append(
            Answer(
                threshold=threshold,
                sides=sides,
                breach=one,
                lines=_lines(values, on, metric, sides),
                days_missing=days_missing(forecasts, 0),
                violated_since=opened or beyond_since(values, on, metric, sides),
                on=on,
            )
        )
    taken_in = [(on + timedelta(days=day), change) for day, change in planned.get(0, ()) if day <= horizon]
    return Foreseen(target, metric, component, on, window, values, forecasts, answers, taken_in)


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


def _lines(values: NDArray[np.float64], on: date, metric: Metric, sides: Sequence[Side]) -> list[Line]:
    """The comparison lines; of a range each with the edge that it leads to."""
    sets = [comparison_lines(values, on, metric.stored(side.limit), side.direction) for side in sides]
    return [next((line for line in same if line.on is not None), same[0]) for same in zip(*sets, strict=True)]


def beyond_since(values: NDArray[np.float64], on: date, metric: Metric, sides: Sequence[Side]) -> date | None:
    """The first of the measured days in a row, up to the last, that are beyond the limit; None when the last is not."""
    since = None
    for back, value in enumerate(values[::-1]):
        if np.isnan(value):
            continue
        if not any(is_beyond_now(float(value), metric.stored(side.limit), side.direction) for side in sides):
            break
        since = on - timedelta(days=back)
    return since
