"""Violations foreseen: forecasts of every figure under a limit, and what follows from three of them in a row."""

from datetime import date, datetime, timedelta

import numpy as np

from apps.forecasting.ahead import Ahead, look_ahead
from apps.forecasting.breach import Breach
from apps.forecasting.models import Forecast
from apps.forecasting.trend import propose_trend_changes
from apps.forecasting.wanted import FORESEEN, Wanted
from apps.inventory.models import Target
from apps.thresholds.models import Step, Threshold, Violation
from apps.thresholds.resolve import applying
from apps.thresholds.series import components_of

METHOD = "weighted-1"
CLEAR_BELOW = 0.35  # the chance below which a prediction is taken back
IN_A_ROW = 3  # reviews that must agree before a prediction is made or taken back
MARKS = (7, 14, 30, 60, 90)  # days ahead that the ledger keeps


def predict_violations(target: Target, on: date, now: datetime) -> list[Violation]:
    """
    Forecast every figure of a target that is under a limit, keep the forecasts, and return the violations foreseen.

    All figures of a target are forecast in one batch. Predicting a day again changes nothing.
    """
    wanted = wanted_figures(target, on)
    if not wanted:
        return []
    ahead = look_ahead(target, wanted, on)
    made = [_keep(one, ahead, found) for one, found in zip(wanted, ahead.breaches(wanted), strict=True)]
    Forecast.objects.bulk_create(made, ignore_conflicts=True)
    propose_trend_changes(
        target, on, [(key[1], key[2], ahead.plain.jumps[row]) for (key, _), row in ahead.rows.items()]
    )
    return _follow(target, wanted, on, now)


def wanted_figures(target: Target, on: date) -> list[Wanted]:
    """Every figure of a target that is under a limit which can be foreseen, with that limit."""
    thresholds = list(Threshold.objects.touching([target]).filter(form__in=FORESEEN))
    components = components_of(target, {one.metric for one in thresholds}, on)
    return [
        Wanted(found.threshold, component)
        for metric, names in components.items()
        for component in names
        for found in applying(thresholds, target, metric, component)
    ]


def _keep(one: Wanted, ahead: Ahead, found: Breach) -> Forecast:
    on, value = ahead.on, ahead.shown(one, float(ahead.plain.last[ahead.row(one)]))

    def day(ahead: int | None) -> date | None:
        return None if ahead is None else on + timedelta(days=ahead)

    return Forecast(
        target=ahead.target,
        metric=one.threshold.metric,
        component=one.component,
        figure=one.threshold.figure,
        threshold=one.threshold,
        notation=one.threshold.notation,
        unit=one.threshold.unit,
        made_on=on,
        method=METHOD,
        horizon=found.within,
        value=None if np.isnan(value) else value,
        chance=None if found.is_violated else found.chance,
        is_likely=found.is_likely and not found.is_violated,
        likely_on=None if found.is_violated else day(found.day),
        soonest_on=None if found.is_violated else day(found.soonest),
        latest_on=None if found.is_violated else day(found.latest),
        reason=found.reason or "",
        path=_path(one, ahead),
    )


def _path(one: Wanted, ahead: Ahead) -> dict[str, list[float]]:
    forecasts, row = ahead.forecasts, ahead.row(one)
    path = {}
    for day in MARKS:
        parts = (forecasts.mean, forecasts.low80, forecasts.high80)
        bounds = [ahead.shown(one, float(part[row, day - 1]), day) for part in parts]
        if not np.isnan(bounds).any():
            path[str(day)] = bounds
    return path


def _follow(target: Target, wanted: list[Wanted], on: date, now: datetime) -> list[Violation]:
    """Predict what three reviews in a row foresee, take back what three do not; an older day reviewed again says nothing new."""
    recent: dict[tuple[str, str, str], list[Forecast]] = {}
    ledger = Forecast.objects.filter(target=target, made_on__gt=on - timedelta(days=30))
    for forecast in ledger.order_by("-made_on"):
        recent.setdefault((forecast.metric, forecast.component, forecast.figure), []).append(forecast)
    live = {
        (one.metric, one.component, one.figure): one for one in Violation.objects.live().filter(target=target)
    }
    predicted = []
    for one in wanted:
        key = (one.threshold.metric, one.component, one.threshold.figure)
        nights = [made for made in recent.get(key, []) if made.threshold_id == one.threshold.pk][:IN_A_ROW]
        if len(nights) < IN_A_ROW or nights[0].made_on > on:
            continue
        violation = live.get(key)
        if violation is None and all(night.is_likely for night in nights):
            live[key] = _predict(target, one, nights[0], on, now)
            predicted.append(live[key])
        elif violation is not None and violation.is_predicted and _is_clear(nights):
            _avert(violation, on, now)
    return predicted


def _is_clear(nights: list[Forecast]) -> bool:
    return all(night.chance is not None and night.chance < CLEAR_BELOW for night in nights)


def _predict(target: Target, one: Wanted, forecast: Forecast, on: date, now: datetime) -> Violation:
    threshold = one.threshold
    act_by = (forecast.likely_on or on) - timedelta(days=threshold.lead_time_days)
    violation = Violation.objects.create(
        target=target,
        metric=threshold.metric,
        component=one.component,
        figure=threshold.figure,
        threshold=threshold,
        notation=threshold.notation,
        unit=threshold.unit,
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
