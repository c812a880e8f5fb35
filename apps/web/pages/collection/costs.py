"""What the collection costs: the time of each source, and the room of what is kept."""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from django.db import connection

from apps.charts import figures
from apps.collection.full_disk import room_of_database
from apps.collection.models import CollectionRun
from apps.web.tables import FigureColumn, RowHead, Table


def costs(runs: Iterable[CollectionRun]) -> list[dict[str, Any]]:
    """What each source costs: its median and worst time over the latest runs, dearest first."""
    seconds: dict[str, list[float]] = {}
    series: dict[str, list[int]] = {}
    for run in runs:
        for source in run.sources:
            seconds.setdefault(source["name"], []).append(source["seconds"])
            series.setdefault(source["name"], []).append(source["series"])
    rows = [
        {
            "source": name,
            "targets": len(times),
            "median_s": round(median(times), 3),
            "worst_s": round(max(times), 3),
            "series": round(median(series[name])),
        }
        for name, times in seconds.items()
    ]
    return sorted(rows, key=lambda row: -row["worst_s"])


def sizes() -> list[dict[str, str]]:
    """Headroom's own room: what its tables take, and what its disk has left."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, sum(pg_total_relation_size(i.inhrelid)) FROM pg_inherits i"
            " JOIN pg_class c ON c.oid = i.inhparent WHERE c.relname IN ('snapshot', 'figure') GROUP BY 1 ORDER BY 1"
        )
        parts = dict(cursor.fetchall())
        cursor.execute("SELECT pg_database_size(current_database())")
        (whole,) = cursor.fetchone()
    names = {"snapshot": "readings", "figure": "daily figures"}
    rows = [{"what": names[name], "size": figures.bytes_text(float(size))} for name, size in parts.items()]
    rows.append({"what": "whole database", "size": figures.bytes_text(float(whole))})
    room = room_of_database()
    if room is None:
        return [*rows, {"what": "left on its disk", "size": "not seen from here: PostgreSQL is your own"}]
    left = f"{figures.bytes_text(room.free_bytes)} of {figures.bytes_text(room.total_bytes)}"
    if room.days_left is not None:
        left += f", full in {figures.whole(room.days_left)} days at this rate"
    return [*rows, {"what": "left on its disk", "size": left}]


COSTS: Table[Mapping[str, Any]] = Table(
    "cost-of-reading",
    "Cost of each source",
    (
        RowHead("source", lambda row: row["source"], css=""),
        FigureColumn("targets", lambda row: row["targets"]),
        FigureColumn(
            "median",
            lambda row: row["median_s"],
            lambda row: figures.seconds_text(row["median_s"]),
            file_head="median, s",
        ),
        FigureColumn(
            "slowest",
            lambda row: row["worst_s"],
            lambda row: figures.seconds_text(row["worst_s"]),
            file_head="slowest, s",
        ),
        FigureColumn("series", lambda row: row["series"]),
    ),
    title="What reading costs",
    css="",
    scrolls=False,
)
