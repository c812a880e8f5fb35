"""The timeline of a host: what /proc would have said at each hour."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

import numpy as np

from apps.demo.course import Course
from apps.demo.parts import Disk, Host
from apps.demo.rhythm import BEFORE_ALL, Ages, Days, Floats, noise
from apps.demo.sources import sort_into_sources
from apps.demo.timeline import Key, Timeline

HOUR = 3600.0
TICKS = 100.0  # of one processor in a second
KB_OF_GB = 1024.0**2
INTERFACE = "bond0"
HUGE_PAGE_KB = 2048.0
RUNNABLE = 0.82  # threads that run or want to run, for each busy processor


def host_timeline(
    member: Host, days: Days, last_day: date, boundaries: Floats, starts: Sequence[float]
) -> Timeline:
    """Everything the host counts between the boundaries of these days, hour by hour."""
    hours = np.arange(boundaries[0], boundaries[-1] + 1.0, HOUR)
    work = _Hours(member, days, last_day, hours)
    return Timeline(
        boundaries=hours,
        starts=starts,
        sources=sort_into_sources(work.counters(), work.levels(), member.uptime * 24.0),
        share_of_step=lambda elapsed: elapsed,
        seconds=1.2 + 0.1 * len(member.disks),
    )


class _Hours:
    """What a host does in each hour. Counters have a value an hour, levels one at each boundary."""

    def __init__(self, member: Host, days: Days, last_day: date, boundaries: Floats) -> None:
        self.member, self.days = member, days
        zone = ZoneInfo(member.time_zone)
        local = [datetime.fromtimestamp(moment, zone) for moment in boundaries]
        self.ages: Ages = np.array([moment.date().toordinal() - last_day.toordinal() for moment in local])
        self.hour = np.array([moment.hour + moment.minute / 60 for moment in local])
        self.numbers: Ages = np.arange(len(boundaries)) + 24 * (days.ages[0] - BEFORE_ALL)
        self.cpus = member.cores * member.threads_per_core
        self.shape = self._shape()
        self.busy = np.clip(self._by_day(member.busy, "busy") * self.shape / 100, 0.005, 0.985)

    def _shape(self) -> Floats:
        """The share of the busiest hours by hour, so that the 95th percentile of a day is 1."""
        night = self.member.night_share
        if night > 0.8:  # loads run at night, reports by day
            wave = (
                0.62
                + 0.38 * np.exp(-(((self.hour - 3.0) / 3.2) ** 2))
                + 0.16 * np.exp(-(((self.hour - 14.0) / 4) ** 2))
            )
        else:
            morning = np.exp(-(((self.hour - 10.5) / 2.4) ** 2))
            wave = night + (1 - night) * np.maximum(
                morning, 0.93 * np.exp(-(((self.hour - 15.0) / 2.6) ** 2))
            )
        shape: Floats = wave * (1.0 + 0.03 * self._jitter("shape"))
        for age in np.unique(self.ages):
            chosen = self.ages == age
            shape[chosen] /= np.percentile(shape[chosen], 95)
        return shape

    def _jitter(self, name: str) -> Floats:
        jitter: Floats = noise([f"{self.member.name}/{name}/hour"], self.numbers)[0]
        return jitter

    def _by_day(self, course: Course, name: str) -> Floats:
        """A daily figure, the same in every hour of its day."""
        daily = course.by_day(f"{self.member.name}/{name}", self.days)
        hourly: Floats = daily[np.clip(self.ages - self.days.ages[0], 0, len(daily) - 1)]
        return hourly

    def _grown(self, course: Course, name: str) -> Floats:
        """A stock at each boundary: it reaches a day's value when the day ends."""
        daily = course.by_day(f"{self.member.name}/{name}", self.days)
        at = self.ages - self.days.ages[0] + self.hour / 24
        level: Floats = np.interp(at, np.arange(1, len(daily) + 1), daily)
        return level

    def _spread(self, course: Course, name: str) -> Floats:
        """A day's amount over its hours."""
        per_hour = self._by_day(course, name)[:-1] / 24
        mean = 0.8 if self.member.night_share > 0.8 else 0.5 + 0.3 * self.member.night_share
        return per_hour * self.shape[:-1] / mean

    def counters(self) -> dict[Key, Floats]:
        plain = self._processors() | self._paging() | self._tcp()
        found: dict[Key, Floats] = {(key, ""): values for key, values in plain.items()}
        for disk in self.member.disks:
            found |= {(key, disk.name): values for key, values in self._disk(disk).items()}
        return found | {(key, INTERFACE): values for key, values in self._network().items()}

    def levels(self) -> dict[Key, Floats]:
        plain = self._load() | self._memory()
        found: dict[Key, Floats] = {(key, ""): values for key, values in plain.items()}
        for disk in self.member.disks:
            found["host_disk_queue_depth", disk.name] = self._constant(32)
        for filesystem in self.member.filesystems:
            used = self._grown(filesystem.used, filesystem.mount) * 1024
            size = filesystem.size * 1024
            share = np.minimum(used / size, 0.999)
            found["host_fs_used_pct", filesystem.mount] = share * 100
            found["host_fs_used_mb", filesystem.mount] = share * size
            found["host_fs_free_mb", filesystem.mount] = size - share * size
            found["host_fs_size_mb", filesystem.mount] = self._constant(size)
            found["host_fs_inodes_pct", filesystem.mount] = share * 11
        found["net_speed_mbit", INTERFACE] = self._constant(10_000)
        return found

    def _constant(self, value: float) -> Floats:
        return np.full(len(self.ages), float(value))

    def _processors(self) -> dict[str, Floats]:
        whole = self.cpus * TICKS * HOUR
        busy = self.busy[:-1]
        waiting = np.minimum(
            self._by_day(self.member.iowait, "iowait")[:-1] / 100 * self.shape[:-1], 0.9 * (1 - busy)
        )
        kernel = self.member.system_share
        shares = {
            "cpu_user_ticks": busy * (1 - kernel),
            "cpu_nice_ticks": busy * 0.0,
            "cpu_system_ticks": busy * kernel * 0.9,
            "cpu_irq_ticks": busy * kernel * 0.04,
            "cpu_softirq_ticks": busy * kernel * 0.06,
            "cpu_steal_ticks": busy * 0.0,
            "cpu_iowait_ticks": waiting,
            "cpu_idle_ticks": 1 - busy - waiting,
            "cpu_unused_ticks": 1 - busy,
            "cpu_total_ticks": busy * 0.0 + 1,
        }
        switches = busy * self.cpus * 5200 * HOUR * (1 + 0.05 * self._jitter("switches")[:-1])
        return {key: share * whole for key, share in shares.items()} | {
            "context_switches": switches,
            "interrupts": switches * 0.62,
            "forks": busy * self.cpus * 0.9 * HOUR,
            "psi_cpu_some_us": np.maximum(busy - 0.35, 0.002) ** 2 * HOUR * 1e6 * 0.5,
            "psi_io_some_us": waiting * HOUR * 1e6 * 0.8,
            "psi_memory_some_us": busy * 40 * HOUR,
        }

    def _paging(self) -> dict[str, Floats]:
        reads = sum(
            (self._spread(disk.reads, f"{disk.name}/r") * disk.read_kb for disk in self.member.disks),
            start=0.0,
        )
        writes = sum(
            (self._spread(disk.writes, f"{disk.name}/w") * disk.write_kb for disk in self.member.disks),
            start=0.0,
        )
        quiet = self.busy[:-1] * 0.0
        out = quiet if self.member.swap_out is None else self._spread(self.member.swap_out, "swap out")
        faults = self.busy[:-1] * self.cpus * 2100 * HOUR
        return {
            "vm_page_in_kb": reads + quiet,
            "vm_page_out_kb": writes + quiet,
            "vm_swap_in_pages": out * 0.6,
            "vm_swap_out_pages": out,
            "vm_faults": faults,
            "vm_major_faults": out * 0.4 + faults * 2e-6,
            "vm_scanned_pages": out * 3.2,
        }

    def _tcp(self) -> dict[str, Floats]:
        sent = self._spread(self.member.network_gb, "network") * 1024**3 / 900
        return {
            "tcp_sent": sent,
            "tcp_retransmitted": sent * 6e-5 * (1 + 0.2 * self._jitter("retransmitted")[:-1]),
            "tcp_listen_drops": sent * 0.0,
        }

    def _network(self) -> dict[str, Floats]:
        received = self._spread(self.member.network_gb, "network") * 1024**3
        return {
            "net_rx_bytes": received,
            "net_tx_bytes": received * 1.7,
            "net_rx_packets": received / 820,
            "net_tx_packets": received / 640,
            "net_errors": received * 0.0,
            "net_drops": received * 0.0,
        }

    def _disk(self, disk: Disk) -> dict[str, Floats]:
        reads = np.floor(self._spread(disk.reads, f"{disk.name}/r"))
        writes = np.floor(self._spread(disk.writes, f"{disk.name}/w"))
        wave = 0.72 + 0.28 * self.shape[:-1]  # busy disks answer more slowly
        waited_reading = reads * self._by_day(disk.read_ms, f"{disk.name}/rms")[:-1] * wave
        waited_writing = writes * self._by_day(disk.write_ms, f"{disk.name}/wms")[:-1] * wave
        waited = waited_reading + waited_writing
        return {
            "host_disk_reads": reads,
            "host_disk_writes": writes,
            "disk_read_sectors": reads * disk.read_kb * 2,
            "disk_write_sectors": writes * disk.write_kb * 2,
            "disk_read_ms": waited_reading,
            "disk_write_ms": waited_writing,
            "disk_busy_ms": np.minimum(waited / (1 + waited / (HOUR * 700)), HOUR * 990),
            "disk_weighted_ms": waited * 1.02,
        }

    def _load(self) -> dict[str, Floats]:
        running = self.busy * self.cpus * RUNNABLE * (1 + 0.04 * self._jitter("run queue"))
        blocked = self._by_day(self.member.iowait, "iowait") / 100 * self.cpus * 0.5 * self.shape
        load = running * 1.08 + blocked
        return {
            "host_cpus": self._constant(self.cpus),
            "host_cores": self._constant(self.member.cores),
            "host_sockets": self._constant(2),
            "procs_running": 1 + running,
            "procs_blocked": blocked,
            "load_1": load * (1 + 0.06 * self._jitter("load")),
            "load_5": load * (1 + 0.03 * self._jitter("load")),
            "load_15": load,
            "tasks": np.rint(620 + 900 * self.busy),
        }

    def _memory(self) -> dict[str, Floats]:
        total = self.member.memory_gb * KB_OF_GB
        used = (
            self._by_day(self.member.memory_used, "memory") * KB_OF_GB * (1 + 0.004 * self._jitter("memory"))
        )
        available = np.maximum(total - used, 0.02 * total)
        tables = self._by_day(self.member.page_tables_gb, "page tables") * KB_OF_GB
        pool = self.member.huge_pages_gb * KB_OF_GB
        pages = np.floor(pool / HUGE_PAGE_KB)
        swap = self.member.swap_gb * KB_OF_GB
        swapped = 0.02 if self.member.swap_out is None else 0.06
        free = available * 0.12
        sizes: Mapping[str, Floats] = {
            "host_mem_total_kb": self._constant(total),
            "mem_free_kb": free,
            "mem_available_kb": available,
            "mem_pagetables_kb": tables,
            "mem_committed_kb": used * 1.1,
            "host_mem_anon_kb": np.maximum(used - pool - tables, 0.02 * total) * 0.8,
            "host_mem_cached_kb": available * 0.8,
            "host_mem_slab_kb": self._constant(total * 0.018),
            "host_thp_kb": self._constant(0),
            "swap_total_kb": self._constant(swap),
            "swap_free_kb": self._constant(swap * (1 - swapped)),
            "host_page_size_kb": self._constant(4),
            "host_hugepage_size_kb": self._constant(HUGE_PAGE_KB),
            "host_hugepages_total": self._constant(pages),
            "host_hugepages_free": self._constant(np.floor(pages * 0.03)),
            "host_hugepages_rsvd": self._constant(np.floor(pages * 0.01)),
            "host_hugepages_surp": self._constant(0),
        }
        return dict(sizes)
