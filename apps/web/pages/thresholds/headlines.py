"""The figures above the chart of a preview: what the limit would have done, what is left to it, and what is to come."""

from apps.charts import figures
from apps.forecasting.engine.headroom import room
from apps.forecasting.limit_trial import LimitTrial
from apps.forecasting.limited_figures import FORECAST_FORMS
from apps.thresholds.dry_run import DryRun
from apps.thresholds.engine.notation import Form, LimitSide
from apps.thresholds.models import Threshold
from apps.web.pages.thresholds.preview_parts import HeadlineFigure

DAYS = 90


def look_ahead(draft: Threshold, run: DryRun, trial: LimitTrial | None) -> list[HeadlineFigure]:
    """What is left to the limit today, and what the forecast makes of it."""
    headlines = []
    limit, value = draft.limit, run.standing_value
    if value is not None and limit.edge is not None and limit.second is None and draft.form in FORECAST_FORMS:
        left = room(value, limit.edge, Form(draft.form))
        if left is not None and left >= 0 and limit.side is not LimitSide.BOTH:
            headlines.append(
                HeadlineFigure(f"{figures.figure(left)} {draft.unit}".rstrip(), "", "room left today")
            )
    prediction = trial.prediction if trial is not None else None
    if trial is not None and prediction is not None and prediction.chance is not None:
        chance = figures.chance(prediction.chance, prediction.least_chance)
        likely = f", likely {figures.short_day(trial.likely_on)}" if trial.likely_on else ""
        headlines.append(HeadlineFigure(chance, "", f"chance of one within {prediction.within} days{likely}"))
    return headlines


def count_headlines(draft: Threshold, run: DryRun) -> list[HeadlineFigure]:
    """The figures above the chart: days over, on known peaks, violations, false alarms avoided."""
    fired = run.fired_days
    facts = [HeadlineFigure(str(len(fired)), f"of {DAYS} days", "over the limit", bool(fired))]
    if run.peaks and not draft.leaves_out_peaks:
        facts.append(
            HeadlineFigure(str(sum(day in run.peaks for day in fired)), "", "of them on known peaks")
        )
    persistence = f"{draft.opens_after} of {draft.opens_within} days"
    if run.standing:
        since = f"open since before {figures.long_day(run.days[0])}"
        facts.append(
            HeadlineFigure(str(run.standing), "", f"violation{'' if run.standing == 1 else 's'}, {since}")
        )
    if run.opened or not run.standing:
        facts.append(
            HeadlineFigure(
                str(run.opened), "", f"violation{'' if run.opened == 1 else 's'} opened, {persistence}"
            )
        )
    if run.avoided:
        count = len(run.avoided)
        facts.append(
            HeadlineFigure(str(count), "", "false alarm avoided" if count == 1 else "false alarms avoided")
        )
    return facts
