"""The timeline of an instance: what the v$ views would have said at 00:05 of each day."""

from collections.abc import Iterable, Sequence

import numpy as np

from apps.demo.course import Course
from apps.demo.events import Waits, all_waits
from apps.demo.files import file_counters, file_levels
from apps.demo.levels import Levels
from apps.demo.parts import Instance
from apps.demo.rhythm import Days, Floats, noise, share_of_day, wobble
from apps.demo.segments import segment_counters, segment_levels
from apps.demo.sources import sort_into_sources
from apps.demo.timeline import Key, Timeline
from apps.demo.workload import PER_UNIT

CENTISECONDS = 360_000.0  # of an hour


def instance_timeline(member: Instance, days: Days, boundaries: Floats, starts: Sequence[float]) -> Timeline:
    """Everything the instance counts between the boundaries of these days."""
    work = Work(member, days)
    statistics = work.statistics()
    counters: dict[Key, Floats] = {(key, ""): amount for key, amount in statistics.items()}
    for waits in work.waits:
        counters |= waits.counters()
    counters |= file_counters(member, days, statistics, work.waits)
    counters |= segment_counters(member, days, statistics)
    told = Levels(member, days, boundaries, starts, redo=work.redo, db_time=work.db_time)
    levels = told.all()
    levels |= file_levels(member, told.ends, levels, work.waits, boundaries, starts)
    levels |= segment_levels(member, levels)
    classes = {waits.name: waits.wait_class for waits in work.waits}
    return Timeline(
        boundaries=boundaries,
        starts=starts,
        sources=sort_into_sources(counters, levels, member.uptime, classes),
        share_of_step=share_of_day,
        seconds=8.0 + len(member.tablespaces) * 1.7,
    )


class Work:
    """What an instance does on each day."""

    def __init__(self, member: Instance, days: Days) -> None:
        self.member, self.days = member, days
        workload = member.workload
        self.executions = self.of(workload.executions, "executions")
        self.commits = self.of(workload.commits, "commits")
        self.logical_reads = self.of(workload.logical_reads, "logical reads")
        self.redo = self.of(workload.redo, "redo")
        self.db_time = self.of(workload.db_time, "DB time") * CENTISECONDS
        self.physical_reads = (
            self.logical_reads * workload.physical_share * self.wobble("physical reads", 0.05)
        )
        self.physical_writes = self.redo / 8192 * 1.4 + self.physical_reads * 0.08
        self.waits: list[Waits] = all_waits(
            member, days, self.db_time * 10_000, self.executions, self.commits
        )
        waited = sum(
            (waits.time for waits in self.waits if waits.is_foreground and waits.wait_class != "Idle"),
            start=np.zeros(len(days.ages)),
        )
        self.cpu = np.maximum(self.db_time - waited / 10_000, 0.2 * self.db_time)

    def of(self, course: Course, name: str) -> Floats:
        return course.by_day(f"{self.member.name}/{name}", self.days)

    def wobble(self, name: str, size: float) -> Floats:
        return wobble(f"{self.member.name}/{name}", self.days.ages, size)

    def time_of(self, classes: Iterable[str]) -> Floats:
        """Centiseconds waited in these classes, by all processes."""
        wanted = set(classes)
        return (
            sum(
                (waits.time for waits in self.waits if waits.wait_class in wanted),
                start=np.zeros(len(self.days.ages)),
            )
            / 10_000
        )

    def time_in(self, event: str) -> Floats:
        """Microseconds waited in one event."""
        return sum(
            (waits.time for waits in self.waits if waits.name == event), start=np.zeros(len(self.days.ages))
        )

    def statistics(self) -> dict[str, Floats]:
        """Counters by key, each day's growth."""
        drivers = {
            "executions": self.executions,
            "commits": self.commits,
            "logical_reads": self.logical_reads,
            "redo": self.redo,
            "physical_reads": self.physical_reads,
            "physical_writes": self.physical_writes,
        }
        column = 1 if self.member.workload.mix == "warehouse" else 2
        character = 1.0 + 0.12 * noise([f"{self.member.name}/{key}" for key in PER_UNIT], np.array([0]))[:, 0]
        wobbles = 1.0 + 0.03 * noise([f"{self.member.name}/{key}" for key in PER_UNIT], self.days.ages)
        found = {
            key: np.maximum(0.0, drivers[str(entry[0])] * float(entry[column]) * own * wobble)
            for (key, entry), own, wobble in zip(PER_UNIT.items(), character, wobbles, strict=True)
        }
        found["user_commits"] = self.commits
        found |= self._times() | self._memory()
        if self.member.workload.redo_wastage is not None:
            found["redo_wastage"] = (
                self.redo * self.of(self.member.workload.redo_wastage, "redo wastage") / 100
            )
        for key, course in self.member.workload.counters.items():
            found[key] = self.of(course, key)
        return found

    def _times(self) -> dict[str, Floats]:
        idle = {"Idle"}
        every = {waits.wait_class for waits in self.waits}
        sync, write = self.time_in("log file sync"), self.time_in("log file parallel write")
        background = self.time_of({"System I/O"}) * 0.6 + self.redo / 3e6
        host_hours = self.member.cores * 24 * CENTISECONDS
        busy = np.minimum((self.cpu + background) * 1.25 + 0.02 * host_hours, 0.97 * host_hours)
        return {
            "execute_count": self.executions,
            "session_logical_reads": self.logical_reads,
            "redo_size": self.redo,
            "db_time": self.db_time,
            "cpu_used_by_this_session": self.cpu * 0.995,
            "non_idle_wait_time": self.time_of(every - idle),
            "user_io_wait_time": self.time_of({"User I/O"}),
            "redo_synch_time": sync / 10_000,
            "redo_synch_time_usec": sync,
            "redo_synch_overhead_usec": sync * 0.06,
            "redo_write_time": write * 1.05 / 10_000,
            "redo_write_time_usec": write * 1.05,
            "tm_db_time": self.db_time * 10_000,
            "tm_db_cpu": self.cpu * 10_000,
            "tm_background_cpu": background * 10_000 * 0.4,
            "tm_background_elapsed": background * 10_000 * 2.2,
            "tm_rman_cpu": self.redo * 0.9 / 1e3,
            "tm_sql_execute": self.db_time * 10_000 * 0.94,
            "tm_parse_elapsed": self.executions * 31.0,
            "tm_hard_parse_elapsed": self.executions * 22.0,
            "tm_connection_mgmt": self.commits * 240.0,
            "os_busy_time": busy,
            "os_idle_time": host_hours - busy,
        }

    def _memory(self) -> dict[str, Floats]:
        """Counters of v$pgastat: what went through work areas."""
        processed = self.executions * (90_000.0 if self.member.workload.mix == "warehouse" else 2400.0)
        extra = processed * (0.031 if self.member.workload.mix == "warehouse" else 0.0004)
        return {
            "pga_over_allocation_count": np.zeros(len(self.days.ages)),
            "pga_bytes_processed": processed,
            "pga_extra_bytes": extra * self.wobble("extra bytes", 0.1),
        }
