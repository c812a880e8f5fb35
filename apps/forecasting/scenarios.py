"""Scenarios side by side: every limited figure that they move, with the day of its crossing in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.forecasting.daily_figures import HISTORY, Key
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.effects import Effect
from apps.forecasting.engine.forecasts import LONGEST_HORIZON, Forecasts
from apps.forecasting.engine.headroom import slack
from apps.forecasting.figure_forecast import FigureForecast
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import LimitedFigure, limited_figures
from apps.forecasting.models import PlannedChange, Scenario
from apps.forecasting.planned_effects import decided_changes, find_effects
from apps.forecasting.target_forecast import Effects, TargetForecast, forecast_target
from apps.inventory.models import Target
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.models import Threshold


@dataclass(frozen=True)
class MovedFigure:
    """One figure under one limit: what is predicted without the scenarios, and with each."""

    target: Target
    threshold: Threshold
    component: str
    on: date
    value: float | None  # in the unit the profile shows
    baseline: Prediction
    outcomes: Sequence[Prediction]

    def likely_on(self, prediction: Prediction) -> date | None:
        return None if prediction.day is None else self.on + timedelta(days=prediction.day)

    def slack(self, prediction: Prediction) -> int | None:
        return slack(prediction.day, self.threshold.lead_time_days)


@dataclass(frozen=True)
class ScenarioForecast:
    """The forecast of one figure in a scenario: row 0 of the forecasts, and each of its limits."""

    scenario: Scenario
    forecasts: Forecasts
    predictions: Sequence[Prediction]


def compare_scenarios(
    scenarios: Sequence[Scenario], targets: Sequence[Target], today: date
) -> list[MovedFigure]:
    """
    Every limited figure that any of the scenarios moves within 180 days, the soonest crossing first.

    The baseline has what was decided in it, as the nightly forecast has; a scenario has its own changes on top.
    """
    planned = [list(scenario.changes.select_related("target", "group", "driver")) for scenario in scenarios]
    moved: list[MovedFigure] = []
    for target in targets:
        if any(change.reaches(target) for changes in planned for change in changes):
            moved += _moved_figures(target, planned, target.reviewed_through or today - timedelta(days=1))
    far = LONGEST_HORIZON + 1
    return sorted(
        moved,
        key=lambda figure: (
            min(prediction.day or far for prediction in (figure.baseline, *figure.outcomes)),
            figure.target.name,
            figure.component,
        ),
    )


def forecast_scenarios(forecast: FigureForecast) -> list[ScenarioForecast]:
    """
    The forecasts of a figure in the scenarios that move it, or what a limit of it asks for besides, by their names.

    Each has its own changes on top of what is decided.
    """
    batch, target = forecast.batch, forecast.target
    figures = [limit.figure for limit in forecast.limits]
    keys = list(dict.fromkeys(key for key, _ in batch.rows))
    decided = decided_changes([target])
    scenarios = Scenario.objects.filter(changes__decided_at=None, changes__on__gt=forecast.on).distinct()
    made = []
    for scenario in scenarios.prefetch_related("changes__target", "changes__group", "changes__driver"):
        own = [
            change
            for change in scenario.changes.all()
            if change.decided_at is None and change.reaches(target)
        ]
        effects = (
            find_effects(target, keys, forecast.on, [*decided, *own], batch.driven) if own else batch.effects
        )
        if any(_within(effects, key, batch) != _within(batch.effects, key, batch) for key in keys):
            forecasts = batch.with_effects(effects)
            made.append(ScenarioForecast(scenario, forecasts, predict_limits(batch, figures, forecasts)))
    return made


def compare_limits(forecast: FigureForecast, scenarios: Sequence[ScenarioForecast]) -> list[MovedFigure]:
    """Each limit of a figure: what is predicted without the scenarios, and with each."""
    return [
        _moved_figure(
            forecast.batch, limit.figure, limit.prediction, [each.predictions[number] for each in scenarios]
        )
        for number, limit in enumerate(forecast.limits)
    ]


def _within(effects: Effects, key: Key, batch: TargetForecast) -> list[tuple[int, Effect]]:
    """The effects on a figure that come within the horizon."""
    return [(day, effect) for day, effect in effects.get(key, ()) if day <= batch.plain.horizon]


def _moved_figures(target: Target, planned: Sequence[Sequence[PlannedChange]], on: date) -> list[MovedFigure]:
    reader = LimitReader(target, on, HISTORY, LONGEST_HORIZON)
    figures = limited_figures(reader)
    keys = list(dict.fromkeys(key for figure in figures for key in figure.keys))
    decided = decided_changes([target])
    is_decided = {change.pk for change in decided}
    own = [[change for change in changes if change.pk not in is_decided] for changes in planned]
    changes_of = [decided, *([*decided, *changes] for changes in own)]
    has_driver = any(change.driver_id for changes in own for change in changes)  # moves what follows it
    effects = [find_effects(target, keys, on, changes) for changes in changes_of]
    limits = figures if has_driver else _moved_by(effects, figures)
    if not limits:
        return []
    batch = forecast_target(target, limits, on, horizon=LONGEST_HORIZON, reader=reader)
    effects = [find_effects(target, keys, on, changes, batch.driven) for changes in changes_of]
    baseline, *outcomes = (predict_limits(batch, limits, batch.with_effects(each)) for each in effects)
    moved = _moved_by(effects, limits)
    return [
        _moved_figure(batch, figure, baseline[number], [each[number] for each in outcomes])
        for number, figure in enumerate(limits)
        if figure in moved
    ]


def _moved_by(effects: Sequence[Effects], figures: Sequence[LimitedFigure]) -> list[LimitedFigure]:
    """The figures on which changes have other effects than the first of them, those that are decided."""
    base, *sets = effects
    moved = {key for each in sets for key, pairs in each.items() if pairs != base.get(key)}
    return [figure for figure in figures if moved.intersection(figure.keys)]


def _moved_figure(
    batch: TargetForecast, figure: LimitedFigure, baseline: Prediction, outcomes: Sequence[Prediction]
) -> MovedFigure:
    value = batch.to_limit_unit(figure, float(batch.plain.last[batch.row(figure)]))
    return MovedFigure(
        target=batch.target,
        threshold=figure.threshold,
        component=figure.component,
        on=batch.on,
        value=None if value != value else value,
        baseline=baseline,
        outcomes=outcomes,
    )
