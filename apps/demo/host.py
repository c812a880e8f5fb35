"""The timeline of a host: what /proc would have said at each hour."""

from collections.abc import Mapping, Sequence

import numpy as np

from apps.demo.machine import HOUR, OF_SYSTEM, Machine
from apps.demo.parts import DATA, REDO, SYSTEM, Disk
from apps.demo.processes import process_counters
from apps.demo.rhythm import Floats
from apps.demo.sources import sort_into_sources
from apps.demo.timeline import Key, Timeline
from apps.demo.traffic import DiskWork
from apps.demo.trajectory import Trajectory

TICKS = 100.0  # of one processor in a second
KB_OF_GB = 1024.0**2
INTERFACE = "bond0"
HUGE_PAGE_KB = 2048.0
SEGMENT = 900.0  # bytes
SECTOR = 512.0


def host_timeline(machine: Machine, boundaries: Floats, starts: Sequence[float]) -> Timeline:
    """Everything the host counts between the first and the last of these boundaries, hour by hour."""
    work = _Hours(machine)
    first, last = np.searchsorted(machine.hours, [boundaries[0], boundaries[-1]]).tolist()
    counters = {key: amount[first:last] for key, amount in work.counters().items()}
    levels = {key: level[first : last + 1] for key, level in work.levels().items()}
    return Timeline(
        boundaries=machine.hours[first : last + 1],
        starts=starts,
        sources=sort_into_sources(counters, levels, machine.host.uptime * 24.0),
        done=lambda moment: moment,
        seconds=1.2 + 0.1 * len(machine.host.disks),
    )


