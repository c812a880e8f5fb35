"""What speaks of the cause of an instance's figures: of a tablespace its segments, of undo who writes it, of a wait its count."""

from apps.catalog.causes import Cause, Driven, Service, Stored
from apps.platforms.oracle.places import STORED_IN

CAUSES: list[Cause] = [
    Driven(
        metrics=("ts_*",),
        component="*UNDO*",
        drivers=(("undo_change_vector_size", "capacity"), ("undo_max_query_s", "performance")),
    ),
    Driven(
        metrics=("undo_*",),
        drivers=(("undo_change_vector_size", "capacity"), ("undo_max_query_s", "performance")),
    ),
    Driven(
        metrics=("ts_*",),
        component="*TEMP*",
        drivers=(("sorts_rows", "capacity"), ("workarea_multipass", "performance")),
    ),
    Driven(metrics=("temp_*",), drivers=(("sorts_rows", "capacity"), ("workarea_multipass", "performance"))),
    Driven(metrics=("fra_*",), drivers=(("redo_size", "capacity"),)),
    Stored(metrics=("ts_*",), used="ts_used_mb", things="segment_mb", stored_in=STORED_IN),
    Stored(metrics=("db_used_gb", "db_size_gb"), used="db_used_gb", things="segment_mb"),
    Stored(metrics=("asm_usable_mb", "asm_free_mb", "asm_total_mb"), used="asm_free_mb"),
    Service(
        metrics=("wait_avg_ms", "wait_time", "wait_sessions", "wait_busy_pct"),
        average="wait_avg_ms",
        count="wait_count",
    ),
    Service(metrics=("wait_avg_fg_ms", "wait_time_fg"), average="wait_avg_fg_ms", count="wait_count_fg"),
]
