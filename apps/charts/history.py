"""A series with its limit, forecast and events, as a Plotly figure; colours are names that the page resolves by its theme."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from apps.charts.figures import figure
from apps.charts.futures import ChartBreach, FanPoint, draw_breach, draw_fan, name_shades
from apps.charts.plot_parts import Json, area, layout, level, stretch, upright, write_note

ROW = 18  # pixels between two rows of letters
MOST_ROWS = 3
DAY_MILLISECONDS = 86_400_000
CLOSE = 0.028  # of the axis: letters nearer to each other would collide


@dataclass(frozen=True)
class ChartEvent:
    """Something that happened on a day: a restart is a solid line, a note or a change a dotted one."""

    day: date
    label: str
    kind: Literal["restart", "note", "change"] = "note"


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
    bounds: Sequence[float | None] = (),
) -> Json:
    """
    A gap where a day has no value; zero is on the axis for rates only. `others` are figures that must fit on it too,
    `bounds` what is known at most of days, which is drawn apart from what was measured.
    """
    present_values = [value for value in (*values, *bounds) if value is not None]
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
    data += draw_fan(fan, last, unit)
    if any(bound is not None for bound in bounds):
        data.append(_bounds(days, bounds, unit))
    data.append(_measure(days, values, [_hover_text(value, limit, unit, beyond) for value in values]))
    shapes: list[Json] = [area(first, until, "var(--band)") for first, until in shaded]
    baseline = frame.baseline
    if baseline is not None:
        shapes.append(level(baseline[0], baseline[1], "var(--band)"))
    shapes += [stretch(first, until) for first, until in frame.over]
    notes: list[Json] = []
    if limit is not None:
        shapes += _limit_marks(limit, (limit, high) if beyond == "above" else (low, limit))
        label = limit_label or f"limit {figure(limit)} {unit}".rstrip()
        notes.append(
            write_note(
                label, x=0, y=limit, xref="paper", xanchor="left", yanchor="bottom", colour="var(--ink2)"
            )
        )
    if today is not None and fan:
        shapes.append(upright(today, "var(--ink)", "solid"))
        notes.append(_today_note(today))
    last_day = max([*days, *(point[0] for point in fan)], default=None)
    marks, letters, rows = _events(events, min(days, default=None), last_day)
    shapes += marks
    notes += letters
    if breach is not None and limit is not None:
        marks, names = draw_breach(breach, limit, last_day or breach.likely)
        shapes += marks
        notes += names
    notes += name_shades(fan, low, high)
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


def _bounds(days: Sequence[date], bounds: Sequence[float | None], unit: str) -> Json:
    """What is known at most: dots in a row, which no line goes through."""
    return {
        "type": "scatter",
        "mode": "lines",
        **_on(days),
        "y": [_plot_value(bound) for bound in bounds],
        "text": ["" if bound is None else f"≤{figure(bound)} {unit}".rstrip() for bound in bounds],
        "hovertemplate": "%{text}<extra></extra>",
        "connectgaps": False,
        "line": {"color": "var(--ink3)", "width": 1.25, "dash": "dot"},
    }


def _limit_marks(limit: float, beyond: tuple[float, float]) -> list[Json]:
    """The limit as a dashed line, and a tint on what lies beyond it."""
    return [
        level(*beyond, "var(--overmark) 5.5%"),
        {
            "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit, "y1": limit,
            "line": {"color": "var(--limit)", "width": 1.25, "dash": "5px,3px"},
        },
    ]  # fmt: skip


def _today_note(today: date) -> Json:
    return write_note(
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
        shapes.append(upright(day, "var(--ink3)", "solid" if is_restart else "dot"))
        row = next((row for row, at in enumerate(last_days) if (day - at).days >= apart), len(last_days))
        row = min(row, MOST_ROWS - 1)
        last_days[row : row + 1] = [day]
        notes.append(
            write_note(
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
