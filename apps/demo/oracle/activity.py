"""What goes on in a believable instance: statistics, wait events, sessions, memory and the host."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from .database import Database, Instance, Pdb, Row, Rows, number_from
from .storage import BLOCK, GB, MB, File, Storage
from .workload import Workload

UNDO_INTERVAL = timedelta(minutes=10)
UNDO_ROWS = 576

WAIT_CLASSES = [
    ("Other", 1893977003),
    ("Application", 4217450380),
    ("Configuration", 3290255840),
    ("Administrative", 4166625743),
    ("Concurrency", 3875070507),
    ("Commit", 3386400367),
    ("Idle", 2723168908),
    ("Network", 2000153315),
    ("User I/O", 1740759767),
    ("System I/O", 4108307767),
    ("Scheduler", 2396326234),
    ("Cluster", 3871361733),
    ("Queueing", 644977587),
]

BACKGROUND = [
    "PMON",
    "VKTM",
    "GEN0",
    "MMAN",
    "DIAG",
    "DIA0",
    "DBW0",
    "LGWR",
    "CKPT",
    "SMON",
    "RECO",
    "MMON",
    "MMNL",
]
BACKGROUND += ["ARC0", "ARC1", "ARC2", "ARC3", "CJQ0", "QMNC", "W000"]

RAC = 32

SEGMENT_STATISTICS = {
    "logical reads": 9000.0,
    "buffer busy waits": 0.05,
    "db block changes": 500.0,
    "physical reads": 170.0,
    "physical writes": 40.0,
    "physical read requests": 90.0,
    "physical write requests": 24.0,
    "physical reads direct": 25.0,
    "ITL waits": 0.001,
    "row lock waits": 0.002,
    "space used": 900.0,
    "space allocated": 1000.0,
    "segment scans": 0.2,
}

SESSION_STATISTICS = (
    "CPU used by this session",
    "session logical reads",
    "physical reads",
    "redo size",
    "session pga memory",
    "user commits",
    "execute count",
)
SESSION_EVENTS = (
    ("db file sequential read", "User I/O", 5200),
    ("log file sync", "Commit", 1900),
    ("SQL*Net message from client", "Idle", 900_000),
)


@dataclass(frozen=True)
class Wait:
    """How often an event is waited for in an average second, how long, and what share of it by users."""

    per_second: float
    average_us: float
    foreground: float = 1.0


@lru_cache
def usual() -> dict[str, Any]:
    """Return the names and the usual rates."""
    names: dict[str, Any] = json.loads(Path(__file__).with_name("names.json").read_text())
    return names


class Activity:
    """Gives the views of one instance their rows."""

    def __init__(
        self,
        database: Database,
        instance: Instance,
        workload: Workload,
        storage: Storage,
        scale: float,
        cpus: int,
        rates: Mapping[str, float],
        waits: Mapping[str, Wait],
        parameters: Mapping[str, str],
    ) -> None:
        self.database = database
        self.instance = instance
        self.workload = workload
        self.storage = storage
        self.scale = scale
        self.cpus = cpus
        self.parameters = parameters
        self.rates = {name: rate * scale for name, (_, rate) in usual()["statistics"].items()} | dict(rates)
        self.time_model = {name: rate * scale for name, rate in usual()["time_model"].items()}
        self.time_model |= {name: rate for name, rate in rates.items() if name in self.time_model}
        self.events = self._events(waits)
        self._peaks: dict[datetime, tuple[datetime, float]] = {}

    def furnish(self) -> None:
        views: dict[str, Callable[[datetime], Rows]] = {
            "v$sysstat": self.sysstat,
            "v$statname": self.statname,
            "v$sys_time_model": self.sys_time_model,
            "v$system_event": self.system_event,
            "v$sesstat": self.sesstat,
            "v$session_event": self.session_event,
            "v$event_name": self.event_name,
            "v$osstat": self.osstat,
            "v$pgastat": self.pgastat,
            "v$sgainfo": self.sgainfo,
            "v$parameter": self.parameter,
            "v$system_parameter": self.parameter,
            "v$resource_limit": self.resource_limit,
            "v$license": self.license,
            "v$session": self.session,
            "v$process": self.process,
            "v$filestat": self.filestat,
            "v$tempstat": self.tempstat,
            "v$undostat": self.undostat,
            "v$segstat": self.segstat,
            "v$segment_statistics": self.segment_statistics,
            "v$sort_segment": self.sort_segment,
            "v$px_process_sysstat": self.px_process_sysstat,
        }
        for view, rows in views.items():
            self.instance.set_rows(view, rows)
        if self.database.is_rac:
            self.instance.set_rows("v$asm_diskgroup_stat", self.diskgroups)
            self.instance.set_rows("v$asm_diskgroup", self.diskgroups)
        if self.instance.number == 1:
            for number, pdb in enumerate(self.database.pdbs, start=1):
                self._furnish_pdb(pdb, 0.9 / (number + len(self.database.pdbs)))
            if self.database.pdbs:
                self._furnish_containers()

    # Counters

    def _done(self, now: datetime) -> dict[str, float]:
        return self.workload.done(self.instance.started_at, now)

    def counters(self, now: datetime, share: float = 1.0, since: datetime | None = None) -> dict[str, int]:
        """Return the statistics of v$sysstat: counters since start-up, and a few that say how it is now."""
        done = self.workload.done(since or self.instance.started_at, now)
        values = {name: self.workload.count(name, rate * share, done) for name, rate in self.rates.items()}
        sessions = int(self.sessions(now) * share)
        gauges = {
            "logons current": sessions,
            "opened cursors current": sessions * 5,
            "workarea memory allocated": sessions * 24,
            "session cursor cache count": sessions * 40,
            "session pga memory": sessions * 3 * MB,
            "session pga memory max": sessions * 4 * MB,
            "session uga memory": sessions * 2 * MB,
            "session uga memory max": sessions * 3 * MB,
        }
        return values | {name: value for name, value in gauges.items() if name in values}

    def sysstat(self, now: datetime) -> Rows:
        return self._statistic_rows(self.counters(now), 0)

    def _statistic_rows(self, values: Mapping[str, int], con_id: int) -> list[Row]:
        statistics = usual()["statistics"]
        is_rac = self.database.is_rac
        rows: list[Row] = []
        for number, (name, value) in enumerate(values.items()):
            group = statistics[name][0] if name in statistics else 1
            rows.append(
                {
                    "statistic#": number,
                    "name": name,
                    "class": group,
                    "value": 0 if group & RAC and not is_rac else value,
                    "stat_id": number_from(name, 2**32),
                    "con_id": con_id,
                }
            )
        return rows

    def statname(self, now: datetime) -> Rows:
        return [
            {key: value for key, value in row.items() if key != "value"} | {"display_name": row["name"]}
            for row in self.sysstat(now)
        ]

    def sys_time_model(self, now: datetime) -> Rows:
        return self._time_model_rows(self._done(now), 1.0, 0)

    def _time_model_rows(self, done: dict[str, float], share: float, con_id: int) -> list[Row]:
        return [
            {
                "stat_id": number_from(name, 2**32),
                "stat_name": name,
                "value": self.workload.count("time model", rate * share, done),
                "con_id": con_id,
            }
            for name, rate in self.time_model.items()
        ]

    def _events(self, waits: Mapping[str, Wait]) -> dict[str, tuple[str, Wait]]:
        """Return all wait events with their class; those nobody waits for have no waits."""
        events: dict[str, tuple[str, Wait]] = {}
        for group, names in usual()["events"].items():
            for name in names["quiet"]:
                events[name] = group, Wait(0, 0)
            for name, (per_second, average_us, foreground) in names["busy"].items():
                is_there = group != "Cluster" or self.database.is_rac
                is_fixed = group == "Idle" and not foreground
                rate = per_second if is_fixed else per_second * self.scale
                events[name] = group, Wait(rate if is_there else 0, average_us, foreground)
        for name, wait in waits.items():
            events[name] = events.get(name, ("Other", wait))[0], wait
        return dict(sorted(events.items()))

    def system_event(self, now: datetime) -> Rows:
        return self._event_rows(self._done(now), 1.0, 0)

    def _event_rows(self, done: dict[str, float], share: float, con_id: int) -> list[Row]:
        numbers = {name: (number, identity) for number, (name, identity) in enumerate(WAIT_CLASSES)}
        rows: list[Row] = []
        for name, (group, wait) in self.events.items():
            count = self.workload.count(name, wait.per_second * share, done)
            if not count:
                continue
            # Waits take longer when more is going on, so time has a mixture of its own.
            micro = self.workload.count(name + " time", wait.per_second * wait.average_us * share, done)
            users = int(count * wait.foreground)
            users_micro = int(micro * wait.foreground)
            timeouts = count // 3 if group == "Idle" else 0
            number, identity = numbers[group]
            rows.append(
                {
                    "event": name,
                    "total_waits": count,
                    "total_timeouts": timeouts,
                    "time_waited": micro // 10_000,
                    "average_wait": round(micro / 10_000 / count, 2),
                    "time_waited_micro": micro,
                    "total_waits_fg": users,
                    "total_timeouts_fg": int(timeouts * wait.foreground),
                    "time_waited_fg": users_micro // 10_000,
                    "average_wait_fg": round(users_micro / 10_000 / users, 2) if users else 0,
                    "time_waited_micro_fg": users_micro,
                    "event_id": number_from(name, 2**32),
                    "wait_class_id": identity,
                    "wait_class#": number,
                    "wait_class": group,
                    "con_id": con_id,
                }
            )
        return rows

    def event_name(self, now: datetime) -> Rows:
        numbers = {name: (number, identity) for number, (name, identity) in enumerate(WAIT_CLASSES)}
        return [
            {
                "event#": number,
                "event_id": number_from(name, 2**32),
                "name": name,
                "wait_class_id": numbers[group][1],
                "wait_class#": numbers[group][0],
                "wait_class": group,
                "display_name": name,
                "con_id": 0,
            }
            for number, (name, (group, _)) in enumerate(self.events.items())
        ]

    # Containers

    def _furnish_pdb(self, pdb: Pdb, share: float) -> None:
        """From 12.2 on a container sees its own counters, and no limits of the instance."""
        views: dict[str, Callable[[datetime], Rows]] = {
            "v$sysstat": lambda now: self._pdb_rows("v$sysstat", pdb, share, now),
            "v$sys_time_model": lambda now: self._pdb_rows("v$sys_time_model", pdb, share, now),
            "v$system_event": lambda now: self._pdb_rows("v$system_event", pdb, share, now),
            "v$resource_limit": lambda now: [],
        }
        for view, rows in views.items():
            if self.database.release >= (12, 2):
                pdb.set_rows(view, rows)
            if view != "v$resource_limit":
                pdb.set_rows(view.replace("v$", "v$con_"), rows)

    def _pdb_rows(self, view: str, pdb: Pdb, share: float, now: datetime) -> list[Row]:
        if not pdb.is_open:
            return []
        if view == "v$sysstat":
            return self._statistic_rows(self.counters(now, share, pdb.opened_at), pdb.con_id)
        done = self.workload.done(pdb.opened_at, now)
        rows = self._time_model_rows if view == "v$sys_time_model" else self._event_rows
        return rows(done, share, pdb.con_id)

    def _furnish_containers(self) -> None:
        """The root sees a set of rows for each container, itself included."""
        pdbs = self.database.pdbs
        shares = {pdb.con_id: 0.9 / (number + len(pdbs)) for number, pdb in enumerate(pdbs, start=1)}

        def rows_of(view: str) -> Callable[[datetime], Rows]:
            def rows(now: datetime) -> Rows:
                root = Pdb(1, "CDB$ROOT", self.instance.started_at)
                found = self._pdb_rows(view, root, 0.02, now)
                for pdb in pdbs:
                    found += self._pdb_rows(view, pdb, shares[pdb.con_id], now)
                return found

            return rows

        for view in ("v$sysstat", "v$sys_time_model", "v$system_event"):
            self.database.set_rows(view.replace("v$", "v$con_"), rows_of(view))

    # The host and the memory

    def osstat(self, now: datetime) -> Rows:
        booted_at = self.instance.started_at - timedelta(days=3)
        done = self.workload.done(booted_at, now)
        busy = self.workload.count(
            "CPU used by this session", 1.35 * self.rates["CPU used by this session"], done
        )
        busy = min(busy, int((now - booted_at).total_seconds() * 100 * self.cpus))
        total = int((now - booted_at).total_seconds() * 100 * self.cpus)
        system = busy // 5
        waiting = min(self.workload.count("iowait", 12 * self.scale, done), total - busy)
        load = round(min(self.workload.level(now) * self.rates["CPU used by this session"] / 75, 40), 2)
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
            "NUM_CPUS": self.cpus,
            "NUM_CPU_CORES": max(self.cpus // 2, 1),
            "NUM_CPU_SOCKETS": 1,
            "LOAD": load,
            "PHYSICAL_MEMORY_BYTES": 64 * GB,
            "FREE_MEMORY_BYTES": int(9 * GB + 3 * GB / (1 + self.workload.level(now))),
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

    def sessions(self, now: datetime) -> int:
        return self._people(self.workload.level(now))

    def _people(self, level: float) -> int:
        return int(len(BACKGROUND) + 40 + 60 * level * min(self.scale, 5))

    def peak(self, now: datetime) -> float:
        """Return the highest level since start-up."""
        hour = timedelta(hours=1)
        start = self.instance.started_at
        at, highest = self._peaks.get(start, (start.replace(minute=30, second=0, microsecond=0) + hour, 0.0))
        while at <= now:
            highest = max(highest, self.workload.level(at))
            at += hour
        self._peaks[start] = at, highest
        return max(highest, self.workload.level(now))

    def pgastat(self, now: datetime) -> Rows:
        target = int(self.parameter_value("pga_aggregate_target"))
        inuse = int(self.sessions(now) * 5.5 * MB)
        allocated = int(inuse * 1.25)
        most = int(self._people(self.peak(now)) * 5.5 * MB * 1.4)
        done = self._done(now)
        processed = self.workload.count("bytes processed", 9e6 * self.scale, done)
        extra = self.workload.count("extra bytes", 1.2e5 * self.scale, done)
        figures: list[tuple[str, float, str | None]] = [
            ("aggregate PGA target parameter", target, "bytes"),
            ("aggregate PGA auto target", int(max(target - inuse, target / 5) * 0.9), "bytes"),
            ("global memory bound", min(target // 20, GB), "bytes"),
            ("total PGA inuse", inuse, "bytes"),
            ("total PGA allocated", allocated, "bytes"),
            ("maximum PGA allocated", max(most, allocated), "bytes"),
            ("total freeable PGA memory", allocated // 9, "bytes"),
            ("process count", self.sessions(now), None),
            ("max processes count", self._people(self.peak(now)), None),
            ("PGA memory freed back to OS", processed // 3, "bytes"),
            ("total PGA used for auto workareas", inuse // 12, "bytes"),
            ("maximum PGA used for auto workareas", most // 4, "bytes"),
            ("total PGA used for manual workareas", 0, "bytes"),
            ("maximum PGA used for manual workareas", 0, "bytes"),
            ("over allocation count", 0, None),
            ("bytes processed", processed, "bytes"),
            ("extra bytes read/written", extra, "bytes"),
            ("cache hit percentage", round(100 * processed / (processed + extra or 1), 2), "percent"),
            ("recompute count (total)", int((now - self.instance.started_at).total_seconds() / 3), None),
        ]
        return [{"name": name, "value": value, "unit": unit, "con_id": 0} for name, value, unit in figures]

    def sgainfo(self, now: datetime) -> Rows:
        most = int(self.parameter_value("sga_max_size"))
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
            if name not in later or self.database.release >= (12, 1)
        ]

    def parameter_value(self, name: str) -> str:
        usual_values = {each: value for each, _, value, _ in usual()["parameters"]}
        own = {
            "db_name": self.database.name,
            "db_unique_name": self.database.unique_name,
            "instance_name": self.instance.name,
            "service_names": self.database.unique_name,
            "instance_number": str(self.instance.number if self.database.is_rac else 0),
            "thread": str(self.instance.number if self.database.is_rac else 0),
            "cluster_database": "TRUE" if self.database.is_rac else "FALSE",
            "enable_pluggable_database": "TRUE" if self.database.is_cdb else "FALSE",
            "compatible": self.database.base_release_text,
            "cpu_count": str(self.cpus),
            "undo_tablespace": f"UNDOTBS{self.instance.number}",
        }
        values: dict[str, str] = {**usual_values, **own, **self.parameters}
        return values.get(name, "")

    def parameter(self, now: datetime) -> Rows:
        later = {"pga_aggregate_limit": (12, 1), "inmemory_size": (12, 1), "max_string_size": (12, 1)}
        rows: list[Row] = []
        names = {name: (kind, value, words) for name, kind, value, words in usual()["parameters"]}
        for name in self.parameters:
            names.setdefault(name, (2, "", ""))
        for number, (name, (kind, default, words)) in enumerate(sorted(names.items()), start=1):
            if later.get(name, (0,)) > self.database.release:
                continue
            value = self.parameter_value(name)
            rows.append(
                {
                    "num": number,
                    "name": name,
                    "type": kind,
                    "value": value,
                    "display_value": display(value) if kind == 6 else value,
                    "default_value": default,
                    "isdefault": "FALSE" if value != default or name == "sga_target" else "TRUE",
                    "isses_modifiable": "FALSE",
                    "issys_modifiable": "IMMEDIATE",
                    "ispdb_modifiable": "FALSE",
                    "ismodified": "FALSE",
                    "isadjusted": "FALSE",
                    "description": words,
                    "con_id": 0,
                }
            )
        return rows

    # Sessions and limits

    def resource_limit(self, now: datetime) -> Rows:
        current, most = self.sessions(now), self._people(self.peak(now))
        processes, sessions = self.parameter_value("processes"), self.parameter_value("sessions")
        limits = [
            ("processes", current, most, processes, processes),
            ("sessions", int(current * 1.1), int(most * 1.1), sessions, sessions),
            ("enqueue_locks", 60, 110, "11070", "11070"),
            ("dml_locks", 8, 90, "4064", "UNLIMITED"),
            ("temporary_table_locks", 0, 12, "UNLIMITED", "UNLIMITED"),
            ("transactions", 6, 48, "1016", "UNLIMITED"),
            ("parallel_max_servers", 0, 24, self.parameter_value("parallel_max_servers"), "32767"),
            ("max_rollback_segments", 22, 30, "1016", "65535"),
        ]
        # The two limits are text, right-aligned in ten places.
        return [
            {
                "resource_name": name,
                "current_utilization": now_used,
                "max_utilization": most_used,
                "initial_allocation": f"{initial:>10}",
                "limit_value": f"{limit:>10}",
                "con_id": 0,
            }
            for name, now_used, most_used, initial, limit in limits
        ]

    def license(self, now: datetime) -> Rows:
        current, most = self.sessions(now) - len(BACKGROUND), self._people(self.peak(now)) - len(BACKGROUND)
        return [
            {
                "sessions_max": 0,
                "sessions_warning": 0,
                "sessions_current": current,
                "sessions_highwater": most,
                "users_max": 0,
                "cpu_count_current": self.cpus,
                "cpu_core_count_current": max(self.cpus // 2, 1),
                "cpu_socket_count_current": 1,
                "cpu_count_highwater": self.cpus,
                "con_id": 0,
            }
        ]

    def session(self, now: datetime) -> Rows:
        rows: list[Row] = []
        active = int(3 + 4 * self.workload.level(now))
        local = self.database.local(now)
        for sid in range(1, self.sessions(now) + 1):
            is_background = sid <= len(BACKGROUND)
            is_active = is_background or sid <= len(BACKGROUND) + active
            waiting = (
                ("db file sequential read", "User I/O")
                if is_active
                else ("SQL*Net message from client", "Idle")
            )
            logon = self.database.local(self.instance.started_at) if is_background else None
            rows.append(
                {
                    "sid": sid,
                    "serial#": 1 + sid * 7,
                    "audsid": 0 if is_background else 40_000 + sid,
                    "paddr": sid.to_bytes(8, "big"),
                    "username": None if is_background else ("SALES", "BATCH", "REPORT")[sid % 3],
                    "status": "ACTIVE" if is_active else "INACTIVE",
                    "server": "DEDICATED",
                    "machine": self.instance.host_name if is_background else f"app{sid % 4 + 1:02}",
                    "program": process_name(self.instance, sid) if is_background else "JDBC Thin Client",
                    "module": None if is_background else "JDBC Thin Client",
                    "service_name": "SYS$BACKGROUND" if is_background else self.database.name,
                    "type": "BACKGROUND" if is_background else "USER",
                    "logon_time": logon or local - timedelta(minutes=sid),
                    "last_call_et": sid % 60,
                    "state": "WAITING",
                    "event": "rdbms ipc message" if is_background else waiting[0],
                    "wait_class": "Idle" if is_background else waiting[1],
                    "wait_time_micro": 1000 * sid,
                    "con_id": 0,
                }
            )
        return rows

    def sesstat(self, now: datetime) -> Rows:
        """What each session did since it signed in: the share of a few statistics that falls to it."""
        numbers = {str(row["name"]): row["statistic#"] for row in self.statname(now)}
        rows: list[Row] = []
        for session in self.session(now):
            sid = int(str(session["sid"]))
            share = (1 + sid % 7) / 400
            for name in SESSION_STATISTICS:
                if name in numbers:
                    value = int(self.rates[name] * share * 60 * sid) if name in self.rates else 4 * MB
                    rows.append({"sid": sid, "statistic#": numbers[name], "value": value, "con_id": 0})
        return rows

    def session_event(self, now: datetime) -> Rows:
        """What each session waited for since it signed in."""
        rows: list[Row] = []
        for session in self.session(now):
            sid = int(str(session["sid"]))
            for event, wait_class, average in SESSION_EVENTS:
                waits = 10 + sid * 3
                rows.append(
                    {
                        "sid": sid,
                        "event": event,
                        "wait_class": wait_class,
                        "total_waits": waits,
                        "total_timeouts": 0,
                        "time_waited": waits * average // 10_000,
                        "time_waited_micro": waits * average,
                        "max_wait": 4,
                        "con_id": 0,
                    }
                )
        return rows

    def process(self, now: datetime) -> Rows:
        return [
            {
                "addr": pid.to_bytes(8, "big"),
                "pid": pid,
                "sosid": str(4000 + pid),
                "spid": str(4000 + pid),
                "pname": BACKGROUND[pid - 1] if pid <= len(BACKGROUND) else None,
                "username": "oracle",
                "serial#": pid,
                "program": process_name(self.instance, pid),
                "background": "1" if pid <= len(BACKGROUND) else None,
                "pga_used_mem": 4 * MB,
                "pga_alloc_mem": 5 * MB,
                "pga_freeable_mem": MB // 2,
                "pga_max_mem": 7 * MB,
                "execution_type": "PROCESS",
                "con_id": 0,
            }
            for pid in range(1, self.sessions(now) + 1)
        ]

    # Files

    def filestat(self, now: datetime) -> Rows:
        files = self.storage.files(now)
        rows = self._file_rows(files, "physical read IO requests", "physical write IO requests", now)
        return [{**row, "optimized_phyblkrd": 0} for row in rows]

    def tempstat(self, now: datetime) -> Rows:
        files = self.storage.files(now, is_temporary=True)
        reads = "physical reads direct temporary tablespace"
        return self._file_rows(files, reads, "physical writes direct temporary tablespace", now)

    def _file_rows(self, files: Sequence[File], reads: str, writes: str, now: datetime) -> list[Row]:
        done = self._done(now)
        total = sum(file.used for file in files) or 1
        rows: list[Row] = []
        for file in files:
            share = file.used / total
            seed = f"file {file.number}"
            read = self.workload.count(seed + reads, self.rates[reads] * share, done)
            written = self.workload.count(seed + writes, self.rates[writes] * share, done)
            single = int(read * 0.85)
            read_time, write_time = int(read * 0.075), int(written * 0.11)
            rows.append(
                {
                    "file#": file.number,
                    "phyrds": read,
                    "phywrts": written,
                    "phyblkrd": int(read * 1.7),
                    "phyblkwrt": int(written * 1.5),
                    "singleblkrds": single,
                    "readtim": read_time,
                    "writetim": write_time,
                    "singleblkrdtim": int(single * 0.06),
                    "avgiotim": 0,
                    "lstiotim": 0,
                    "miniotim": 0,
                    "maxiortm": 18,
                    "maxiowtm": 25,
                    "con_id": 0,
                }
            )
        return rows

    def undostat(self, now: datetime) -> Rows:
        rate = 64 * self.scale
        last = now.replace(minute=now.minute // 10 * 10, second=0, microsecond=0)
        rows: list[Row] = []
        for back in range(UNDO_ROWS):
            begin = max(last - back * UNDO_INTERVAL, self.instance.started_at)
            end = min(begin + UNDO_INTERVAL, now)
            if end <= begin:
                continue
            done = self.workload.done(begin, end)
            blocks = self.workload.count("undo blocks", rate, done)
            query = 300 + number_from(f"{self.instance.name}/{begin:%m%d%H%M}", 900)
            rows.append(
                {
                    "begin_time": self.database.local(begin),
                    "end_time": self.database.local(end),
                    "undotsn": 2,
                    "undoblks": blocks,
                    "txncount": self.workload.count("user commits", self.rates["user commits"], done),
                    "maxquerylen": query,
                    "maxqueryid": "9babjv8yq8ru3",
                    "maxconcurrency": 4 + blocks % 9,
                    "unxpstealcnt": 0,
                    "unxpblkrelcnt": 0,
                    "unxpblkreucnt": 0,
                    "expstealcnt": 0,
                    "expblkrelcnt": 0,
                    "expblkreucnt": 0,
                    "ssolderrcnt": 0,
                    "nospaceerrcnt": 0,
                    "activeblks": 160,
                    "unexpiredblks": blocks * 2,
                    "expiredblks": 120_000,
                    "tuned_undoretention": max(900, query + 300),
                    "con_id": 0,
                }
            )
            if begin <= self.instance.started_at:
                break
        return rows

    def segstat(self, now: datetime) -> Rows:
        done = self._done(now)
        rows: list[Row] = []
        for segment in self.storage.segments:
            for number, (name, rate) in enumerate(SEGMENT_STATISTICS.items()):
                value = self.workload.count(f"{segment.name}/{name}", rate * segment.heat * self.scale, done)
                if value:
                    rows.append(
                        {
                            "ts#": segment.tablespace_number,
                            "obj#": segment.object_id,
                            "dataobj#": segment.object_id,
                            "statistic_name": name,
                            "statistic#": number,
                            "value": value,
                            "con_id": 1 if self.database.is_cdb else 0,
                        }
                    )
        return rows

    def segment_statistics(self, now: datetime) -> Rows:
        segments = {segment.object_id: segment for segment in self.storage.segments}
        rows: list[Row] = []
        for row in self.segstat(now):
            segment = segments[int(str(row["obj#"]))]
            words = {
                "owner": segment.owner,
                "object_name": segment.name,
                "object_type": segment.kind,
                "tablespace_name": segment.tablespace,
            }
            rows.append({**row, **words})
        return rows

    def sort_segment(self, now: datetime) -> Rows:
        rows: list[Row] = []
        for tablespace in self.storage.temporary:
            total = self.storage.allocated(tablespace, now) // BLOCK
            rows.append(
                {
                    "tablespace_name": tablespace.name,
                    "current_users": int(2 * self.workload.level(now)),
                    "total_blocks": total,
                    "used_blocks": int(min(total * 0.08 * self.workload.level(now), total)),
                    "free_blocks": total - int(min(total * 0.08 * self.workload.level(now), total)),
                    "max_blocks": total,
                    "max_used_blocks": int(min(total * 0.2 * self.peak(now), total)),
                    "con_id": 0,
                }
            )
        return rows

    def px_process_sysstat(self, now: datetime) -> Rows:
        started = self.workload.count("Servers Started", 0.001, self._done(now))
        figures = {
            "Servers In Use": 0,
            "Servers Available": 8,
            "Servers Started": started,
            "Servers Shutdown": max(started - 8, 0),
            "Servers Highwater": min(int(8 * self.peak(now)), 80),
            "Servers Cleaned Up": 0,
            "Server Sessions": self.workload.count("Server Sessions", 0.07, self._done(now)),
        }
        # The names are padded to the width of their column.
        return [{"statistic": f"{name:<30}", "value": value, "con_id": 0} for name, value in figures.items()]

    def diskgroups(self, now: datetime) -> Rows:
        used = sum(self.storage.allocated(each, now) for each in self.storage.tablespaces) // MB
        return [
            {
                "group_number": number,
                "name": name,
                "sector_size": 512,
                "block_size": 4096,
                "allocation_unit_size": 4 * MB,
                "state": "CONNECTED",
                "type": "EXTERN",
                "total_mb": total,
                "free_mb": total - taken,
                "hot_used_mb": 0,
                "cold_used_mb": taken,
                "required_mirror_free_mb": 0,
                "usable_file_mb": total - taken,
                "offline_disks": 0,
                "con_id": 0,
            }
            for number, (name, total, taken) in enumerate(
                [("DATA", 1_048_576, used), ("FRA", 409_600, 120_000)], start=1
            )
        ]


def display(value: str) -> str:
    """Return a size as v$parameter displays it."""
    size = int(value or 0)
    for unit, letter in ((GB, "G"), (MB, "M"), (1024, "K")):
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return value


def process_name(instance: Instance, number: int) -> str:
    if number <= len(BACKGROUND):
        return f"oracle@{instance.host_name} ({BACKGROUND[number - 1]})"
    return f"oracle@{instance.host_name}"
