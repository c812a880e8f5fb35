"""The sessions of an instance as a table: shown once, and no file."""

from django.utils.safestring import SafeString

from apps.platforms.oracle.sessions import (
    EXECUTIONS,
    LOGICAL_READS,
    PGA,
    PHYSICAL_READS,
    REDO,
    SessionRow,
)
from apps.web.cells import after, marked
from apps.web.tables import Column, Figure, RowHead, Table


def _user(row: SessionRow) -> SafeString | str:
    return marked("muted", "background") if row.is_background else row.username


def _now(row: SessionRow) -> SafeString:
    return after(f"{row.status},", "sub", row.event) if row.event else after(row.status, "", "")


def _statistic(head: str, name: str) -> Column[SessionRow]:
    return Figure(head, lambda row: row.statistics.get(name, 0.0), label=name)


SESSIONS: Table[SessionRow] = Table(
    "sessions",
    "Sessions by CPU",
    (
        RowHead("session", lambda row: f"{row.sid},{row.serial}", css="first nowrap"),
        Column("user", lambda row: row.username, _user),
        Column(
            "program",
            lambda row: row.module or row.program,
            lambda row: after(row.module or row.program, "sub", row.machine),
            css="quiet-text",
        ),
        Column("now", lambda row: row.status, _now),
        Figure("CPU, s", lambda row: row.cpu_seconds, label="CPU, s"),
        _statistic("logical reads", LOGICAL_READS),
        _statistic("physical reads", PHYSICAL_READS),
        _statistic("redo, bytes", REDO),
        _statistic("PGA, bytes", PGA),
        _statistic("executions", EXECUTIONS),
        Column("waited for", template="pages/target/session_waits.html"),
    ),
    title="Sessions",
    opens_rows=True,
    has_files=False,
)
