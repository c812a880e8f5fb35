"""The sessions of an instance as a table: shown once, and no file."""

from django.utils.safestring import SafeString

from apps.platforms.sessions import Session, SessionSource
from apps.web.cells import after, marked
from apps.web.tables import Column, FigureColumn, RowHead, Table


def _user(row: Session) -> SafeString | str:
    return marked("muted", "background") if row.is_background else row.username


def _now(row: Session) -> SafeString:
    return after(f"{row.status},", "sub", row.event) if row.event else after(row.status, "", "")


def _statistic(head: str, name: str) -> Column[Session]:
    return FigureColumn(head, lambda row: row.statistics.get(name, 0.0), label=name)


def session_table(source: SessionSource) -> Table[Session]:
    """The table with the columns that a technology shows."""
    return Table(
        "sessions",
        "Sessions by CPU",
        (
            RowHead("session", lambda row: row.label, css="first nowrap"),
            Column("user", lambda row: row.username, _user),
            Column(
                "program",
                lambda row: row.module or row.program,
                lambda row: after(row.module or row.program, "sub", row.machine),
                css="quiet-text",
            ),
            Column("now", lambda row: row.status, _now),
            FigureColumn("CPU, s", lambda row: row.cpu_seconds),
            *(_statistic(head, name) for head, name in source.columns),
            Column("waited for", template="pages/target/session_waits.html"),
        ),
        title="Sessions",
        opens_rows=True,
        has_files=False,
    )
