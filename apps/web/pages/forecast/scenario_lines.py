"""Scenarios on the page of a forecast: their expected lines beside the plain one, and what becomes of each limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from apps.charts import figures
from apps.forecasting.figure_forecast import FigureForecast
from apps.forecasting.models import Scenario
from apps.forecasting.scenarios import ScenarioForecast, compare_limits, forecast_scenarios
from apps.outlook.figure import Outlook
from apps.web.scenario_moves import moves_of
from apps.web.tables import FilledTable

MOST = 4  # lines that can be told apart
COLOURS = ("s2", "s3", "s4", "s5")
DASHES = ("solid", "8px,3px", "2px,3px", "6px,2px,2px,2px")


@dataclass(frozen=True)
class Drawn:
    """The scenarios that are drawn, in the order of the legend, and those that move the figure too."""

    told: FigureForecast
    shown: Sequence[ScenarioForecast]
    hidden: Sequence[Scenario]

    @property
    def names(self) -> list[str]:
        return [one.scenario.name for one in self.shown]

    def expected(self, day: int) -> list[float]:
        """What each scenario expects on a day ahead (0 = the next), in the unit of the profile."""
        return [self.told.metric.to_display_unit(float(one.forecasts.mean[0, day])) for one in self.shown]


def drawn_courses(told: FigureForecast, given: QueryDict) -> Drawn:
    """The scenarios that move a figure: those that the address names, else the first by name."""
    found = forecast_scenarios(told) if not told.reason else []
    ticked = set(given.getlist("with"))
    chosen = [one for one in found if str(one.scenario.pk) in ticked] or found
    shown = chosen[:MOST]
    return Drawn(told, shown, [one.scenario for one in found if one not in shown])


def add_lines(chart: dict[str, Any], drawn: Drawn) -> None:
    """Draw the expected lines into the chart of a forecast."""
    reach = int(drawn.told.forecasts.reach[0])
    days = [(drawn.told.on + timedelta(days=ahead + 1)).isoformat() for ahead in range(reach)]
    unit = drawn.told.metric.display_unit
    for place, one in enumerate(drawn.shown):
        values = [drawn.expected(ahead)[place] for ahead in range(reach)]
        chart["data"].append(
            {
                "type": "scatter", "mode": "lines", "x": days, "y": values,
                "text": [f"{one.scenario.name}: {figures.figure(value)} {unit}".rstrip() for value in values],
                "hovertemplate": "%{text}<extra></extra>",
                "line": {"color": f"var(--{COLOURS[place]})", "width": 1.75, "dash": DASHES[place]},
            }
        )  # fmt: skip


def legend_of(drawn: Drawn) -> list[dict[str, str]]:
    """The names of the lines; nothing where no scenario is drawn."""
    if not drawn.shown:
        return []
    return [
        {"mark": "expected", "text": "as decided so far", "url": ""},
        *(
            {"mark": f"course-{place}", "text": one.scenario.name, "url": one.scenario.get_absolute_url()}
            for place, one in enumerate(drawn.shown, 1)
        ),
    ]


def hidden_of(drawn: Drawn, given: QueryDict) -> list[dict[str, str]]:
    """The scenarios that are not drawn, each with the address that draws it in the place of the others."""
    kept = [
        (key, value) for key, values in given.lists() if key not in ("with", "format") for value in values
    ]
    return [
        {"name": one.name, "url": f"?{urlencode([*kept, ('with', str(one.pk))])}"} for one in drawn.hidden
    ]


def rows_of(drawn: Drawn, standings: Mapping[str, Outlook]) -> FilledTable[Mapping[str, Any]] | None:
    """A row for each limit of the figure: as it is decided, and in each scenario that is drawn."""
    if not drawn.shown:
        return None
    moved = compare_limits(drawn.told, drawn.shown)
    return moves_of(moved, drawn.names, lambda figure: standings.get(figure.threshold.figure))
