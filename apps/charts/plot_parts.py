"""The parts that charts over days are put together of, as Plotly describes them."""

from datetime import date, timedelta
from typing import Any

from apps.charts.figures import full_day, ticks_of_days
from apps.charts.reader import style

Json = dict[str, Any]


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
