"""Why a forecast changed: the night of today computed again with parts of an earlier night in place of its own, one after another."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum

import numpy as np

from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import FORECAST_FORMS, LimitedFigure
from apps.forecasting.models import Forecast, PlannedChange, TrendChange
from apps.forecasting.planned_effects import decided_changes, find_effects
from apps.forecasting.target_forecast import TargetForecast, forecast_target
from apps.inventory.models import Target
from apps.thresholds.engine.notation import BadNotation, parse_notation
from apps.thresholds.models import Threshold

A_WEEK, FURTHEST = 7, 60  # days between the nights: at least where nobody chose one, and at most
LEAST_CHANCE = 0.1  # by which the chance must have moved too where a day appears or vanishes
WEEK = 7  # days ahead from which the level of two lines is compared


class ChangePart(StrEnum):
    """What can move a forecast, in the order in which it is exchanged."""

    METHOD = "method"
    LEVEL = "level"  # the new days: where the figure stands now
    GROWTH = "growth"  # the new days: how it goes on from there
    SHIFT = "shift"  # trend changes that people accepted
    LIMIT = "limit"
    DECIDED = "decided"  # planned changes that were decided


@dataclass(frozen=True)
class Stage:
    """What is forecast once a part is that of today; `day` is the likely one, None where the chance is under a half."""

    part: ChangePart
    day: date | None
    chance: float | None


@dataclass(frozen=True)
class ForecastChange:
    """
    An earlier night's forecast, and what each part made of it; the last stage is the forecast of `on`.

    `level` is how far the figure stands above what was expected of `on`, `growth` the expected growth a day before and
    now, all in the unit of the profile.
    """

    before: Forecast
    on: date
    notation: str  # of the limit now
    stages: Sequence[Stage]
    level: float
    growth: tuple[float, float]
    accepted: Sequence[date]  # trend changes accepted since
    decided: Sequence[PlannedChange]  # decided since

    @property
    def after(self) -> Stage:
        return self.stages[-1]

    @property
    def days(self) -> int | None:
        """By how many days the likely day moved, less than none where it came nearer; None where a night has none."""
        then, now = self.before.likely_on, self.after.day
        return None if then is None or now is None else (now - then).days

    def days_of(self, place: int) -> int | None:
        """By how many days one part moved the likely day."""
        then, now = self.day_before(place), self.stages[place].day
        return None if then is None or now is None else (now - then).days

    def chance_of(self, place: int) -> float | None:
        """By how much one part moved the chance."""
        then = self.stages[place - 1].chance if place else self.before.chance
        now = self.stages[place].chance
        return None if then is None or now is None else now - then

    def day_before(self, place: int) -> date | None:
        return self.stages[place - 1].day if place else self.before.likely_on


def find_earlier_forecast(
    threshold: Threshold, target: Target, component: str, on: date, made_on: date | None = None
) -> Forecast | None:
    """
    The forecast of a figure under a limit that was kept of a night, else the newest that is a week old or older.

    Only where it has a chance: of what was over its limit no day was foreseen.
    """
    nights = Forecast.objects.filter(
        target=target,
        metric=threshold.metric,
        component=component,
        threshold=threshold,
        made_on__gte=on - timedelta(days=FURTHEST),
    ).exclude(chance=None)
    if made_on is not None:
        return nights.filter(made_on=made_on, made_on__lt=on).first()
    return nights.filter(made_on__lte=on - timedelta(days=A_WEEK)).order_by("-made_on").first()


def has_moved(before: Forecast, likely_on: date | None, chance: float, lead: int) -> bool:
    """Whether the likely day moved by more than the days needed to act, or appeared or vanished with a chance that moved too."""
    if before.chance is None:
        return False
    if before.likely_on is None or likely_on is None:
        is_other = (before.likely_on is None) != (likely_on is None)
        return is_other and abs(chance - before.chance) >= LEAST_CHANCE
    return abs((likely_on - before.likely_on).days) > lead


def explain_change(
    before: Forecast, figure: LimitedFigure, target: Target, on: date
) -> ForecastChange | None:
    """
    What moved a forecast between two nights; None where one of them cannot be computed again.

    From the earlier night on one part after another is exchanged for that of today: the method, the days up to today, by
    where the figure stands and then by its growth, trend changes, limit, decided changes. What each moves is the
    difference that it makes, so that they add up.
    """
    old_limit = _with_notation(figure, before.notation)
    if old_limit is None or figure.is_change:
        return None
    until = datetime.combine(
        before.made_on + timedelta(days=2), time(0), target.zone
    )  # the review of that day is over
    then = forecast_target(target, [old_limit], before.made_on, accepted_until=until)
    now = forecast_target(target, [figure], on)
    accepted = _accepted_since(target, figure, on, until)
    unaccepted = forecast_target(target, [old_limit], on, accepted_until=until) if accepted else now
    if any(night.plain.reasons[0] for night in (then, unaccepted, now)):
        return None
    changes = decided_changes([target])
    decided_then = [
        change for change in changes if change.decided_at is not None and change.decided_at <= until
    ]
    ahead = (on - before.made_on).days
    stood, offset = _with_growth_of(then.plain, unaccepted.plain, ahead)
    runs = (
        (ChangePart.METHOD, then, old_limit, then.plain, decided_then),
        (ChangePart.LEVEL, unaccepted, old_limit, stood, decided_then),
        (ChangePart.GROWTH, unaccepted, old_limit, unaccepted.plain, decided_then),
        (ChangePart.SHIFT, now, old_limit, now.plain, decided_then),
        (ChangePart.LIMIT, now, figure, now.plain, decided_then),
        (ChangePart.DECIDED, now, figure, now.plain, changes),
    )
    stages = [_stage(part, night, limit, plain, planned) for part, night, limit, plain, planned in runs]
    convert = figure.threshold.about.to_display_unit
    return ForecastChange(
        before=before,
        on=on,
        notation=figure.threshold.notation,
        stages=stages,
        level=convert(offset) - convert(0.0),
        growth=(_growth_of(then.plain, figure), _growth_of(now.plain, figure)),
        accepted=accepted,
        decided=[
            change
            for change in changes
            if change not in decided_then
            and (_is_about(change, figure) or _is_driven_by(now, figure, change))
        ],
    )


def _stage(
    part: ChangePart,
    night: TargetForecast,
    figure: LimitedFigure,
    plain: Forecasts,
    planned: Sequence[PlannedChange],
) -> Stage:
    effects = find_effects(night.target, [key for key, _ in night.rows], night.on, planned, night.driven)
    forecasts = replace(night, plain=plain).with_effects(effects) if effects else plain
    (prediction,) = predict_limits(night, [figure], forecasts)
    day = (
        None
        if prediction.day is None or prediction.is_violated
        else night.on + timedelta(days=prediction.day)
    )
    return Stage(part, day, None if prediction.is_violated else prediction.chance)


def _with_growth_of(then: Forecasts, now: Forecasts, ahead: int) -> tuple[Forecasts, float]:
    """The forecasts of today with the growth that was expected on the earlier night, and how far the level moved from what was."""
    mean = then.mean
    length = mean.shape[1] - ahead
    slope = (mean[:, -1:] - mean[:, -min(30, mean.shape[1]) :][:, :1]) / (min(30, mean.shape[1]) - 1)
    beyond = mean[:, -1:] + slope * np.arange(1, ahead + 1)
    expected = np.concatenate([mean[:, ahead:], beyond], axis=1)
    days = min(WEEK, length)
    offset = now.mean[:, :days].mean(axis=1) - expected[:, :days].mean(axis=1)
    stood = np.clip(expected + offset[:, None], now.floor[:, None], now.cap[:, None])
    return replace(now, mean=stood), float(offset[0])


def _growth_of(forecasts: Forecasts, figure: LimitedFigure) -> float:
    """The expected growth a day, in the unit of the profile."""
    convert = figure.threshold.about.to_display_unit
    mean = forecasts.mean[0]
    return (convert(float(mean[-1])) - convert(float(mean[0]))) / (len(mean) - 1)


def _with_notation(figure: LimitedFigure, notation: str) -> LimitedFigure | None:
    """The same figure under its limit as it was typed once; None where that cannot be read any more."""
    threshold = figure.threshold
    if notation == threshold.notation:
        return figure
    try:
        limit, *others = parse_notation(notation, threshold.unit)
    except BadNotation:
        return None
    if others or limit.form not in FORECAST_FORMS or threshold.second_metric:
        return None
    old = copy(threshold)
    old.notation, old.form, old.low, old.high = notation, limit.form, limit.low, limit.high
    return LimitedFigure(old, figure.component)


def _accepted_since(target: Target, figure: LimitedFigure, on: date, until: datetime) -> list[date]:
    _, metric, component = figure.key
    accepted = TrendChange.objects.filter(
        target=target, metric=metric, component=component, state=TrendChange.State.ACCEPTED, on__lte=on
    )
    return list(accepted.filter(decided_at__gt=until).values_list("on", flat=True))


def _is_driven_by(night: TargetForecast, figure: LimitedFigure, change: PlannedChange) -> bool:
    """Whether a planned change is of the driver that a figure goes by."""
    choice = night.driven.choice(figure.key)
    return choice is not None and night.driven.drivers[choice.driver].pk == change.driver_id


def _is_about(change: PlannedChange, figure: LimitedFigure) -> bool:
    """Whether a planned change moves a figure itself."""
    return figure.threshold.metric in change.metrics and change.covers(figure.component)
