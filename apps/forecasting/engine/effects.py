"""What planned changes make of forecasts: from a day on a figure is multiplied, then an amount is added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.series import Floats


@dataclass(frozen=True)
class Effect:
    """From its day on a figure is multiplied by `factor`, then `addend` (in the stored unit) is added."""

    factor: float = 1.0
    addend: float = 0.0


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
    floor, cap = forecasts.floor[:, None], forecasts.cap[:, None]

    def moved(values: Floats) -> Floats:
        return np.clip(values * factor + addend, floor, cap)

    return replace(
        forecasts,
        mean=moved(forecasts.mean),
        low80=moved(forecasts.low80),
        high80=moved(forecasts.high80),
        low95=moved(forecasts.low95),
        high95=moved(forecasts.high95),
        noise=forecasts.noise * factor,
        errors=forecasts.errors * factor[:, None, -1:],
    )
