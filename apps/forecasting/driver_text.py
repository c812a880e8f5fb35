"""What the drivers of a target do to the forecast of a figure, in words."""

from apps.charts import figures
from apps.charts.words import capital
from apps.forecasting.driven_forecast import DrivenFigures
from apps.forecasting.engine.driver_trials import LEAST_TOGETHER, DriverTrial


def describe_drivers(driven: DrivenFigures, row: int) -> list[str]:
    """A sentence of each driver: adopted with how much less forecasts of past days were off, or why it is not."""
    return [_describe(driven, row, place) for place in range(len(driven.drivers))]


def _describe(driven: DrivenFigures, row: int, place: int) -> str:
    name = driven.drivers[place].name
    if place not in driven.outlooks:
        return f"{capital(name)} has too few days, or none of late, so nothing is driven by it."
    trials = [trial for trial in driven.trials[row] if trial.driver == place]
    choice = driven.choices.get(row)
    if choice in trials and choice is not None:
        goes_on = "as planned" if driven.outlooks[place].is_planned else "as its own forecast says"
        return f"Driven by {name}, which goes on {goes_on}: {_errors(choice)}, in usual changes over a week."
    if not trials:
        return (
            f"{capital(name)} has no part in how it changes, or fewer than {LEAST_TOGETHER} days in common."
        )
    best = min(trials, key=lambda trial: trial.error)
    return f"{capital(name)} was tried and is not used: {_errors(best)}."


def _errors(trial: DriverTrial) -> str:
    """ "error 0.62 with it, 0.81 without" """
    return f"error {figures.fixed(trial.error, 2)} with it, {figures.fixed(trial.error_without, 2)} without"
