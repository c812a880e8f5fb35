"""Today against earlier days (product.md, The profile; no Django)."""

from collections.abc import Callable, Mapping, Sequence

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


def follow_renames(frame: pd.DataFrame, renames: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    """
    The rows of components that a release renamed under their new name, wherever that is known at all.

    `frame` is indexed by (metric, component), a column per day; `renames` has old and new names by metric. A day that
    has both names keeps both.
    """
    for metric, names in renames.items():
        for old, new in names.items():
            if (metric, old) not in frame.index or (metric, new) not in frame.index:
                continue
            before, after = frame.loc[(metric, old)], frame.loc[(metric, new)]
            if (before.notna() & after.notna()).any():
                continue
            frame = frame.copy()
            frame.loc[(metric, new)] = after.fillna(before).to_numpy()
            frame = frame.drop(index=[(metric, old)])
    return frame


def top_components(
    ranking: "pd.Series[float]",
    count: int,
    hides: Callable[[str], bool] | None = None,
    also: Sequence[str] = (),
) -> list[str]:
    """
    The components with the largest values, largest first, and those that are to be shown in any case.

    `ranking` is indexed by component; what is absent or zero did not occur and takes no place. `hides` leaves idle
    ones out; `also` names those under a threshold, which come after the largest in the order given.
    """
    present = ranking[ranking > 0].sort_index(kind="stable").sort_values(ascending=False, kind="stable")
    if hides is not None:
        present = present[[not hides(name) for name in present.index]]
    top = list(present.index[:count])
    return top + [name for name in dict.fromkeys(also) if name not in top]
