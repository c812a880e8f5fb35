"""PGA, parallel operations, SQL and undo."""

from apps.advisors.engine.rule_inputs import DerivedInput, FigureInput

OVER_ALLOCATIONS = FigureInput(
    key="pga_over_allocation_count_day",
    label="PGA over-allocations",
    unit="per day",
    metric="pga_over_allocation_count",
)
MULTIPASS = FigureInput(
    key="workarea_multipass_day",
    label="work areas in several passes",
    unit="per day",
    metric="workarea_multipass",
)
OPTIMAL_PCT = FigureInput(
    key="workarea_optimal_pct", label="work areas in memory", unit="%", metric="workarea_optimal_pct"
)
DISK_SORTS_PCT = FigureInput(
    key="disk_sort_pct", label="sorts on disk, share", unit="%", metric="disk_sort_pct"
)
_PARALLEL = tuple(
    FigureInput(key=key, label=key, unit="per day", metric=key)
    for key in (
        "px_not_downgraded",
        "px_down_1_25",
        "px_down_25_50",
        "px_down_50_75",
        "px_down_75_99",
        "px_down_serial",
    )
)
PARALLEL_OPERATIONS = DerivedInput(
    key="px_operations_day",
    label="parallel operations",
    unit="per day",
    inputs=_PARALLEL,
    compute=lambda *counts: sum(counts),
)
DOWNGRADED_PCT = FigureInput(key="px_downgrade_pct", label="cut down", unit="%", metric="px_downgrade_pct")
HARD_PARSES = FigureInput(
    key="hard_parses_per_s", label="hard parses", unit="per second", metric="hard_parses_per_s"
)
HARD_PARSE_PCT = FigureInput(
    key="hard_parse_ratio", label="of all parses", unit="%", metric="hard_parse_ratio"
)
DEADLOCK_COUNT = FigureInput(
    key="enq_deadlocks_day", label="deadlocks", unit="per day", metric="enq_deadlocks"
)
CONTINUED_PCT = FigureInput(
    key="continued_row_pct", label="continued rows", unit="%", metric="continued_row_pct"
)
TOO_OLD = FigureInput(key="undo_ora1555", label="snapshot too old", unit="per day", metric="undo_ora1555")
NO_UNDO = FigureInput(key="undo_nospace", label="undo ran out", unit="per day", metric="undo_nospace")
