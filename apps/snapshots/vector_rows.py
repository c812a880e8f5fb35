"""Rows of vectors: laid out by their series, and written by one statement of their table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import Cursor

from apps.snapshots.dictionary import Name, place


@dataclass(frozen=True)
class CategoryValues:
    """Values of one category by their (metric, component)."""

    category: int
    names: Iterable[Name]
    values: NDArray[np.float64]
    classes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class VectorRows:
    """The rows of several categories as columns, in the order of their keys; their vectors are one, cut by the server."""

    categories: list[int]
    parts: list[int]
    layouts: list[int]
    lengths: list[int]
    values: NDArray[np.float64]

    @property
    def columns(self) -> dict[str, object]:
        """What a statement takes."""
        lasts = list(accumulate(self.lengths))
        return {
            "categories": self.categories,
            "parts": self.parts,
            "layouts": self.layouts,
            "firsts": [last - length + 1 for last, length in zip(lasts, self.lengths, strict=True)],
            "lasts": lasts,
            "values": self.values,
        }


def lay_out(table: str, target_id: int, groups: Iterable[CategoryValues]) -> VectorRows:
    """
    The rows of a target's categories, with NaN where a series of a layout has no value.

    Creates series and layouts that are new, outside of any transaction of ours.
    """
    rows = VectorRows([], [], [], [], np.empty(0))
    vectors = [rows.values]
    for group in sorted(groups, key=lambda group: group.category):
        placement = place(table, target_id, group.category, group.names, group.classes)
        for part, (layout, length) in enumerate(placement.parts):
            rows.categories.append(group.category)
            rows.parts.append(part)
            rows.layouts.append(layout)
            rows.lengths.append(length)
        vectors.append(placement.whole(group.values))
    return replace(rows, values=np.concatenate(vectors))


@dataclass(frozen=True, kw_only=True)
class VectorTable:
    """
    A table of vectors; `moment` is its column that says of when a row is, `stamps` are its moments that each row has.

    What is written takes the place of all that a target has of the moment. Where it `is_merged`, categories that are not
    written stay, and of those that are the later capture wins.
    """

    name: str
    moment: str
    stamps: tuple[str, ...]
    is_merged: bool = False

    def write(
        self,
        cursor: Cursor[Any],
        target_id: int,
        moment: date,
        rows: VectorRows,
        **stamps: Sequence[datetime | None],
    ) -> None:
        """
        Write the rows of a target and a moment.

        A connection prepares the statement once: planning it takes as long as writing does.
        """
        parameters = rows.columns | stamps | {"target": target_id, "moment": moment}
        cursor.execute(self.statement, parameters, prepare=True)

    @cached_property
    def statement(self) -> bytes:
        stamps = ", ".join(self.stamps)
        arrays = ", ".join(f"%({stamp})s::timestamptz[]" for stamp in self.stamps)
        updates = ", ".join(f"{stamp} = excluded.{stamp}" for stamp in self.stamps)
        is_older = f"WHERE {self.name}.captured_at <= excluded.captured_at" if self.is_merged else ""
        gives_way = (
            f"category = ANY(%(categories)s) AND {self.name}.captured_at < (SELECT max(captured_at) FROM row)"
            if self.is_merged
            else "true"
        )
        return f"""
            WITH row AS (
                SELECT * FROM unnest(%(categories)s::smallint[], %(parts)s::smallint[], %(layouts)s::bigint[],
                                     %(firsts)s::int[], %(lasts)s::int[], {arrays})
                           AS row(category, part, layout_id, first, last, {stamps})),
            dropped AS (
                DELETE FROM {self.name}
                 WHERE target_id = %(target)s AND {self.moment} = %(moment)s AND {gives_way}
                   AND (category, part) NOT IN (SELECT category, part FROM row))
            INSERT INTO {self.name} (target_id, category, part, {self.moment}, layout_id, "values", {stamps})
            SELECT target.held, category, part, %(moment)s, layout_id, (%(values)s::float8[])[first:last], {stamps}
              FROM row, hold_target(%(target)s) AS target(held)
            ON CONFLICT (target_id, category, part, {self.moment}) DO UPDATE
            SET layout_id = excluded.layout_id, "values" = excluded.values, {updates}
            {is_older}
        """.encode()