class _Hours:
    """What a host does in each hour. Counters have a value an hour, levels one at each boundary."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.member, self.days = machine, machine.host, machine.days
        self.cpus, self.shape, self.busy = machine.cpus, machine.shape, machine.busy
        self.ages, self.hour = machine.ages, machine.hour
        self._by_day, self._jitter = machine.by_day, machine.jitter
        self.disk_work = {disk.name: self._work_of(disk) for disk in self.member.disks}

    def _work_of(self, disk: Disk) -> DiskWork:
        """What the instances do on a disk in each hour; on that of the system what they make it do."""
        has_own_redo = any(other.holds == REDO for other in self.member.disks)
        work = [part.traffic for part in self.machine.works.values()]
        amounts = {
            DATA: [traffic.data for traffic in work]
            + ([] if has_own_redo else [traffic.logs for traffic in work]),
            REDO: [traffic.logs for traffic in work],
            SYSTEM: [of for traffic in work for of in (traffic.data, traffic.logs)],
        }[disk.holds]
        share = OF_SYSTEM if disk.holds == SYSTEM else 1.0
        return DiskWork(
            reads=self._hourly([amount.reads for amount in amounts]) * share,
            read_bytes=self._hourly([amount.read_bytes for amount in amounts]) * share,
            writes=self._hourly([amount.writes for amount in amounts]) * share,
            write_bytes=self._hourly([amount.write_bytes for amount in amounts]) * share,
        )

    def _hourly(self, daily: Sequence[Floats]) -> Floats:
        return self.machine.hourly(np.sum(daily, axis=0))

    def _grown(self, course: Trajectory, name: str) -> Floats:
        """A stock at each boundary: it reaches a day's value when the day ends."""
        daily = course.by_day(f"{self.member.name}/{name}", self.days)
        at = self.ages - self.days.ages[0] + self.hour / 24
        level: Floats = np.interp(at, np.arange(1, len(daily) + 1), daily)
        return level

    def counters(self) -> dict[Key, Floats]:
        plain = self._processors() | self._paging() | self._tcp()
        counters: dict[Key, Floats] = {(key, ""): values for key, values in plain.items()}
        for disk in self.member.disks:
            counters |= {(key, disk.name): values for key, values in self._disk(disk).items()}
        counters |= process_counters(self.machine, self.busy[:-1] * self.cpus * HOUR)
        return counters | {(key, INTERFACE): values for key, values in self._network().items()}

    def levels(self) -> dict[Key, Floats]:
        plain = self._load() | self._memory()
        levels: dict[Key, Floats] = {(key, ""): values for key, values in plain.items()}
        for disk in self.member.disks:
            levels["host_disk_queue_depth", disk.name] = self._constant(32)
        for filesystem in self.member.filesystems:
            used = self._grown(filesystem.used, filesystem.mount) * 1024
            size = filesystem.size * 1024
            share = np.minimum(used / size, 0.999)
            levels["host_fs_used_pct", filesystem.mount] = share * 100
            levels["host_fs_used_mb", filesystem.mount] = share * size
            levels["host_fs_free_mb", filesystem.mount] = size - share * size
            levels["host_fs_size_mb", filesystem.mount] = self._constant(size)
            levels["host_fs_inodes_pct", filesystem.mount] = share * 11
        levels["net_speed_mbit", INTERFACE] = self._constant(10_000)
        return levels

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
        quiet = self.busy[:-1] * 0.0
        out = quiet if self.member.swap_out is None else self._swapped(self.member.swap_out)
        faults = self.busy[:-1] * self.cpus * 2100 * HOUR
        return {
            "vm_page_in_kb": sum((work.read_bytes for work in self.disk_work.values()), start=quiet) / 1024,
            "vm_page_out_kb": sum((work.write_bytes for work in self.disk_work.values()), start=quiet) / 1024,
            "vm_swap_in_pages": out * 0.6,
            "vm_swap_out_pages": out,
            "vm_faults": faults,
            "vm_major_faults": out * 0.4 + faults * 2e-6,
            "vm_scanned_pages": out * 3.2,
        }

    def _swapped(self, course: Trajectory) -> Floats:
        """A day's pages over its hours, more in the busy ones."""
        per_hour = self._by_day(course, "swap out")[:-1] / 24
        swapped: Floats = per_hour * self.shape[:-1] / (0.5 + 0.3 * self.member.night_share)
        return swapped

    def _sent_and_received(self) -> tuple[Floats, Floats]:
        """Bytes between the instances and their clients, and those of the system."""
        statistics = [work.statistics() for work in self.machine.works.values()]
        sent, received = (
            self._hourly([counts[key] for counts in statistics]) * (1 + OF_SYSTEM)
            for key in ("sqlnet_bytes_to_client", "sqlnet_bytes_from_client")
        )
        return sent, received

    def _tcp(self) -> dict[str, Floats]:
        sent = self._sent_and_received()[0] / SEGMENT
        return {
            "tcp_sent": sent,
            "tcp_retransmitted": sent * 6e-5 * (1 + 0.2 * self._jitter("retransmitted")[:-1]),
            "tcp_listen_drops": sent * 0.0,
        }

    def _network(self) -> dict[str, Floats]:
        sent, received = self._sent_and_received()
        return {
            "net_rx_bytes": received,
            "net_tx_bytes": sent,
            "net_rx_packets": received / 420,
            "net_tx_packets": sent / 640,
            "net_errors": received * 0.0,
            "net_drops": received * 0.0,
        }

    def _disk(self, disk: Disk) -> dict[str, Floats]:
        work = self.disk_work[disk.name]
        wave = 0.72 + 0.28 * self.shape[:-1]  # busy disks answer more slowly
        waited_reading = work.reads * self._by_day(disk.read_ms, f"{disk.name}/rms")[:-1] * wave
        waited_writing = work.writes * self._by_day(disk.write_ms, f"{disk.name}/wms")[:-1] * wave
        waited = waited_reading + waited_writing
        return {
            "host_disk_reads": work.reads,
            "host_disk_writes": work.writes,
            "disk_read_sectors": work.read_bytes / SECTOR,
            "disk_write_sectors": work.write_bytes / SECTOR,
            "disk_read_ms": waited_reading,
            "disk_write_ms": waited_writing,
            "disk_busy_ms": np.minimum(waited / (1 + waited / (HOUR * 700)), HOUR * 990),
            "disk_weighted_ms": waited * 1.02,
        }

    def _load(self) -> dict[str, Floats]:
        blocked, load = self.machine.blocked, self.machine.load
        return {
            "host_cpus": self._constant(self.cpus),
            "host_cores": self._constant(self.member.cores),
            "host_sockets": self._constant(2),
            "procs_running": 1 + self.machine.running,
            "procs_blocked": blocked,
            "load_1": self.machine.load_of_a_minute,
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
