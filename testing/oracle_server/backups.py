"""Backups as RMAN makes them: what the control file remembers of each data file, and what recovery catalogs keep of it."""

from datetime import datetime, timedelta

from .database import Database, Row


class Backups:
    """The rows of v$backup_datafile in a database; `back_up()` is what a job calls each night."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.rows: list[Row] = []
        database.set_rows("v$backup_datafile", lambda now: self.rows)

    def back_up_each(self, every: timedelta, since: datetime, until: datetime) -> None:
        """Make full backups in regular intervals, both ends included."""
        moment = since
        while moment <= until:
            self.back_up(moment)
            moment += every

    def back_up(self, now: datetime, *, level: int | None = 0) -> None:
        """Back up every data file: a full backup leaves out what was never used, others write what has changed."""
        instance = self.database.instances[0]

        def rows(view: str) -> list[Row]:
            return list(self.database.rows(view, instance, None, now))

        names = {row["ts#"]: row["name"] for row in rows("v$tablespace")}
        used = {row["tablespace_name"]: row["used_space"] for row in rows("dba_tablespace_usage_metrics")}
        files = rows("v$datafile")
        for file in files:
            together = sum(other["ts#"] == file["ts#"] for other in files)
            written = int(str(used[names[file["ts#"]]])) // together if level in (None, 0) else 100
            self.rows.append(
                {
                    **{
                        name: file[name]
                        for name in ("file#", "creation_change#", "creation_time", "block_size")
                    },
                    "recid": len(self.rows) + 1,
                    "stamp": 1_000_000 + len(self.rows),
                    "incremental_level": level,
                    "completion_time": self.database.local(now),
                    "datafile_blocks": file["blocks"],
                    "blocks": written,
                }
            )

    def forget_before(self, moment: datetime) -> None:
        """Let the control file forget what is older than it has to keep."""
        oldest = self.database.local(moment)
        self.rows = [
            row
            for row in self.rows
            if isinstance(completed := row["completion_time"], datetime) and completed >= oldest
        ]


class RecoveryCatalog:
    """The views of a recovery catalog in a schema of the database that is backed up; `resync()` is what RMAN does at each backup."""

    def __init__(self, database: Database, owner: str = "RMAN") -> None:
        self.database = database
        self.owner = owner
        self.backups: list[Row] = []
        self.databases: list[Row] = []
        others = database.source("all_views")
        owners = [owner, *(str(row["owner"]) for row in (others if isinstance(others, list) else []))]
        database.set_rows(
            "all_views", [{"owner": name, "view_name": "RC_BACKUP_DATAFILE"} for name in owners]
        )
        database.set_rows(f"{owner}.rc_database", lambda now: self.databases)
        database.set_rows(f"{owner}.rc_backup_datafile", lambda now: self.backups)

    def register(self, dbid: int, *, db_key: int = 1, dbinc_key: int = 2) -> None:
        """Make a database known, with its current incarnation."""
        self.databases.append({"db_key": db_key, "dbinc_key": dbinc_key, "dbid": dbid})

    def resync(self, backups: Backups, *, db_key: int = 1, dbinc_key: int = 2) -> None:
        """Copy what the control file remembers, unless it was copied before."""
        stamps = {row["stamp"] for row in self.backups}
        self.backups += [
            {**row, "db_key": db_key, "dbinc_key": dbinc_key}
            for row in backups.rows
            if row["stamp"] not in stamps
        ]
