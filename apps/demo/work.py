"""The work of an instance by day: what is asked of it, then what it counts once the CPU and the disks it gets are known."""

from collections.abc import Iterable

import numpy as np

from apps.demo.events import COMMIT, LOG_WRITE, Responses, Waits, clients, scripted_waits, usual_waits
from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Days, Floats, noise, wobble
from apps.demo.traffic import AT_ONCE, BLOCK, Amount, RedoVolume, Traffic
from apps.demo.trajectory import Trajectory
from apps.demo.workload import PER_UNIT, SHARES, Shares

MICROSECONDS = 3_600e6  # of an hour
OF_BACKGROUND = 0.05  # of an instance's CPU
LEAST_LEFT = 0.01  # of DB time for the waits that tell no story
WASTED = 240.0  # bytes of the last block of a write of the log, on average


class Demand:
    """What is asked of an instance on each day, and the waits that tell a story. Times in microseconds."""

    def __init__(self, member: DemoInstance, days: Days) -> None:
        self.member, self.days = member, days
        workload = member.workload
        self.shares: Shares = SHARES[workload.mix]
        self.executions = self.of(workload.executions, "executions")
        self.commits = self.of(workload.commits, "commits")
        self.logical_reads = self.of(workload.logical_reads, "logical reads")
        self.db_time = self.of(workload.db_time, "DB time") * MICROSECONDS
        redo = self.of(workload.redo, "redo")
        synced = np.rint(self.commits * self.shares.synced * self.wobble("synced", 0.004))
        written = np.rint(self.commits * self.shares.log_writes * self.wobble("log writes", 0.02))
        self.told = scripted_waits(member, days, {COMMIT: synced, LOG_WRITE: written})
        told_writes = self.scripted_count(LOG_WRITE)
        self.redo = RedoVolume(
            size=np.rint(redo),
            wastage=np.rint(self._wastage(redo, written)),
            writes=np.where(told_writes > 0, told_writes, written),
        )
        changed = np.rint(redo / BLOCK * 1.4 * self.wobble("changed blocks", 0.04))
        self.changed = Amount(np.rint(changed * self.shares.written_alone), changed)
        self.synced = synced

    def _wastage(self, redo: Floats, written: Floats) -> Floats:
        wastage = self.member.workload.redo_wastage
        if wastage is not None:
            return redo * self.of(wastage, "redo wastage") / 100
        return written * WASTED * self.wobble("wastage", 0.04)

    def of(self, course: Trajectory, name: str) -> Floats:
        return course.by_day(f"{self.member.name}/{name}", self.days)

    def wobble(self, name: str, size: float) -> Floats:
        return wobble(f"{self.member.name}/{name}", self.days.ages, size)

    def scripted_count(self, event: str) -> Floats:
        return sum((waits.count for waits in self.told if waits.name == event), start=self.nothing)

    @property
    def nothing(self) -> Floats:
        return np.zeros(len(self.days.ages))

    @property
    def scripted_time(self) -> Floats:
        """What users wait in the events that tell a story."""
        return sum((waits.time for waits in self.told if waits.is_foreground), start=self.nothing)

    @property
    def potential_cpu(self) -> Floats:
        """How much CPU it would take, were nothing else to be waited for."""
        return np.maximum(self.db_time - self.scripted_time, 0.1 * self.db_time)


