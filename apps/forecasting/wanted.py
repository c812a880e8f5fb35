"""One figure under one limit, and the edges that limits have."""

from dataclasses import dataclass

from apps.catalog.registry import get_metric
from apps.forecasting.crossing import Direction
from apps.forecasting.figures import Key
from apps.thresholds.models import HORIZON_OF, Threshold
from apps.thresholds.notation import Form, Limit

FORESEEN = (Form.AT_MOST, Form.BELOW, Form.AT_LEAST, Form.ABOVE, Form.WITHIN)

_DIRECTION = {
    Form.AT_MOST: Direction.AT_MOST,
    Form.BELOW: Direction.BELOW,
    Form.AT_LEAST: Direction.AT_LEAST,
    Form.ABOVE: Direction.ABOVE,
}


@dataclass(frozen=True)
class Side:
    """One edge of a threshold, in the unit the profile shows."""

    limit: float
    direction: Direction


@dataclass(frozen=True)
class Wanted:
    """One figure under one limit."""

    threshold: Threshold
    component: str

    @property
    def key(self) -> Key:
        return self.threshold.about.category, self.threshold.metric, self.component

    @property
    def second_key(self) -> Key | None:
        """The figure of the second condition, where there is one."""
        if not self.threshold.second_metric:
            return None
        metric = get_metric(self.threshold.second_metric)
        return metric.category, metric.key, self.component

    @property
    def is_change(self) -> bool:
        """Whether it is on the change of the figure over some days."""
        return self.threshold.figure in HORIZON_OF

    @property
    def keys(self) -> list[Key]:
        return [self.key] if self.second_key is None else [self.key, self.second_key]


def sides_of(threshold: Threshold) -> list[Side]:
    """The edges of a threshold: one, or two of a range; none of a form that is not foreseen."""
    return _sides(threshold.limit)


def second_side_of(threshold: Threshold) -> Side | None:
    """The edge of the second condition, in its own unit."""
    return None if threshold.second is None else _sides(threshold.second.limit)[0]


def _sides(limit: Limit) -> list[Side]:
    if limit.form is Form.WITHIN:
        pairs = ((limit.high, Direction.AT_MOST), (limit.low, Direction.AT_LEAST))
        return [Side(edge, direction) for edge, direction in pairs if edge is not None]
    if limit.form not in _DIRECTION:
        return []
    edge = limit.edge
    return [Side(0.0 if edge is None else edge, _DIRECTION[limit.form])]
