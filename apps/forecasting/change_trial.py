"""What a change that nobody has planned yet would make of one figure."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.expected_days import ExpectedDay, list_expected
from apps.forecasting.figure_forecast import FigureForecast
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.models import PlannedChange, Scenario
from apps.forecasting.planned_effects import decided_changes, find_effects
from apps.forecasting.scenarios import MovedFigure, ScenarioForecast, compare_limits


@dataclass(frozen=True)
class ChangeTrial:
    """The forecast of a figure as it is, and with a change on top of what is decided."""

    forecast: FigureForecast
    change: PlannedChange
    changed: Forecasts
    predictions: Sequence[Prediction]  # with the change, of each limit

    @property
    def is_idle(self) -> bool:
        """Whether it is a change of a driver that the figure does not follow."""
        forecast, driver = self.forecast, self.change.driver
        choice = forecast.batch.driven.choice(
            (forecast.metric.category, forecast.metric.key, forecast.component)
        )
        return driver is not None and (
            choice is None or forecast.batch.driven.drivers[choice.driver] != driver
        )

    @property
    def moved(self) -> list[MovedFigure]:
        """Each limit of the figure, without the change and with it."""
        scenario = ScenarioForecast(Scenario(name="this change"), self.changed, self.predictions)
        return compare_limits(self.forecast, [scenario])

    def expected(self, *, with_change: bool) -> list[ExpectedDay]:
        """The days to come in the unit of the profile, no more than the history is long."""
        forecasts = self.changed if with_change else self.forecast.forecasts
        return list_expected(forecasts, 0, self.forecast.on, self.forecast.metric)


def try_change(forecast: FigureForecast, change: PlannedChange) -> ChangeTrial:
    """The same figure with a change, saved or not, that holds from its day on."""
    batch, target = forecast.batch, forecast.target
    keys = list(dict.fromkeys(key for key, _ in batch.rows))
    effects = find_effects(target, keys, forecast.on, [*decided_changes([target]), change], batch.driven)
    changed = batch.with_effects(effects)
    predictions = predict_limits(batch, [limit.figure for limit in forecast.limits], changed)
    return ChangeTrial(forecast, change, changed, predictions)
