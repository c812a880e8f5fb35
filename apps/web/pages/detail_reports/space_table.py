"""The table of the Space tab: a row a tablespace, its file with all that its room is made of."""

from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from apps.catalog.registry import get_metric
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.forecasting.engine.true_room import TrueRoom
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.outlook.room import UNIT
from apps.web.cells import NO_DATA, drawing, limit_cell, link, no_figure, state
from apps.web.pages.detail_reports.space_rows import SpaceTabRow
from apps.web.sheet_cells import word
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

SPARK_DAYS = 30


def room_words(room: TrueRoom) -> str:
    """What is left, or both ends of what it may be."""
    least = "" if room.at_least is None else f"{figures.figure(room.at_least)} to "
    return f"{least}{figures.figure(room.value)}"


def space_table(target: Target, metric: str, day: date) -> Table[SpaceTabRow]:
    """What each tablespace of a target may still take, when it is likely full, and what binds it."""

    def url(row: SpaceTabRow) -> str:
        query = urlencode({"component": row.name, "on": day.isoformat()})
        return f"{address('statistic', target.pk, metric)}?{query}"

    noun = get_metric(metric).component_kind
    columns: list[Column[SpaceTabRow]] = [
        Column("state", lambda row: word(row.state), _state, css="nowrap"),
        RowHead(noun, lambda row: row.name, lambda row: link(url(row), row.name), css="row-name", head_css="row-name"),
        Column("day", lambda row: day, in_file_only=True),
        _size_column("used", lambda row: row.room.space.used),
        _size_column("size", lambda row: row.room.space.size, in_file_only=True),
        _size_column("ceiling", lambda row: row.room.space.most, in_file_only=True),
        FigureColumn("ceiling", show=lambda row: _size(row.ceiling), order=lambda row: row.ceiling),
        FigureColumn(
            "room left", lambda row: row.room.left.value, _room, file_head=f"true headroom ({UNIT})",
            css=lambda row: "" if row.room.left.value is None else "strong nowrap",
        ),
        FigureColumn("%", lambda row: row.percent_left, _percent, file_head="room left (%)", label="room left, %"),
        FigureColumn("growth a day", lambda row: row.growth, _growth, file_head=f"growth ({UNIT}/day)"),
        DrawingColumn(f"{SPARK_DAYS} days, limit", show=_spark, css="spark-cell", head_css="spark-cell"),
        FigureColumn("limit", lambda row: row.judged.threshold.notation if row.judged and row.judged.threshold else "", _limit),
        FigureColumn(
            "likely full", lambda row: row.full_on, lambda row: row.full_words, css=_likely_css, file_head="likely full",
            order=lambda row: row.full_on or row.full_at_growth,
        ),
        Column("soonest – latest", show=lambda row: row.range_words, css="quiet-text nowrap"),
        Column("soonest", lambda row: row.outlook.soonest_on if row.outlook else None, in_file_only=True),
        Column("latest", lambda row: row.outlook.latest_on if row.outlook else None, in_file_only=True),
        Column("lies on", lambda row: row.room.places, in_file_only=True),
        _size_column("free there", lambda row: row.room.free, in_file_only=True),
        Column("over-commit (times)", lambda row: row.room.shared.ratio, in_file_only=True),
        Column(
            "what binds", lambda row: row.room.left.binds, _binds,
            css=lambda row: "quiet-text" if row.room.left.value is None else "",
        ),
        Column("note", note_of, in_file_only=True),
    ]  # fmt: skip
    return Table(
        "true-headroom", f"Room of the tablespaces of {target.name}", columns, title="Room", css="listing",
        region="true-headroom-title", opens_rows=True, opens_charts=True,
    )  # fmt: skip


def note_of(row: SpaceTabRow) -> str:
    """What is to be known of a row that its cells do not say."""
    room = row.room
    notes = [room.left.why, room.why_free, room.shared.why]
    if room.left.at_least is not None:
        sure = figures.figure(room.left.at_least)
        notes.append(
            f"at least {sure} {UNIT}: its files lie on several places, and which of them grow decides"
        )
    if room.shared.uncounted:
        notes.append(f"over-commit is at least this, without all of {room.uncounted}")
    return "; ".join(dict.fromkeys(note for note in notes if note))


def _size_column(name: str, value: Callable[[SpaceTabRow], float | None], **more: Any) -> Column[SpaceTabRow]:
    return FigureColumn(name, value, lambda row: _size(value(row)), file_head=f"{name} ({UNIT})", **more)


def _size(value: float | None) -> SafeString | str:
    return NO_DATA if value is None else figures.figure(value)


def _state(row: SpaceTabRow) -> SafeString:
    return state(row.state, row.judged.reason if row.judged else "")


def _room(row: SpaceTabRow) -> SafeString | str:
    left = row.room.left
    return no_figure(left.why) if left.value is None else room_words(left)


def _percent(row: SpaceTabRow) -> str:
    return figures.MISSING if row.percent_left is None else figures.figure(row.percent_left)


def _growth(row: SpaceTabRow) -> str:
    growth = row.growth
    if growth is None:
        return figures.MISSING
    return f"{'+' if growth > 0 else ''}{figures.figure(growth)}"


def _spark(row: SpaceTabRow) -> SafeString:
    limit = row.judged.limit if row.judged is not None else None
    edge = limit.edge if limit is not None else row.ceiling
    label = f"{row.name}, {SPARK_DAYS} days"
    return drawing(sparkline(row.values[-SPARK_DAYS:], edge, "above", label, state=str(row.state or "")))


def _limit(row: SpaceTabRow) -> SafeString:
    return limit_cell(row.judged.threshold if row.judged is not None else None, UNIT)


def _likely_css(row: SpaceTabRow) -> str:
    if row.full_on is None:
        return "muted nowrap"
    return "strong c-risk nowrap" if str(row.state) == "at_risk" else "strong nowrap"


def _binds(row: SpaceTabRow) -> str:
    left = row.room.left
    return left.why if left.value is None else left.binds
