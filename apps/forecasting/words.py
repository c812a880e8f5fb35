"""What a forecast says in words: what is missing, and which ways of going on carry it."""

import numpy as np

from apps.forecasting.backtest import ORIGINS
from apps.forecasting.breach import Breach
from apps.forecasting.candidates import NAMES
from apps.forecasting.clean import LEAST_DAYS
from apps.forecasting.methods import LEAST_DAYS_FOR_TREND, Forecasts

IN_WORDS = {
    "level": "it stays where it is",
    "line 14 damped": "the line of the last 14 days, levelling off",
    "line 30": "the line of the last 30 days",
    "line 60": "the line of the last 60 days",
    "line 90": "the line of the last 90 days",
    "line 90 damped": "the line of the last 90 days, levelling off",
    "line 180": "the line of the last 180 days",
    "line 365": "the line of the last year",
    "7-day steps 28": "the usual week of the last 28 days",
    "28-day steps 90": "the usual four weeks of the last 90 days",
    "28-day steps 365": "the usual four weeks of the last year",
    "net change 28": "what the last 28 days came to",
    "net change 90": "what the last 90 days came to",
    "median 28": "it returns to the middle of the last 28 days",
    "median 91": "it returns to the middle of the last 91 days",
}
NAMED = 3  # ways that a sentence names
LEAST_SHARE = 0.05


def days_missing(forecasts: Forecasts, row: int) -> int:
    """How many more days are needed before a day of crossing can be told; 0 when there are enough."""
    observed = int(forecasts.observed[row])
    least = LEAST_DAYS if observed < LEAST_DAYS else LEAST_DAYS_FOR_TREND
    return max(least - observed, 0)


def shares(forecasts: Forecasts, row: int) -> dict[str, float]:
    """The ways of going on with their weights, the heaviest first; empty without a forecast."""
    weights = forecasts.weights[row]
    if not np.isfinite(weights).all():
        return {}
    order = np.argsort(-weights, kind="stable")
    return {NAMES[place]: float(weights[place]) for place in order if weights[place] > 0}


def why_this_method(forecasts: Forecasts, row: int) -> str:
    """Which ways of going on the forecast is made of, and why these: by how they would have done in the past."""
    found = shares(forecasts, row)
    if not found:
        return f"There is no forecast: {forecasts.reasons[row]}."
    if forecasts.observed[row] < LEAST_DAYS_FOR_TREND:
        return (
            f"With {int(forecasts.observed[row])} days of figures only the level is carried on, with a wide band:"
            f" a trend needs {LEAST_DAYS_FOR_TREND}."
        )
    named = [
        f"{IN_WORDS[name]} ({100 * share:.0f} %)"
        for name, share in list(found.items())[:NAMED]
        if share >= LEAST_SHARE
    ]
    tried = int(np.isfinite(forecasts.errors[row]).any(axis=1).sum())
    told = (
        f"Tried from {tried} earlier {'day' if tried == 1 else 'days'} of the last {max(ORIGINS)}, these ways of going on"
        " would have been off least,"
        if tried
        else "Nothing could be tried on the past yet, so several ways of going on count alike,"
    )
    return f"{told} and weigh accordingly: {'; '.join(named)}."


def doubts(forecasts: Forecasts, row: int) -> list[str]:
    """Reasons to trust a forecast less, in sentences."""
    if forecasts.reasons[row] is not None:
        return []
    found = []
    if forecasts.is_short[row]:
        found.append(f"The history is short: {int(forecasts.observed[row])} days.")
    if forecasts.wanders[row]:
        found.append(
            "It wanders and is hard to foresee: only a chance of 80 % or more counts as a prediction."
        )
    if forecasts.differs_from_last_year[row]:
        found.append("A year ago the same days went another way.")
    if forecasts.age[row]:
        count = int(forecasts.age[row])
        found.append(f"The last {'day has' if count == 1 else f'{count} days have'} no figure.")
    return found


def outcome(told: Breach, missing: int) -> str:
    """What is foreseen of a limit in a few words: "no breach within 90 days", "violated", "not enough data: 6 more days"."""
    if told.is_violated:
        return "violated"
    if missing and told.chance is None:
        return f"not enough data: {missing} more {'day' if missing == 1 else 'days'}"
    if told.chance is None:
        return told.reason or "no forecast"
    if told.day is None:
        return f"no breach within {told.within} days"
    return f"breach in {told.day} {'day' if told.day == 1 else 'days'}"
