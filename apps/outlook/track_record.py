"""How past forecasts of a figure fared: kept where they were, else replayed."""

from collections.abc import Sequence
from datetime import date, timedelta
from statistics import median

from apps.charts import figures
from apps.charts.words import count
from apps.forecasting.daily_figures import cap_of, kind_of
from apps.forecasting.engine.replay import Replay, SecondCondition, replay_forecasts
from apps.forecasting.figure_forecast import FigureForecast, LimitForecast
from apps.forecasting.models import Forecast


def read_track_record(forecast: FigureForecast) -> tuple[str, list[dict[str, str]]]:
    """How past forecasts of this figure fared, in a sentence and a row each: kept where they were, else replayed."""
    answer = next(
        (limit_forecast for limit_forecast in forecast.limits if not limit_forecast.figure.is_change), None
    )
    replays = _replay_forecasts(forecast, answer)
    published = _published_forecasts(
        forecast, answer, [forecast.on - timedelta(days=replay.days_ago) for replay in replays]
    )
    rows = [
        _row(forecast, replay, published.get(forecast.on - timedelta(days=replay.days_ago)))
        for replay in replays
    ]
    return _in_words(forecast, replays), rows


def _replay_forecasts(forecast: FigureForecast, answer: LimitForecast | None) -> list[Replay]:
    key = forecast.metric.key
    kind, cap = kind_of(key), cap_of(key, forecast.values)
    if answer is None:
        return replay_forecasts(forecast.values, [], kind=kind, cap=cap, on=forecast.on)
    (edges, *more), second = answer.figure.conditions, None
    if more:
        key, values = answer.threshold.second_metric, answer.series[1]
        second = SecondCondition(values, more[0][0], kind_of(key), cap_of(key, values))
    return replay_forecasts(
        answer.series[0],
        edges,
        kind=kind,
        cap=cap,
        second=second,
        opening=answer.figure.opening,
        on=forecast.on,
    )


def _published_forecasts(
    forecast: FigureForecast, answer: LimitForecast | None, days: Sequence[date]
) -> dict[date, Forecast]:
    """What was really said on these days of this limit."""
    if answer is None:
        return {}
    ledger = Forecast.objects.filter(
        target=forecast.target, metric=forecast.metric.key, component=forecast.component, threshold=answer.threshold,
        made_on__in=days,
    )  # fmt: skip
    return {record.made_on: record for record in ledger}


def _row(forecast: FigureForecast, replay: Replay, published: Forecast | None) -> dict[str, str]:
    made_on = forecast.on - timedelta(days=replay.days_ago)
    unit = forecast.metric.display_unit

    def short(ahead: int | None) -> str:
        return figures.short_day(made_on + timedelta(days=ahead), forecast.on) if ahead is not None else ""

    if published is not None:
        likely, soonest, latest = published.likely_on, published.soonest_on, published.latest_on
        sentence = f"{figures.short_day(likely, forecast.on)}" if likely else published.reason or "no breach"
        span = f"{figures.short_day(soonest, forecast.on)} to {figures.short_day(latest, forecast.on) if latest else 'later'}"
        span = span if likely and soonest else ""
        day = (likely - made_on).days if likely else None
        off = replay.crossed - day if replay.crossed is not None and day is not None else None
        inside = (
            "" if replay.crossed is None or not soonest else _inside(made_on, replay.crossed, soonest, latest)
        )
    else:
        replayed_prediction = replay.prediction
        if replayed_prediction is None:
            sentence = "no limit"
        elif replayed_prediction.is_violated:
            sentence = "was over"
        else:
            sentence = short(replayed_prediction.day) or replayed_prediction.reason or "no breach"
        has_span = replayed_prediction is not None and replayed_prediction.day is not None
        span = (
            f"{short(replayed_prediction.soonest)} to {short(replayed_prediction.latest) or 'later'}"
            if replayed_prediction and has_span
            else ""
        )
        off = replay.verdict.days_off if replay.verdict else None
        is_inside = replay.verdict.is_inside if replay.verdict else None
        inside = "" if is_inside is None else "inside" if is_inside else "outside"
    return {
        "made": figures.short_day(made_on, forecast.on),
        "source": "kept" if published is not None else "replayed",
        "said": sentence,
        "range": span,
        "came": short(replay.crossed) or ("" if not forecast.limits else f"not within {replay.ahead} days"),
        "off": "" if off is None else "to the day" if off == 0 else f"{abs(off)} d {'late' if off > 0 else 'early'}",
        "inside": inside,
        "missed": f"{_signed(forecast, replay.off)} {unit}" if replay.off is not None else "not measured",
        "line": f"{_signed(forecast, replay.line_off)} {unit}" if replay.line_off is not None else "",
        "ahead": f"{replay.ahead} d",
    }  # fmt: skip


def _inside(made_on: date, crossed: int, soonest: date, latest: date | None) -> str:
    day = made_on + timedelta(days=crossed)
    return "inside" if soonest <= day and (latest is None or day <= latest) else "outside"


def _signed(forecast: FigureForecast, off: float) -> str:
    error = forecast.metric.to_display_unit(off)
    return f"{'+' if error > 0 else ''}{figures.figure(error)}"


def _in_words(forecast: FigureForecast, replays: Sequence[Replay]) -> str:
    if not replays:
        return "No earlier forecast can be checked yet: that takes 44 days of figures."
    measured = [replay for replay in replays if replay.off is not None]
    parts = []
    if measured:
        unit = forecast.metric.display_unit
        ours = forecast.metric.to_display_unit(median(abs(replay.off or 0.0) for replay in measured))
        parts.append(
            f"Of {count(len(measured), 'earlier forecast')} the expected figure was off by"
            f" {figures.figure(ours)} {unit} in the median"
        )
        lines = [abs(replay.line_off) for replay in measured if replay.line_off is not None]
        if lines:
            theirs = forecast.metric.to_display_unit(median(lines))
            parts[0] += f", a straight line over 30 days by {figures.figure(theirs)} {unit}"
            if theirs < ours:
                parts[0] += ": here the line did better"
    days = [
        replay.verdict.days_off
        for replay in replays
        if replay.verdict and replay.verdict.days_off is not None
    ]
    if days:
        parts.append(
            f"{count(len(days), 'crossing was', 'crossings were')} predicted, off by"
            f" {figures.figure(median(abs(day) for day in days))} days in the median"
        )
    missed = [
        replay
        for replay in replays
        if replay.verdict and replay.crossed is not None and replay.verdict.days_off is None
    ]
    if missed:
        parts.append(f"{count(len(missed), 'crossing was', 'crossings were')} missed")
    false = [
        replay
        for replay in replays
        if replay.prediction
        and replay.prediction.day
        and replay.prediction.day <= replay.ahead
        and replay.crossed is None
    ]
    if false:
        parts.append(f"{count(len(false), 'prediction was a false alarm', 'predictions were false alarms')}")
    return ". ".join(part[:1].upper() + part[1:] for part in parts) + "." if parts else ""
