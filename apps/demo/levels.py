"""What an instance shows at a moment: sessions, memory, settings, space."""

from collections.abc import Sequence

import numpy as np

from apps.demo.machine import Machine
from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Days, Floats, wobble
from apps.demo.space import GB, space_levels
from apps.demo.timeline import Key, high_water
from apps.demo.trajectory import Trajectory


class Levels:
    """Gauges at each boundary: the boundary that ends a day carries the day's value."""

    def __init__(
        self,
        machine: Machine,
        member: DemoInstance,
        days: Days,
        boundaries: Floats,
        starts: Sequence[float],
        *,
        redo: Floats,
    ) -> None:
        self.machine, self.member, self.boundaries, self.starts = machine, member, boundaries, starts
        self.redo = _and_before(redo)
        self.ends = Days(
            ages=np.concatenate([[days.ages[0] - 1], days.ages]),
            weekdays=np.concatenate([[(days.weekdays[0] - 1) % 7], days.weekdays]),
            left_in_month=np.concatenate([[99], days.left_in_month]),
        )
        self.allocated = self._of(member.pga, "PGA") * GB

    def all(self) -> dict[Key, Floats]:
        plain = (
            self._sessions()
            | self._pga()
            | self._sga()
            | self._machine()
            | self._redo()
            | self._undo()
            | self._settings()
        )
        levels: dict[Key, Floats] = {(key, ""): values for key, values in plain.items()}
        return levels | space_levels(self.member, self.ends, self.boundaries, self.starts)

    def _of(self, course: Trajectory, name: str) -> Floats:
        return course.by_day(f"{self.member.name}/{name}", self.ends)

    def _wobble(self, name: str, size: float) -> Floats:
        return wobble(f"{self.member.name}/{name}", self.ends.ages, size)

    def _constant(self, value: float) -> Floats:
        return np.full(len(self.ends.ages), float(value))

    def _sessions(self) -> dict[str, Floats]:
        """At 00:05 few are signed in; the marks tell how many there were at most."""
        peak = np.rint(self._of(self.member.workload.sessions, "sessions"))
        marks = high_water(peak, self.boundaries, self.starts)
        processes = high_water(np.rint(peak * 0.96) + 2, self.boundaries, self.starts)
        night = np.rint(peak * self.member.workload.sessions_at_night * self._wobble("night sessions", 0.04))
        parallel = np.rint(self.member.cores * 1.5 * self._wobble("parallel servers", 0.1))
        return {
            "sessions_max": marks,
            "sessions_now": night + 46,
            "sessions_limit": self._constant(np.rint(self.member.processes_limit * 1.5 + 22)),
            "processes_max": processes,
            "processes_now": night + 40,
            "processes_limit": self._constant(self.member.processes_limit),
            "sessions_current": night,
            "sessions_active": np.rint(night * 0.07 * self._wobble("active sessions", 0.2)),
            "logons_current": night + 38,
            "opened_cursors_current": np.rint(night * 11.0 * self._wobble("cursors", 0.06)),
            "login_time_ms": np.round(46.0 * self._wobble("signing in", 0.1), 1),
            "px_servers_highwater": high_water(parallel, self.boundaries, self.starts),
            "px_servers_in_use": np.floor(parallel * 0.1),
        }

    def _pga(self) -> dict[str, Floats]:
        target = self.member.pga_target_gb * GB
        return {
            "pga_target": self._constant(target),
            "pga_auto_target": np.rint(np.maximum(target - self.allocated * 0.35, target * 0.3)),
            "pga_max_allocated": np.rint(high_water(self.allocated * 1.18, self.boundaries, self.starts)),
            "pga_global_memory_bound": self._constant(GB),
            "pga_auto_workareas": np.rint(self.allocated * 0.31),
            "pga_cache_hit_pct": np.round(96.5 + 0.6 * self._wobble("cache hit", 0.5), 2),
            "pga_allocated": np.rint(self.allocated),
            "pga_inuse": np.rint(self.allocated * 0.83),
            "workarea_memory_allocated": np.rint(self.allocated * 0.31 / 1024),
        }

    def _sga(self) -> dict[str, Floats]:
        share = {"sga_buffer_cache": 0.78, "sga_shared_pool": 0.17, "sga_large_pool": 0.02, "sga_max": 1.0}
        sizes = {
            key: self._constant(np.rint(self.member.sga_gb * part * 64) / 64 * GB)
            for key, part in share.items()
        }
        return sizes | {
            "sga_free": self._constant(0),
            "sga_redo_buffers": self._log_buffer(),
            "sga_inmemory": self._constant(0),
        }

    def _machine(self) -> dict[str, Floats]:
        begun = np.array(
            [max(start for start in self.starts if start <= moment) for moment in self.boundaries]
        )
        return {
            "cpu_cores": self._constant(self.machine.host.cores),
            "cpu_count": self._constant(self.machine.cpus),
            "os_load": np.interp(self.boundaries, self.machine.hours, self.machine.load_of_a_minute),
            "os_physical_memory": self._constant(self.machine.host.memory_gb * GB),
            "instance_uptime_s": self.boundaries - begun,
        }

    def _redo(self) -> dict[str, Floats]:
        member = self._of(self.member.redo_member_gb, "redo member") * GB
        switches = np.ceil(self.redo / member)
        peak = np.maximum(np.ceil(switches / 24 * 2.3), 1)
        return {
            "log_switches_per_day": switches,
            "log_switches_peak_hour": peak,
            "log_switch_min_interval_s": np.rint(3600 / peak * 0.6),
            "redo_log_member_bytes": member,
            "redo_log_groups": self._constant(6),
            "redo_log_members": self._constant(2),
            "redo_log_devices": self._constant(4),
            "redo_log_total_bytes": 6 * 2 * member,
            "archive_lag_s": np.rint(9 * self._wobble("archiving", 0.3)),
            "archived_redo_gb_day": np.rint(self.redo * 0.99),
            "redo_peak_mb_s": np.rint(self.redo * 2.3 / 86_400),
        }

    def _undo(self) -> dict[str, Floats]:
        written = np.rint(self.redo * 0.29)
        return {
            "undo_blocks_day": written,
            "undo_blocks_per_s_peak": np.rint(written / 8192 / 86_400 * 3.4),
            "undo_max_query_s": np.rint(5400 * self._wobble("longest query", 0.25)),
            "undo_ora1555": self._constant(0),
            "undo_nospace": self._constant(0),
        }

    def _settings(self) -> dict[str, Floats]:
        member = self.member
        major, minor = (int(part) for part in member.version.split(".")[:2])
        settings = {
            "oracle_version_num": major + (minor / 10 if major < 18 else 0),
            "cfg_sga_target": member.sga_gb * GB,
            "cfg_sga_max_size": member.sga_gb * GB,
            "cfg_memory_target": 0,
            "cfg_pga_aggregate_target": member.pga_target_gb * GB,
            "cfg_pga_aggregate_limit": 2 * member.pga_target_gb * GB,
            "cfg_processes": member.processes_limit,
            "cfg_sessions": round(member.processes_limit * 1.5 + 22),
            "cfg_cpu_count": self.machine.cpus,
            "cfg_parallel_max_servers": 4 * member.cores,
            "cfg_undo_retention": 10_800,
            "cfg_db_block_size": 8192,
            "cfg_open_cursors": 500,
            "cfg_archive_lag_target": 1800,
            "cfg_fast_start_mttr_target": 300,
            "cfg_log_archive_max_processes": 4,
        }
        constant = {key: self._constant(value) for key, value in settings.items()}
        return constant | {"cfg_log_buffer": self._log_buffer()}

    def _log_buffer(self) -> Floats:
        """Bytes; where it was told that they changed, from that day on."""
        size = self._constant(121_831_424)
        for setting in self.member.settings:
            if setting.name == "parameter/log_buffer":
                size = np.where(self.ends.ages >= setting.age, float(setting.value), size)
        return size


def _and_before(daily: Floats) -> Floats:
    """A daily amount at the boundaries that end the days; the first boundary repeats the first day."""
    return np.concatenate([daily[:1], daily])
