"""
Where statements run: SQLite in memory, holding the views as one instance and container show them.

The rows of a view are asked for at each query that names it, and loaded if they have changed.
"""

import re
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from .database import Database, DatabaseUser, Instance, Pdb
from .dictionary import OpenState, View
from .errors import OraError
from .functions import AGGREGATES, FUNCTIONS
from .snapshot_rows import SnapshotRows
from .statement import Plan, ResultColumn, ViewUse, read_statement
from .values import Cell, date_cell, from_cell, text_of, to_cell, type_of_cells
from .wire import OracleType, Value, WireColumn

MOST_PLANS = 500

PUBLIC_VIEWS = frozenset(
    {"dual", "all_views", "session_privs", "session_roles", "product_component_version", "global_name"}
)

AFFINITIES = {OracleType.NUMBER: "NUMERIC", OracleType.RAW: "BLOB"}


class Result(NamedTuple):
    """What a query returns."""

    columns: Sequence[WireColumn]
    rows: list[Sequence[Value]]


@dataclass(frozen=True)
class Here:
    """Who asks, and when."""

    user: DatabaseUser
    sid: int
    service: str
    module: str
    now: datetime


class Engine:
    """The views of one instance, as one container sees them."""

    def __init__(self, database: Database, instance: Instance, pdb: Pdb | None) -> None:
        self.database = database
        self.instance = instance
        self.pdb = pdb
        self._views = database.views
        self._plans: OrderedDict[str, Plan] = OrderedDict()
        self._loaded: dict[str, list[tuple[Cell, ...]]] = {}
        self._kept: dict[str, tuple[str, int]] = {}
        self._here: Here | None = None
        self._raised: OraError | None = None
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA case_sensitive_like = ON")
        self._teach_functions()

    def close(self) -> None:
        self._connection.close()

    def run(self, sql: str, binds: Sequence[Value], here: Here) -> Result | None:
        """Run a statement; return its result, or None if it is not a query."""
        plan = self._plan(sql)
        if not plan.sql:
            return None
        for use in plan.views:
            self._check_view(use, here.user)
        if len(binds) < plan.bind_count:
            raise OraError(1008)
        for use in plan.views:
            self._load(self._views[use.name], here)
        names = {f"b{number}": to_cell(value) for number, value in enumerate(binds, start=1)}
        self._here = here
        self._raised = None
        try:
            cursor = self._connection.execute(plan.sql, names)
            rows = cursor.fetchall()
        except sqlite3.Error as error:
            raise self._raised or self._ora_error(error, plan) from None
        titles = [str(title[0]) for title in cursor.description]
        return make_result(plan.columns, titles, rows)

    def _plan(self, sql: str) -> Plan:
        if sql not in self._plans:
            self._plans[sql] = read_statement(sql, self._views, self.database.release)
            if len(self._plans) > MOST_PLANS:
                self._plans.popitem(last=False)
        return self._plans[sql]

    def _check_view(self, use: ViewUse, user: DatabaseUser) -> None:
        """Raise the error for a view that the user, or the state of the database, does not allow."""
        view = self._views[use.name]
        if use.name in user.forbidden:
            raise OraError(1031, offset=use.offset)
        if view.name not in PUBLIC_VIEWS and not user.may_read(view.name):
            raise OraError(942, offset=use.offset)
        state = self.database.state
        if not view.is_fixed and view.state > state:
            raise OraError(1219, offset=use.offset)
        if view.state is OpenState.MOUNT and state is OpenState.NOMOUNT:
            raise OraError(1507, offset=use.offset)

    # Loading

    def _load(self, view: View, here: Here) -> None:
        rows = self._rows(view, here)
        if isinstance(rows, SnapshotRows):
            if self._kept.get(view.name) == (rows.table, len(rows)):
                return  # a long table that only grows is not turned into cells each time
            self._kept[view.name] = (rows.table, len(rows))
        cells = self._cells(view, rows)
        if self._loaded.get(view.name) == cells:
            return
        if view.name not in self._loaded:
            columns = ", ".join(
                f"`{column.name}` {AFFINITIES.get(column.type, 'TEXT')}" for column in view.columns
            )
            self._connection.execute(f"CREATE TABLE `{view.name}` ({columns})")
            if any(column.name.lower() == "snap_id" for column in view.columns):  # the key of long tables
                self._connection.execute(f"CREATE INDEX `{view.name}_key` ON `{view.name}` (`SNAP_ID`)")
        places = ", ".join("?" * len(view.columns))
        self._connection.execute("BEGIN")
        self._connection.execute(f"DELETE FROM `{view.name}`")
        self._connection.executemany(f"INSERT INTO `{view.name}` VALUES ({places})", cells)
        self._connection.execute("COMMIT")
        self._loaded[view.name] = cells

    def _rows(self, view: View, here: Here) -> Iterable[Mapping[str, Value]]:
        if view.name == "session_privs":
            return [{"privilege": privilege} for privilege in here.user.system_privileges]
        # A view of an open database answers before that, but has nothing to say.
        if view.state > self.database.state:
            return []
        return self.database.rows(view.name, self.instance, self.pdb, here.now)

    def _cells(self, view: View, rows: Iterable[Mapping[str, Value]]) -> list[tuple[Cell, ...]]:
        columns = [(column.name.lower(), column.name, column.type) for column in view.columns]
        return [
            tuple(self._cell(row.get(lower, row.get(upper)), kind) for lower, upper, kind in columns)
            for row in rows
        ]

    def _cell(self, value: Value, kind: OracleType) -> Cell:
        if not isinstance(value, datetime):
            return to_cell(value)
        if kind is OracleType.TIMESTAMP_TZ:
            zone = self.database.time_zone
            return date_cell(value.astimezone(zone) if value.tzinfo else value.replace(tzinfo=zone))
        if value.tzinfo:
            value = value.astimezone(self.database.time_zone).replace(tzinfo=None)
        return date_cell(value.replace(microsecond=0) if kind is OracleType.DATE else value)

    # Functions

    def _teach_functions(self) -> None:
        calls = {name: function.call for name, function in FUNCTIONS.items()}
        for name, call in (calls | self._session_functions()).items():
            # The same all through one statement, so that SQLite need not ask again for each row.
            self._connection.create_function(name, -1, self._guarded(call), deterministic=True)
        for name, (aggregate, _) in AGGREGATES.items():
            arguments = 4 if name == "listagg" else 1
            self._connection.create_aggregate(name, arguments, aggregate)

    def _guarded(self, function: Callable[..., Cell]) -> Callable[..., Cell]:
        """Keep the error that a function raises: SQLite only says that there was one."""

        def call(*arguments: Cell) -> Cell:
            try:
                return function(*arguments)
            except OraError as error:
                self._raised = error
                raise
            except TypeError as error:
                self._raised = OraError(909 if "argument" in str(error) else 932, expected="-", got="-")
                raise
            except (ValueError, OverflowError, IndexError, KeyError, AttributeError):
                self._raised = OraError(1722)
                raise

        return call

    def _session_functions(self) -> dict[str, Callable[..., Cell]]:
        """Return the functions that depend on who asks, and when."""
        return {
            "sysdate": lambda: date_cell(self.database.local(self._now)),
            "systimestamp": lambda: date_cell(self._now.astimezone(self.database.time_zone)),
            "current_timestamp_tz": lambda: date_cell(self._now.astimezone(self.database.time_zone)),
            "user": lambda: self._who.user.name,
            "uid": lambda: 101,
            "sessiontimezone": lambda: self._now.astimezone(self.database.time_zone).strftime("%z"),
            "dbtimezone": lambda: "+00:00",
            "current_schema": lambda: self._who.user.name,
            "sys_context": self._sys_context,
            "userenv": lambda name: self._sys_context("USERENV", name),
        }

    @property
    def _who(self) -> Here:
        assert self._here is not None
        return self._here

    @property
    def _now(self) -> datetime:
        return self._who.now

    def _sys_context(self, space: Cell, name: Cell) -> Cell:
        here, database, pdb = self._who, self.database, self.pdb
        if text_of(space).upper() != "USERENV":
            return None
        container = pdb.name if pdb else "CDB$ROOT" if database.is_cdb else database.name
        con_id = pdb.con_id if pdb else 1 if database.is_cdb else 0
        values: dict[str, Cell] = {
            "CDB_NAME": database.name if database.is_cdb else None,
            "CON_ID": str(con_id),
            "CON_NAME": container,
            "CURRENT_SCHEMA": here.user.name,
            "CURRENT_USER": here.user.name,
            "DATABASE_ROLE": database.role,
            "DB_DOMAIN": None,
            "DB_NAME": pdb.name if pdb else database.name,
            "DB_UNIQUE_NAME": database.unique_name,
            "HOST": "localhost",
            "INSTANCE": str(self.instance.number),
            "INSTANCE_NAME": self.instance.name,
            "ISDBA": "FALSE",
            "LANGUAGE": "AMERICAN_AMERICA.AL32UTF8",
            "MODULE": here.module or None,
            "SERVER_HOST": self.instance.host_name,
            "SERVICE_NAME": here.service,
            "SESSION_USER": here.user.name,
            "SESSIONID": str(here.sid),
            "SID": str(here.sid),
        }
        if self.database.release < (12, 1):
            values = {key: value for key, value in values.items() if not key.startswith(("CON_", "CDB_"))}
        if text_of(name).upper() not in values:
            raise OraError(2003)
        return values[text_of(name).upper()]

    # Errors

    def _ora_error(self, error: sqlite3.Error, plan: Plan) -> OraError:
        """Return what Oracle would have said of an error that SQLite has found."""
        text = str(error)
        if match := re.search(r"no such column: (.+)", text):
            parts = match[1].split(".")
            name = ".".join(f'"{part.upper()}"' for part in parts)
            return OraError(904, name=name, offset=plan.offset_of(match[1]))
        if match := re.search(r"ambiguous column name: (.+)", text):
            return OraError(918, offset=plan.offset_of(match[1]))
        codes = {
            "no such table": 904,
            "wrong number of arguments": 909,
            "same number of result columns": 1789,
            "misuse of aggregate": 934,
            "misuse of window function": 934,
            "integer overflow": 1426,
            "ORDER BY term": 1785,
        }
        for words, code in codes.items():
            if words in text:
                return OraError(code, name=f'"{text.rpartition(": ")[2].upper()}"')
        return OraError(3001, text=f"unimplemented feature: {text}")


def make_result(
    described: Sequence[ResultColumn], titles: Sequence[str], cells: list[tuple[Cell, ...]]
) -> Result:
    """Return the rows with their columns; the type of a column is read from its rows if nothing else tells."""
    if len(described) != len(titles):
        described = [ResultColumn(title, None, 0) for title in titles]
    columns = []
    for position, column in enumerate(described):
        kind, size = column.type, column.size
        if kind is None:
            kind, size = type_of_cells([row[position] for row in cells])
        columns.append(WireColumn(column.name, kind, size))
    is_text = [column.type is OracleType.VARCHAR2 for column in columns]
    rows: list[Sequence[Value]] = [
        tuple(
            text_of(cell) if text and not isinstance(cell, str) else from_cell(cell)
            for cell, text in zip(row, is_text, strict=True)
        )
        for row in cells
    ]
    return Result(columns, rows)
