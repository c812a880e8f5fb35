"""Statspack as its package keeps it: each snapshot copies what the views show at that moment into tables of PERFSTAT."""

from datetime import datetime, timedelta
from functools import partial

from .database import Database, Instance, Row
from .snapshot_rows import SnapshotRows

COPIES = {
    "stats$sysstat": ("v$sysstat", ("statistic#", "name", "value")),
    "stats$system_event": (
        "v$system_event",
        (
            "event", "total_waits", "total_timeouts", "time_waited_micro",
            "total_waits_fg", "total_timeouts_fg", "time_waited_micro_fg", "event_id",
        ),
    ),
    "stats$sys_time_model": ("v$sys_time_model", ("stat_id", "value")),
    "stats$pgastat": ("v$pgastat", ("name", "value")),
    "stats$resource_limit": (
        "v$resource_limit",
        ("resource_name", "current_utilization", "max_utilization", "initial_allocation", "limit_value"),
    ),
}  # fmt: skip
FILE_COLUMNS = ("phyrds", "phywrts", "singleblkrds", "readtim", "writetim", "singleblkrdtim", "file#")


class Statspack:
    """The tables of PERFSTAT in a database; `snap()` is what a job calls each hour."""

    def __init__(self, database: Database, *, level: int = 5, has_parameters: bool = False) -> None:
        self.database = database
        self.level = level
        self.has_parameters = has_parameters
        self.snapshots: list[Row] = []
        names = (
            *COPIES,
            "stats$osstat",
            "stats$osstatname",
            "stats$time_model_statname",
            "stats$filestatxs",
            "stats$parameter",
        )
        self.tables = {name: SnapshotRows(name) for name in (*names, "stats$tempstatxs")}
        for name, rows in self.tables.items():
            database.set_rows(name, partial(_as_they_stand, rows))
        database.set_rows("stats$snapshot", lambda now: self.snapshots)

    def snap_each(self, every: timedelta, since: datetime, until: datetime) -> None:
        """Take a snapshot in regular intervals, both ends included."""
        moment = since
        while moment <= until:
            self.snap(moment)
            moment += every

    def snap(self, now: datetime) -> None:
        """Take a snapshot of each instance that is up."""
        for instance in self.database.instances:
            if instance.is_up:
                self._snap(instance, now)

    def purge(self, since: datetime, until: datetime) -> None:
        """Delete the snapshots of a stretch, as statspack.purge does."""
        first, last = self.database.local(since), self.database.local(until)
        gone = {
            row["snap_id"]
            for row in self.snapshots
            if isinstance(row["snap_time"], datetime) and first <= row["snap_time"] <= last
        }
        for rows in (self.snapshots, *self.tables.values()):
            rows[:] = [row for row in rows if row.get("snap_id") not in gone]

    def _snap(self, instance: Instance, now: datetime) -> None:
        number = len(self.snapshots) + 1
        key: Row = {"snap_id": number, "dbid": self.database.dbid, "instance_number": instance.number}
        local = self.database.local
        self.snapshots.append(
            {
                **key,
                "snap_time": local(now),
                "startup_time": local(instance.started_at),
                "snap_level": self.level,
            }
        )
        for table, (view, columns) in COPIES.items():
            self.tables[table] += [
                {**key, **{column: row.get(column) for column in columns}}
                for row in self.database.rows(view, instance, None, now)
            ]
        if self.has_parameters:
            columns = ("name", "value", "isdefault", "ismodified")
            self.tables["stats$parameter"] += [
                {**key, **{column: row.get(column) for column in columns}}
                for row in self.database.rows("v$parameter", instance, None, now)
            ]
        self._copy_system(instance, key, now)
        self._copy_files(instance, key, now)

    def _copy_system(self, instance: Instance, key: Row, now: datetime) -> None:
        """What the operating system counts, and the names of statistics, which are kept once."""
        rows = list(self.database.rows("v$osstat", instance, None, now))
        self.tables["stats$osstat"] += [
            {**key, "osstat_id": place, "value": row["value"]} for place, row in enumerate(rows)
        ]
        if not self.tables["stats$osstatname"]:
            self.tables["stats$osstatname"] += [
                {"osstat_id": place, "stat_name": row["stat_name"], "cumulative": row.get("cumulative")}
                for place, row in enumerate(rows)
            ]
            self.tables["stats$time_model_statname"] += [
                {"stat_id": row["stat_id"], "stat_name": row["stat_name"]}
                for row in self.database.rows("v$sys_time_model", instance, None, now)
            ]

    def _copy_files(self, instance: Instance, key: Row, now: datetime) -> None:
        for table, statistics, files in (
            ("stats$filestatxs", "v$filestat", "v$datafile"),
            ("stats$tempstatxs", "v$tempstat", "v$tempfile"),
        ):
            names = {row["file#"]: row["name"] for row in self.database.rows(files, instance, None, now)}
            self.tables[table] += [
                {
                    **key,
                    "filename": names[row["file#"]],
                    **{column: row.get(column) for column in FILE_COLUMNS},
                }
                for row in self.database.rows(statistics, instance, None, now)
            ]


def _as_they_stand(rows: SnapshotRows, now: datetime) -> SnapshotRows:
    return rows
