"""All tablespaces together."""

from typing import TYPE_CHECKING

from apps.catalog.metric import Kind, Metric, Origin
from apps.platforms.oracle.categories import DERIVED, TABLESPACES
from apps.platforms.oracle.sections import SPACE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def total(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """The sum over components, one column; nothing read is not zero."""
    import numpy as np  # where it computes: metrics are declared wherever Headroom starts

    nothing = np.isnan(values).all(axis=1, keepdims=True)
    return np.where(nothing, np.nan, np.nansum(values, axis=1, keepdims=True))


METRICS = [
    Metric(
        key="db_used_gb",
        origin=Origin(is_seldom=True),
        label="used space of the database",
        source="dba_tablespace_usage_metrics",
        category=TABLESPACES,
        kind=Kind.GAUGE,
        section=SPACE,
        reading_unit="bytes",
        unit="GB",
        help="Used space of all permanent tablespaces: no temp, no undo.",
    ),
    Metric(
        key="db_filled_gb",
        role="filled",
        over_instances="ratio",
        label="filled of the size of the database",
        source="derived",
        category=DERIVED,
        kind=Kind.RATIO,
        section=SPACE,
        unit="GB",
        formula=lambda w: (total(w.level("ts_used_mb")) + w.level("redo_log_total_bytes")) / 1024**3,
        help="What is used of the files that make up its size: of all tablespaces, temp and undo in use among them, and the"
        " online logs, which are full at all times.",
    ),
    Metric(
        key="db_size_gb",
        role="size",
        over_instances="ratio",
        label="size of the database",
        source="derived",
        category=DERIVED,
        kind=Kind.RATIO,
        section=SPACE,
        unit="GB",
        formula=lambda w: (total(w.level("ts_size_mb")) + w.level("redo_log_total_bytes")) / 1024**3,
        help="Data files, temp files and online logs as they lie on disk.",
    ),
]
