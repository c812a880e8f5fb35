"""The forecast of one statistic as its page shows it: answers, chart, method in words, and how past forecasts fared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from apps.catalog.metric import Kind
from apps.charts import figures
from apps.charts.history import ChartBreach, ChartEvent, history
from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.effects import Effect
from apps.forecasting.engine.forecasts import HORIZON, LONGEST_HORIZON
from apps.forecasting.engine.lines import ComparisonLine, comparison_lines
from apps.forecasting.engine.series import LEAST_DAYS
from apps.forecasting.figure_forecast import FigureForecast, LimitForecast
from apps.forecasting.models import TrendChange
from apps.forecasting.text import doubts, shares, why_this_method
from apps.outlook.figure import Outlook
from apps.reports.sheets import Cell
from apps.thresholds.engine.notation import Form
from apps.thresholds.judge import FigureState
from apps.thresholds.limits import with_unit
from apps.thresholds.models import change_in_words
from apps.web.pages.forecast.forecast_tables import WEIGHTS
from apps.web.pages.forecast.scenario_lines import Drawn, add_lines
from apps.web.sentences import Part, day_in_words

SHOWN = 3  # days of history on the chart for each day ahead


@dataclass(frozen=True)
class Asked:
    """What a person asks for: days ahead, and days of history to go by; as typed, with what is wrong with it."""

    horizon: int = HORIZON
    window: int = HISTORY
    typed_horizon: str = ""
    typed_window: str = ""
    wrong: Mapping[str, str] | None = None


def asked(given: Mapping[str, str]) -> Asked:
    """Read horizon and window from an address; what cannot be meant is told, and the usual taken."""
    wrong: dict[str, str] = {}
    found = {}
    limits = {"horizon": (1, LONGEST_HORIZON, HORIZON), "window": (LEAST_DAYS, HISTORY, HISTORY)}
    for name, (least, most, usual) in limits.items():
        text = given.get(name, "").strip()
        is_number = text.isascii() and text.isdigit() and len(text) < 6
        found[name] = int(text) if is_number and least <= int(text) <= most else usual
        if text and not (is_number and least <= int(text) <= most):
            wrong[name] = f"Given “{text[:20]}”, expected {least} to {most} days."
    return Asked(
        found["horizon"], found["window"], given.get("horizon", ""), given.get("window", ""), wrong or None
    )


def sentence_of(told: FigureForecast, standings: Mapping[str, Outlook]) -> list[Part]:
    """When the first limit is crossed and how sure that is, or why nothing can be said."""
    name, where = told.component or told.metric.label, told.target.name
    unread = next((one.unread for one in standings.values() if one.unread is not None), None)
    if unread is not None:
        return [Part(f"{where} {unread.words}", True), Part(unread.because.removeprefix(unread.words) + ".")]
    over = next((one for one in told.limits if one.prediction.is_violated), None)
    if over is not None:
        since = f" since {day_in_words(over.violated_since)}" if over.violated_since else ""
        change = change_in_words(over.threshold.figure)
        limit = f"its limit on the {change}" if change else "its limit"
        parts = [Part(f"{name} on {where} is over {limit}{since}", True)]
        if over.prediction.ends is not None:
            ends = over.day(over.prediction.ends)
            parts.append(Part(f"; it is likely to return around {day_in_words(ends)}" if ends else ""))
        return [*parts, Part(".")]
    closing = next((one for one in standings.values() if one.state is FigureState.CLOSING), None)
    if closing is not None:
        inside = f"{name} on {where} is inside its limit again"
        return [Part(inside, True), Part(f": {closing.against}, {closing.closing_words}.")]
    if told.reason:
        return [Part(f"No forecast of {name} on {where}", True), Part(f": {told.reason}.")]
    first = min(
        (one for one in told.limits if one.likely_on is not None),
        key=lambda one: one.prediction.day or 0,
        default=None,
    )
    if first is None or first.likely_on is None:
        if not told.limits:
            return [
                Part(f"{name} on {where} has no limit to run into", True),
                Part("; set one to be told when."),
            ]
        likeliest = max(told.limits, key=lambda one: one.prediction.chance or 0.0)
        if likeliest.prediction.chance is None:
            return [Part(f"{name} on {where}: {likeliest.words}", True), Part(".")]
        return [
            Part(f"No breach of {name} on {where} within {likeliest.prediction.within} days", True),
            Part(f"; the chance is {likeliest.prediction.chance_in_words}."),
        ]
    parts = [
        Part(f"{name} on {where} crosses {limit_of(first)} around "),
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


def limit_of(answer: LimitForecast) -> str:
    """The limit with its unit."""
    change = change_in_words(answer.threshold.figure)
    return f"{with_unit(answer.threshold)} ({change})" if change else with_unit(answer.threshold)


def answer_rows(told: FigureForecast, standings: Mapping[str, Outlook]) -> list[dict[str, Any]]:
    """A row for each limit: chance, days, slack; the words where there is no day."""
    rows = []
    for one in told.limits:
        found, outlook = one.prediction, standings.get(one.threshold.figure)
        is_over = found.is_violated
        if not is_over and outlook is not None and outlook.has_no_days:
            rows.append(_without_days(one, outlook))
            continue
        rows.append(
            {
                **_limit(one),
                **_days(one),
                "chance": ""
                if is_over or found.chance is None
                else figures.chance(found.chance, found.least_chance),
                "words": "" if one.likely_on and not is_over else in_words(one),
                "state": "over" if is_over or (one.slack is not None and one.slack < 0) else _kind(outlook),
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


def line_rows(told: FigureForecast) -> list[dict[str, str]]:
    """The comparison lines and "as it is", each with its slope and the date it gives against the first limit."""
    first = told.limits[0] if told.limits else None
    lines: Sequence[ComparisonLine] = (first.lines if first else []) or comparison_lines(told.values, told.on)
    unit = told.metric.display_unit
    rows = [
        {
            "name": f"straight line, {line.name}",
            "slope": f"{figures.figure(told.metric.to_display_unit(line.slope))} {unit} a day",
            "fit": f"r² {figures.fixed(line.r2, 2)}" if line.r2 is not None else "",
            "date": figures.short_day(line.on, told.on) if line.on else "no date",
        }
        for line in lines
    ]
    if rows:
        rows.append({"name": "last value", "slope": "stays as it is", "fit": "", "date": "no date"})
    return rows


def fan_of(told: FigureForecast) -> list[tuple[date, float, float, float, float, float]]:
    """Expected, low and high at 80 % and 95 % of each day that may be shown, in the unit of the profile."""
    one, shown = told.forecasts, told.metric.to_display_unit
    parts = (one.mean, one.low80, one.high80, one.low95, one.high95)
    return [
        (told.on + timedelta(days=ahead + 1), *(shown(float(part[0, ahead])) for part in parts))  # type: ignore[misc]
        for ahead in range(int(one.reach[0]))
    ]


def expected_rows(told: FigureForecast, drawn: Drawn) -> list[list[Cell]]:
    """The expected line, and that of each scenario that is drawn."""
    return [[*point, *drawn.expected(ahead)] for ahead, point in enumerate(fan_of(told))]


def chart_of(told: FigureForecast, changes: Sequence[TrendChange], courses: Drawn) -> dict[str, Any]:
    """History, expected line with its interval, limit, breach, trend changes, and other lines beside."""
    shown = told.metric.to_display_unit
    fan = fan_of(told)
    days = [told.on - timedelta(days=back) for back in range(len(told.values) - 1, -1, -1)]
    known = np.flatnonzero(np.isfinite(told.values))
    first = max(int(known[0]) if len(known) else 0, len(days) - SHOWN * told.forecasts.horizon)
    values = [shown(float(value)) if np.isfinite(value) else None for value in told.values[first:]]
    answer = next((one for one in told.limits if one.figure.edges and not one.figure.is_change), None)
    limit, side = answer.figure.edges[0] if answer else (None, Form.AT_MOST)
    crossing = answer if answer and answer.likely_on and not answer.prediction.is_violated else None
    drawn = history(
        days[first:],
        values,
        limit,
        unit=told.metric.display_unit,
        beyond="above" if side.is_upper else "below",
        fan=fan,
        breach=ChartBreach(
            crossing.day(crossing.prediction.soonest),
            crossing.likely_on,
            crossing.day(crossing.prediction.latest),
        )
        if crossing and crossing.likely_on
        else None,
        today=told.on,
        events=[
            ChartEvent(change.on, "trend change", "change") for change in changes if change.on >= days[first]
        ],
        is_rate=told.metric.kind is Kind.COUNTER,
        others=[value for ahead in range(len(fan)) for value in courses.expected(ahead)],
    )
    last = next((value for value in reversed(values) if value is not None), None)
    lines = comparison_lines(told.values, told.on)
    if last is not None and fan:
        ends = [told.on.isoformat(), fan[-1][0].isoformat()]
        slope = shown(lines[0].slope) * len(fan) if lines else 0.0
        drawn["data"] += [
            _plain("straight line", ends, [last, last + slope]),
            _plain("last value", ends, [last, last]),
        ]
    add_lines(drawn, courses)
    drawn["layout"]["yaxis"]["fixedrange"] = True
    return drawn


def _plain(name: str, days: list[str], values: list[float]) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines+text", "x": days, "y": values, "text": ["", name], "hoverinfo": "skip",
        "textposition": "top left", "textfont": {"color": "var(--ink3)", "size": 11},
        "line": {"color": "var(--ink3)", "width": 1, "dash": "dot"},
    }  # fmt: skip


def method_of(told: FigureForecast) -> dict[str, Any]:
    """Why this forecast: the methods with their weights, and the reasons to trust it less."""
    return {
        "why": why_this_method(told.forecasts, 0),
        "doubts": doubts(told.forecasts, 0),
        "planned": [_planned(told, day, change) for day, change in told.planned],
        "weights": WEIGHTS.fill(
            [
                {"name": name, "share": f"{100 * share:.0f} %"}
                for name, share in shares(told.forecasts, 0).items()
                if share >= 0.01
            ]
        ),
        "observed": int(told.forecasts.observed[0]),
    }


def _planned(told: FigureForecast, day: date, change: Effect) -> str:
    """A decided change that the forecast takes in, in a sentence."""
    unit = told.metric.display_unit
    parts = []
    if change.factor != 1:
        parts.append(f"times {figures.figure(change.factor)}")
    if change.addend:
        shown = told.metric.to_display_unit(change.addend)
        parts.append(f"{'+' if shown > 0 else ''}{figures.figure(shown)} {unit}".rstrip())
    return f"It takes in what is decided for {figures.short_day(day, told.on)}: {' and '.join(parts)}."
