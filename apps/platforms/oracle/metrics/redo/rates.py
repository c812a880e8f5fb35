"""Redo by time, by write and by entry."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.metrics.redo.sources import ratio

METRICS = [
    ratio(
        key="redo_gb_per_day",
        label="redo per day",
        unit="GB/day",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("redo_size") / 1024**3 * 86400 / w.seconds,
        help="Redo size scaled to 24 hours: what archive destination and standby line must swallow every day.",
    ),
    ratio(
        key="redo_mb_per_s",
        label="redo rate",
        unit="MB/s",
        worse=Worse.HIGHER,
        reductions=("p95", "max", "busy"),
        formula=lambda w: w.delta("redo_size") / 1024**2 / w.seconds,
        help="Mean rate of redo. That of the busiest hour stands beside it where logs are archived.",
    ),
    ratio(
        key="lgwr_mb_per_s",
        reductions=("p95", "max", "busy"),
        label="log writer throughput",
        unit="MB/s",
        formula=lambda w: (w.delta("redo_size") + w.delta("redo_wastage")) / 1024**2 / w.seconds,
        help="What the log writer really wrote: redo and the wasted ends of its blocks.",
    ),
    ratio(
        key="redo_bytes_per_write",
        label="redo per write",
        unit="KB",
        formula=lambda w: w.delta("redo_size") / 1024 / w.delta("redo_writes"),
        help="Size of an average write of the log writer. Larger when commits share a write.",
    ),
    ratio(
        key="redo_bytes_per_entry",
        label="redo per entry",
        unit="bytes",
        formula=lambda w: w.delta("redo_size") / w.delta("redo_entries"),
        help="How large an average change is. It grows when whole rows or blocks are logged in place of columns.",
    ),
    ratio(
        key="lgwr_kb_per_write",
        label="log writer, size of a write",
        unit="KB",
        formula=lambda w: (w.delta("redo_size") + w.delta("redo_wastage")) / 1024 / w.delta("redo_writes"),
        help="Size of an average write with the wasted end of its last block.",
    ),
    ratio(
        key="lgwr_above_redo_pct",
        label="log writer above redo",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("redo_wastage") / (w.delta("redo_size") + w.delta("redo_wastage")),
        help="Share of what the log writer wrote that was no redo: the wasted ends of blocks.",
    ),
]
