"""How past forecasts of a figure fared: kept where they were, else replayed."""

from collections.abc import Sequence
from datetime import date, timedelta
from statistics import median

from apps.charts import figures
from apps.charts.words import count
from apps.forecasting.daily_figures import cap_of
from apps.forecasting.engine.replay import Replay, SecondCondition, replay_forecasts
from apps.forecasting.figure_forecast import FigureForecast, LimitForecast
from apps.forecasting.models import Forecast


def track_record(told: FigureForecast) -> tuple[str, list[dict[str, str]]]:
    """How past forecasts of this figure fared, in a sentence and a row each: kept where they were, else replayed."""
    answer = next((one for one in told.limits if not one.figure.is_change), None)
    found = _replayed(told, answer)
    kept = _kept(told, answer, [told.on - timedelta(days=one.days_ago) for one in found])
    rows = [_row(told, one, kept.get(told.on - timedelta(days=one.days_ago))) for one in found]
    return _in_words(told, found), rows


def _replayed(told: FigureForecast, answer: LimitForecast | None) -> list[Replay]:
    cap = cap_of(told.metric.key, told.values)
    if answer is None:
        return replay_forecasts(told.values, [], cap=cap)
    (edges, *more), second = answer.figure.conditions, None
    if more:
        values = answer.series[1]
        second = SecondCondition(values, more[0][0], cap_of(answer.threshold.second_metric, values))
    return replay_forecasts(answer.series[0], edges, cap=cap, second=second)


def _kept(told: FigureForecast, answer: LimitForecast | None, days: Sequence[date]) -> dict[date, Forecast]:
    """What was really said on these days of this limit."""
    if answer is None:
        return {}
    ledger = Forecast.objects.filter(
        target=told.target, metric=told.metric.key, component=told.component, threshold=answer.threshold,
        made_on__in=days,
    )  # fmt: skip
    return {one.made_on: one for one in ledger}


def _row(told: FigureForecast, one: Replay, kept: Forecast | None) -> dict[str, str]:
    made_on = told.on - timedelta(days=one.days_ago)
    unit = told.metric.display_unit

    def short(ahead: int | None) -> str:
        return figures.short_day(made_on + timedelta(days=ahead), told.on) if ahead is not None else ""

    if kept is not None:
        likely, soonest, latest = kept.likely_on, kept.soonest_on, kept.latest_on
        said = f"{figures.short_day(likely, told.on)}" if likely else kept.reason or "no breach"
        span = f"{figures.short_day(soonest, told.on)} to {figures.short_day(latest, told.on) if latest else 'later'}"
        span = span if likely and soonest else ""
        day = (likely - made_on).days if likely else None
        off = one.crossed - day if one.crossed is not None and day is not None else None
        inside = "" if one.crossed is None or not soonest else _inside(made_on, one.crossed, soonest, latest)
    else:
        told_then = one.prediction
        if told_then is None:
            said = "no limit"
        elif told_then.is_violated:
            said = "was over"
        else:
            said = short(told_then.day) or told_then.reason or "no breach"
        has_span = told_then is not None and told_then.day is not None
        span = (
            f"{short(told_then.soonest)} to {short(told_then.latest) or 'later'}"
            if told_then and has_span
            else ""
        )
        off = one.verdict.days_off if one.verdict else None
        is_inside = one.verdict.is_inside if one.verdict else None
        inside = "" if is_inside is None else "inside" if is_inside else "outside"
    return {
        "made": figures.short_day(made_on, told.on),
        "source": "kept" if kept is not None else "replayed",
        "said": said,
        "range": span,
        "came": short(one.crossed) or ("" if not told.limits else f"not within {one.ahead} days"),
        "off": "" if off is None else "to the day" if off == 0 else f"{abs(off)} d {'late' if off > 0 else 'early'}",
        "inside": inside,
        "missed": f"{_signed(told, one.off)} {unit}" if one.off is not None else "not measured",
        "line": f"{_signed(told, one.line_off)} {unit}" if one.line_off is not None else "",
        "ahead": f"{one.ahead} d",
    }  # fmt: skip


def _inside(made_on: date, crossed: int, soonest: date, latest: date | None) -> str:
    day = made_on + timedelta(days=crossed)
    return "inside" if soonest <= day and (latest is None or day <= latest) else "outside"


def _signed(told: FigureForecast, off: float) -> str:
    shown = told.metric.shown(off)
    return f"{'+' if shown > 0 else ''}{figures.figure(shown)}"


def _in_words(told: FigureForecast, found: Sequence[Replay]) -> str:
    if not found:
        return "There is no earlier forecast to hold against what came: that takes 44 days of figures."
    known = [one for one in found if one.off is not None]
    parts = []
    if known:
        unit = told.metric.display_unit
        ours = told.metric.shown(median(abs(one.off or 0.0) for one in known))
        parts.append(
            f"Of {count(len(known), 'earlier forecast')} the expected figure was off by"
            f" {figures.figure(ours)} {unit} in the median"
        )
        lines = [abs(one.line_off) for one in known if one.line_off is not None]
        if lines:
            theirs = told.metric.shown(median(lines))
            parts[0] += f", a straight line over 30 days by {figures.figure(theirs)} {unit}"
            if theirs < ours:
                parts[0] += ": here the line did better"
    days = [one.verdict.days_off for one in found if one.verdict and one.verdict.days_off is not None]
    if days:
        parts.append(
            f"{count(len(days), 'crossing was', 'crossings were')} foreseen, off by"
            f" {figures.figure(median(abs(day) for day in days))} days in the median"
        )
    missed = [
        one for one in found if one.verdict and one.crossed is not None and one.verdict.days_off is None
    ]
    if missed:
        parts.append(f"{count(len(missed), 'crossing')} came unannounced")
    false = [
        one
        for one in found
        if one.prediction and one.prediction.day and one.prediction.day <= one.ahead and one.crossed is None
    ]
    if false:
        parts.append(f"{count(len(false), 'crossing')} did not come")
    return ". ".join(part[:1].upper() + part[1:] for part in parts) + "." if parts else ""
