"""Which figures with a limit go by a driver."""

from dataclasses import dataclass
from datetime import date

from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.driver import Driver
from apps.forecasting.engine.driver_trials import DriverTrial
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.limited_figures import LimitedFigure, limited_figures
from apps.forecasting.target_forecast import forecast_target
from apps.inventory.models import Target
from apps.thresholds.limit_reader import LimitReader


@dataclass(frozen=True)
class Follower:
    """A figure whose forecast goes by a driver, with how much less past forecasts would have erred."""

    figure: LimitedFigure
    trial: DriverTrial


def find_followers(driver: Driver, target: Target, on: date) -> list[Follower]:
    """The figures of a target that go by a driver in the forecast of a day, those that it helps most first."""
    reader = LimitReader(target, on, HISTORY, HORIZON)
    figures = limited_figures(reader)
    if not figures:
        return []
    batch = forecast_target(target, figures, on, reader=reader)
    followers = [
        Follower(figure, trial)
        for figure in figures
        if (trial := batch.driven.choices.get(batch.row(figure))) is not None
        and batch.driven.drivers[trial.driver] == driver
    ]
    return sorted(followers, key=lambda follower: follower.trial.error / follower.trial.error_without)
