"""The limits in force as a table."""

from collections.abc import Mapping
from typing import Any

from apps.charts import figures
from apps.web.cells import state
from apps.web.sheet_cells import word
from apps.web.tables import Column, FigureColumn, RowHead, Table

THRESHOLDS: Table[Mapping[str, Any]] = Table(
    "thresholds",
    "Thresholds in force, broken ones first",
    (
        Column("state", lambda row: word(row["state"]), lambda row: state(row["state"]), css="nowrap"),
        RowHead("statistic", lambda row: row["statistic"], template="pages/thresholds/threshold_name.html"),
        Column("component", lambda row: row["component"] or "all"),
        Column("holds for", lambda row: row["scope"]),
        FigureColumn(
            "limit",
            lambda row: row["notation"],
            lambda row: figures.threshold(row["notation"]),
            css="strong",
            has_unit=True,
        ),
        Column("unit", lambda row: row["unit"], css="sub"),
        Column(
            "severity",
            lambda row: row["severity"],
            css=lambda row: "strong" if row["severity"] == "critical" else "quiet-text",
        ),
        Column("owner", lambda row: row["owner"], css="quiet-text"),
        FigureColumn("violations", show=lambda row: row["cases"], css="nowrap"),
        Column("over", lambda row: row["over"], in_file_only=True),
        Column("closing", lambda row: row["closing"], in_file_only=True),
    ),
    title="Thresholds",
    opens_rows=True,
)
