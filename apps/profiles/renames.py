"""What a release of a technology renamed: one series under two names (the metrics say which)."""

import pandas as pd

from apps.catalog.registry import UnknownMetric, get_metric

Row = tuple[object, ...]


def renamed_rows(index: pd.MultiIndex) -> dict[Row, Row]:
    """
    The old and the new row of each component that was renamed.

    `index` has the levels metric and component, and may have category before them.
    """
    found: dict[Row, Row] = {}
    for key in index.get_level_values("metric").unique():
        try:
            metric = get_metric(key)
        except UnknownMetric:
            continue
        before = (metric.category,) if "category" in index.names else ()
        found |= {(*before, key, old): (*before, key, new) for old, new in metric.renames}
    return found
