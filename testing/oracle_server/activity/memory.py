"""The memory of the instance, and the host with its processors."""

from datetime import datetime, timedelta

from ..database import Rows
from ..storage import GB, MB
from .setting import Setting, Views


class Memory:
    """SGA, PGA and the host."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def views(self) -> Views:
        return {"v$osstat": self.osstat, "v$pgastat": self.pgastat, "v$sgainfo": self.sgainfo}

    def osstat(self, now: datetime) -> Rows:
        booted_at = self.setting.instance.started_at - timedelta(days=3)
        done = self.setting.workload.done(booted_at, now)
        busy = self.setting.workload.count(
            "CPU used by this session", 1.35 * self.setting.rates["CPU used by this session"], done
        )
        busy = min(busy, int((now - booted_at).total_seconds() * 100 * self.setting.cpus))
        total = int((now - booted_at).total_seconds() * 100 * self.setting.cpus)
        system = busy // 5
        waiting = min(self.setting.workload.count("iowait", 12 * self.setting.scale, done), total - busy)
        load = round(
            min(self.setting.workload.level(now) * self.setting.rates["CPU used by this session"] / 75, 40), 2
        )
        counters = {
            "IDLE_TIME": total - busy,
            "BUSY_TIME": busy,
            "USER_TIME": busy - system,
            "SYS_TIME": system,
            "IOWAIT_TIME": waiting,
            "NICE_TIME": 0,
            "RSRC_MGR_CPU_WAIT_TIME": 0,
            "VM_IN_BYTES": 0,
            "VM_OUT_BYTES": 0,
        }
        states = {
            "NUM_CPUS": self.setting.cpus,
            "NUM_CPU_CORES": max(self.setting.cpus // 2, 1),
            "NUM_CPU_SOCKETS": 1,
            "LOAD": load,
            "PHYSICAL_MEMORY_BYTES": 64 * GB,
            "FREE_MEMORY_BYTES": int(9 * GB + 3 * GB / (1 + self.setting.workload.level(now))),
            "INACTIVE_MEMORY_BYTES": 7 * GB,
            "SWAP_FREE_BYTES": 16 * GB,
        }
        return [
            {
                "stat_name": name,
                "value": value,
                "osstat_id": number,
                "comments": name.replace("_", " ").capitalize(),
                "cumulative": "YES" if name in counters else "NO",
                "con_id": 0,
            }
            for number, (name, value) in enumerate((counters | states).items())
        ]

    def pgastat(self, now: datetime) -> Rows:
        target = int(self.setting.parameter_value("pga_aggregate_target"))
        inuse = int(self.setting.sessions(now) * 5.5 * MB)
        allocated = int(inuse * 1.25)
        most = int(self.setting.people(self.setting.peak(now)) * 5.5 * MB * 1.4)
        done = self.setting.done(now)
        processed = self.setting.workload.count("bytes processed", 9e6 * self.setting.scale, done)
        extra = self.setting.workload.count("extra bytes", 1.2e5 * self.setting.scale, done)
        figures: list[tuple[str, float, str | None]] = [
            ("aggregate PGA target parameter", target, "bytes"),
            ("aggregate PGA auto target", int(max(target - inuse, target / 5) * 0.9), "bytes"),
            ("global memory bound", min(target // 20, GB), "bytes"),
            ("total PGA inuse", inuse, "bytes"),
            ("total PGA allocated", allocated, "bytes"),
            ("maximum PGA allocated", max(most, allocated), "bytes"),
            ("total freeable PGA memory", allocated // 9, "bytes"),
            ("process count", self.setting.sessions(now), None),
            ("max processes count", self.setting.people(self.setting.peak(now)), None),
            ("PGA memory freed back to OS", processed // 3, "bytes"),
            ("total PGA used for auto workareas", inuse // 12, "bytes"),
            ("maximum PGA used for auto workareas", most // 4, "bytes"),
            ("total PGA used for manual workareas", 0, "bytes"),
            ("maximum PGA used for manual workareas", 0, "bytes"),
            ("over allocation count", 0, None),
            ("bytes processed", processed, "bytes"),
            ("extra bytes read/written", extra, "bytes"),
            ("cache hit percentage", round(100 * processed / (processed + extra or 1), 2), "percent"),
            (
                "recompute count (total)",
                int((now - self.setting.instance.started_at).total_seconds() / 3),
                None,
            ),
        ]
        return [{"name": name, "value": value, "unit": unit, "con_id": 0} for name, value, unit in figures]

    def sgainfo(self, now: datetime) -> Rows:
        most = int(self.setting.parameter_value("sga_max_size"))
        shared, large, granule = most // 5 // (16 * MB) * (16 * MB), 64 * MB, 16 * MB
        redo = 7 * MB
        sizes = [
            ("Fixed SGA Size", 8_904_608, "No"),
            ("Redo Buffers", redo, "No"),
            ("Buffer Cache Size", most - shared - large * 2 - redo - 8_904_608, "Yes"),
            ("In-Memory Area Size", 0, "No"),
            ("Shared Pool Size", shared, "Yes"),
            ("Large Pool Size", large, "Yes"),
            ("Java Pool Size", large, "Yes"),
            ("Streams Pool Size", 0, "Yes"),
            ("Shared IO Pool Size", 512 * MB, "Yes"),
            ("Data Transfer Cache Size", 0, "Yes"),
            ("Granule Size", granule, "No"),
            ("Maximum SGA Size", most, "No"),
            ("Startup overhead in Shared Pool", 380 * MB, "No"),
            ("Free SGA Memory Available", 0, None),
        ]
        later = {"In-Memory Area Size", "Data Transfer Cache Size"}
        return [
            {"name": name, "bytes": size, "resizeable": resizeable, "con_id": 0}
            for name, size, resizeable in sizes
            if name not in later or self.setting.database.release >= (12, 1)
        ]
