"""Violations predicted: forecasts of every figure under a limit, and what follows from three of them in a row."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

import numpy as np

from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.chance import IN_A_ROW, Prediction
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.ledger import is_night_of_promises, keep_promises, settle_due_promises
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import LimitedFigure, limited_figures
from apps.forecasting.models import Forecast
from apps.forecasting.target_forecast import TargetForecast, forecast_target
from apps.forecasting.trend_changes import propose_trend_changes
from apps.inventory.models import Target
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.models import Step, Violation

METHOD = "weighted-3"
CLEAR_BELOW = 0.35  # the chance below which a prediction is taken back
MARKS = (7, 14, 30, 60, 90)  # days ahead that the ledger keeps


def predict_violations(
    target: Target, on: date, now: datetime, reader: LimitReader | None = None
) -> list[Violation]:
    """
    Forecast every figure of a target that is under a limit, keep the forecasts, and return the violations predicted.

    All figures of a target are forecast in one batch, of days that a `reader` gives. Predicting a day again changes nothing.
    """
    reader = reader or LimitReader(target, on, HISTORY, HORIZON)
    figures = limited_figures(reader)
    if not figures:
        return []
    batch = forecast_target(target, figures, on, reader=reader)
    predictions = dict(zip(figures, predict_limits(batch, figures), strict=True))
    Forecast.objects.bulk_create(
        [_entry(batch, *pair) for pair in predictions.items()], ignore_conflicts=True
    )
    shifts = [(key[1], key[2], batch.plain.level_shifts[row]) for (key, _), row in batch.rows.items()]
    propose_trend_changes(target, on, shifts)
    predicted = _follow(target, figures, on, now)
    settle_due_promises(batch, figures)
    if target.reviewed_through is None or on >= target.reviewed_through:
        _keep_promises(batch, predictions, predicted)
    return predicted


def _keep_promises(
    batch: TargetForecast, predictions: Mapping[LimitedFigure, Prediction], predicted: list[Violation]
) -> None:
    """Keep what people are told: all of it on the night that ends a week, else what a notice is sent of."""
    limits = {(violation.threshold_id, violation.component) for violation in predicted}
    notices = {figure for figure in predictions if (figure.threshold.pk, figure.component) in limits}
    if is_night_of_promises(batch.on):
        keep_promises(batch, predictions, notices)
    elif notices:
        keep_promises(batch, {figure: predictions[figure] for figure in notices}, notices)


def _entry(batch: TargetForecast, figure: LimitedFigure, prediction: Prediction) -> Forecast:
    """What the ledger keeps of a prediction."""
    value = batch.to_limit_unit(figure, float(batch.plain.last[batch.row(figure)]))

    def day(ahead: int | None) -> date | None:
        return None if ahead is None or prediction.is_violated else batch.on + timedelta(days=ahead)

    return Forecast(
        target=batch.target,
        **figure.fields,
        made_on=batch.on,
        method=METHOD,
        horizon=prediction.within,
        value=None if np.isnan(value) else value,
        chance=None if prediction.is_violated else prediction.chance,
        least_chance=prediction.least_chance,
        is_likely=prediction.is_likely and not prediction.is_violated,
        likely_on=day(prediction.day),
        soonest_on=day(prediction.soonest),
        latest_on=day(prediction.latest),
        reason=prediction.reason or "",
        path=_path(batch, figure),
    )


def _path(batch: TargetForecast, figure: LimitedFigure) -> dict[str, list[float]]:
    forecasts, row = batch.forecasts, batch.row(figure)
    path = {}
    for day in MARKS:
        parts = (forecasts.mean, forecasts.low80, forecasts.high80)
        bounds = [batch.to_limit_unit(figure, float(part[row, day - 1]), day) for part in parts]
        if not np.isnan(bounds).any():
            path[str(day)] = bounds
    return path


def _follow(target: Target, figures: list[LimitedFigure], on: date, now: datetime) -> list[Violation]:
    """Predict what three reviews in a row foresee, take back what three do not; an older day reviewed again says nothing new."""
    recent: dict[tuple[str, str, str], list[Forecast]] = {}
    ledger = Forecast.objects.filter(target=target, made_on__gt=on - timedelta(days=30))
    for forecast in ledger.order_by("-made_on").defer("path"):
        recent.setdefault((forecast.metric, forecast.component, forecast.figure), []).append(forecast)
    live = {
        (violation.metric, violation.component, violation.figure): violation
        for violation in Violation.objects.live().filter(target=target)
    }
    predicted = []
    for figure in figures:
        threshold = figure.threshold
        key = (threshold.metric, figure.component, threshold.figure)
        nights = [night for night in recent.get(key, []) if night.threshold_id == threshold.pk][:IN_A_ROW]
        if len(nights) < IN_A_ROW or nights[0].made_on > on:
            continue
        violation = live.get(key)
        if violation is None and all(night.is_likely for night in nights):
            live[key] = _predict(target, figure, nights[0], on, now)
            predicted.append(live[key])
        elif violation is not None and violation.is_predicted and _is_clear(nights):
            _avert(violation, on, now)
    return predicted


def _is_clear(nights: list[Forecast]) -> bool:
    return all(night.chance is not None and night.chance < CLEAR_BELOW for night in nights)


def _predict(target: Target, figure: LimitedFigure, forecast: Forecast, on: date, now: datetime) -> Violation:
    threshold = figure.threshold
    act_by = (forecast.likely_on or on) - timedelta(days=threshold.lead_time_days)
    violation = Violation.objects.create(
        target=target,
        **figure.fields,
        severity=threshold.severity,
        state=Violation.State.PREDICTED,
        owner=threshold.owner,
        due_on=max(act_by, on),
        predicted_on=on,
        reviewed_on=on,
        value=forecast.value,
    )
    facts = {
        "kind": "predicted",
        "chance": forecast.chance or 0,
        "horizon": forecast.horizon,
        "likely_on": forecast.likely_on.isoformat() if forecast.likely_on else None,
        "notation": threshold.notation,
        "is_both": bool(threshold.second_metric),
    }
    Step.objects.create(violation=violation, at=now, on=on, after=violation.state, facts=facts)
    return violation


def _avert(violation: Violation, on: date, now: datetime) -> None:
    before, violation.state = violation.state, Violation.State.AVERTED
    violation.closed_on, violation.reviewed_on = on, on
    violation.closed_because = (
        f"The chance was below {100 * CLEAR_BELOW:.0f} % on {IN_A_ROW} reviews in a row."
    )
    violation.save()
    Step.objects.create(
        violation=violation, at=now, on=on, before=before, after=violation.state, why=violation.closed_because
    )
