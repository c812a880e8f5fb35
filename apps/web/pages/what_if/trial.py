"""A change tried on one figure before anybody plans it: its sentence, its figures, its chart and its limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from apps.charts import figures
from apps.charts.before_after import Course, before_after
from apps.forecasting.change_trial import ChangeTrial
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.scenarios import MovedFigure
from apps.thresholds.limits import with_unit
from apps.web.sentences import Part, count, day_in_words

BACK = 60  # days measured that are drawn


@dataclass(frozen=True)
class TrialFigure:
    """One figure with what it was before the change."""

    figure: str
    words: str


def tell_trial(trial: ChangeTrial) -> list[Part]:
    """What the change comes to: until when it keeps a figure inside its limit, and how many days that wins."""
    change, forecast = trial.change, trial.forecast
    name = forecast.metric.called(forecast.component)
    what = f" {change.driver.name}" if change.driver else ""
    begins = f"{change.change}{what} from {day_in_words(change.on)}"
    moved = first_moved(trial)
    if trial.is_idle:
        return [Part(begins, True), Part(f": {name} does not follow it, so its forecast stays.")]
    if moved is None:
        return [
            Part(begins, True),
            Part(f": no limit on {name} can be reached, because none is set or none is forecast."),
        ]
    before, after = moved.likely_on(moved.baseline), moved.likely_on(moved.outcomes[0])
    limit = with_unit(moved.threshold)
    if moved.baseline.is_violated:
        return [
            Part(begins, True),
            Part(f": {name} is over {limit} already; the chart shows when it could return."),
        ]
    if after is None:
        since = f", where it would be {limit} around {day_in_words(before)}" if before else ""
        return [
            Part(f"{begins}: {name} stays inside {limit}", True),
            Part(f" for {moved.outcomes[0].within} days{since}."),
        ]
    days = "" if before is None else f", {_won(before, after)}"
    return [Part(f"{begins}: {name} reaches {limit} around {day_in_words(after)}", True), Part(f"{days}.")]


def _won(before: date, after: date) -> str:
    days = (after - before).days
    if not days:
        return "as it would without"
    return f"{count(abs(days), 'day')} {'later' if days > 0 else 'sooner'} than without"


def first_moved(trial: ChangeTrial) -> MovedFigure | None:
    """The limit that is reached first, with or without the change; None where none is foreseen."""
    foreseen = [
        moved for moved in trial.moved if moved.baseline.chance is not None or moved.baseline.is_violated
    ]
    return min(foreseen, key=_first_day, default=None)


def _first_day(moved: MovedFigure) -> int:
    days = [prediction.day for prediction in (moved.baseline, *moved.outcomes) if prediction.day is not None]
    return min(days, default=moved.baseline.within + 1)


def trial_figures(trial: ChangeTrial) -> list[TrialFigure]:
    """Likely day, days won, the day to act by, slack and chance, each with what it was."""
    moved = first_moved(trial)
    if moved is None or moved.baseline.is_violated:
        return []
    before, after = moved.baseline, moved.outcomes[0]
    likely = moved.likely_on(before), moved.likely_on(after)
    lead = timedelta(days=moved.threshold.lead_time_days)
    act_by = [day - lead if day else None for day in likely]
    return [
        TrialFigure(_day(likely[1], after), f"likely over the limit, was {_day(likely[0], before)}"),
        TrialFigure(_days_won(*likely), "won by the change"),
        TrialFigure(figures.short_day(act_by[1]), f"act by, was {figures.short_day(act_by[0])}"),
        TrialFigure(figures.slack(moved.slack(after)), f"slack, was {figures.slack(moved.slack(before))}"),
        TrialFigure(_chance(after), f"chance within {after.within} days, was {_chance(before)}"),
    ]


def _days_won(before: date | None, after: date | None) -> str:
    if before is None or after is None:
        return figures.MISSING
    return figures.slack((after - before).days)


def _day(day: date | None, prediction: Prediction) -> str:
    return figures.short_day(day) if day else f"none within {prediction.within} d"


def _chance(prediction: Prediction) -> str:
    return figures.chance(prediction.chance, prediction.least_chance)


def draw_trial(trial: ChangeTrial) -> SafeString:
    """What was measured of late, and both courses with their limit."""
    forecast, moved = trial.forecast, first_moved(trial)
    last = forecast.values[-BACK:]
    days = [forecast.on - timedelta(days=len(last) - 1 - back) for back in range(len(last))]
    to_display = forecast.metric.to_display_unit
    return mark_safe(
        before_after(
            days,
            [None if value != value else to_display(float(value)) for value in last],
            _course(trial, moved, with_change=False),
            _course(trial, moved, with_change=True),
            change_on=trial.change.on,
            change_text=trial.change.change,
            limit=moved.threshold.limit.edge if moved is not None else None,
            unit=forecast.metric.display_unit,
            label=f"{forecast.metric.called(forecast.component)}, as it is and with {trial.change.change}",
        )
    )


def _course(trial: ChangeTrial, moved: MovedFigure | None, *, with_change: bool) -> Course:
    points = trial.expected(with_change=with_change)
    name = "with the change" if with_change else "as it is"
    if moved is None:
        return Course(name, points)
    prediction = moved.outcomes[0] if with_change else moved.baseline
    soonest, likely, latest = (
        None if ahead is None else moved.on + timedelta(days=ahead)
        for ahead in (prediction.soonest, prediction.day, prediction.latest)
    )
    return Course(name, points, soonest, likely, latest)


def expected_rows(trial: ChangeTrial) -> Sequence[dict[str, Any]]:
    """The days of both courses as rows."""
    pairs = zip(trial.expected(with_change=False), trial.expected(with_change=True), strict=True)
    return [{"day": before[0], "before": before[1], "after": after[1]} for before, after in pairs]
