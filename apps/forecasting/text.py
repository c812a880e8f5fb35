"""What a forecast says in words: what is missing, and which methods carry it."""

from datetime import date

import numpy as np

from apps.charts import figures
from apps.forecasting.engine.candidates import NAMES
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.series import LEAST_DAYS, LEAST_DAYS_FOR_TREND
from apps.forecasting.models import KindRecord

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
    "growth 30": "growth by a percentage a day as in the last 30 days",
    "growth 90": "growth by a percentage a day as in the last 90 days",
    "growth 365": "growth by a percentage a day as in the last year",
    "last period": "its last period comes again",
    "last period growing": "its last period comes again, grown as it grew before",
    "last year": "the same days of last year come again",
}
NAMED = 3  # methods that a sentence names
LEAST_SHARE = 0.05


def days_missing(forecasts: Forecasts, row: int) -> int:
    """How many more days are needed before a day of crossing can be told; 0 when there are enough."""
    observed = int(forecasts.observed[row])
    least = LEAST_DAYS if observed < LEAST_DAYS else LEAST_DAYS_FOR_TREND
    return max(least - observed, 0)


def shares(forecasts: Forecasts, row: int) -> dict[str, float]:
    """The methods with their weights, the heaviest first; empty without a forecast."""
    weights = forecasts.weights[row]
    if not np.isfinite(weights).all():
        return {}
    order = np.argsort(-weights, kind="stable")
    return {NAMES[place]: float(weights[place]) for place in order if weights[place] > 0}


def why_this_method(forecasts: Forecasts, row: int) -> str:
    """Which methods the forecast is made of, and why these: by how little they erred on past days."""
    weights = shares(forecasts, row)
    if not weights:
        return f"There is no forecast: {forecasts.reasons[row]}."
    if forecasts.observed[row] < LEAST_DAYS_FOR_TREND:
        return (
            f"With {int(forecasts.observed[row])} days of figures only the level is carried on, with a wide band:"
            f" a trend needs {LEAST_DAYS_FOR_TREND}."
        )
    named = [
        f"{IN_WORDS[name]} ({100 * share:.0f} %)"
        for name, share in list(weights.items())[:NAMED]
        if share >= LEAST_SHARE
    ]
    tried = int(np.isfinite(forecasts.errors[row]).any(axis=1).sum())
    if not tried:
        return f"No past day could be tested yet, so several methods count alike: {'; '.join(named)}."
    days = "day" if tried == 1 else "days"
    return (
        f"Tested on {tried} past {days}, these methods erred least and are weighted so: {'; '.join(named)}."
    )


def doubts(forecasts: Forecasts, row: int) -> list[str]:
    """Reasons to trust a forecast less, in sentences."""
    if forecasts.reasons[row] is not None:
        return []
    sentences = []
    if forecasts.is_short[row]:
        sentences.append(f"The history is short: {int(forecasts.observed[row])} days.")
    if forecasts.wanders[row]:
        sentences.append(
            "It wanders and is hard to foresee: only a chance of 80 % or more counts as a prediction."
        )
    if forecasts.differs_from_last_year[row]:
        sentences.append("A year ago the same days went another way.")
    if forecasts.age[row]:
        count = int(forecasts.age[row])
        sentences.append(f"The last {'day has' if count == 1 else f'{count} days have'} no figure.")
    return sentences


def describe_record(record: KindRecord, on: date) -> list[str]:
    """What promises of the kind say against a forecast, and what is done about it; nothing where they were kept."""
    sentences = []
    width = record.width_on(on)
    if width > 1:
        held = (
            ""
            if record.in_range is None
            else f": {100 * record.in_range:.0f} % of what came lay between soonest and latest"
        )
        sentences.append(
            f"Forecasts of {record.kind} were too sure{held}. Their bands are {figures.fixed(width, 1)} times as wide"
            f"{f' since {figures.long_day(record.since)}' if on >= record.since else ''}."
        )
    if record.is_line_nearer:
        sentences.append(
            f"Of {record.kind} a straight line was nearer in the last half year: off by {figures.figure(record.line_days_off)} days"
            f" in the median, the forecast by {figures.figure(record.days_off)}."
        )
    if record.is_untrue and record.chance_off is not None:
        sentences.append(
            f"Chances of {record.kind} were off by {100 * record.chance_off:.0f} points in the mean in the last half year."
        )
    return sentences


def outcome(prediction: Prediction, missing: int) -> str:
    """What is predicted of a limit in a few words: "no breach within 90 days", "violated", "not enough data: 6 more days"."""
    if prediction.is_violated:
        return "violated"
    if missing and prediction.chance is None:
        return f"not enough data: {missing} more {'day' if missing == 1 else 'days'}"
    if prediction.chance is None:
        return prediction.reason or "no forecast"
    if prediction.day is None:
        return f"no breach within {prediction.within} days"
    return f"breach in {prediction.day} {'day' if prediction.day == 1 else 'days'}"
