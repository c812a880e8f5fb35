"""When thresholds will be crossed: a person's limit asked of the forecasts of a target's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.catalog.registry import get_metric
from apps.forecasting.breach import Breach, Direction, earlier, tell
from apps.forecasting.clean import Flags
from apps.forecasting.crossing import Edges, edges
from apps.forecasting.figures import Key
from apps.forecasting.methods import Forecasts
from apps.thresholds.models import Threshold
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
    edge = limit.high if limit.high is not None else limit.low
    return [Side(0.0 if edge is None else edge, _DIRECTION[limit.form])]


Places = Mapping[tuple[Wanted, Key], int]  # of the figures of each limit in the batch


def breaches(
    forecasts: Forecasts,
    wanted: Sequence[Wanted],
    places: Places,
    judged: Mapping[Wanted, Flags] | None = None,
) -> list[Breach]:
    """Tell of each limit when it will be crossed, all at once; `judged` are the days ahead that count, where not all do."""
    found: dict[Wanted, Breach] = {}
    single = [(one, side) for one in wanted if one.second_key is None for side in sides_of(one.threshold)]
    both = [one for one in wanted if one.second_key is not None]
    firsts = [(one, sides_of(one.threshold)[0]) for one in both]
    for asked, others in ((single, None), (firsts, _second_edges(both, places))):
        counts = np.stack([judged[one] for one, _ in asked]) if judged and asked else None
        told = tell(forecasts, _edges(asked, places), others, counts)
        for (one, _), breach in zip(asked, told, strict=True):
            found[one] = earlier(found[one], breach) if one in found else breach
    return [found[one] for one in wanted]


def _edges(asked: Sequence[tuple[Wanted, Side]], places: Places) -> Edges:
    return edges(
        [places[one, one.key] for one, _ in asked],
        [one.threshold.about.stored(side.limit) for one, side in asked],
        [side.direction for _, side in asked],
    )


def _second_edges(wanted: Sequence[Wanted], places: Places) -> Edges:
    rows, limits, sides, names = [], [], [], []
    for one in wanted:
        key, side = one.second_key, second_side_of(one.threshold)
        assert key is not None
        assert side is not None
        rows.append(places[one, key])
        limits.append(get_metric(key[1]).stored(side.limit))
        sides.append(side.direction)
        names.append(f"“{one.threshold.second_word}”")
    return replace(edges(rows, limits, sides), names=names)
