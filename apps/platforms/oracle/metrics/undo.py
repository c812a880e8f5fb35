"""Undo: what is generated, what is read back, and whether it lasts for the longest query."""

from functools import partial
from typing import TYPE_CHECKING, Any

from apps.catalog.metric import Kind, Metric, Origin, Worse
from apps.catalog.window import Window
from apps.platforms.oracle.categories import DERIVED, UNDOSTAT
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import UNDO

if TYPE_CHECKING:
    from numpy.typing import NDArray


sysstat = partial(sources.sysstat, section=UNDO, reading_unit="blocks", unit="per day")
undostat = partial(
    Metric,
    source="v$undostat",
    category=UNDOSTAT,
    kind=Kind.GAUGE,
    section=UNDO,
    over_instances="sum",
    origin=Origin(is_seldom=True),
)


def _needed(window: Window) -> "NDArray[Any]":
    """Megabytes for the busiest rate of undo over the longest query or the retention asked for."""
    import numpy as np  # where it computes: metrics are declared wherever Headroom starts

    seconds = np.fmax(window.level("undo_max_query_s"), window.level("cfg_undo_retention"))
    blocks = window.level("undo_blocks_per_s_peak") * seconds
    needed: NDArray[Any] = blocks * window.level("cfg_db_block_size") / 1024**2
    return needed


METRICS = [
    sysstat(
        key="consistent_gets",
        name="consistent gets",
        label="consistent gets",
        help="Blocks read as they were when the query began.",
    ),
    sysstat(
        key="undo_change_vector_size",
        name="undo change vector size",
        label="undo generated",
        reading_unit="bytes",
        unit="GB/day",
        help="Undo written for changes. It is itself part of redo.",
    ),
    sysstat(
        key="consistent_changes",
        name="consistent changes",
        label="undo applied for reading",
        reading_unit="changes",
        worse=Worse.HIGHER,
        help="Undo records applied to show queries an older state: long queries over busy tables.",
    ),
    sysstat(
        key="dbwr_undo_block_writes",
        name="DBWR undo block writes",
        label="undo blocks written",
        help="Undo blocks that the database writers put on disk.",
    ),
    sysstat(
        key="transaction_rollbacks",
        name="transaction rollbacks",
        label="transactions undone",
        reading_unit="rollbacks",
        worse=Worse.HIGHER,
        help="Transactions that were really undone, for whatever reason; empty rollbacks of users do not count.",
    ),
    undostat(
        key="undo_blocks_day",
        name="UNDOBLKS",
        label="undo used",
        reading_unit="bytes/day",
        unit="GB/day",
        help="Undo blocks taken in the 24 hours before the reading.",
    ),
    undostat(
        key="undo_blocks_per_s_peak",
        name="UNDOBLKS",
        label="undo rate, busiest ten minutes",
        unit="blocks/s",
        worse=Worse.HIGHER,
        help="Highest rate of undo blocks in the 24 hours before the reading: undo space is sized by it.",
    ),
    undostat(
        key="undo_max_query_s",
        over_instances="max",
        name="MAXQUERYLEN",
        label="longest query",
        unit="seconds",
        worse=Worse.HIGHER,
        help="Longest query of the 24 hours before the reading; undo must reach back that far.",
    ),
    undostat(
        key="undo_ora1555",
        name="SSOLDERRCNT",
        label="snapshot too old",
        reading_unit="per day",
        unit="per day",
        worse=Worse.HIGHER,
        help="Queries that failed with ORA-01555 in the 24 hours before the reading.",
    ),
    undostat(
        key="undo_nospace",
        name="NOSPACEERRCNT",
        label="undo space ran out",
        reading_unit="per day",
        unit="per day",
        worse=Worse.HIGHER,
        help="Transactions that found no undo space in the 24 hours before the reading.",
    ),
    Metric(
        key="undo_needed_mb",
        over_instances="sum",
        label="undo needed",
        source="derived",
        category=DERIVED,
        kind=Kind.RATIO,
        section=UNDO,
        unit="MB",
        formula=_needed,
        help="Space for the busiest rate of undo over the longest query or the retention asked for: a cautious size"
        " for the undo tablespace.",
    ),
]
