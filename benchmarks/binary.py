"""Rows in the binary format of COPY, made before the clock starts."""

import struct
from collections.abc import Iterable
from datetime import UTC, date, datetime

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql

from apps.snapshots.vectors import VectorDumper, vector_cursor

BEGIN = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
END = struct.pack(">h", -1)
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)

SNAPSHOT = ("target_id", "category", "part", "bucket", "captured_at", "layout_id", "values")
FIGURE = ("target_id", "category", "part", "day", "captured_at", "layout_id", "values")
NARROW = ("target_id", "day", "series_id", "value")

_dump = VectorDumper(np.ndarray).dump
_LINE = np.dtype(
    {
        "names": ["fields", "a", "target", "b", "day", "c", "series", "d", "value"],  # a length before each
        "formats": [">i2", ">i4", ">i4", ">i4", ">i4", ">i4", ">i4", ">i4", ">f8"],
    }
)


def _microseconds(moment: datetime) -> int:
    return round((moment - EPOCH).total_seconds()) * 1_000_000


def _days(on: date) -> int:
    return on.toordinal() - EPOCH.toordinal()


def vector_row(
    target: int, category: int, part: int, when: date | datetime, layout: int, values: NDArray[np.float64]
) -> bytes:
    """A row of `snapshot` (when is a moment) or of `figure` (when is a day)."""
    if isinstance(when, datetime):
        moment = struct.pack(">iq", 8, _microseconds(when))
        captured = moment
    else:
        moment = struct.pack(">ii", 4, _days(when))
        captured = struct.pack(">iq", 8, _days(when) * 86_400_000_000)
    array = bytes(_dump(values))
    return b"".join(
        (
            struct.pack(">hiqihih", 7, 8, target, 2, category, 2, part),
            moment,
            captured,
            struct.pack(">iqi", 8, layout, len(array)),
            array,
        )
    )


def narrow_rows(target: int, on: date, series: NDArray[np.int64], values: NDArray[np.float64]) -> bytes:
    """A row per value: target, day, series, value."""
    lines = np.empty(len(series), _LINE)
    lines["fields"] = 4
    lines["a"] = lines["b"] = lines["c"] = 4
    lines["d"] = 8
    lines["target"], lines["day"], lines["series"], lines["value"] = target, _days(on), series, values
    return lines.tobytes()


def copy(table: str, columns: Iterable[str], rows: bytes) -> None:
    """COPY rows into a table and commit."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    connection.ensure_connection()
    with vector_cursor() as cursor, cursor.copy(statement) as stream:
        stream.write(BEGIN)
        stream.write(rows)
        stream.write(END)
