"""Figures under limits, and the edges that limits have."""

from dataclasses import dataclass
from typing import Any

from apps.catalog.registry import get_metric
from apps.forecasting.daily_figures import Key
from apps.forecasting.engine.edges import Edge, Opening
from apps.thresholds.engine.notation import Form, Limit
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.models import HORIZON_OF, Threshold
from apps.thresholds.precedence import find_applicable

FORECAST_FORMS = (Form.AT_MOST, Form.BELOW, Form.AT_LEAST, Form.ABOVE, Form.WITHIN)


@dataclass(frozen=True)
class LimitedFigure:
    """One figure under one limit."""

    threshold: Threshold
    component: str

    @property
    def key(self) -> Key:
        return self.threshold.about.category, self.threshold.metric, self.component

    @property
    def fields(self) -> dict[str, Any]:
        """What rows about it have in common: statistic, component, which figure, and its limit as it stands."""
        threshold = self.threshold
        return {
            "metric": threshold.metric,
            "component": self.component,
            "figure": threshold.figure,
            "threshold": threshold,
            "notation": threshold.notation,
            "unit": threshold.unit,
        }

    @property
    def keys(self) -> list[Key]:
        """The figures that the limit goes by: one, or two where it has a second condition."""
        if not self.threshold.second_metric:
            return [self.key]
        metric = get_metric(self.threshold.second_metric)
        return [self.key, (metric.category, metric.key, self.component)]

    @property
    def is_change(self) -> bool:
        """Whether the limit is on the change of the figure over some days."""
        return self.threshold.figure in HORIZON_OF

    @property
    def opening(self) -> Opening:
        """On which day beyond it a violation opens: the N-th of the last M that are judged."""
        return self.threshold.opens_after, self.threshold.opens_within

    @property
    def edges(self) -> list[Edge]:
        """The edges of the limit in the unit the profile shows: one, or two of a range; none where it is not forecast."""
        return _edges_of(self.threshold.limit)

    @property
    def second_edge(self) -> Edge | None:
        """The edge of the second condition, in the unit that its own figure shows."""
        return None if self.threshold.second is None else _edges_of(self.threshold.second.limit)[0]

    @property
    def conditions(self) -> list[list[Edge]]:
        """Of each condition, all of which must be broken, the edges, of which one must be; in the stored unit."""
        about = self.threshold.about
        conditions = [[(about.to_stored_unit(limit), side) for limit, side in self.edges]]
        if self.second_edge is not None:
            limit, side = self.second_edge
            conditions.append([(get_metric(self.threshold.second_metric).to_stored_unit(limit), side)])
        return conditions


def limited_figures(reader: LimitReader) -> list[LimitedFigure]:
    """Every figure of a target that is under a limit which can be forecast, with that limit."""
    thresholds: dict[str, list[Threshold]] = {}
    for threshold in reader.thresholds:
        if threshold.form in FORECAST_FORMS:
            thresholds.setdefault(threshold.metric, []).append(threshold)
    return [
        LimitedFigure(applied.threshold, component)
        for metric, names in reader.components.items()
        for component in names
        for applied in find_applicable(thresholds.get(metric, []), reader.target, metric, component)
    ]


def _edges_of(limit: Limit) -> list[Edge]:
    if limit.form is Form.WITHIN:
        pairs = ((limit.high, Form.AT_MOST), (limit.low, Form.AT_LEAST))
        return [(edge, side) for edge, side in pairs if edge is not None]
    if limit.form not in FORECAST_FORMS:
        return []
    return [(0.0 if limit.edge is None else limit.edge, limit.form)]
