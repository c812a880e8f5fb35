"""The forecast of one statistic as its page shows it: answers, chart, method in words, and how past forecasts fared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median
from typing import Any

import numpy as np

from apps.catalog.metric import Kind
from apps.charts import figures
from apps.charts.history import Breach, Event, history
from apps.forecasting.changes import Change
from apps.forecasting.clean import LEAST_DAYS
from apps.forecasting.figures import HISTORY, cap_of
from apps.forecasting.foresee import Answer, Foreseen, conditions_of
from apps.forecasting.lines import Line, comparison_lines
from apps.forecasting.methods import HORIZON, LONGEST_HORIZON
from apps.forecasting.models import Forecast, TrendChange
from apps.forecasting.replay import Beside, Replayed, replayed
from apps.forecasting.words import doubts, shares, why_this_method
from apps.reports.sheets import Cell
from apps.thresholds.limits import change_in_words, with_unit
from apps.web.courses import Drawn, add_lines
from apps.web.sentences import Part, count, day_in_words

SHOWN = 3  # days of history on the chart for each day ahead
HEADS = ["day", "expected", "low 80 %", "high 80 %", "low 95 %", "high 95 %"]


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


def sentence_of(told: Foreseen) -> list[Part]:
    """When the first limit is crossed and how sure that is, or why nothing can be said."""
    name, where = told.component or told.metric.label, told.target.name
    over = next((one for one in told.answers if one.breach.is_violated), None)
    if over is not None:
        since = f" since {day_in_words(over.violated_since)}" if over.violated_since else ""
        change = change_in_words(over.threshold.figure)
        limit = f"its limit on the {change}" if change else "its limit"
        parts = [Part(f"{name} on {where} is over {limit}{since}", True)]
        if over.breach.ends is not None:
            ends = over.day(over.breach.ends)
            parts.append(Part(f"; it is likely to return around {day_in_words(ends)}" if ends else ""))
        return [*parts, Part(".")]
    if told.reason:
        return [Part(f"No forecast of {name} on {where}", True), Part(f": {told.reason}.")]
    first = min(
        (one for one in told.answers if one.likely_on is not None),
        key=lambda one: one.breach.day or 0,
        default=None,
    )
    if first is None or first.likely_on is None:
        if not told.answers:
            return [
                Part(f"{name} on {where} has no limit to run into", True),
                Part("; set one to be told when."),
            ]
        likeliest = max(told.answers, key=lambda one: one.breach.chance or 0.0)
        if likeliest.breach.chance is None:
            return [Part(f"{name} on {where}: {likeliest.words}", True), Part(".")]
        return [
            Part(f"No breach of {name} on {where} within {likeliest.breach.within} days", True),
            Part(f"; the chance is {likeliest.breach.chance_in_words}."),
        ]
    parts = [
        Part(f"{name} on {where} crosses {limit_of(first)} around "),
        Part(day_in_words(first.likely_on), True),
    ]
    soonest = first.day(first.breach.soonest)
    if soonest:
        parts.append(Part(f" (soonest {day_in_words(soonest)})"))
    if first.slack is not None and first.act_by is not None:
        act = (
            "; acting takes longer than that" if first.slack < 0 else f". Act by {day_in_words(first.act_by)}"
        )
        parts.append(Part(act))
    return [*parts, Part(".")]


def limit_of(answer: Answer) -> str:
    """The limit with its unit."""
    change = change_in_words(answer.threshold.figure)
    return f"{with_unit(answer.threshold)} ({change})" if change else with_unit(answer.threshold)


def answer_rows(told: Foreseen) -> list[dict[str, Any]]:
    """A row for each limit: chance, days, slack; the words where there is no day."""
    rows = []
    for one in told.answers:
        found = one.breach
        is_over = found.is_violated
        latest = one.day(found.latest)
        rows.append(
            {
                "limit": with_unit(one.threshold),
                "change": change_in_words(one.threshold.figure),
                "url": one.threshold.get_absolute_url(),
                "severity": one.threshold.severity,
                "peaks": "without known peaks" if one.threshold.leaves_out_peaks else "",
                "chance": "" if is_over or found.chance is None else found.chance_in_words,
                "words": "" if one.likely_on and not is_over else in_words(one),
                "soonest": figures.short_day(one.day(found.soonest), told.on),
                "likely": figures.short_day(one.likely_on, told.on),
                "latest": figures.short_day(latest, told.on) if latest else "later",
                "to_act": one.threshold.lead_time_days,
                "slack": figures.slack(one.slack),
                "act_by": figures.short_day(one.act_by, told.on),
                "state": "over" if is_over or (one.slack is not None and one.slack < 0) else "risk",
            }
        )
    return rows


def in_words(answer: Answer) -> str:
    """What is foreseen of a limit, with days as pages write them."""
    if answer.breach.is_violated and answer.violated_since:
        return f"violated since {figures.short_day(answer.violated_since, answer.on)}"
    return answer.words


def line_rows(told: Foreseen) -> list[dict[str, str]]:
    """The comparison lines and "as it is", each with its slope and the date it gives against the first limit."""
    first = told.answers[0] if told.answers else None
    lines: Sequence[Line] = (first.lines if first else []) or comparison_lines(told.values, told.on)
    unit = told.metric.display_unit
    rows = [
        {
            "name": f"straight line, {line.name}",
            "slope": f"{figures.figure(told.metric.shown(line.slope))} {unit} a day",
            "fit": f"r² {figures.fixed(line.r2, 2)}" if line.r2 is not None else "",
            "date": figures.short_day(line.on, told.on) if line.on else "no date",
        }
        for line in lines
    ]
    if rows:
        rows.append({"name": "last value", "slope": "stays as it is", "fit": "", "date": "no date"})
    return rows


def fan_of(told: Foreseen) -> list[tuple[date, float, float, float, float, float]]:
    """Expected, low and high at 80 % and 95 % of each day that may be shown, in the unit of the profile."""
    one, shown = told.forecasts, told.metric.shown
    parts = (one.mean, one.low80, one.high80, one.low95, one.high95)
    return [
        (told.on + timedelta(days=ahead + 1), *(shown(float(part[0, ahead])) for part in parts))  # type: ignore[misc]
        for ahead in range(int(one.reach[0]))
    ]


def expected_rows(told: Foreseen, drawn: Drawn) -> list[list[Cell]]:
    """The expected line, and that of each scenario that is drawn."""
    return [[*point, *drawn.expected(ahead)] for ahead, point in enumerate(fan_of(told))]


def chart_of(told: Foreseen, changes: Sequence[TrendChange], courses: Drawn) -> dict[str, Any]:
    """History, expected line with its interval, limit, breach, trend changes, and other lines beside."""
    shown = told.metric.shown
    fan = fan_of(told)
    days = [told.on - timedelta(days=back) for back in range(len(told.values) - 1, -1, -1)]
    known = np.flatnonzero(np.isfinite(told.values))
    first = max(int(known[0]) if len(known) else 0, len(days) - SHOWN * told.forecasts.horizon)
    values = [shown(float(value)) if np.isfinite(value) else None for value in told.values[first:]]
    answer = next((one for one in told.answers if one.sides and not one.is_change), None)
    side = answer.sides[0] if answer else None
    crossing = answer if answer and answer.likely_on and not answer.breach.is_violated else None
    drawn = history(
        days[first:],
        values,
        side.limit if side else None,
        unit=told.metric.display_unit,
        beyond="above" if side is None or side.direction.is_upper else "below",
        fan=fan,
        breach=Breach(
            crossing.day(crossing.breach.soonest), crossing.likely_on, crossing.day(crossing.breach.latest)
        )
        if crossing and crossing.likely_on
        else None,
        today=told.on,
        events=[Event(change.on, "trend change", "change") for change in changes if change.on >= days[first]],
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


def method_of(told: Foreseen) -> dict[str, Any]:
    """Why this forecast: the ways of going on with their weights, and the reasons to trust it less."""
    return {
        "why": why_this_method(told.forecasts, 0),
        "doubts": doubts(told.forecasts, 0),
        "planned": [_planned(told, day, change) for day, change in told.planned],
        "weights": [
            {"name": name, "share": f"{100 * share:.0f} %"}
            for name, share in shares(told.forecasts, 0).items()
            if share >= 0.01
        ],
        "observed": int(told.forecasts.observed[0]),
    }


def _planned(told: Foreseen, day: date, change: Change) -> str:
    """A decided change that the forecast takes in, in a sentence."""
    unit = told.metric.display_unit
    parts = []
    if change.factor != 1:
        parts.append(f"times {figures.figure(change.factor)}")
    if change.addend:
        shown = told.metric.shown(change.addend)
        parts.append(f"{'+' if shown > 0 else ''}{figures.figure(shown)} {unit}".rstrip())
    return f"It takes in what is decided for {figures.short_day(day, told.on)}: {' and '.join(parts)}."


def track_record(told: Foreseen) -> tuple[str, list[dict[str, str]]]:
    """How past forecasts of this figure fared, in a sentence and a row each: kept where they were, else replayed."""
    answer = next((one for one in told.answers if not one.is_change), None)
    found = _replayed(told, answer)
    kept = _kept(told, answer, [told.on - timedelta(days=one.days_ago) for one in found])
    rows = [_row(told, one, kept.get(told.on - timedelta(days=one.days_ago))) for one in found]
    return _sentence(told, found), rows


def _replayed(told: Foreseen, answer: Answer | None) -> list[Replayed]:
    cap = cap_of(told.metric.key, told.values)
    if answer is None:
        return replayed(told.values, [], cap=cap)
    (edges, *more), beside = conditions_of(answer.threshold), None
    if more:
        values = answer.series[1]
        beside = Beside(values, more[0][0], cap_of(answer.threshold.second_metric, values))
    return replayed(answer.series[0], edges, cap=cap, beside=beside)


def _kept(told: Foreseen, answer: Answer | None, days: Sequence[date]) -> dict[date, Forecast]:
    """What was really said on these days of this limit."""
    if answer is None:
        return {}
    ledger = Forecast.objects.filter(
        target=told.target, metric=told.metric.key, component=told.component, threshold=answer.threshold,
        made_on__in=days,
    )  # fmt: skip
    return {one.made_on: one for one in ledger}


def _row(told: Foreseen, one: Replayed, kept: Forecast | None) -> dict[str, str]:
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
        told_then = one.told
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
        "came": short(one.crossed) or ("" if not told.answers else f"not within {one.ahead} days"),
        "off": "" if off is None else "to the day" if off == 0 else f"{abs(off)} d {'late' if off > 0 else 'early'}",
        "inside": inside,
        "missed": f"{_signed(told, one.off)} {unit}" if one.off is not None else "not measured",
        "line": f"{_signed(told, one.line_off)} {unit}" if one.line_off is not None else "",
        "ahead": f"{one.ahead} d",
    }  # fmt: skip


def _inside(made_on: date, crossed: int, soonest: date, latest: date | None) -> str:
    day = made_on + timedelta(days=crossed)
    return "inside" if soonest <= day and (latest is None or day <= latest) else "outside"


def _signed(told: Foreseen, off: float) -> str:
    shown = told.metric.shown(off)
    return f"{'+' if shown > 0 else ''}{figures.figure(shown)}"


def _sentence(told: Foreseen, found: Sequence[Replayed]) -> str:
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
        if one.told and one.told.day and one.told.day <= one.ahead and one.crossed is None
    ]
    if false:
        parts.append(f"{count(len(false), 'crossing')} did not come")
    return ". ".join(part[:1].upper() + part[1:] for part in parts) + "." if parts else ""
