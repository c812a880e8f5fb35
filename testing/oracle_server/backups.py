"""Backups as RMAN makes them: what the control file remembers of each data file."""

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
