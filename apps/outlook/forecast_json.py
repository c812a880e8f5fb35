"""A forecast as the command prints it."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np

from apps.forecasting.engine.lines import ComparisonLine, comparison_lines
from apps.forecasting.figure_forecast import FigureForecast, LimitForecast
from apps.forecasting.predict import METHOD
from apps.forecasting.text import doubts, shares, why_this_method
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState


def forecast_as_json(forecast: FigureForecast, standings: Mapping[str, Outlook]) -> dict[str, Any]:
    """Keys are those of docs/commands.md; values are in the unit the profile shows, and null where there is none."""
    forecasts, metric = forecast.forecasts, forecast.metric
    last = float(forecasts.last[0])
    lines = comparison_lines(forecast.values, forecast.on)
    return {
        "target": forecast.target.name,
        "statistic": metric.key,
        "component": forecast.component,
        "unit": metric.display_unit,
        "on": forecast.on.isoformat(),
        "value": None if np.isnan(last) else _number(metric.to_display_unit(last)),
        "horizon": forecasts.horizon,
        "window": forecast.window,
        "observed_days": int(forecasts.observed[0]),
        "method": METHOD,
        "why": why_this_method(forecasts, 0),
        "weights": {name: round(share, 4) for name, share in shares(forecasts, 0).items()},
        "doubts": doubts(forecasts, 0),
        "reason": forecast.reason or None,
        "expected": _expected(forecast),
        "level_shifts": [
            {
                "day": (forecast.on - timedelta(days=jump.days_ago)).isoformat(),
                "size": _number(metric.to_display_unit(jump.size)),
            }
            for jump in forecasts.level_shifts[0]
        ],
        "planned": [
            {
                "day": day.isoformat(),
                "factor": _number(change.factor),
                "amount": _number(forecast.metric.to_display_unit(change.addend)),
            }
            for day, change in forecast.planned
        ],
        "lines": [_line(line, forecast) for line in lines],
        "limits": [
            _limit(answer, forecast, standings.get(answer.threshold.figure)) for answer in forecast.limits
        ],
    }


def _expected(forecast: FigureForecast) -> list[dict[str, Any]]:
    forecasts = forecast.forecasts
    parts = {
        "expected": forecasts.mean[0], "low80": forecasts.low80[0], "high80": forecasts.high80[0],
        "low95": forecasts.low95[0], "high95": forecasts.high95[0],
    }  # fmt: skip
    return [
        {
            "day": (forecast.on + timedelta(days=ahead + 1)).isoformat(),
            **{
                name: _number(forecast.metric.to_display_unit(float(values[ahead])))
                for name, values in parts.items()
            },
        }
        for ahead in range(int(forecasts.reach[0]))
    ]


def _limit(answer: LimitForecast, forecast: FigureForecast, outlook: Outlook | None) -> dict[str, Any]:
    prediction, threshold = answer.prediction, answer.threshold
    has_days = not prediction.is_violated and (outlook is None or not outlook.has_no_days)
    return {
        "id": threshold.pk,
        "threshold": threshold.notation,
        "figure": threshold.figure,
        "severity": threshold.severity,
        "edges": [{"limit": _number(limit), "direction": str(side)} for limit, side in answer.figure.edges],
        "second": _second(answer),
        "leaves_out_peaks": threshold.leaves_out_peaks,
        "words": answer.words if has_days or prediction.is_violated or outlook is None else outlook.note,
        "is_violated": prediction.is_violated,
        "violated_since": _day(answer.violated_since) if prediction.is_violated else None,
        "ends_on": _day(answer.day(prediction.ends)) if prediction.is_violated else None,
        "days_missing": answer.days_missing,
        "state": _state(answer, outlook),
        "closing": (outlook.closing_words or None) if outlook is not None else None,
        "chance": _number(prediction.chance) if has_days and prediction.chance is not None else None,
        "chance_in_words": prediction.chance_in_words if has_days else None,
        "is_likely": prediction.is_likely and has_days,
        "likely_on": _day(answer.likely_on) if has_days else None,
        "soonest_on": _day(answer.day(prediction.soonest)) if has_days else None,
        "latest_on": _day(answer.day(prediction.latest)) if has_days else None,
        "days_left": prediction.day if has_days else None,
        "lead_time_days": threshold.lead_time_days,
        "slack_days": answer.slack if has_days else None,
        "act_by": _day(answer.act_by) if has_days else None,
        "reason": prediction.reason,
        "lines": [_line(line, forecast) for line in answer.lines],
    }


def _state(answer: LimitForecast, outlook: Outlook | None) -> FigureState:
    if outlook is not None and (outlook.unread is not None or outlook.violation is not None):
        return outlook.state
    return FigureState.VIOLATED if answer.prediction.is_violated else FigureState.COMFORTABLE


def _second(answer: LimitForecast) -> dict[str, Any] | None:
    """The condition that must be broken too, in the unit that its statistic shows."""
    if answer.figure.second_edge is None:
        return None
    limit, side = answer.figure.second_edge
    return {
        "statistic": answer.threshold.second_metric,
        "limit": _number(limit),
        "direction": str(side),
    }


def _line(line: ComparisonLine, forecast: FigureForecast) -> dict[str, Any]:
    return {
        "name": line.name,
        "per_day": _number(forecast.metric.to_display_unit(line.slope)),
        "r2": None if line.r2 is None else round(line.r2, 4),
        "days": None if line.days is None else round(line.days, 2),
        "on": _day(line.on),
    }


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _number(value: float) -> float | None:
    return float(f"{value:.12g}") if np.isfinite(value) else None
