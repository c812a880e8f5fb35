"""Drawings outside the pages: their classes get the light colours, and their letters the report's font."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree

from django.conf import settings

from apps.charts.outlook import OutlookMarks, outlook
from apps.charts.sparkline import sparkline
from apps.reports.facts import ReportChart, WeekMover

FONT = "IBM Plex Sans"
INK, INK2, LINE, MEASURE, FAN, RISK, RISKMARK, OVER = (
    "#14202a", "#43525e", "#e0e6ea", "#15699a", "#b9d7e8", "#865000", "#c27803", "#c9352b",
)  # fmt: skip
_STYLES: Mapping[str, str] = {
    "outlook-grid": f"stroke:{LINE};stroke-width:1;fill:none",
    "outlook-text": f"font-family:'{FONT}';font-size:9px;fill:{INK2}",
    "outlook-limit": f"stroke:{INK};stroke-width:1.25;stroke-dasharray:5 3;fill:none",
    "outlook-line": f"stroke:{MEASURE};stroke-width:1.75;stroke-linejoin:round;stroke-linecap:round;fill:none",
    "outlook-over": f"stroke:{OVER};stroke-width:1.75;stroke-linejoin:round;stroke-linecap:round;fill:none",
    "outlook-fan": f"fill:{FAN};stroke:none",
    "outlook-expected": f"stroke:{MEASURE};stroke-width:1.25;stroke-dasharray:2 2;fill:none",
    "outlook-today": f"stroke:{INK2};stroke-width:1;fill:none",
    "outlook-breach": f"fill:{RISKMARK};stroke:#ffffff;stroke-width:1",
    "outlook-when": f"fill:{RISK}",
    "spark-line": f"stroke:{MEASURE};stroke-width:1.25;fill:none",
    "spark-over": f"stroke:{OVER};stroke-width:1.5;fill:none",
    "spark-limit": f"stroke:{INK};stroke-width:1;stroke-dasharray:3 2;fill:none",
    "spark-end": f"fill:{MEASURE}",
    "spark-absent": f"stroke:{INK2};stroke-width:1;fill:none",
}
_STYLE = "".join(f".{name}{{{rules}}}" for name, rules in _STYLES.items())


MARKS = {
    "violated": OVER, "at_risk": RISKMARK, "comfortable": "#4f9484", "closing": "#5a6bc2", "no_data": "#7d8993",
}  # fmt: skip
_SVG = "{http://www.w3.org/2000/svg}"


def state_glyphs() -> dict[str, str]:
    """The glyph of each state, as the pages have it, in its colour."""
    sprite = ElementTree.parse(Path(settings.BASE_DIR) / "static" / "img" / "sprite.svg")
    ElementTree.register_namespace("", _SVG.strip("{}"))
    symbols = {symbol.get("id"): symbol for symbol in sprite.iter(f"{_SVG}symbol")}
    return {state: _glyph(symbols[state], colour) for state, colour in MARKS.items()}


def _glyph(symbol: ElementTree.Element, colour: str) -> str:
    drawing = ElementTree.Element(f"{_SVG}svg", viewBox=symbol.get("viewBox", "0 0 14 14"))
    drawing.extend(symbol)
    return ElementTree.tostring(drawing, encoding="unicode").replace("currentColor", colour)


def with_styles(svg: str) -> str:
    """A drawing that stands alone."""
    head, _, rest = svg.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{_STYLE}</style>{rest}'


def draw(chart: ReportChart, width: float = 380, height: float = 124) -> str:
    """The chart of one item, in classes as the pages know them."""
    first = date.fromisoformat(chart.first)
    days = [first + timedelta(days=offset) for offset in range(len(chart.values))]
    return outlook(
        days,
        chart.values,
        OutlookMarks(
            limit=chart.limit,
            limit_text=chart.limit_text,
            fan=[(date.fromisoformat(day), mean, low, high) for day, mean, low, high in chart.fan],
            likely=date.fromisoformat(chart.likely_on) if chart.likely_on else None,
            beyond="below" if chart.beyond == "below" else "above",
        ),
        label=chart.alt,
        width=width,
        height=height,
    )


def draw_mover(mover: WeekMover) -> str:
    """Thirty days of a mover."""
    return sparkline(list(mover.values), label=f"{mover.what} on {mover.target}, 30 days")
