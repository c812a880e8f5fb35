"""When thresholds will be crossed: a person's limit asked of a forecast."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.forecasting.breach import Breach, Direction, breach, earlier
from apps.forecasting.methods import Forecasts
from apps.thresholds.models import Threshold
from apps.thresholds.notation import Form

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


def sides_of(threshold: Threshold) -> list[Side]:
    """The edges of a threshold: one, or two of a range; none of a form that is not foreseen."""
    form = Form(threshold.form)
    if form is Form.WITHIN:
        pairs = ((threshold.high, Direction.AT_MOST), (threshold.low, Direction.AT_LEAST))
        return [Side(limit, direction) for limit, direction in pairs if limit is not None]
    if form not in _DIRECTION:
        return []
    limit = threshold.high if threshold.high is not None else threshold.low
    return [Side(0.0 if limit is None else limit, _DIRECTION[form])]


def breaches(forecasts: Forecasts, wanted: Sequence[tuple[Threshold, int]]) -> list[Breach]:
    """Tell for pairs of a threshold and its series' place in the batch when it will be crossed, all at once."""
    asked = [
        (place, side, threshold.about.stored(side.limit), row)
        for place, (threshold, row) in enumerate(wanted)
        for side in sides_of(threshold)
    ]
    told = breach(
        forecasts,
        [limit for _, _, limit, _ in asked],
        [side.direction for _, side, _, _ in asked],
        of=[row for *_, row in asked],
    )
    result: dict[int, Breach] = {}
    for (place, *_), one in zip(asked, told, strict=True):
        result[place] = earlier(result[place], one) if place in result else one
    return [result[place] for place in range(len(wanted))]
