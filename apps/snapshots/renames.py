"""What a release of a technology renamed: one series under two names (the metrics say which)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from apps.catalog.registry import find_metric

RowKey = tuple[object, ...]


def renamed_rows(index: pd.MultiIndex) -> dict[RowKey, RowKey]:
    """
    The old and the new row of each component that was renamed.

    `index` has the levels metric and component, and may have category before them.
    """
    renames: dict[RowKey, RowKey] = {}
    for key in index.unique("metric").tolist():
        metric = find_metric(key)
        if metric is None:
            continue
        before = (metric.category,) if "category" in index.names else ()
        renames |= {(*before, key, old): (*before, key, new) for old, new in metric.origin.renames}
    return renames


def follow_renames(frame: pd.DataFrame, renames: Mapping[Any, Any]) -> pd.DataFrame:
    """
    The figures of what a release renamed in the rows of its new name, wherever that is known at all.

    `frame` has a column per day; `renames` has old and new rows of its index. Days that only the old name has move to
    the new one, and the old row is left empty. Where a day has both names, both stay as they are.
    """
    for old, new in renames.items():
        if old not in frame.index or new not in frame.index:
            continue
        before, after = frame.loc[old], frame.loc[new]
        if (before.notna() & after.notna()).any():
            continue
        frame = frame.copy()
        frame.loc[new] = after.fillna(before).to_numpy()
        frame.loc[old] = np.nan
    return frame