class Work:
    """What an instance does with so many microseconds of CPU and disks that answer so fast."""

    def __init__(self, demand: Demand, responses: Responses, cpu: Floats) -> None:
        self.demand, self.member, self.days = demand, demand.member, demand.days
        most = np.maximum(demand.db_time * (1 - LEAST_LEFT) - demand.scripted_time, 0.05 * demand.db_time)
        self.db_cpu = np.minimum(cpu * (1 - OF_BACKGROUND), most)
        self.background_cpu = cpu - self.db_cpu
        self.waits: list[Waits] = [
            *demand.told,
            *usual_waits(
                demand.member,
                demand.days,
                responses,
                left=np.maximum(
                    demand.db_time - self.db_cpu - demand.scripted_time, LEAST_LEFT * demand.db_time
                ),
                demanded=self._demanded(),
                without={waits.name for waits in demand.told},
            ),
            clients(demand.member, demand.days, demand.executions),
        ]
        self.traffic = Traffic(demand.member, self.waits, demand.redo, demand.changed)

    def _demanded(self) -> dict[str, Floats]:
        """How often events occur because of the work rather than for a share of the time."""
        demand = self.demand
        archived = demand.redo.archive_requests
        return {
            COMMIT: demand.synced,
            LOG_WRITE: demand.redo.writes,
            "db file parallel write": demand.changed.requests / AT_ONCE,
            "log file sequential read": archived,
            "Log archive I/O": archived,
            "SQL*Net message to client": demand.executions
            * float(PER_UNIT["sqlnet_roundtrips"][demand.shares.column]),
        }

    def wait_time(self, classes: Iterable[str]) -> Floats:
        """Centiseconds waited in these classes, by all processes."""
        wait_classes = set(classes)
        waited = (waits.time for waits in self.waits if waits.wait_class in wait_classes)
        return sum(waited, start=self.demand.nothing) / 10_000

    def time_in(self, event: str) -> Floats:
        """Microseconds waited in one event."""
        return sum((waits.time for waits in self.waits if waits.name == event), start=self.demand.nothing)

    def count_of(self, event: str) -> Floats:
        return sum((waits.count for waits in self.waits if waits.name == event), start=self.demand.nothing)

    def statistics(self) -> dict[str, Floats]:
        """Counters by key, each day's growth."""
        statistics = (
            self._per_unit() | self._gets() | self.traffic.statistics() | self._times() | self._memory()
        )
        statistics["redo_synch_writes"] = self.count_of(COMMIT)
        for key, course in self.member.workload.counters.items():
            statistics[key] = self.demand.of(course, key)
        return statistics

    def _per_unit(self) -> dict[str, Floats]:
        demand, name = self.demand, self.member.name
        drivers = {
            "executions": demand.executions,
            "commits": demand.commits,
            "logical_reads": demand.logical_reads,
            "redo": demand.redo.size,
        }
        names = [f"{name}/{key}" for key in PER_UNIT]
        character = 1.0 + 0.12 * noise(names, np.array([0]))[:, 0]
        wobbles = 1.0 + 0.03 * noise(names, self.days.ages)
        amounts = {
            key: np.maximum(0.0, drivers[str(entry[0])] * float(entry[demand.shares.column]) * own * wobble)
            for (key, entry), own, wobble in zip(PER_UNIT.items(), character, wobbles, strict=True)
        }
        return amounts | {
            "user_commits": demand.commits,
            "execute_count": demand.executions,
            "redo_size": demand.redo.size,
        }

    def _gets(self) -> dict[str, Floats]:
        """Logical reads: consistent and current ones, each from the cache or past it."""
        logical = np.rint(self.demand.logical_reads)
        current = np.rint(logical * self.demand.shares.current * self.demand.wobble("current gets", 0.03))
        return {
            "session_logical_reads": logical,
            "consistent_gets": logical - current,
            "consistent_gets_cache": logical - current - self.traffic.direct.blocks,
            "db_block_gets_cache": current - self.traffic.direct_writes.blocks,
        }

    def _times(self) -> dict[str, Floats]:
        demand = self.demand
        every = {waits.wait_class for waits in self.waits} - {"Idle"}
        sync, write = self.time_in(COMMIT), self.time_in(LOG_WRITE)
        return {
            "db_time": demand.db_time / 10_000,
            "cpu_used_by_this_session": self.db_cpu * 0.995 / 10_000,
            "non_idle_wait_time": self.wait_time(every),
            "user_io_wait_time": self.wait_time({"User I/O"}),
            "redo_synch_time": sync / 10_000,
            "redo_synch_time_usec": sync,
            "redo_synch_overhead_usec": sync * 0.06,
            "redo_write_time": write * 1.02 / 10_000,
            "redo_write_time_usec": write * 1.02,
            "tm_db_time": demand.db_time,
            "tm_db_cpu": self.db_cpu,
            "tm_background_cpu": self.background_cpu,
            "tm_background_elapsed": self.background_cpu + self.wait_time({"System I/O"}) * 10_000,
            "tm_rman_cpu": demand.redo.size * 0.9 / 1e3,
            "tm_sql_execute": demand.db_time * 0.94,
            "tm_parse_elapsed": demand.executions * 31.0,
            "tm_hard_parse_elapsed": demand.executions * 22.0,
            "tm_connection_mgmt": demand.commits * 240.0,
        }

    def _memory(self) -> dict[str, Floats]:
        """Counters of v$pgastat: what went through work areas."""
        is_warehouse = self.member.workload.mix == "warehouse"
        processed = self.demand.executions * (90_000.0 if is_warehouse else 2400.0)
        extra = processed * (0.031 if is_warehouse else 0.0004)
        return {
            "pga_over_allocation_count": self.demand.nothing,
            "pga_bytes_processed": processed,
            "pga_extra_bytes": extra * self.demand.wobble("extra bytes", 0.1),
        }
