"""When thresholds will be crossed: people's limits asked of the forecasts of a target's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from apps.catalog.registry import get_metric
from apps.forecasting.breach import Breach, earlier, tell
from apps.forecasting.clean import Flags
from apps.forecasting.crossing import Edges, edges
from apps.forecasting.figures import Key
from apps.forecasting.methods import Forecasts
from apps.forecasting.moving import Then
from apps.forecasting.wanted import Side, Wanted, second_side_of, sides_of

Places = Mapping[tuple[Wanted, Key], int]  # of the figures of each limit in the batch


def breaches(
    forecasts: Forecasts,
    wanted: Sequence[Wanted],
    places: Places,
    judged: Mapping[Wanted, Flags] | None,
    thens: Mapping[Wanted, Then],
) -> list[Breach]:
    """
    Tell of each limit when it will be crossed, all at once.

    `judged` are the days ahead that count, where not all do; `thens` what limits on a change are told against.
    """
    found: dict[Wanted, Breach] = {}
    sides = [(one, side) for one in wanted if one.second_key is None for side in sides_of(one.threshold)]
    single = [(one, side) for one, side in sides if not one.is_change]
    changes = [(one, side) for one, side in sides if one.is_change]
    both = [one for one in wanted if one.second_key is not None]
    firsts = [(one, sides_of(one.threshold)[0]) for one in both]
    for asked, edges_of, others in (
        (single, _edges(single, places), None),
        (firsts, _edges(firsts, places), _second_edges(both, places)),
        (changes, _moving_edges(changes, places, thens), None),
    ):
        counts = np.stack([judged[one] for one, _ in asked]) if judged and asked else None
        told = tell(forecasts, edges_of, others, counts)
        for (one, _), breach in zip(asked, told, strict=True):
            found[one] = earlier(found[one], breach) if one in found else breach
    return [found[one] for one in wanted]


def _edges(asked: Sequence[tuple[Wanted, Side]], places: Places) -> Edges:
    return edges(
        [places[one, one.key] for one, _ in asked],
        [one.threshold.about.stored(side.limit) for one, side in asked],
        [side.direction for _, side in asked],
    )


def _moving_edges(
    asked: Sequence[tuple[Wanted, Side]], places: Places, thens: Mapping[Wanted, Then]
) -> Edges:
    standing = edges(
        [places[one, one.key] for one, _ in asked],
        [thens[one].limit_now(side.limit) for one, side in asked],
        [side.direction for _, side in asked],
    )
    if not asked:
        return standing
    return replace(standing, limit=np.stack([thens[one].limit(side.limit) for one, side in asked]))


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
