"""Today against earlier days: the arithmetic of the profile (no Django)."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd


def compare(frame: pd.DataFrame, is_percent: "pd.Series[bool]") -> pd.DataFrame:
    """
    The change of each row from every earlier column to `today`.

    `frame` has one row a statistic and the columns `today` and, for each horizon, its days as a number (90, 30, 7);
    what did not occur or was not read is NaN. The result has the horizons' columns: (today − then) ÷ |then| in
    percent, or today − then in points where `is_percent`; NaN where it cannot be said. Both 0 is no change; from 0 to
    something has no percentage (the page says "new").
    """
    today = frame["today"].to_numpy()[:, None]
    then = frame.drop(columns="today")
    old = then.to_numpy()
    difference = today - old
    with np.errstate(all="ignore"):
        relative = 100 * difference / np.abs(old)
    relative = np.where(old == 0, np.where(today == 0, 0.0, np.nan), relative)
    changes = np.where(is_percent.to_numpy(dtype=bool)[:, None], difference, relative)
    return pd.DataFrame(changes, index=then.index, columns=then.columns)


def top_components(
    ranking: Mapping[str, float],
    count: int,
    hides: Callable[[str], bool] | None = None,
    also: Sequence[str] = (),
) -> list[str]:
    """
    The components with the largest values, largest first, and those that are to be shown in any case.

    `ranking` has a value by component; what is NaN or zero did not occur and takes no place, and of equals the first
    by name comes first. `hides` leaves idle ones out; `also` names those under a threshold, which come after the
    largest in the order given.
    """
    present = sorted((-value, name) for name, value in ranking.items() if value > 0)
    visible = (name for _, name in present if hides is None or not hides(name))
    top = list(islice(visible, count))
    return top + [name for name in dict.fromkeys(also) if name not in top]
