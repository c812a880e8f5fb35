"""The forecast of one statistic as its page shows it: answers, chart, method in words, and how past forecasts fared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from apps.catalog.metric import Kind
from apps.charts import figures
from apps.charts.futures import ChartBreach
from apps.charts.history import ChartEvent
from apps.charts.history import history as draw_history
from apps.charts.plot_parts import name_lines
from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.driver_text import describe_drivers
from apps.forecasting.engine.effects import Effect
from apps.forecasting.engine.forecasts import HORIZON, LONGEST_HORIZON
from apps.forecasting.engine.lines import ComparisonLine, comparison_lines
from apps.forecasting.engine.series import LEAST_DAYS
from apps.forecasting.figure_forecast import FigureForecast, LimitForecast
from apps.forecasting.models import TrendChange
from apps.forecasting.text import describe_record, doubts, shares, why_this_method
from apps.outlook.crossing_text import crossing_words
from apps.outlook.figure import Outlook
from apps.reports.sheets import Cell
from apps.thresholds.engine.notation import Form, LimitSide
from apps.thresholds.judge import FigureState
from apps.thresholds.limits import with_unit
from apps.thresholds.models import change_in_words
from apps.web.pages.forecast.forecast_tables import WEIGHTS
from apps.web.pages.forecast.scenario_lines import ScenarioLines, add_lines
from apps.web.sentences import Part, day_in_words

DAYS_BACK = 3  # days of history on the chart for each day ahead


@dataclass(frozen=True)
class ForecastQuestion:
    """What a person asks for: days ahead, and days of history to go by; as typed, with what is wrong with it."""

    horizon: int = HORIZON
    window: int = HISTORY
    typed_horizon: str = ""
    typed_window: str = ""
    wrong: Mapping[str, str] | None = None


def read_question(query: Mapping[str, str]) -> ForecastQuestion:
    """Read horizon and window from an address; what cannot be meant is told, and the usual taken."""
    wrong: dict[str, str] = {}
    days_of = {}
    limits = {"horizon": (1, LONGEST_HORIZON, HORIZON), "window": (LEAST_DAYS, HISTORY, HISTORY)}
    for name, (least, most, usual) in limits.items():
        text = query.get(name, "").strip()
        is_number = text.isascii() and text.isdigit() and len(text) < 6
        days_of[name] = int(text) if is_number and least <= int(text) <= most else usual
        if text and not (is_number and least <= int(text) <= most):
            wrong[name] = f"Given “{text[:20]}”, expected {least} to {most} days."
    return ForecastQuestion(
        days_of["horizon"],
        days_of["window"],
        query.get("horizon", ""),
        query.get("window", ""),
        wrong or None,
    )


def sentence_of(forecast: FigureForecast, standings: Mapping[str, Outlook]) -> list[Part]:
    """When the first limit is crossed and how sure that is, or why nothing can be said."""
    name, where = forecast.metric.called(forecast.component), forecast.target.name
    unread = next((outlook.unread for outlook in standings.values() if outlook.unread is not None), None)
    if unread is not None:
        return [Part(f"{where} {unread.words}", True), Part(unread.because.removeprefix(unread.words) + ".")]
    over = next((answer for answer in forecast.limits if answer.prediction.is_violated), None)
    if over is not None:
        since = f" since {day_in_words(over.violated_since)}" if over.violated_since else ""
        change = change_in_words(over.threshold.figure)
        limit = f"its limit on the {change}" if change else "its limit"
        parts = [Part(f"{name} on {where} {'has been' if since else 'is'} over {limit}{since}", True)]
        if over.prediction.ends is not None:
            ends = over.day(over.prediction.ends)
            parts.append(Part(f"; it is likely to return around {day_in_words(ends)}" if ends else ""))
        return [*parts, Part(".")]
    closing = next((outlook for outlook in standings.values() if outlook.state is FigureState.CLOSING), None)
    if closing is not None:
        inside = f"{name} on {where} is inside its limit again"
        return [Part(inside, True), Part(f": {closing.against}, {closing.closing_words}.")]
    if forecast.reason:
        return [Part(f"No forecast of {name} on {where}", True), Part(f": {forecast.reason}.")]
    first = min(
        (answer for answer in forecast.limits if answer.likely_on is not None),
        key=lambda answer: answer.prediction.day or 0,
        default=None,
    )
    if first is None or first.likely_on is None:
        if not forecast.limits:
            return [
                Part(f"{name} on {where} has no limit to reach", True),
                Part("; set one to see when it will."),
            ]
        likeliest = max(forecast.limits, key=lambda answer: answer.prediction.chance or 0.0)
        if likeliest.prediction.chance is None:
            return [Part(f"{name} on {where}: {likeliest.words}", True), Part(".")]
        return [
            Part(f"No breach of {name} on {where} within {likeliest.prediction.within} days", True),
            Part(f"; the chance is {likeliest.prediction.chance_in_words}."),
        ]
    outlook = standings.get(first.threshold.figure)
    if outlook is None or first.figure.is_change:
        crossing = f"reaches {edge_of(first)}"
    else:
        crossing = crossing_words(outlook)
    parts = [
        Part(f"{name} on {where} {crossing} around "),
        Part(day_in_words(first.likely_on), True),
    ]
    soonest = first.day(first.prediction.soonest)
    if soonest:
        parts.append(Part(f" (soonest {day_in_words(soonest)})"))
    if first.slack is not None and first.act_by is not None:
        act = (
            "; acting takes longer than that" if first.slack < 0 else f". Act by {day_in_words(first.act_by)}"
        )
        parts.append(Part(act))
    return [*parts, Part(".")]


def edge_of(answer: LimitForecast) -> str:
    """What a figure comes to that reaches its limit, with its unit: "50 GB/day"; of other limits the limit."""
    limit = answer.threshold.limit
    if limit.edge is None or limit.second or limit.side not in (LimitSide.UPPER, LimitSide.LOWER):
        return limit_of(answer)
    change = change_in_words(answer.threshold.figure)
    edge = f"{figures.figure(limit.edge)} {answer.threshold.unit}".rstrip()
    return f"{edge} ({change})" if change else edge


def limit_of(answer: LimitForecast) -> str:
    """The limit with its unit."""
    change = change_in_words(answer.threshold.figure)
    return f"{with_unit(answer.threshold)} ({change})" if change else with_unit(answer.threshold)


def answer_rows(forecast: FigureForecast, standings: Mapping[str, Outlook]) -> list[dict[str, Any]]:
    """A row for each limit: chance, days, slack; the words where there is no day."""
    rows = []
    for answer in forecast.limits:
        prediction, outlook = answer.prediction, standings.get(answer.threshold.figure)
        is_over = prediction.is_violated
        if not is_over and outlook is not None and outlook.has_no_days:
            rows.append(_without_days(answer, outlook))
            continue
        rows.append(
            {
                **_limit(answer),
                **_days(answer),
                "chance": ""
                if is_over or prediction.chance is None
                else figures.chance(prediction.chance, prediction.least_chance),
                "words": "" if answer.likely_on and not is_over else in_words(answer),
                "deed": "may reach it" if _is_comfortable(outlook) else "reaches it",
                "state": "over"
                if is_over or (answer.slack is not None and answer.slack < 0)
                else _kind(outlook),
            }
        )
    return rows


def _days(answer: LimitForecast) -> dict[str, Any]:
    return {
        "soonest": answer.day(answer.prediction.soonest),
        "likely": answer.likely_on,
        "latest": answer.day(answer.prediction.latest),
        "slack": answer.slack,
        "act_by": answer.act_by,
    }


def _limit(answer: LimitForecast) -> dict[str, Any]:
    threshold = answer.threshold
    return {
        "on": answer.on,
        "to_act": threshold.lead_time_days,
        "limit": with_unit(threshold),
        "change": change_in_words(threshold.figure),
        "url": threshold.get_absolute_url(),
        "severity": threshold.severity,
        "peaks": "without known peaks" if threshold.leaves_out_peaks else "",
    }


def _is_comfortable(outlook: Outlook | None) -> bool:
    return outlook is not None and outlook.forecast is not None and outlook.state is FigureState.COMFORTABLE


def _kind(outlook: Outlook | None) -> str:
    return "risk" if outlook is not None and outlook.state is FigureState.AT_RISK else "far"


def _without_days(answer: LimitForecast, outlook: Outlook) -> dict[str, Any]:
    """Of what is closing or not read, how it stands takes the place of the days."""
    return {
        **_limit(answer),
        "chance": "",
        "words": outlook.note,
        "state": "far",
    }


def in_words(answer: LimitForecast) -> str:
    """What is foreseen of a limit, with days as pages write them."""
    if answer.prediction.is_violated and answer.violated_since:
        return f"violated since {figures.short_day(answer.violated_since, answer.on)}"
    return answer.words


def line_rows(forecast: FigureForecast) -> list[dict[str, str]]:
    """The comparison lines and "as it is", each with its slope and the date it gives against the first limit."""
    first = forecast.limits[0] if forecast.limits else None
    lines: Sequence[ComparisonLine] = (first.lines if first else []) or comparison_lines(
        forecast.values, forecast.on
    )
    unit = forecast.metric.display_unit
    rows = [
        {
            "name": f"straight line, {line.name}",
            "slope": f"{figures.figure(forecast.metric.to_display_unit(line.slope))} {unit} a day",
            "fit": f"r² {figures.fixed(line.r2, 2)}" if line.r2 is not None else "",
            "date": figures.short_day(line.on, forecast.on) if line.on else "no date",
        }
        for line in lines
    ]
    if rows:
        rows.append({"name": "last value", "slope": "stays as it is", "fit": "", "date": "no date"})
    return rows


def fan_of(forecast: FigureForecast) -> list[tuple[date, float, float, float, float, float]]:
    """Expected, low and high at 80 % and 95 % of each day that may be shown, in the unit of the profile."""
    forecasts, convert = forecast.forecasts, forecast.metric.to_display_unit
    parts = (forecasts.mean, forecasts.low80, forecasts.high80, forecasts.low95, forecasts.high95)
    return [
        (forecast.on + timedelta(days=ahead + 1), *(convert(float(part[0, ahead])) for part in parts))  # type: ignore[misc]
        for ahead in range(int(forecasts.reach[0]))
    ]


def expected_rows(forecast: FigureForecast, scenario_lines: ScenarioLines) -> list[list[Cell]]:
    """The expected line, and that of each scenario that is drawn."""
    return [[*point, *scenario_lines.expected(ahead)] for ahead, point in enumerate(fan_of(forecast))]


def chart_of(
    forecast: FigureForecast, changes: Sequence[TrendChange], scenario_lines: ScenarioLines
) -> dict[str, Any]:
    """History, expected line with its interval, limit, breach, trend changes, and other lines beside."""
    convert = forecast.metric.to_display_unit
    fan = fan_of(forecast)
    days = [forecast.on - timedelta(days=back) for back in range(len(forecast.values) - 1, -1, -1)]
    positions = np.flatnonzero(np.isfinite(forecast.values))
    first = max(
        int(positions[0]) if len(positions) else 0, len(days) - DAYS_BACK * forecast.forecasts.horizon
    )
    values = [convert(float(value)) if np.isfinite(value) else None for value in forecast.values[first:]]
    answer = next(
        (
            limit_forecast
            for limit_forecast in forecast.limits
            if limit_forecast.figure.edges and not limit_forecast.figure.is_change
        ),
        None,
    )
    limit, side = answer.figure.edges[0] if answer else (None, Form.AT_MOST)
    crossing = answer if answer and answer.likely_on and not answer.prediction.is_violated else None
    chart = draw_history(
        days[first:],
        values,
        limit,
        unit=forecast.metric.display_unit,
        beyond="above" if side.is_upper else "below",
        fan=fan,
        breach=ChartBreach(
            crossing.day(crossing.prediction.soonest),
            crossing.likely_on,
            crossing.day(crossing.prediction.latest),
        )
        if crossing and crossing.likely_on
        else None,
        today=forecast.on,
        events=[
            ChartEvent(change.on, "trend change", "change") for change in changes if change.on >= days[first]
        ],
        is_rate=forecast.metric.kind is Kind.COUNTER,
        others=[value for ahead in range(len(fan)) for value in scenario_lines.expected(ahead)],
    )
    last = next((value for value in reversed(values) if value is not None), None)
    lines = comparison_lines(forecast.values, forecast.on)
    if last is not None and fan:
        ends = [forecast.on.isoformat(), fan[-1][0].isoformat()]
        slope = convert(lines[0].slope) * len(fan) if lines else 0.0
        chart["data"] += [
            _plain(ends, [last, last + slope]),
            _plain(ends, [last, last]),
        ]
        names = [("straight line", ends[1], last + slope), ("last value", ends[1], last)]
        name_lines(chart, names, "var(--ink3)")
    add_lines(chart, scenario_lines)
    chart["layout"]["yaxis"]["fixedrange"] = True
    return chart


def _plain(days: list[str], values: list[float]) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "x": days, "y": values, "hoverinfo": "skip",
        "line": {"color": "var(--ink3)", "width": 1, "dash": "dot"},
    }  # fmt: skip


def method_of(forecast: FigureForecast) -> dict[str, Any]:
    """Why this forecast: the methods with their weights, and the reasons to trust it less."""
    return {
        "why": why_this_method(forecast.forecasts, 0),
        "doubts": doubts(forecast.forecasts, 0),
        "record": describe_record(forecast.record, forecast.on)
        if forecast.record and not forecast.reason
        else [],
        "is_driven": 0 in forecast.batch.driven.choices,
        "drivers": describe_drivers(forecast.batch.driven, 0) if not forecast.reason else [],
        "planned": [_planned(forecast, day, change) for day, change in forecast.planned],
        "weights": WEIGHTS.fill(
            [
                {"name": name, "share": f"{100 * share:.0f} %"}
                for name, share in shares(forecast.forecasts, 0).items()
                if share >= 0.01
            ]
        ),
        "observed": int(forecast.forecasts.observed[0]),
    }


def _planned(forecast: FigureForecast, day: date, change: Effect) -> str:
    """A decided change that the forecast takes in, in a sentence."""
    unit = forecast.metric.display_unit
    parts = []
    if change.factor != 1:
        parts.append(f"times {figures.figure(change.factor)}")
    if change.addend:
        addend = forecast.metric.to_display_unit(change.addend)
        parts.append(f"{'+' if addend > 0 else ''}{figures.figure(addend)} {unit}".rstrip())
    if change.brings:
        last = forecast.metric.to_display_unit(
            change.brings[forecast.forecasts.horizon - (day - forecast.on).days]
        )
        parts.append(
            f"{'+' if last > 0 else ''}{figures.figure(last)} {unit} by the last day, through its driver"
        )
    return f"It includes what is decided for {figures.short_day(day, forecast.on)}: {' and '.join(parts)}."
