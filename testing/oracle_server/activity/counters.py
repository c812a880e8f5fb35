"""Statistics, the time model and wait events, of the instance and of its containers."""

from collections.abc import Mapping
from datetime import datetime

from ..database import Row, Rows, number_from
from ..storage import MB
from .setting import Setting, Views, usual

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

RAC = 32


class Counters:
    """What is counted since start-up."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def views(self) -> Views:
        return {
            "v$sysstat": self.sysstat,
            "v$statname": self.statname,
            "v$sys_time_model": self.sys_time_model,
            "v$system_event": self.system_event,
            "v$event_name": self.event_name,
        }

    def statistics(self, now: datetime, share: float = 1.0, since: datetime | None = None) -> dict[str, int]:
        """Return the statistics of v$sysstat: counters since start-up, and a few that say how it is now."""
        done = self.setting.workload.done(since or self.setting.instance.started_at, now)
        values = {
            name: self.setting.workload.count(name, rate * share, done)
            for name, rate in self.setting.rates.items()
        }
        sessions = int(self.setting.sessions(now) * share)
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
        return self.statistic_rows(self.statistics(now), 0)

    def statistic_rows(self, values: Mapping[str, int], con_id: int) -> list[Row]:
        statistics = usual()["statistics"]
        is_rac = self.setting.database.is_rac
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
        return self.time_model_rows(self.setting.done(now), 1.0, 0)

    def time_model_rows(self, done: dict[str, float], share: float, con_id: int) -> list[Row]:
        return [
            {
                "stat_id": number_from(name, 2**32),
                "stat_name": name,
                "value": self.setting.workload.count("time model", rate * share, done),
                "con_id": con_id,
            }
            for name, rate in self.setting.time_model.items()
        ]

    def system_event(self, now: datetime) -> Rows:
        return self.event_rows(self.setting.done(now), 1.0, 0)

    def event_rows(self, done: dict[str, float], share: float, con_id: int) -> list[Row]:
        numbers = {name: (number, identity) for number, (name, identity) in enumerate(WAIT_CLASSES)}
        rows: list[Row] = []
        for name, (group, wait) in self.setting.events.items():
            count = self.setting.workload.count(name, wait.per_second * share, done)
            if not count:
                continue
            # Waits take longer when more is going on, so time has a mixture of its own.
            micro = self.setting.workload.count(
                name + " time", wait.per_second * wait.average_us * share, done
            )
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
            for number, (name, (group, _)) in enumerate(self.setting.events.items())
        ]
