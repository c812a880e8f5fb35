"""A series with its limit, forecast and events, as a Plotly figure; colours are names that the page resolves by its theme."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from apps.charts.figures import figure, full_day, short_day, ticks_of_days
from apps.charts.reader import style

ROW = 18  # pixels between two rows of letters
MOST_ROWS = 3
DAY_MILLISECONDS = 86_400_000
CROWDED = 14  # days: the names of days nearer to each other stand on two sides of the limit
ROOMY = 0.06  # of the axis: a shade that holds words
EDGE = 14  # days: a text in the middle of the last ones would be cut off
CLOSE = 0.028  # of the axis: letters nearer to each other would collide

Json = dict[str, Any]
FanPoint = Sequence[Any]  # day, expected, low and high at 80 %, and where known low and high at 95 %


@dataclass(frozen=True)
class ChartEvent:
    """Something that happened on a day: a restart is a solid line, a note or a change a dotted one."""

    day: date
    label: str
    kind: Literal["restart", "note", "change"] = "note"


@dataclass(frozen=True)
class ChartBreach:
    """When a limit is crossed."""

    soonest: date | None
    likely: date
    latest: date | None


@dataclass(frozen=True)
class Frame:
    """What is drawn around a measure: its baseline, stretches on which it was over, and the part that is looked at."""

    baseline: tuple[float, float] | None = None
    over: Sequence[tuple[date, date]] = ()
    window: tuple[date, date] | None = None  # None is all of it
    has_strip: bool = False  # the whole in small, below, to choose a part with


def history(
    days: Sequence[date],
    values: Sequence[float | None],
    limit: float | None = None,
    *,
    unit: str = "",
    beyond: Literal["above", "below"] = "above",
    limit_label: str = "",
    fan: Sequence[FanPoint] = (),
    frame: Frame = Frame(),
    breach: ChartBreach | None = None,
    events: Sequence[ChartEvent] = (),
    shaded: Sequence[tuple[date, date]] = (),
    today: date | None = None,
    is_rate: bool = False,
    others: Sequence[float] = (),
) -> Json:
    """A gap where a day has no value; zero is on the axis for rates only. `others` are figures that must fit on it too."""
    present_values = [value for value in values if value is not None]
    figures = [*present_values, *([] if limit is None else [limit]), *(frame.baseline or ())]
    low, high = span([*figures, *_within_reach(figures, fan), *others], is_rate)
    data: list[Json] = []
    last = next(
        (
            (day, value)
            for day, value in zip(reversed(days), reversed(values), strict=True)
            if value is not None
        ),
        None,
    )
    data += _fan(fan, last, unit)
    data.append(_measure(days, values, [_hover_text(value, limit, unit, beyond) for value in values]))
    shapes: list[Json] = [_area(first, until, "var(--band)") for first, until in shaded]
    baseline = frame.baseline
    if baseline is not None:
        shapes.append(_level(baseline[0], baseline[1], "var(--band)"))
    shapes += [_stretch(first, until) for first, until in frame.over]
    notes: list[Json] = []
    if limit is not None:
        shapes += _limit_marks(limit, (limit, high) if beyond == "above" else (low, limit))
        label = limit_label or f"limit {figure(limit)} {unit}".rstrip()
        notes.append(
            _note(label, x=0, y=limit, xref="paper", xanchor="left", yanchor="bottom", colour="var(--ink2)")
        )
    if today is not None and fan:
        shapes.append(_upright(today, "var(--ink)", "solid"))
        notes.append(_today_note(today))
    last_day = max([*days, *(point[0] for point in fan)], default=None)
    upright, letters, rows = _events(events, min(days, default=None), last_day)
    shapes += upright
    notes += letters
    if breach is not None and limit is not None:
        marks, names = _breach(breach, limit, last_day or breach.likely)
        shapes += marks
        notes += names
    notes += _fan_notes(fan, low, high)
    figure_layout = layout(low, high, shapes, notes, min(days, default=None), last_day)
    figure_layout["margin"]["t"] += ROW * max(rows - 1, 0)
    _look_at(figure_layout, frame, min(days, default=None), last_day)
    return {"data": data, "layout": figure_layout}


def _measure(days: Sequence[date], values: Sequence[float | None], texts: Sequence[str]) -> Json:
    """What was measured: a line, with points where there are few."""
    count = sum(value is not None for value in values)
    return {
        "type": "scatter",
        "mode": "lines+markers" if count < 4 else "lines",
        **_on(days),
        "y": [_plot_value(value) for value in values],
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
        "connectgaps": False,
        "line": {"color": "var(--measure)", "width": 1.75},
        "marker": {"color": "var(--measure)", "size": 5},
    }


def _limit_marks(limit: float, beyond: tuple[float, float]) -> list[Json]:
    """The limit as a dashed line, and a tint on what lies beyond it."""
    return [
        _level(*beyond, "var(--overmark) 5.5%"),
        {
            "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit, "y1": limit,
            "line": {"color": "var(--limit)", "width": 1.25, "dash": "5px,3px"},
        },
    ]  # fmt: skip


def _today_note(today: date) -> Json:
    return _note(
        "today",
        x=today.isoformat(),
        y=1,
        yref="paper",
        xanchor="right",
        yanchor="top",
        colour="var(--ink2)",
    )


def _within_reach(figures: Sequence[float], fan: Sequence[FanPoint]) -> list[float]:
    """The bounds of a fan, as far as they leave what was measured readable: half of the height at most."""
    if not figures:
        return [bound for point in fan for bound in point[1:]]
    low, high = min(figures), max(figures)
    reach = (high - low) or abs(high) or 1.0
    return [min(max(bound, low - reach), high + reach) for point in fan for bound in point[1:]]


def _look_at(figure_layout: Json, frame: Frame, first: date | None, last: date | None) -> None:
    """The part of the axis that is looked at, and the strip to choose another with."""
    if frame.window is not None:
        figure_layout["xaxis"]["range"] = [day.isoformat() for day in frame.window]
    if frame.has_strip and first and last and first != last:
        figure_layout["xaxis"]["rangeslider"] = {
            "visible": True,
            "thickness": 0.1,
            "range": [first.isoformat(), last.isoformat()],
            "bgcolor": "var(--surface)",
            "bordercolor": "var(--line)",
            "borderwidth": 1,
        }
        figure_layout["height"] += 22
        figure_layout["margin"]["b"] = 6  # the strip makes its own room
    figure_layout["uirevision"] = "kept"  # the part that is looked at stays when the theme changes


def letter(index: int) -> str:
    """A, B .. Z, AA, AB .."""
    return (letter(index // 26 - 1) if index >= 26 else "") + chr(65 + index % 26)


def letter_events(events: Iterable[ChartEvent]) -> list[tuple[str, list[ChartEvent]]]:
    """The events of each day under one letter, in the order of the days."""
    by_day: dict[date, list[ChartEvent]] = {}
    for event in sorted(events, key=lambda event: event.day):
        by_day.setdefault(event.day, []).append(event)
    return [(letter(index), group) for index, group in enumerate(by_day.values())]


def _events(
    events: Sequence[ChartEvent], first: date | None, last: date | None
) -> tuple[list[Json], list[Json], int]:
    """Thin lines, their letters on top, and how many rows of letters it takes so that none lies on another."""
    shapes: list[Json] = []
    notes: list[Json] = []
    last_days: list[date] = []  # the last day of each row of letters
    apart = (last - first).days * CLOSE if first and last else 0.0
    for name, group in letter_events(events):
        day = group[0].day
        is_restart = any(event.kind == "restart" for event in group)
        shapes.append(_upright(day, "var(--ink3)", "solid" if is_restart else "dot"))
        row = next((row for row, at in enumerate(last_days) if (day - at).days >= apart), len(last_days))
        row = min(row, MOST_ROWS - 1)
        last_days[row : row + 1] = [day]
        notes.append(
            _note(
                name,
                x=day.isoformat(),
                y=1,
                yref="paper",
                yanchor="bottom",
                colour="var(--ink2)",
            )
            | {"yshift": ROW * row, "bordercolor": "var(--line2)", "borderwidth": 1, "borderpad": 2}
        )
    return shapes, notes, len(last_days)


def span(figures: Sequence[float], is_rate: bool) -> tuple[float, float]:
    """The ends of an axis that holds these figures; those of a rate begin at zero."""
    low, high = min(figures, default=0.0), max(figures, default=1.0)
    if is_rate:
        low = min(low, 0.0)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    floor = low - room
    return (0.0 if low >= 0 > floor or (is_rate and low == 0) else floor), high + room


def _on(days: Sequence[date]) -> Json:
    """The days of a trace: of days in a row only the first is written."""
    if len(days) > 1 and (days[-1] - days[0]).days == len(days) - 1:
        return {"x0": days[0].isoformat(), "dx": DAY_MILLISECONDS}
    return {"x": [day.isoformat() for day in days]}


def _plot_value(value: float | None) -> float | None:
    """A value as it is drawn: seven significant digits are finer than any zoom, and half the weight of all of them."""
    return None if value is None else float(f"{value:.7g}")


def _hover_text(value: float | None, limit: float | None, unit: str, beyond: str) -> str:
    """What hovering says: the value, and how far it is from the limit."""
    if value is None:
        return ""
    text = f"{figure(value)} {unit}".rstrip()
    if limit is None:
        return text
    distance = limit - value if beyond == "above" else value - limit
    if distance == 0:
        return f"{text}<br>at the limit of {figure(limit)}"
    side = "inside" if distance > 0 else "beyond"
    return f"{text}<br>{figure(abs(distance))} {side} the limit of {figure(limit)}"


def _fan(fan: Sequence[FanPoint], last: tuple[date, float] | None, unit: str) -> list[Json]:
    """The 95 % interval, the 80 % one on it, then the expected line; all begin at the last measured day."""
    if not fan:
        return []
    begin: list[tuple[str, list[float]]] = []
    if last is not None and last[0] < fan[0][0]:
        begin = [(last[0].isoformat(), [last[1]] * 5)]
    points = begin + [(point[0].isoformat(), [float(bound) for bound in point[1:]]) for point in fan]
    x = [day for day, _ in points]
    parts: list[Json] = []
    for low, name in ((3, "fan95"), (1, "fan80")):
        if all(len(bounds) > low + 1 for _, bounds in points):
            shared = {"type": "scatter", "mode": "lines", "x": x, "hoverinfo": "skip", "line": {"width": 0}}
            parts.append(shared | {"y": [bounds[low] for _, bounds in points]})
            parts.append(
                shared
                | {
                    "y": [bounds[low + 1] for _, bounds in points],
                    "fill": "tonexty",
                    "fillcolor": f"var(--{name})",
                }
            )
    parts.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": [bounds[0] for _, bounds in points],
            "text": [f"expected {figure(bounds[0])} {unit}".rstrip() for _, bounds in points],
            "hovertemplate": "%{text}<extra></extra>",
            "line": {"color": "var(--measure)", "width": 1.25, "dash": "2px,2px"},
        }
    )
    return parts


def _breach(breach: ChartBreach, limit: float, last: date) -> tuple[list[Json], list[Json]]:
    """The stretch from soonest to latest as shapes, which the strip below leaves out, and the names of its days."""
    soonest, latest = breach.soonest or breach.likely, breach.latest or breach.likely
    line = {"color": "var(--riskmark)", "width": 3.5}
    shapes: list[Json] = [
        {"type": "line", "x0": soonest.isoformat(), "x1": latest.isoformat(), "y0": limit, "y1": limit, "line": line},
        *(_end(day, limit) for day in (soonest, latest)),
        _dot(breach.likely, limit),
    ]  # fmt: skip
    is_tight = (breach.likely - soonest).days < CROWDED
    notes = [_day_note("likely", breach.likely, limit, last, is_above=True)]
    if breach.soonest is not None and soonest < breach.likely:
        notes.append(_day_note("soonest", soonest, limit, last, is_above=not is_tight, side="right"))
    if breach.latest is not None and latest > breach.likely:
        notes.append(_day_note("latest", latest, limit, last, is_above=False, side="left"))
    return shapes, notes


def _day_note(
    name: str, day: date, limit: float, last: date, *, is_above: bool, side: str = "center"
) -> Json:
    """The name of a day on the limit, clear of the edge of the chart."""
    is_at_edge = (last - day).days < EDGE
    anchor = "right" if is_at_edge else side
    return _note(
        f"{name}<br>{short_day(day)}",
        x=day.isoformat(),
        y=limit,
        xanchor=anchor,
        yanchor="bottom" if is_above else "top",
        colour="var(--risk)",
    ) | {"yshift": 6 if is_above else -4, "align": anchor}


def _end(day: date, limit: float) -> Json:
    """A short upright at an end of the stretch."""
    return _marker(day, limit) | {
        "type": "line", "x0": 0, "x1": 0, "y0": -5, "y1": 5, "line": {"color": "var(--riskmark)", "width": 1.5},
    }  # fmt: skip


def _dot(day: date, limit: float) -> Json:
    return _marker(day, limit) | {
        "type": "circle", "x0": -5, "x1": 5, "y0": -5, "y1": 5, "fillcolor": "var(--riskmark)",
        "line": {"color": "var(--bg)", "width": 1.5},
    }  # fmt: skip


def _marker(day: date, limit: float) -> Json:
    """A shape of pixels around a point."""
    return {"xsizemode": "pixel", "ysizemode": "pixel", "xanchor": day.isoformat(), "yanchor": limit}


def _fan_notes(fan: Sequence[FanPoint], low: float, high: float) -> list[Json]:
    """What each shade holds, inside it at the right edge; a shade too thin for words has none."""
    if not fan:
        return []
    day, mean, *bounds = fan[-1]
    if not bounds:
        return []
    names = [("80 % of futures", mean, bounds[0])]
    if len(bounds) > 2:
        names.append(("95 %", bounds[0], bounds[2]))
    return [
        _note(
            name,
            x=day.isoformat(),
            y=(top + bottom) / 2,
            xanchor="right",
            yanchor="middle",
            colour="var(--ink2)",
        )
        for name, top, bottom in names
        if top - bottom > ROOMY * (high - low) and low < (top + bottom) / 2 < high
    ]


def _area(first: date, until: date, colour: str) -> Json:
    return {
        "type": "rect", "layer": "below", "yref": "paper", "y0": 0, "y1": 1, "x0": first.isoformat(),
        "x1": (until + timedelta(days=1)).isoformat(), "fillcolor": colour, "line": {"width": 0},
    }  # fmt: skip


def _stretch(first: date, until: date) -> Json:
    """A violation: a mark on the axis for as long as it was open."""
    return {
        "type": "rect", "yref": "paper", "y0": 0, "y1": 0.02, "x0": first.isoformat(),
        "x1": (until + timedelta(days=1)).isoformat(), "fillcolor": "var(--overmark)", "line": {"width": 0},
    }  # fmt: skip


def _level(low: float, high: float, colour: str) -> Json:
    return {
        "type": "rect", "layer": "below", "xref": "paper", "x0": 0, "x1": 1, "y0": low, "y1": high,
        "fillcolor": colour, "line": {"width": 0},
    }  # fmt: skip


def _upright(day: date, colour: str, dash: str) -> Json:
    return {
        "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": day.isoformat(), "x1": day.isoformat(),
        "line": {"color": colour, "width": 1, "dash": dash},
    }  # fmt: skip


def _note(label: str, *, x: Any, y: Any, colour: str, **anchors: str) -> Json:
    return {
        "text": label,
        "x": x,
        "y": y,
        "showarrow": False,
        "font": {"color": colour, "size": 11},
        **anchors,
    }


def layout(
    low: float, high: float, shapes: list[Json], notes: list[Json], first: date | None, last: date | None
) -> Json:
    """What all charts over days share: theme, margins, axes."""
    return {
        "height": 340,
        "margin": {"l": 48, "r": 12, "t": 26, "b": 38},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": '"Headroom Sans", system-ui, sans-serif', "size": 11, "color": "var(--ink2)"},
        "showlegend": False,
        "hovermode": "x unified",
        "hoverlabel": {
            "bgcolor": "var(--bg)",
            "bordercolor": "var(--line2)",
            "font": {"size": 12, "color": "var(--ink)"},
        },
        "dragmode": "zoom",
        "xaxis": {
            "type": "date",
            "range": [first.isoformat(), last.isoformat()] if first and last and first != last else None,
            "showgrid": False,
            "zeroline": False,
            "linecolor": "var(--line2)",
            "ticks": "outside",
            "ticklen": 4,
            "tickcolor": "var(--line2)",
            "tickformat": ticks_of_days()[0],
            "hoverformat": ticks_of_days()[1],
            "nticks": 9,
            "spikemode": "across",
            "spikethickness": 1,
            "spikedash": "solid",
            "spikecolor": "var(--line2)",
        },
        "yaxis": {
            "range": [low, high],
            "gridcolor": "var(--line)",
            "showline": False,
            "zeroline": False,
            "separatethousands": True,
            "nticks": 5,
        },
        "separators": style().decimal + style().thousands,
        "shapes": shapes,
        "annotations": notes,
        "meta": {"until": full_day(last) if last else ""},
    }
