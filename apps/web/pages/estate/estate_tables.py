"""The tables of the estate: what runs out first, sizes, and how many violations were open on each day."""

from datetime import date

from django.utils.safestring import SafeString

from apps.charts import figures
from apps.web.cells import NO_DATA, drawing, hover, link, state
from apps.web.pages.estate.size_map import Tile
from apps.web.pages.estate.totals import growth_text
from apps.web.risk_rows import (
    Risk,
    bar_column,
    day_columns,
    owner_columns,
    slack_column,
    state_column,
    target_column,
)
from apps.web.tables import Column, FigureColumn, RowHead, Table

OpenDay = tuple[date, int | None]  # None on days on which nothing was read


WIDTHS = "r-state r-target r-what r-room r-bar r-day r-day r-latest r-day r-slack r-owner"


def risk_table(today: date) -> Table[Risk]:
    """What runs out first, with bars below the months from today on."""
    return Table(
        "risk-list",
        "What runs out first, worst first",
        (
            state_column(),
            target_column(),
            RowHead("what runs out", lambda row: row.what, lambda row: link(row.url, row.what)),
            FigureColumn(
                "room left", lambda row: row.room, css=lambda row: row.room_css, sorts=False, label=""
            ),
            bar_column(today, _bar, lambda row: "bar-cell" if row.outlook.unread else "bar-cell drawn"),
            *day_columns(),
            Column("chance", lambda row: row.chance, in_file_only=True),
            FigureColumn("act by", lambda row: row.outlook.act_by, lambda row: row.act_by),
            slack_column("slack, days", _slack, plain=("no_data",)),
            *owner_columns("note"),
        ),
        title="What runs out first",
        css="folds risk-list of-estate",
        columns_css=WIDTHS,
        opens_rows=True,
    )


def _bar(row: Risk) -> SafeString:
    return hover(row.note, row.note, "bar-note") if row.outlook.unread else drawing(row.bar_svg)


def _slack(row: Risk) -> str:
    """Of what is over its limit, closing or not read there is none."""
    return "" if row.outlook.has_no_days else row.slack


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
        FigureColumn(
            "growth a month",
            lambda row: row.growth,
            lambda row: growth_text(row.growth),
            file_head="growth a month, bytes",
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
