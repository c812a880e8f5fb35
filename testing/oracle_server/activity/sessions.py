"""Who is there: sessions, processes, and the limits they meet."""

from datetime import datetime, timedelta

from ..database import Instance, Row, Rows
from ..storage import MB
from .counters import Counters
from .setting import BACKGROUND, Setting, Views

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


class Sessions:
    """People and background processes."""

    def __init__(self, setting: Setting, counters: Counters) -> None:
        self.setting = setting
        self.counters = counters

    def views(self) -> Views:
        return {
            "v$session": self.session,
            "v$sesstat": self.sesstat,
            "v$session_event": self.session_event,
            "v$process": self.process,
            "v$px_process_sysstat": self.px_process_sysstat,
            "v$resource_limit": self.resource_limit,
            "v$license": self.license,
        }

    def session(self, now: datetime) -> Rows:
        rows: list[Row] = []
        active = int(3 + 4 * self.setting.workload.level(now))
        local = self.setting.database.local(now)
        for sid in range(1, self.setting.sessions(now) + 1):
            is_background = sid <= len(BACKGROUND)
            is_active = is_background or sid <= len(BACKGROUND) + active
            waiting = (
                ("db file sequential read", "User I/O")
                if is_active
                else ("SQL*Net message from client", "Idle")
            )
            logon = self.setting.database.local(self.setting.instance.started_at) if is_background else None
            rows.append(
                {
                    "sid": sid,
                    "serial#": 1 + sid * 7,
                    "audsid": 0 if is_background else 40_000 + sid,
                    "paddr": sid.to_bytes(8, "big"),
                    "username": None if is_background else ("SALES", "BATCH", "REPORT")[sid % 3],
                    "status": "ACTIVE" if is_active else "INACTIVE",
                    "server": "DEDICATED",
                    "machine": self.setting.instance.host_name if is_background else f"app{sid % 4 + 1:02}",
                    "program": process_name(self.setting.instance, sid)
                    if is_background
                    else "JDBC Thin Client",
                    "module": None if is_background else "JDBC Thin Client",
                    "service_name": "SYS$BACKGROUND" if is_background else self.setting.database.name,
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
        numbers = {str(row["name"]): row["statistic#"] for row in self.counters.statname(now)}
        rows: list[Row] = []
        for session in self.session(now):
            sid = int(str(session["sid"]))
            share = (1 + sid % 7) / 400
            for name in SESSION_STATISTICS:
                if name in numbers:
                    value = (
                        int(self.setting.rates[name] * share * 60 * sid)
                        if name in self.setting.rates
                        else 4 * MB
                    )
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
                "program": process_name(self.setting.instance, pid),
                "background": "1" if pid <= len(BACKGROUND) else None,
                "pga_used_mem": 4 * MB,
                "pga_alloc_mem": 5 * MB,
                "pga_freeable_mem": MB // 2,
                "pga_max_mem": 7 * MB,
                "execution_type": "PROCESS",
                "con_id": 0,
            }
            for pid in range(1, self.setting.sessions(now) + 1)
        ]

    def px_process_sysstat(self, now: datetime) -> Rows:
        started = self.setting.workload.count("Servers Started", 0.001, self.setting.done(now))
        figures = {
            "Servers In Use": 0,
            "Servers Available": 8,
            "Servers Started": started,
            "Servers Shutdown": max(started - 8, 0),
            "Servers Highwater": min(int(8 * self.setting.peak(now)), 80),
            "Servers Cleaned Up": 0,
            "Server Sessions": self.setting.workload.count("Server Sessions", 0.07, self.setting.done(now)),
        }
        # The names are padded to the width of their column.
        return [{"statistic": f"{name:<30}", "value": value, "con_id": 0} for name, value in figures.items()]

    def resource_limit(self, now: datetime) -> Rows:
        current, most = self.setting.sessions(now), self.setting.people(self.setting.peak(now))
        processes, sessions = (
            self.setting.parameter_value("processes"),
            self.setting.parameter_value("sessions"),
        )
        limits = [
            ("processes", current, most, processes, processes),
            ("sessions", int(current * 1.1), int(most * 1.1), sessions, sessions),
            ("enqueue_locks", 60, 110, "11070", "11070"),
            ("dml_locks", 8, 90, "4064", "UNLIMITED"),
            ("temporary_table_locks", 0, 12, "UNLIMITED", "UNLIMITED"),
            ("transactions", 6, 48, "1016", "UNLIMITED"),
            ("parallel_max_servers", 0, 24, self.setting.parameter_value("parallel_max_servers"), "32767"),
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
        current, most = (
            self.setting.sessions(now) - len(BACKGROUND),
            self.setting.people(self.setting.peak(now)) - len(BACKGROUND),
        )
        return [
            {
                "sessions_max": 0,
                "sessions_warning": 0,
                "sessions_current": current,
                "sessions_highwater": most,
                "users_max": 0,
                "cpu_count_current": self.setting.cpus,
                "cpu_core_count_current": max(self.setting.cpus // 2, 1),
                "cpu_socket_count_current": 1,
                "cpu_count_highwater": self.setting.cpus,
                "con_id": 0,
            }
        ]


def process_name(instance: Instance, number: int) -> str:
    if number <= len(BACKGROUND):
        return f"oracle@{instance.host_name} ({BACKGROUND[number - 1]})"
    return f"oracle@{instance.host_name}"
