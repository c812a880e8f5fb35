"""What the containers of a database count, each for itself and all as the root sees them."""

from datetime import datetime
from functools import partial

from ..database import Pdb, Row, Rows
from .counters import Counters
from .setting import Setting

COUNTED = ("v$sysstat", "v$sys_time_model", "v$system_event")
OF_ROOT = 0.02  # the share of the work that falls to the root itself


class Containers:
    """The pluggable databases at work, each with its share of it."""

    def __init__(self, setting: Setting, counters: Counters) -> None:
        self.setting = setting
        self.counters = counters
        pdbs = setting.database.pdbs
        self.shares = {pdb.con_id: 0.9 / (number + len(pdbs)) for number, pdb in enumerate(pdbs, start=1)}

    def furnish(self) -> None:
        database = self.setting.database
        for pdb in database.pdbs:
            self._furnish_pdb(pdb, self.shares[pdb.con_id])
        for view in COUNTED if database.pdbs else ():
            database.set_rows(view.replace("v$", "v$con_"), partial(self._as_root_sees, view))

    def _furnish_pdb(self, pdb: Pdb, share: float) -> None:
        """From 12.2 on a container sees its own counters, and no limits of the instance."""
        for view in COUNTED:
            rows = partial(self._rows, view, pdb, share)
            pdb.set_rows(view.replace("v$", "v$con_"), rows)
            if self.setting.database.release >= (12, 2):
                pdb.set_rows(view, rows)
        if self.setting.database.release >= (12, 2):
            pdb.set_rows("v$resource_limit", lambda now: [])

    def _rows(self, view: str, pdb: Pdb, share: float, now: datetime) -> list[Row]:
        if not pdb.is_open:
            return []
        if view == "v$sysstat":
            return self.counters.statistic_rows(
                self.counters.statistics(now, share, pdb.opened_at), pdb.con_id
            )
        done = self.setting.workload.done(pdb.opened_at, now)
        rows = self.counters.time_model_rows if view == "v$sys_time_model" else self.counters.event_rows
        return rows(done, share, pdb.con_id)

    def _as_root_sees(self, view: str, now: datetime) -> Rows:
        """A set of rows for each container, the root itself included."""
        rows = self._rows(view, Pdb(1, "CDB$ROOT", self.setting.instance.started_at), OF_ROOT, now)
        for pdb in self.setting.database.pdbs:
            rows += self._rows(view, pdb, self.shares[pdb.con_id], now)
        return rows
