"""How long a write, a commit and a wait for room take."""

from apps.catalog.metric import Judging, Worse
from apps.platforms.oracle.metrics.redo.sources import ratio

METRICS = [
    ratio(
        key="redo_synch_ms_per_write",
        label="redo synch response",
        aliases=("redo sync response time",),
        unit="ms",
        worse=Worse.HIGHER,
        judging=Judging(weight="redo_synch_writes", enough=100),
        formula=lambda w: 10 * w.delta("redo_synch_time") / w.delta("redo_synch_writes"),
        help="What a commit waits for its redo, as users feel it. Under 5 ms is good, 10 ms is felt.",
    ),
    ratio(
        key="redo_write_ms_per_write",
        label="redo write response",
        aliases=("redo write response time",),
        unit="ms",
        worse=Worse.HIGHER,
        judging=Judging(weight="redo_writes", enough=100),
        formula=lambda w: 10 * w.delta("redo_write_time") / w.delta("redo_writes"),
        help="What a write of the log writer takes: the disk's share of a commit.",
    ),
    ratio(
        key="redo_space_wait_ms",
        label="wait per log space request",
        unit="ms",
        worse=Worse.HIGHER,
        formula=lambda w: 10 * w.delta("redo_log_space_wait_time") / w.delta("redo_log_space_requests"),
        help="How long a session was held up each time the log file was full.",
    ),
    ratio(
        key="redo_retries_per_s",
        label="buffer allocation retries per second",
        unit="per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("redo_buffer_allocation_retries") / w.seconds,
        help="Pressure on the log buffer. Anything lasting calls for a larger buffer or a faster log disk.",
    ),
    ratio(
        key="redo_retries_per_entry",
        label="buffer allocation retries per entry",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("redo_buffer_allocation_retries") / w.delta("redo_entries"),
        help="Share of redo records that found no room at first. Textbooks allow 1 %, a quiet system has none.",
    ),
    ratio(
        key="redo_space_requests_per_s",
        label="redo log space requests per second",
        unit="per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("redo_log_space_requests") / w.seconds,
        help="How often sessions ran into a full log file.",
    ),
    ratio(
        key="redo_synch_overhead_ms",
        label="commit wake-up overhead",
        unit="ms",
        worse=Worse.HIGHER,
        judging=Judging(weight="redo_synch_writes", enough=100),
        formula=lambda w: w.delta("redo_synch_overhead_usec") / 1000 / w.delta("redo_synch_writes"),
        help="Part of a commit that no faster disk will cure: the session waiting to be woken. Look at the host's CPU.",
    ),
]
