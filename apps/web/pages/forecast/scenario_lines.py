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
class ScenarioLines:
    """The scenarios that are drawn, in the order of the legend, and those that move the figure too."""

    forecast: FigureForecast
    visible: Sequence[ScenarioForecast]
    hidden: Sequence[Scenario]

    @property
    def names(self) -> list[str]:
        return [scenario_forecast.scenario.name for scenario_forecast in self.visible]

    def expected(self, day: int) -> list[float]:
        """What each scenario expects on a day ahead (0 = the next), in the unit of the profile."""
        return [
            self.forecast.metric.to_display_unit(float(scenario_forecast.forecasts.mean[0, day]))
            for scenario_forecast in self.visible
        ]


def choose_scenarios(forecast: FigureForecast, query: QueryDict) -> ScenarioLines:
    """The scenarios that move a figure: those that the address names, else the first by name."""
    moving = forecast_scenarios(forecast) if not forecast.reason else []
    ticked = set(query.getlist("with"))
    chosen = [
        scenario_forecast for scenario_forecast in moving if str(scenario_forecast.scenario.pk) in ticked
    ] or moving
    visible = chosen[:MOST]
    return ScenarioLines(
        forecast,
        visible,
        [scenario_forecast.scenario for scenario_forecast in moving if scenario_forecast not in visible],
    )


def add_lines(chart: dict[str, Any], scenario_lines: ScenarioLines) -> None:
    """Draw the expected lines into the chart of a forecast."""
    reach = int(scenario_lines.forecast.forecasts.reach[0])
    days = [(scenario_lines.forecast.on + timedelta(days=ahead + 1)).isoformat() for ahead in range(reach)]
    unit = scenario_lines.forecast.metric.display_unit
    for place, scenario_forecast in enumerate(scenario_lines.visible):
        values = [scenario_lines.expected(ahead)[place] for ahead in range(reach)]
        chart["data"].append(
            {
                "type": "scatter", "mode": "lines", "x": days, "y": values,
                "text": [f"{scenario_forecast.scenario.name}: {figures.figure(value)} {unit}".rstrip() for value in values],
                "hovertemplate": "%{text}<extra></extra>",
                "line": {"color": f"var(--{COLOURS[place]})", "width": 1.75, "dash": DASHES[place]},
            }
        )  # fmt: skip


def legend_of(scenario_lines: ScenarioLines) -> list[dict[str, str]]:
    """The names of the lines; nothing where no scenario is drawn."""
    if not scenario_lines.visible:
        return []
    return [
        {"mark": "expected", "text": "as decided so far", "url": ""},
        *(
            {
                "mark": f"course-{place}",
                "text": scenario_forecast.scenario.name,
                "url": scenario_forecast.scenario.get_absolute_url(),
            }
            for place, scenario_forecast in enumerate(scenario_lines.visible, 1)
        ),
    ]


def hidden_of(scenario_lines: ScenarioLines, query: QueryDict) -> list[dict[str, str]]:
    """The scenarios that are not drawn, each with the address that draws it in the place of the others."""
    rest_of_query = [
        (key, value) for key, values in query.lists() if key not in ("with", "format") for value in values
    ]
    return [
        {"name": scenario.name, "url": f"?{urlencode([*rest_of_query, ('with', str(scenario.pk))])}"}
        for scenario in scenario_lines.hidden
    ]


def rows_of(
    scenario_lines: ScenarioLines, standings: Mapping[str, Outlook]
) -> FilledTable[Mapping[str, Any]] | None:
    """A row for each limit of the figure: as it is decided, and in each scenario that is drawn."""
    if not scenario_lines.visible:
        return None
    moved = compare_limits(scenario_lines.forecast, scenario_lines.visible)
    return moves_of(moved, scenario_lines.names, lambda figure: standings.get(figure.threshold.figure))
