"""The tables of a forecast: the expected line, what becomes of each limit, other methods."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString

from apps.charts import figures
from apps.reports.sheets import Cell
from apps.web.cells import below, link
from apps.web.tables import Column, FigureColumn, RowHead, Table

Day = Sequence[Cell]
Line = Mapping[str, Any]


def expected_table(scenarios: Sequence[str]) -> Table[Day]:
    """The expected line with its interval, and that of each scenario."""
    heads = (
        "expected", "low 80 %", "high 80 %", "low 95 %", "high 95 %", *(f"expected with {name}" for name in scenarios),
    )  # fmt: skip
    day: Column[Day] = RowHead("day", lambda row: row[0], css="nowrap")
    columns = [day, *(_figure_column(at, head) for at, head in enumerate(heads, 1))]
    return Table(
        "expected", "The expected line with its interval", columns, title="The expected line", css=""
    )


def _figure_column(at: int, head: str) -> Column[Day]:
    return FigureColumn(head, lambda row: row[at])


def _days(row: Line, key: str, missing: str = "–") -> str:
    return figures.short_day(row[key], row["on"]) if row.get(key) else missing


def _limit(row: Line) -> SafeString:
    return below(below(link(row["url"], row["limit"], ""), row["change"]), row["peaks"])


def _outcome_css(row: Line) -> str:
    return "" if row["words"] else f"strong c-{row['state']}"


CROSSINGS: Table[Line] = Table(
    "crossings",
    "When a limit is reached",
    (
        RowHead(
            "limit",
            lambda row: " ".join(filter(None, (row["limit"], row["change"], row["peaks"]))),
            _limit,
            css="first nowrap",
        ),
        Column("severity", lambda row: row["severity"]),
        Column("outcome", lambda row: row["words"] or row["deed"]),
        FigureColumn("chance", lambda row: row["chance"]),
        FigureColumn("soonest", lambda row: row.get("soonest"), lambda row: _days(row, "soonest")),
        FigureColumn(
            "likely",
            lambda row: row.get("likely"),
            lambda row: _days(row, "likely"),
            css=lambda row: "" if row["words"] else "strong",
        ),
        FigureColumn(
            "latest",
            lambda row: row.get("latest"),
            lambda row: _days(row, "latest", "later" if row.get("likely") else "–"),
        ),
        FigureColumn(
            "to act",
            lambda row: row["to_act"],
            lambda row: f"{row['to_act']} d",
        ),
        FigureColumn(
            "slack",
            lambda row: row.get("slack"),
            lambda row: figures.slack(row.get("slack")),
            css=_outcome_css,
        ),
        FigureColumn("act by", lambda row: row.get("act_by"), lambda row: _days(row, "act_by")),
    ),
)
WEIGHTS: Table[Line] = Table(
    "weights",
    "Weights of the methods",
    (RowHead("way", lambda row: row["name"], css=""), FigureColumn("weight", lambda row: row["share"])),
    title="Weights",
    css="",
    scrolls=False,
)
LINES: Table[Line] = Table(
    "lines",
    "Plain lines for comparison",
    (
        RowHead(
            "line",
            lambda row: " ".join((row["name"], _slope(row))),
            lambda row: below(row["name"], _slope(row)),
            css="",
        ),
        FigureColumn("gives", lambda row: row["date"]),
    ),
    title="Plain lines",
    css="",
    scrolls=False,
)


def _slope(row: Line) -> str:
    return ", ".join(filter(None, (row["slope"], row["fit"])))
