"""An instance and its host, read at midnights, so that their figures are those of a rule's case."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from apps.advisors.findings import try_rules
from apps.advisors.models import Finding
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.oracle.categories import INSTANCE
from apps.snapshots import dictionary
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.register import add_threshold

DAY = date(2026, 2, 17)
BOOT = datetime(2025, 6, 1, tzinfo=UTC)
SECONDS = 86_400
GB, MB, KB = 1024.0**3, 1024.0**2, 1024.0
EVENT = "db file sequential read"
IDLE = "SQL*Net message from client"
FILE, SPACE, DISK, MOUNT = "/u01/data01.dbf", "DATA", "dm-2", "/u02"
Readings = dict[tuple[str, str], float]


@dataclass
class Scene:
    """
    What is read of an instance and its host at the end of each day.

    `levels` are read as they are; `growth` is what counters grow by in a day, of chosen days where they are named.
    """

    instance: Target
    host: Target
    levels: dict[str, Readings] = field(default_factory=lambda: {"oracle": {}, "linux": {}})
    growth: dict[str, Readings] = field(default_factory=lambda: {"oracle": {}, "linux": {}})
    daily: dict[date, Readings] = field(default_factory=dict)  # growth of days long ago
    slopes: Readings = field(default_factory=dict)  # levels that grow by so much each day
    first_levels: Readings = field(default_factory=dict)  # of the readings before the day
    facts: dict[str, dict[str, str]] = field(default_factory=lambda: {"oracle": {}, "linux": {}})
    is_restarted: bool = False
    is_hourly: bool = False

    def level(self, key: str, value: float, component: str = "") -> None:
        self.levels[_platform_of(key)][key, component] = value

    def grow(self, key: str, amount: float, component: str = "") -> None:
        self.growth[_platform_of(key)][key, component] = amount

    def play(self) -> None:
        """Record the readings and roll the days up."""
        ensure_partitions([*self._days(), DAY + timedelta(days=1)])
        self.level("instance_uptime_s", 1e6)
        self.level("swap_total_kb", 0)
        for day in self._days():
            self._record(self.host, "linux", day)
            self._record(self.instance, "oracle", day)
        for day in self._days()[1:]:
            for target in (self.host, self.instance):
                roll_up_day(target, day, datetime.combine(DAY, time(12), UTC) + timedelta(days=2))

    def _days(self) -> list[date]:
        back = 10 if self.slopes else 2
        recent = [DAY - timedelta(days=days) for days in range(back, -1, -1)]
        return sorted({*self.daily, *recent})

    def _record(self, target: Target, platform: str, day: date) -> None:
        for hours in range(24 if self.is_hourly and platform == "linux" else 1):
            slot = datetime.combine(day, time(0), UTC) + timedelta(days=1) - timedelta(hours=hours)
            started = BOOT if not self.is_restarted or day < DAY else slot - timedelta(hours=20)
            values = self._values(platform, day)
            by_category: dict[int, Readings] = {}
            for (key, component), value in values.items():
                by_category.setdefault(get_metric(key).category, {})[key, component] = value
            sources = [
                ReadSource(category=category, values=part, classes={IDLE: "Idle"})
                for category, part in by_category.items()
            ]
            record_snapshot(
                target, sources, slot=slot, captured_at=slot, started_at=started, facts=self.facts[platform]
            )

    def _values(self, platform: str, day: date) -> Readings:
        past = (DAY - day).days
        values = dict(self.levels[platform])
        if platform == "oracle":
            values |= {name: 1e9 - past * slope * MB for name, slope in self.slopes.items()}
            values |= self.first_levels if day < DAY else {}
            for name in {name for growth in self.daily.values() for name in growth}:
                values[name] = 1e9 + sum(
                    growth.get(name, 0.0) for on, growth in self.daily.items() if on <= day
                )
        for name, amount in self.growth[platform].items():
            values[name] = 1e9 - past * amount
        return values

    def try_rules(self) -> dict[str, Finding]:
        """The findings of the day, by rule."""
        for target in (self.host, self.instance):
            try_rules(target, DAY)
        return {finding.rule: finding for finding in Finding.objects.all()}


def new_scene() -> Scene:
    dictionary.forget()
    fields = {"registered_at": BOOT, "time_zone": "UTC"}
    host = Target.objects.create(name="dbx01", kind="host", platform="linux", collector="linux-ssh", **fields)
    instance = Target.objects.create(
        name="GISPRD", kind="instance", platform="oracle", collector="oracle", runs_on=host, **fields
    )
    return Scene(instance, host)


def _platform_of(key: str) -> str:
    return "linux" if get_metric(key).category >= KERNEL else "oracle"


assert INSTANCE < KERNEL

Figures = Mapping[str, float]
Recipe = Callable[[Scene, float, Figures], None]


def _level(key: str, factor: float = 1.0, component: str = "") -> Recipe:
    return lambda scene, value, _: scene.level(key, value * factor, component)


def _switches(scene: Scene, value: float, _: object = None) -> None:
    scene.level("thread_involuntary_per_s", value)
    scene.level("thread_voluntary_per_s", 100 - value)


def _log_writer(scene: Scene, value: float, _: object = None) -> None:
    scene.grow("log_writer_involuntary", 1000 * value, "ora_lgwr_ORCL 712")
    scene.grow("log_writer_voluntary", 1000 * (100 - value), "ora_lgwr_ORCL 712")


def _counter(key: str, factor: float = 1.0, component: str = "") -> Recipe:
    return lambda scene, value, _: scene.grow(key, value * factor, component)


def _average(event: str) -> Recipe:
    """An average wait needs a number of waits: that of the case, or enough to be judged."""

    def add(scene: Scene, value: float, figures: Figures) -> None:
        prefix = _prefix_of(event)
        count = figures.get(f"{prefix}_per_s", 1.0) * SECONDS
        if count:
            scene.grow("wait_count", count, event)
            scene.grow("wait_time", value * 1000 * count, event)

    return add


def _rate(event: str) -> Recipe:
    def add(scene: Scene, value: float, figures: Figures) -> None:
        scene.grow("wait_count", value * SECONDS, event)
        if (f"{_prefix_of(event)}_avg_ms") not in figures:
            scene.grow("wait_time", value * SECONDS * 1000, event)

    return add


_EVENTS = {
    "log file parallel write": "wait_log_file_parallel_write",
    "log file sync": "wait_log_file_sync",
    "log file sequential read": "wait_log_file_sequential_read",
    "log buffer space": "wait_log_buffer_space",
    "log file switch (checkpoint incomplete)": "wait_log_file_switch_ckpt",
    "latch: redo allocation": "wait_latch_redo_allocation",
}


def _prefix_of(event: str) -> str:
    return _EVENTS[event]


def _cpu_system(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("sysstat_cpu_sys_pct", value)


def _cpu_busy(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("sysstat_cpu_idle_pct", 100 - value)
    scene.level("sysstat_cpu_iowait_pct", 0)


def _pages_needed(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("host_hugepage_size_kb", 2048)
    scene.level("sga_max", (value - 1) * 2048 * KB)


def _pages_used(scene: Scene, value: float, figures: Figures) -> None:
    total = figures.get("host_hugepages_total", max(value, 1000))
    scene.level("host_hugepages_total", total)
    scene.level("host_hugepages_free", total - value)
    scene.level("host_hugepages_rsvd", 0)


def _pages_idle(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("host_hugepages_total", value)
    scene.level("host_hugepages_free", value)
    scene.level("host_hugepages_rsvd", 0)


def _nodes_apart(scene: Scene, value: float, figures: Figures) -> None:
    total = figures["node_gb"] * GB / KB
    for node, used in enumerate([value + 1, *[1.0] * (int(figures["host_numa_nodes"]) - 1)]):
        scene.level("node_mem_total_kb", total, f"node{node}")
        scene.level("node_mem_free_kb", total * (1 - used / 100), f"node{node}")
        scene.level("node_file_cache_kb", 0, f"node{node}")


def _node_free(scene: Scene, value: float, figures: Figures) -> None:
    total = figures["numa_node_mb"] * 1024
    for node in range(int(figures["host_numa_nodes"])):
        scene.level("node_mem_total_kb", total, f"node{node}")
        scene.level("node_mem_free_kb", value * 1024 if node == 0 else total * 0.9, f"node{node}")
        scene.level("node_file_cache_kb", 0, f"node{node}")


def _host_queue(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("sysstat_disk_queue", value + figures["host_disk_lun_queue"], DISK)
    scene.level("host_disk_queue_depth", figures["host_disk_lun_queue"] or 32, DISK)


def _of_lun(key: str, milliseconds: str) -> Recipe:
    def add(scene: Scene, value: float, figures: Figures) -> None:
        scene.facts["oracle"]["logs_lie_on"] = f"{MOUNT}/redo"
        scene.facts["linux"][f"device_of/{MOUNT}"] = DISK
        scene.grow(key, 1e6, DISK)
        scene.grow(milliseconds, value * 1e6, DISK)

    return add


def _file_average(scene: Scene, value: float, figures: Figures) -> None:
    count = figures.get("datafile_io_day", 5000)
    scene.grow("file_reads", count, FILE)
    scene.grow("file_writes", 0, FILE)
    scene.grow("file_read_time", value * count / 10, FILE)
    scene.grow("file_write_time", 0, FILE)


def _file_record(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("datafile_max_ms", value / 10, FILE)
    scene.first_levels["datafile_max_ms", FILE] = value / 20


def _hard_parses(scene: Scene, value: float, figures: Figures) -> None:
    scene.grow("parse_count_hard", value * SECONDS)
    scene.grow("parse_count_total", 100 * value * SECONDS / figures["hard_parse_ratio"])


def _downgrades(scene: Scene, value: float, figures: Figures) -> None:
    operations = figures["px_operations_day"]
    for key in ("px_down_25_50", "px_down_50_75", "px_down_75_99", "px_down_serial"):
        scene.grow(key, 0)
    scene.grow("px_down_1_25", operations * value / 100)
    scene.grow("px_not_downgraded", operations * (1 - value / 100))


def _work_areas(scene: Scene, value: float, figures: Figures) -> None:
    multipass = figures["workarea_multipass_day"]
    total = max(10_000.0, multipass * 100)
    scene.grow("workarea_multipass", multipass)
    scene.grow("workarea_optimal", total * value / 100)
    scene.grow("workarea_onepass", total - total * value / 100 - multipass)


def _share(part: str, rest: str) -> Recipe:
    def add(scene: Scene, value: float, figures: Figures) -> None:
        scene.grow(part, value * 1000)
        scene.grow(rest, 100_000 - value * 1000)

    return add


def _continued(scene: Scene, value: float, figures: Figures) -> None:
    for key in get_metric("continued_row_pct").ingredients - {"fetch_continued"}:
        scene.grow(key, 500_000)
    others = len(get_metric("continued_row_pct").ingredients) - 1
    scene.grow("fetch_continued", value / 100 * 500_000 * others)


def _major_share(scene: Scene, value: float, figures: Figures) -> None:
    major = figures["host_majfaults_per_s"]
    scene.level("sysstat_majfaults", major)
    scene.level("sysstat_faults", major * (1 + 100 / value))


def _processes(scene: Scene, value: float, figures: Figures) -> None:
    for key, level in (("processes_max", value), ("processes_now", value), ("processes_limit", 100)):
        scene.level(key, level)


def _space(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("ts_used_mb", value * MB, SPACE)
    scene.level("ts_max_mb", 100 * MB, SPACE)


def _filling(scene: Scene, value: float, figures: Figures) -> None:
    scene.slopes["ts_used_mb", SPACE] = value
    room = value * figures["ts_days_to_full"] if value else 10_000
    scene.level("ts_max_mb", 1e9 + room * MB, SPACE)


def _recovery_area(scene: Scene, value: float, figures: Figures) -> None:
    for key, level in (("fra_used", value), ("fra_reclaimable", 0), ("fra_limit", 100)):
        scene.level(key, level * GB)


def _fill_time(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("redo_log_member_bytes", value * 10 * MB)
    scene.level("redo_peak_mb_s", 10 * MB)


def _logs(scene: Scene, value: float, figures: Figures) -> None:
    scene.facts["oracle"]["logs_lie_on"] = "/u02/redo\n/u03/redo" if value else "+REDO"


def _wait(scene: Scene, value: float, figures: Figures) -> None:
    add_wait(scene, value, figures, EVENT)


def add_wait(scene: Scene, value: float, figures: Figures, event: str) -> None:
    """An event of today in centiseconds, with its average 90 days before, or a limit on it."""
    scene.daily[DAY - timedelta(days=2)] = {}
    grown = {("wait_count", event): 1000.0, ("wait_time", event): value * 1e7}
    for past in (0, 1):
        scene.daily[DAY - timedelta(days=past)] = grown
    if "wait_avg_cs_90d" in figures:
        before = {("wait_count", event): 1000.0, ("wait_time", event): figures["wait_avg_cs_90d"] * 1e7}
        for past in range(83, 100):
            scene.daily[DAY - timedelta(days=past)] = before
    else:
        add_threshold(
            "wait_avg_ms", f"<={figures['threshold_cs']:g}", now=BOOT, target=scene.instance, component=event
        )


def _fact(platform: str, name: str, text_of: Callable[[float], str]) -> Recipe:
    def add(scene: Scene, value: float, figures: Figures) -> None:
        scene.facts[platform][name] = text_of(value)

    return add


def _kernel(value: float) -> str:
    minor = round((value % 1) * 10_000)
    return f"{int(value)}.{minor // 100}.{minor % 100}-200.el6uek.x86_64"


def _linux(scene: Scene, value: float, figures: Figures) -> None:
    scene.facts["oracle"]["platform"] = scene.facts["linux"]["operating_system"] = "Linux x86 64-bit"


def _restart(scene: Scene, value: float, figures: Figures) -> None:
    scene.is_restarted = bool(value)
    scene.grow("user_commits", 1000)


def _fall(scene: Scene, value: float, figures: Figures) -> None:
    scene.level("user_rollbacks", 10)
    scene.first_levels["user_rollbacks", ""] = 1000


def _run_queue(scene: Scene, value: float, figures: Figures) -> None:
    """Read hourly; the one that counts is a runnable thread itself."""
    scene.is_hourly = True
    scene.host.interval_minutes = 60
    scene.host.save()
    scene.level("sysstat_runq", value + 1)


def _alongside(scene: Scene, value: float, figures: Figures) -> None:
    """It follows from what another input of the same case brings about."""


RECIPES: Mapping[str, Recipe] = {
    "is_linux": _linux,
    "sgas_gb": _level("sga_max", GB),
    "sga_gb": _level("sga_max", GB),
    "host_hugepages_used": _pages_used,
    "host_hugepage_size_kb": _level("host_hugepage_size_kb"),
    "page_tables_gb": _level("mem_pagetables_kb", GB / KB),
    "host_hugepages_total": _level("host_hugepages_total"),
    "hugepages_needed": _pages_needed,
    "surplus_pages": _pages_idle,
    "host_mem_total_kb": _level("host_mem_total_kb"),
    "kernel_major_minor": _fact("linux", "kernel", _kernel),
    "cfg_pre_page_sga": _fact("oracle", "parameter/pre_page_sga", lambda value: "TRUE" if value else "FALSE"),
    "cfg_timed_statistics": _fact(
        "oracle", "parameter/timed_statistics", lambda value: "TRUE" if value else "FALSE"
    ),
    "oracle_version_num": _level("oracle_version_num"),
    "login_time_ms": _level("login_time_ms"),
    "sessions_max": _level("sessions_max"),
    "cpu_cores": _level("cpu_cores"),
    "aas": _counter("tm_db_time", SECONDS * 1e6),
    "host_numa_nodes": _level("host_numa_nodes"),
    "host_numa_imbalance_pct": _nodes_apart,
    "node_gb": _alongside,
    "host_numa_node_min_free_mb": _node_free,
    "numa_node_mb": _alongside,
    "host_sockets": _level("host_sockets"),
    "memory_target_gb": _level("cfg_memory_target", GB),
    "host_disk_host_queue": _host_queue,
    "host_disk_lun_queue": _alongside,
    "host_disk_queue_depth": _level("host_disk_queue_depth", component=DISK),
    "host_disk_queue": _level("sysstat_disk_queue", component=DISK),
    "datafile_avg_ms": _file_average,
    "datafile_io_day": _alongside,
    "datafile_max_ms": _file_record,
    "redo_lun_write_ms": _of_lun("host_disk_writes", "disk_write_ms"),
    "redo_lun_read_ms": _of_lun("host_disk_reads", "disk_read_ms"),
    **{f"{prefix}_avg_ms": _average(event) for event, prefix in _EVENTS.items()},
    **{f"{prefix}_per_s": _rate(event) for event, prefix in _EVENTS.items()},
    "host_lgwr_icsw_pct": _log_writer,
    "host_icsw_pct": _switches,
    "host_tlb_miss_pct": _level("host_tlb_miss_pct"),
    "host_runq": lambda scene, value, _: scene.level("sysstat_runq", value + 1),
    "host_runq_p95": _run_queue,
    "host_cpus": _level("host_cpus"),
    "redo_retries_per_s": _counter("redo_buffer_allocation_retries", SECONDS),
    "redo_space_requests_per_s": _counter("redo_log_space_requests", SECONDS),
    "log_switches_peak_hour": _level("log_switches_peak_hour"),
    "redo_log_fill_s": _fill_time,
    "redo_log_groups": _level("redo_log_groups"),
    "redo_log_members": _level("redo_log_members"),
    "redo_log_devices": _level("redo_log_devices"),
    "is_filesystem": _logs,
    "redo_gb_per_day": _counter("redo_size", GB),
    "host_cpu_busy_pct": _cpu_busy,
    "host_cpu_sys_pct": _cpu_system,
    "host_cpu_steal_pct": _level("sysstat_cpu_steal_pct"),
    "host_major_minor_pct": _major_share,
    "host_majfaults_per_s": _alongside,
    "host_swap_in_per_s": _level("sysstat_swap_in"),
    "host_swap_out_per_s": _level("sysstat_swap_out"),
    "ts_used_pct_max": _space,
    "ts_growth_mb_day": _filling,
    "ts_days_to_full": _alongside,
    "host_fs_used_pct": _level("host_fs_used_pct", component="/"),
    "fra_used_pct": _recovery_area,
    "pga_over_allocation_count_day": _counter("pga_over_allocation_count"),
    "workarea_multipass_day": _alongside,
    "workarea_optimal_pct": _work_areas,
    "disk_sort_pct": _share("sorts_disk", "sorts_memory"),
    "px_downgrade_pct": _downgrades,
    "px_operations_day": _alongside,
    "hard_parses_per_s": _hard_parses,
    "hard_parse_ratio": _alongside,
    "logons_per_s": _counter("logons_cumulative", SECONDS),
    "enq_deadlocks_day": _counter("enq_deadlocks"),
    "continued_row_pct": _continued,
    "undo_ora1555": _level("undo_ora1555"),
    "undo_nospace": _level("undo_nospace"),
    "processes_pct": _processes,
    "wait_avg_cs": _wait,
    "threshold_cs": _alongside,
    "wait_avg_cs_90d": _alongside,
    "startup_time_changed": _restart,
    "negative_delta": _fall,
}
