"""The parts that charts over days are put together of, as Plotly describes them."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from apps.charts.figures import full_day, ticks_of_days
from apps.charts.reader import style

Json = dict[str, Any]

HEIGHT, TOP, BOTTOM = 340, 26, 38  # pixels
PLOT_HEIGHT = HEIGHT - TOP - BOTTOM
NAME = 14  # pixels that a name of a line takes


def area(first: date, until: date, colour: str) -> Json:
    return {
        "type": "rect", "layer": "below", "yref": "paper", "y0": 0, "y1": 1, "x0": first.isoformat(),
        "x1": (until + timedelta(days=1)).isoformat(), "fillcolor": colour, "line": {"width": 0},
    }  # fmt: skip


def stretch(first: date, until: date) -> Json:
    """A violation: a mark on the axis for as long as it was open."""
    return {
        "type": "rect", "yref": "paper", "y0": 0, "y1": 0.02, "x0": first.isoformat(),
        "x1": (until + timedelta(days=1)).isoformat(), "fillcolor": "var(--overmark)", "line": {"width": 0},
    }  # fmt: skip


def level(low: float, high: float, colour: str) -> Json:
    return {
        "type": "rect", "layer": "below", "xref": "paper", "x0": 0, "x1": 1, "y0": low, "y1": high,
        "fillcolor": colour, "line": {"width": 0},
    }  # fmt: skip


def upright(day: date, colour: str, dash: str) -> Json:
    return {
        "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": day.isoformat(), "x1": day.isoformat(),
        "line": {"color": colour, "width": 1, "dash": dash},
    }  # fmt: skip


def write_note(label: str, *, x: Any, y: Any, colour: str, **anchors: str) -> Json:
    return {
        "text": label,
        "x": x,
        "y": y,
        "showarrow": False,
        "font": {"color": colour, "size": 11},
        **anchors,
    }


def name_lines(chart: Json, names: Sequence[tuple[str, str, float]], colour: str) -> None:
    """
    Write names of lines (name, day, value) above their ends at the right edge of a chart over days.

    These, and the names that the chart has there, are moved apart until each can be read.
    """
    figure_layout = chart["layout"]
    notes: list[Json] = figure_layout["annotations"]
    notes += [
        write_note(name, x=day, y=value, xanchor="right", yanchor="middle", colour=colour)
        | {"yshift": NAME / 2}
        for name, day, value in names
    ]
    low, high = figure_layout["yaxis"]["range"]
    edge = {day for _, day, _ in names}
    at_edge = [note for note in notes if note["x"] in edge and note.get("yanchor") == "middle"]

    def height(note: Json) -> float:
        inside = min(max(note["y"], low), high)
        return float((inside - low) / (high - low) * PLOT_HEIGHT + note.get("yshift", 0))

    at_edge.sort(key=height)
    heights = _move_apart([height(note) for note in at_edge])
    for note, moved in zip(at_edge, heights, strict=True):
        note["yshift"] = round(moved - height(note) + note.get("yshift", 0), 1)


def _move_apart(heights: Sequence[float]) -> list[float]:
    """Heights from the lowest on, each a line of text above the one before, moved as little from where they were."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + NAME) if moved else height)
    excess = max(0.0, moved[-1] - (PLOT_HEIGHT - NAME / 2)) if moved else 0.0
    shift = excess or sum(new - old for new, old in zip(moved, heights, strict=True)) / max(len(moved), 1)
    return [max(new - shift, NAME / 2 + NAME * place) for place, new in enumerate(moved)]


def layout(
    low: float, high: float, shapes: list[Json], notes: list[Json], first: date | None, last: date | None
) -> Json:
    """What all charts over days share: theme, margins, axes."""
    return {
        "height": HEIGHT,
        "margin": {"l": 48, "r": 12, "t": TOP, "b": BOTTOM},
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
