"""The tables of the estate: what runs out first, sizes, and how many violations were open on each day."""

from datetime import date

from django.utils.safestring import SafeString

from apps.charts import figures
from apps.web.cells import NO_DATA, drawing, link, marked, state
from apps.web.pages.estate.size_map import Tile
from apps.web.risk_rows import (
    WIDTHS,
    Risk,
    bar_column,
    owner_columns,
    slack_column,
    state_column,
    target_column,
    when_columns,
)
from apps.web.tables import Column, FigureColumn, RowHead, Table

OpenDay = tuple[date, int | None]  # None on days on which nothing was read


def risk_table(today: date) -> Table[Risk]:
    """What runs out first, with bars below the months from today on."""
    return Table(
        "risk-list",
        "What runs out first, worst first",
        (
            state_column(),
            target_column(),
            RowHead("what runs out", lambda row: row.what, lambda row: link(row.url, row.what)),
            FigureColumn("room left", lambda row: row.room, file_head="now", sorts=False),
            bar_column(today, _bar, lambda row: "bar-cell drawn" if row.bar_svg else "bar-cell"),
            *when_columns(is_whole=False),
            Column("act by", lambda row: row.outlook.act_by, in_file_only=True),
            slack_column("slack, days", _slack, plain=("no_data",)),
            *owner_columns("note"),
        ),
        title="What runs out first",
        css="tall folds risk-list",
        columns_css=WIDTHS,
        opens_rows=True,
    )


def _bar(row: Risk) -> SafeString:
    if svg := row.bar_svg:
        return drawing(svg)
    return marked("bar-note is-over" if row.state == "violated" else "bar-note", row.note)


def _slack(row: Risk) -> SafeString | str:
    return NO_DATA if row.slack_state == "no_data" else row.slack


SIZES: Table[Tile] = Table(
    "size-list",
    "Size and state, largest first",
    (
        Column("group", lambda row: row.group),
        RowHead("target", lambda row: row.target, lambda row: link(row.url, row.target, ""), css=""),
        Column("state", lambda row: row.state.replace("_", " "), lambda row: state(row.state)),
        FigureColumn(
            "allocated",
            lambda row: row.size,
            lambda row: figures.bytes_text(row.size),
            file_head="allocated, bytes",
        ),
        FigureColumn(
            "used", lambda row: row.used, lambda row: figures.bytes_text(row.used), file_head="used, bytes"
        ),
    ),
    title="Size and state",
    css="",
)
OPEN_BY_DAY: Table[OpenDay] = Table(
    "open-by-day",
    "Violations open, by day",
    (
        RowHead("day", lambda row: row[0], css=""),
        FigureColumn(
            "open",
            lambda row: "no data" if row[1] is None else row[1],
            lambda row: NO_DATA if row[1] is None else row[1],
            file_head="violations open",
        ),
    ),
    css="",
    scrolls=False,
)
