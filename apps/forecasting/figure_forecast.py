"""The forecast of one figure on demand, by the functions that the nightly review calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.catalog.metric import Metric
from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.effects import Effect
from apps.forecasting.engine.forecasts import HORIZON, LONGEST_HORIZON, Forecasts
from apps.forecasting.engine.headroom import slack
from apps.forecasting.engine.lines import ComparisonLine, days_beyond, lines_to_limit
from apps.forecasting.engine.series import LEAST_DAYS, Floats
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import FORECAST_FORMS, LimitedFigure
from apps.forecasting.models import KindRecord
from apps.forecasting.target_forecast import TargetForecast, forecast_target
from apps.forecasting.text import days_missing, outcome
from apps.inventory.models import Target
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.precedence import find_applicable
from apps.thresholds.series import components_of


class BadQuestion(ValueError):
    """This cannot be forecast; the message says what was given and what is expected."""


@dataclass(frozen=True)
class LimitForecast:
    """The forecast of a figure against one limit; days are counted from the last day of the history."""

    figure: LimitedFigure
    series: Sequence[Floats]  # the figures it goes by, in the stored unit: one, or two
    prediction: Prediction
    lines: Sequence[ComparisonLine]  # none of a limit on a change
    days_missing: int
    violated_since: date | None
    on: date

    @property
    def threshold(self) -> Threshold:
        return self.figure.threshold

    @property
    def words(self) -> str:
        """ "no breach within 90 days", "violated since 2026-06-01", "not enough data: 6 more days", "breach in 25 days"."""
        words = outcome(self.prediction, self.days_missing)
        has_since = self.prediction.is_violated and self.violated_since
        return f"{words} since {self.violated_since}" if has_since else words

    def day(self, ahead: int | None) -> date | None:
        """The day so many days ahead."""
        return None if ahead is None else self.on + timedelta(days=ahead)

    @property
    def likely_on(self) -> date | None:
        return self.day(self.prediction.day)

    @property
    def slack(self) -> int | None:
        """Days left without the days that acting takes."""
        return slack(self.prediction.day, self.threshold.lead_time_days)

    @property
    def act_by(self) -> date | None:
        return self.day(self.slack)


@dataclass(frozen=True)
class FigureForecast:
    """A figure's history and forecast; `values` and `forecasts` are in the stored unit."""

    target: Target
    metric: Metric
    component: str
    on: date
    window: int
    batch: TargetForecast  # row 0 is this figure
    limits: Sequence[LimitForecast]

    @property
    def values(self) -> Floats:
        return self.batch.values[0]

    @property
    def forecasts(self) -> Forecasts:
        """Those of the batch, in which row 0 is this figure."""
        return self.batch.forecasts

    @property
    def record(self) -> KindRecord | None:
        """What promises of its kind of figure came to."""
        return self.batch.records[0]

    @property
    def planned(self) -> list[tuple[date, Effect]]:
        """The effects of decided changes that it takes in."""
        key = (self.metric.category, self.metric.key, self.component)
        pairs = self.batch.effects.get(key, ())
        horizon = self.forecasts.horizon
        return [(self.on + timedelta(days=day), effect) for day, effect in pairs if day <= horizon]

    @property
    def shifted_on(self) -> list[date]:
        """Accepted trend changes too young for the history to begin there."""
        return [self.on - timedelta(days=ago) for ago in self.batch.shift_days[0]]

    @property
    def reason(self) -> str:
        """Why there is no forecast; empty where there is one."""
        missing = LEAST_DAYS - int(self.forecasts.observed[0])
        if missing > 0:
            return f"not enough data: {missing} more {'day' if missing == 1 else 'days'}"
        return self.forecasts.reasons[0] or ""


def forecast_figure(
    target: Target,
    metric: Metric,
    component: str,
    on: date,
    *,
    horizon: int = HORIZON,
    window: int = HISTORY,
) -> FigureForecast:
    """
    Forecast one figure of a target from its last `window` days up to `on`, against every threshold that applies.

    A window longer than the history is the history. Raises BadQuestion.
    """
    if not 1 <= horizon <= LONGEST_HORIZON:
        raise BadQuestion(f"Horizon: given {horizon}, expected 1 to {LONGEST_HORIZON} days.")
    if not LEAST_DAYS <= window <= HISTORY:
        raise BadQuestion(f"Training window: given {window}, expected {LEAST_DAYS} to {HISTORY} days.")
    check_component(target, metric, component, on)
    figures = [
        LimitedFigure(applied.threshold, component)
        for applied in find_applicable(Threshold.objects.touching([target]), target, metric.key, component)
        if applied.threshold.form in FORECAST_FORMS
    ]
    figures.sort(key=lambda figure: figure.is_change)
    leave_out = bool(figures) and all(figure.threshold.leaves_out_peaks for figure in figures)
    key = (metric.category, metric.key, component)
    batch = forecast_target(target, figures, on, horizon=horizon, window=window, also=[(key, leave_out)])
    violations = Violation.objects.open().filter(target=target, metric=metric.key, component=component)
    opened_on = {violation.threshold_id: violation.opened_on for violation in violations}
    limits = [
        _limit_forecast(batch, figure, prediction, opened_on.get(figure.threshold.pk))
        for figure, prediction in zip(figures, predict_limits(batch, figures), strict=True)
    ]
    return FigureForecast(target, metric, component, on, window, batch, limits)


def _limit_forecast(
    batch: TargetForecast, figure: LimitedFigure, prediction: Prediction, opened_on: date | None
) -> LimitForecast:
    rows = [batch.row(figure, key) for key in figure.keys]
    series = [batch.values[row] for row in rows]
    lines: list[ComparisonLine] = []
    if not figure.is_change:
        lines = lines_to_limit(series, batch.on, figure.conditions)
        ago = days_beyond(series, figure.conditions)
        opened_on = opened_on or (None if ago is None else batch.on - timedelta(days=ago))
    return LimitForecast(
        figure=figure,
        series=series,
        prediction=prediction,
        lines=lines,
        days_missing=max(days_missing(batch.plain, row) for row in rows),
        violated_since=opened_on,
        on=batch.on,
    )


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
        raise BadQuestion(f"{metric.key} is measured by {metric.component_kind}: name one of {some}.")
    raise BadQuestion(f"{target.name} has no {metric.component_kind} “{component}”; it has {some}.")
