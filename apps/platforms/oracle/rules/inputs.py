"""What the rules of instances ask for: their own figures and texts, those of their host, and of all instances on it."""

from functools import partial
from math import ceil

from apps.advisors.engine.rule_inputs import (
    DayQuality,
    DerivedInput,
    DeviceInput,
    FactInput,
    FigureInput,
    GrowthInput,
    LimitInput,
    QualityInput,
    Whose,
)
from apps.platforms.oracle.places import LOGS_LIE_ON

KB_OF_GB = 1024 * 1024
HOST_NEEDED = "Register the host that the instance runs on, and let it be read."
_of_host = partial(FigureInput, whose=Whose.HOST, needs=HOST_NEEDED)


def is_linux(text: str) -> float:
    """1 for the name of a Linux system, 0 for any other."""
    return float("linux" in text.lower())


def is_true(text: str) -> float:
    """1 for a parameter that is TRUE, 0 for one that is not."""
    return float(text.strip().upper() == "TRUE")


def kernel_number(release: str) -> float | None:
    """A release such as "3.8.13-44.el6uek" as 3.0813: two digits for the minor part, two for the patch."""
    parts = release.split("-")[0].split(".")
    numbers = [int(part) for part in parts[:3] if part.isdigit()]
    if len(numbers) < 2:
        return None
    patch = numbers[2] if len(numbers) > 2 else 0
    return numbers[0] + numbers[1] / 100 + min(patch, 99) / 10_000


def is_on_filesystem(places: str) -> float:
    """0 where all of the places are disk groups, 1 where there is a directory."""
    return float(any(not place.strip().startswith("+") for place in places.splitlines()))


def count_needed_pages(sgas_mb: tuple[float, ...], page_kb: float) -> float | None:
    """Huge pages that SGAs take: each rounds up, and each instance takes one more for its fixed part."""
    return sum(ceil(size * 1024 / page_kb) + 1 for size in sgas_mb) if page_kb > 0 else None


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

IS_LINUX = FactInput(
    key="is_linux",
    label="Linux",
    needs="Let the account read v$database, or register the host of the instance.",
    facts=((Whose.TARGET, "platform"), (Whose.HOST, "operating_system")),
    read=is_linux,
)
KERNEL = FactInput(
    key="kernel_major_minor",
    label="kernel",
    needs=HOST_NEEDED,
    facts=((Whose.HOST, "kernel"),),
    read=kernel_number,
)
_PARAMETER_NEEDED = "Let the account read v$system_parameter."
PRE_PAGE_SGA = FactInput(
    key="cfg_pre_page_sga",
    label="pre_page_sga",
    needs=_PARAMETER_NEEDED,
    facts=((Whose.TARGET, "parameter/pre_page_sga"),),
    read=is_true,
)
TIMED_STATISTICS = FactInput(
    key="cfg_timed_statistics",
    label="timed_statistics",
    needs=_PARAMETER_NEEDED,
    facts=((Whose.TARGET, "parameter/timed_statistics"),),
    read=is_true,
)
IS_FILESYSTEM = FactInput(
    key="is_filesystem",
    label="logs on a filesystem",
    needs="Let the account read v$logfile.",
    facts=((Whose.TARGET, LOGS_LIE_ON),),
    read=is_on_filesystem,
)

# ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_SGAS = FigureInput(
    key="sga_of_instances",
    label="SGA of each instance",
    unit="MB",
    metric="sga_max",
    whose=Whose.INSTANCES,
    is_each=True,
)
SGA = FigureInput(key="sga_gb", label="SGA, at most", unit="GB", metric="sga_max")
SGAS = DerivedInput(
    key="sgas_gb",
    label="SGA of all instances on the host",
    unit="GB",
    inputs=(_SGAS,),
    compute=lambda sgas: sum(sgas) / 1024,
    is_total=True,
)
PAGE_KB = _of_host(
    key="host_hugepage_size_kb", label="huge page size", unit="kB", metric="host_hugepage_size_kb"
)
PAGES = _of_host(
    key="host_hugepages_total", label="huge pages in the pool", unit="pages", metric="host_hugepages_total"
)
PAGES_USED = _of_host(
    key="host_hugepages_used", label="huge pages in use", unit="pages", metric="host_hugepages_used"
)
PAGES_NEEDED = DerivedInput(
    key="hugepages_needed",
    label="huge pages that all SGAs need",
    unit="pages",
    inputs=(_SGAS, PAGE_KB),
    compute=count_needed_pages,
    is_total=True,
)
PAGE_TABLES = _of_host(key="page_tables_gb", label="page tables", unit="GB", metric="host_mem_pagetables_kb")
MEMORY_TARGET = FigureInput(
    key="memory_target_gb", label="memory_target", unit="GB", metric="cfg_memory_target"
)
NODES = _of_host(key="host_numa_nodes", label="memory nodes", unit="nodes", metric="host_numa_nodes")
NODES_APART = _of_host(
    key="host_numa_imbalance_pct",
    label="fullest node less emptiest",
    unit="%",
    metric="host_numa_imbalance_pct",
)
NODE_SIZE = _of_host(
    key="node_gb", label="size of the fullest node", unit="GB", metric="host_numa_fullest_node_mb"
)

# ── signing in and CPU ────────────────────────────────────────────────────────────────────────────────────────────────

RELEASE = FigureInput(key="oracle_version_num", label="release", metric="oracle_version_num")
LOGIN_MS = FigureInput(
    key="login_time_ms",
    label="time to sign in",
    unit="ms",
    metric="login_time_ms",
    needs="The time to sign in is measured with each reading of the instance.",
)
SESSIONS = FigureInput(
    key="sessions_max", label="sessions, most since start-up", unit="sessions", metric="sessions_max"
)
CORES = FigureInput(key="cpu_cores", label="CPU cores", unit="cores", metric="cpu_cores")
LOGONS = FigureInput(key="logons_per_s", label="logons", unit="per second", metric="logons_per_s")
PROCESSES_PCT = FigureInput(
    key="processes_pct", label="processes of their limit", unit="%", metric="processes_pct"
)
ACTIVE = FigureInput(key="aas", label="average active sessions", unit="sessions", metric="aas")
LGWR_PCT = _of_host(
    key="host_lgwr_icsw_pct",
    label="involuntary switches of the log writer",
    unit="%",
    metric="host_lgwr_icsw_pct",
    needs="Let the host be read over SSH, by an account that /proc shows all processes: no file of sar has them.",
)
RUN_QUEUE = _of_host(key="host_runq", label="run queue", unit="threads", metric="host_runq")

# ── files and space ───────────────────────────────────────────────────────────────────────────────────────────────────

_of_file = partial(FigureInput, is_each=True)
FILE_MS = _of_file(key="datafile_avg_ms", label="average response", unit="ms", metric="datafile_avg_ms")
FILE_IO = _of_file(key="datafile_io_day", label="I/O", unit="iops/day", metric="datafile_io_day")
FILE_MAX_MS = _of_file(
    key="datafile_max_ms", label="longest read", unit="ms", metric="datafile_max_ms", is_record=True
)
SPACE_PCT = FigureInput(
    key="ts_used_pct_max", label="used of maximum", unit="%", metric="ts_used_pct_max", is_each=True
)
_SPACE_ROOM = FigureInput(
    key="ts_room", label="room to the maximum", unit="MB", metric="ts_room_mb", is_each=True
)
SPACE_GROWTH = GrowthInput(
    key="ts_growth_mb_day",
    label="growth over 30 days",
    unit="MB/day",
    metric="ts_used_mb",
    needs="A week of days.",
    is_each=True,
)
SPACE_DAYS = DerivedInput(
    key="ts_days_to_full",
    label="days to full",
    unit="days",
    inputs=(SPACE_GROWTH, _SPACE_ROOM),
    compute=lambda growth, room: room / growth if growth > 0 else 99_999.0,
    is_each=True,
)
RECOVERY_PCT = FigureInput(
    key="fra_used_pct",
    label="recovery area used",
    unit="%",
    metric="fra_used_pct",
    needs="The database has no recovery area, or the account may not read v$recovery_file_dest.",
)

