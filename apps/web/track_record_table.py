"""How past forecasts of a figure fared, as its forecast and its own page list them."""

from collections.abc import Mapping
from typing import Any

from apps.web.tables import Column, FigureColumn, RowHead, Table

Line = Mapping[str, Any]
TRACK_RECORD: Table[Line] = Table(
    "track-record",
    "How past forecasts fared",
    (
        RowHead("made on", lambda row: row["made"], css="first nowrap"),
        Column("source", lambda row: row["source"], css="quiet-text"),
        Column("predicted crossing", lambda row: row["said"], label="predicted crossing"),
        Column("soonest to latest", lambda row: row["range"], css="quiet-text"),
        Column("reached", lambda row: row["came"], label="reached"),
        Column("off", lambda row: row["off"]),
        Column("range", lambda row: row["inside"]),
        FigureColumn("after", lambda row: row["ahead"]),
        FigureColumn("error", lambda row: row["missed"]),
        FigureColumn("error of a line", lambda row: row["line"]),
    ),
)
