"""What planned changes make of forecasts: from a day on a figure is multiplied, then an amount is added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.forecasting.engine.band import draw_band
from apps.forecasting.engine.forecasts import Forecasts


@dataclass(frozen=True)
class Effect:
    """
    From its day on a figure is multiplied by `factor`, then `addend` (in the stored unit) is added.

    `brings` is what a driver adds besides, on its day and each day that follows.
    """

    factor: float = 1.0
    addend: float = 0.0
    brings: tuple[float, ...] = ()


def apply_effects(forecasts: Forecasts, effects: Mapping[int, Sequence[tuple[int, Effect]]]) -> Forecasts:
    """
    Return the forecasts with effects by series: pairs of a day ahead (1 = the next) and the effect.

    One before day 1 is in the figures already. The band moves with the expected line, and widens with its factor.
    """
    factor = np.ones_like(forecasts.mean)
    addend = np.zeros_like(forecasts.mean)
    for row, pairs in effects.items():
        for day, effect in sorted(pairs, key=lambda pair: pair[0]):
            if day >= 1:
                factor[row, day - 1 :] *= effect.factor
                addend[row, day - 1 :] = addend[row, day - 1 :] * effect.factor + effect.addend
                if effect.brings:
                    addend[row, day - 1 :] += effect.brings[: max(forecasts.horizon - day + 1, 0)]
    changed = replace(
        forecasts,
        mean=np.clip(forecasts.mean * factor + addend, forecasts.floor[:, None], forecasts.cap[:, None]),
        noise=forecasts.noise * np.abs(factor),
        least=forecasts.least * np.abs(factor),
        errors=forecasts.errors * factor[:, None, -1:],
    )
    return draw_band(changed)
