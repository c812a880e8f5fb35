"""What a believable database writes to its redo logs: switches, archived logs and the recovery area."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from .database import Database, Row, Rows, number_from
from .storage import GB
from .workload import Workload

LOG_BYTES = 2 * GB
GROUPS = 3
HISTORY = timedelta(days=31)
SWITCHES_KEPT = 1000
FIRST_SEQUENCE = 1000
ARCHIVES_KEPT = timedelta(days=2)


class RedoThread:
    """The redo of one instance, log after log; `rate` is in bytes for an average second."""

    def __init__(self, database: Database, number: int, workload: Workload, rate: float) -> None:
        self.database = database
        self.number = number
        self.workload = workload
        self.rate = rate
        # Restarts do not empty the logs, so their redo is counted from a fixed moment.
        self._origin = (database.clock() - HISTORY).replace(minute=0, second=0, microsecond=0)
        self._switches = [self._origin]
        self._known_until = self._origin
        self._history: list[Row] = []
        self._archived: list[tuple[datetime, Row]] = []

    def switches(self, now: datetime) -> list[datetime]:
        """Return when this thread switched logs: each time the redo of a whole log had been written."""
        hour = timedelta(hours=1)
        while self._known_until <= now:
            before, after = self._written(self._known_until), self._written(self._known_until + hour)
            for full in range(before // LOG_BYTES + 1, after // LOG_BYTES + 1):
                part = (full * LOG_BYTES - before) / (after - before)
                self._switch(self._known_until + hour * part)
            self._known_until += hour
        return [moment for moment in self._switches if moment <= now]

    def _written(self, now: datetime) -> int:
        return self.workload.count("redo size", self.rate, self.workload.done(self._origin, now))

    def _switch(self, moment: datetime) -> None:
        """Close the current log at `moment`."""
        sequence = FIRST_SEQUENCE + len(self._switches)
        first, local = self._switches[-1], self.database.local
        self._switches.append(moment)
        times: dict[str, datetime] = {"first_time": local(first)}
        self._history.append(
            {
                "recid": sequence,
                "stamp": number_from(str(sequence), 2**31),
                "thread#": self.number,
                "sequence#": sequence,
                "first_change#": self._change(first),
                "next_change#": self._change(moment),
                "resetlogs_change#": 1,
                "resetlogs_time": local(self.database.created_at),
                "con_id": 0,
                **times,
            }
        )
        completed = moment + timedelta(seconds=8 + sequence % 9)
        self._archived.append(
            (
                completed,
                {
                    "recid": sequence,
                    "name": f"/u03/fra/{self.database.name}/{self.number}_{sequence}.arc",
                    "dest_id": 1,
                    "thread#": self.number,
                    "sequence#": sequence,
                    "resetlogs_change#": 1,
                    "resetlogs_id": self.database.dbid,
                    "next_time": local(moment),
                    "blocks": LOG_BYTES // 512 - 200,
                    "block_size": 512,
                    "creator": "ARCH",
                    "registrar": "ARCH",
                    "standby_dest": "NO",
                    "archived": "YES",
                    "applied": "NO",
                    "deleted": "NO",
                    "status": "A",
                    "completion_time": local(completed),
                    "con_id": 0,
                    **times,
                },
            )
        )

    def _change(self, moment: datetime) -> int:
        return FIRST_SEQUENCE**2 + int((moment - self.database.created_at).total_seconds()) * 12

    def history(self, now: datetime) -> list[Row]:
        count = len(self.switches(now)) - 1
        return self._history[:count][-SWITCHES_KEPT:]

    def archived(self, now: datetime) -> list[Row]:
        """Return the archived logs; after some days they are only remembered."""
        self.switches(now)
        rows = []
        for completed, row in self._archived:
            if completed > now:
                break
            if now - completed > ARCHIVES_KEPT:
                row = {**row, "name": None, "deleted": "YES", "status": "D"}
            rows.append(row)
        return rows[-SWITCHES_KEPT:]

    def logs(self, now: datetime) -> list[Row]:
        """Return the online logs, the current one first."""
        switches = self.switches(now)
        endless = 9295429630892703743 if self.database.release >= (12, 1) else 281474976710655
        rows: list[Row] = []
        for back in range(min(GROUPS, len(switches))):
            sequence = FIRST_SEQUENCE + len(switches) - back
            first = switches[-1 - back]
            following = switches[-back] if back else None
            rows.append(
                {
                    "group#": (self.number - 1) * GROUPS + sequence % GROUPS + 1,
                    "thread#": self.number,
                    "sequence#": sequence,
                    "bytes": LOG_BYTES,
                    "blocksize": 512,
                    "members": 2,
                    "archived": "YES" if back and self.database.is_archiving else "NO",
                    "status": "INACTIVE" if back else "CURRENT",
                    "first_change#": self._change(first),
                    "first_time": self.database.local(first),
                    "next_change#": self._change(following) if following else endless,
                    "next_time": self.database.local(following) if following else None,
                    "con_id": 0,
                }
            )
        return rows


class Redo:
    """The redo of all instances: each of them reads all of it from the control file."""

    def __init__(self, database: Database, threads: Iterable[RedoThread], area: str, area_limit: int) -> None:
        self.database = database
        self.threads = list(threads)
        self.area = area
        self.area_limit = area_limit

    def furnish(self) -> None:
        views: dict[str, Callable[[datetime], Rows]] = {
            "v$log": lambda now: [row for thread in self.threads for row in thread.logs(now)],
            "v$logfile": self.logfile,
            "v$log_history": lambda now: [row for thread in self.threads for row in thread.history(now)],
            "v$archived_log": self.archived_log,
            "v$recovery_file_dest": self.recovery_file_dest,
        }
        for view, rows in views.items():
            self.database.set_rows(view, rows)

    def archived_log(self, now: datetime) -> list[Row]:
        if not self.database.is_archiving:
            return []
        return [row for thread in self.threads for row in thread.archived(now)]

    def logfile(self, now: datetime) -> Rows:
        return [
            {
                "group#": group,
                "status": None,
                "type": "ONLINE",
                "member": f"/u0{member + 1}/oradata/{self.database.name}/redo{group:02}{'ab'[member]}.log",
                "is_recovery_dest_file": "NO",
                "con_id": 0,
            }
            for group in range(1, GROUPS * len(self.threads) + 1)
            for member in range(2)
        ]

    def recovery_file_dest(self, now: datetime) -> Rows:
        file_count = sum(row["deleted"] == "NO" for row in self.archived_log(now))
        used = min(file_count * LOG_BYTES, self.area_limit)
        return [
            {
                "name": self.area,
                "space_limit": self.area_limit,
                "space_used": used,
                "space_reclaimable": used // 3,
                "number_of_files": file_count,
                "con_id": 0,
            }
        ]
