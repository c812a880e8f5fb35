"""The inner peer: a row per value, with the primary key and the second index that profiles and trends need."""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pandas as pd
from django.db import connection, transaction
from numpy.typing import NDArray

from apps.snapshots.dictionary import keys_of
from apps.snapshots.retention import first_of_month
from apps.snapshots.vectors import vector_cursor
from benchmarks.binary import NARROW, copy

TABLE = "bench_narrow"
_LEVELS = ["category", "metric", "component"]
_ANCHORED = f"""
    SELECT n.series_id, a.anchor, n.value
      FROM unnest(%(anchors)s::date[], %(reaches)s::int[]) AS a(anchor, reach)
     CROSS JOIN LATERAL (
         SELECT day FROM coverage
          WHERE target_id = %(target)s AND day BETWEEN a.anchor - a.reach AND a.anchor
          ORDER BY day DESC LIMIT 1) AS newest
      JOIN {TABLE} n ON n.target_id = %(target)s AND n.day = newest.day
       AND n.day BETWEEN %(oldest)s AND %(newest)s
"""


def make(first: date, last: date) -> None:
    """The table with its monthly partitions."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TABLE {TABLE} (target_id int, day date, series_id int, value float8,"
            " PRIMARY KEY (target_id, day, series_id)) PARTITION BY RANGE (day)"
        )
        month = first_of_month(first)
        while month <= last:
            after = first_of_month(month, 1)
            cursor.execute(
                f"CREATE TABLE {TABLE}_{month:%Y_%m} PARTITION OF {TABLE} FOR VALUES FROM ('{month}') TO ('{after}')"
            )
            month = after


def add_trend_index() -> None:
    """The second index, without which a trend reads every series of a day."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX ON {TABLE} (target_id, series_id, day)")


def fill(rows: Sequence[bytes]) -> None:
    """COPY rows that were made before."""
    copy(TABLE, NARROW, b"".join(rows))


def rewrite(target: int, on: date, rows: bytes) -> None:
    """Write a target's day so that writing it twice is harmless: delete and COPY, one commit."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {TABLE} WHERE target_id = %s AND day = %s", [target, on])
        copy(TABLE, NARROW, rows)


def read_anchored(target: int, anchors: dict[date, int]) -> pd.DataFrame:
    """The same frame as the product's: a row a series, a column a day."""
    anchor_days = sorted(anchors)
    parameters = {
        "target": target,
        "anchors": anchor_days,
        "reaches": [anchors[day] for day in anchor_days],
        "oldest": min(day - timedelta(days=anchors[day]) for day in anchor_days),
        "newest": max(anchor_days),
    }
    with vector_cursor() as cursor:
        cursor.execute(_ANCHORED, parameters)
        rows = cursor.fetchall()
    column = {day: index for index, day in enumerate(anchor_days)}
    series = np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
    places = np.fromiter((column[row[1]] for row in rows), dtype=np.intp, count=len(rows))
    values = np.fromiter((row[2] for row in rows), dtype=np.float64, count=len(rows))
    ids: NDArray[np.int64]
    ids, lines = np.unique(series, return_inverse=True)
    block = np.full((len(ids), len(anchor_days)), np.nan)
    block[lines, places] = values
    index = pd.MultiIndex.from_tuples(keys_of(ids.tolist()), names=_LEVELS)
    return pd.DataFrame(block, index=index, columns=anchor_days)
