"""Two series over the same days, one above the other, as a Plotly figure: each keeps its own unit and its own axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.charts.figures import figure
from apps.charts.history import span
from apps.charts.plot_parts import layout

Json = dict[str, Any]


@dataclass(frozen=True)
class Panel:
    """One of the series: its figures by day, None where there is none."""

    name: str
    unit: str
    values: Sequence[float | None]
    is_rate: bool = False


def pair(days: Sequence[date], above: Panel, below: Panel) -> Json:
    """
    The figure of two panels with one axis of days.

    They are not drawn on one pair of axes: two scales that meet somewhere suggest more than they say.
    """
    figure_layout: Json = layout(0.0, 1.0, [], [], days[0] if days else None, days[-1] if days else None)
    data = []
    for panel, axis, place, colour in (
        (above, "y", [0.55, 0.96], "var(--measure)"),
        (below, "y2", [0.0, 0.41], "var(--s3)"),
    ):
        figures = [value for value in panel.values if value is not None]
        low, high = span(figures, panel.is_rate)
        figure_layout["yaxis" + axis[1:]] = figure_layout["yaxis"] | {
            "range": [low, high],
            "domain": place,
            "nticks": 4,
        }
        figure_layout["annotations"].append(
            {
                "text": f"{_plain(panel.name)}, {panel.unit}" if panel.unit else _plain(panel.name),
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "y": place[1],
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"color": colour, "size": 12},
            }
        )
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers" if len(figures) < 4 else "lines",
                "x": [day.isoformat() for day in days],
                "y": list(panel.values),
                "yaxis": axis,
                "text": [
                    "" if value is None else f"{_plain(panel.name)} {figure(value)} {panel.unit}".rstrip()
                    for value in panel.values
                ],
                "hovertemplate": "%{text}<extra></extra>",
                "connectgaps": False,
                "line": {"color": colour, "width": 1.75},
                "marker": {"color": colour, "size": 5},
            }
        )
    figure_layout["xaxis"] |= {"anchor": "y2"}
    figure_layout["height"] = 420
    return {"data": data, "layout": figure_layout}


def _plain(name: str) -> str:
    """Names come from people and databases; Plotly takes some tags for markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