# ── redo ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

REDO_WRITE_LUN_MS = DeviceInput(
    key="redo_lun_write_ms",
    label="write response below the logs",
    unit="ms",
    metric="host_disk_write_await_ms",
    places=LOGS_LIE_ON,
    device_of="device_of",
    needs="Which device lies below the online logs is known where they lie on a filesystem of a host that is read.",
)
REDO_READ_LUN_MS = DeviceInput(
    key="redo_lun_read_ms",
    label="read response below the logs",
    unit="ms",
    metric="host_disk_read_await_ms",
    places=LOGS_LIE_ON,
    device_of="device_of",
)


def _average_of(key: str, event: str) -> FigureInput:
    return FigureInput(key=key, label=f"{event}, average", unit="ms", metric="wait_avg_ms", component=event)


def _rate_of(key: str, event: str) -> FigureInput:
    return FigureInput(
        key=key, label=f"{event}, rate", unit="per second", metric="wait_count", component=event
    )


WRITE_MS = _average_of("wait_log_file_parallel_write_avg_ms", "log file parallel write")
WRITES = _rate_of("wait_log_file_parallel_write_per_s", "log file parallel write")
SYNC_MS = _average_of("wait_log_file_sync_avg_ms", "log file sync")
SYNCS = _rate_of("wait_log_file_sync_per_s", "log file sync")
ARCHIVER_READ_MS = _average_of("wait_log_file_sequential_read_avg_ms", "log file sequential read")
BUFFER_WAITS = _rate_of("wait_log_buffer_space_per_s", "log buffer space")
BUFFER_WAIT_MS = _average_of("wait_log_buffer_space_avg_ms", "log buffer space")
CHECKPOINT_WAITS = _rate_of("wait_log_file_switch_ckpt_per_s", "log file switch (checkpoint incomplete)")
LATCH_WAITS = _rate_of("wait_latch_redo_allocation_per_s", "latch: redo allocation")
RETRIES = FigureInput(
    key="redo_retries_per_s",
    label="buffer allocation retries",
    unit="per second",
    metric="redo_retries_per_s",
)
SPACE_REQUESTS = FigureInput(
    key="redo_space_requests_per_s",
    label="log space requests",
    unit="per second",
    metric="redo_space_requests_per_s",
)
SWITCHES = FigureInput(
    key="log_switches_peak_hour",
    label="log switches in the busiest hour",
    unit="switches/hour",
    metric="log_switches_peak_hour",
)
FILL_S = FigureInput(
    key="redo_log_fill_s", label="time to fill a log at peak", unit="seconds", metric="redo_log_fill_s"
)
GROUPS = FigureInput(key="redo_log_groups", label="log groups", metric="redo_log_groups")
MEMBERS = FigureInput(key="redo_log_members", label="members of a group", metric="redo_log_members")
PLACES = FigureInput(key="redo_log_devices", label="places of the logs", metric="redo_log_devices")
REDO_GB = FigureInput(key="redo_gb_per_day", label="redo", unit="GB/day", metric="redo_gb_per_day")

# ── PGA, parallel operations, SQL, undo ───────────────────────────────────────────────────────────────────────────────

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

# ── waits and readings ────────────────────────────────────────────────────────────────────────────────────────────────

WAIT_CS = FigureInput(key="wait_avg_cs", label="average wait", unit="cs", metric="wait_avg_ms", is_each=True)
WAIT_CS_BEFORE = FigureInput(
    key="wait_avg_cs_90d",
    label="90 days before",
    unit="cs",
    metric="wait_avg_ms",
    back=(97, 83),
    needs="Ninety days of readings.",
    is_each=True,
)
WAIT_LIMIT_CS = LimitInput(
    key="threshold_cs",
    label="its limit",
    unit="cs",
    metric="wait_avg_ms",
    needs="Set a limit on the average wait of an event.",
    is_each=True,
)
RESTARTS = QualityInput(key="startup_time_changed", label="restarts", quality=DayQuality.RESTARTS)
FALLEN = QualityInput(key="negative_delta", label="counters that fell", quality=DayQuality.FALLEN)
