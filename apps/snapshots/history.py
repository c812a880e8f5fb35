"""
Daily figures as pandas (docs/architecture.md, Vectors).

Whole vectors travel as numpy arrays and are aligned by series id; nothing here loops over values in Python.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.inventory.models import Target
from apps.snapshots.dictionary import LEVELS, index_of, keys_of, layout_series
from apps.snapshots.models import Series
from apps.snapshots.vectors import vector_cursor

HORIZONS = {
    90: 7,
    30: 3,
    7: 2,
}  # days back -> how many days earlier the anchor may lie (docs/method.md, The profile)

_ANCHORED = """
    SELECT a.anchor, f.day, f.category, f.part, f.layout_id, f."values"
      FROM unnest(%(anchors)s::date[], %(reaches)s::int[]) AS a(anchor, reach)
     CROSS JOIN LATERAL (
         SELECT day FROM coverage
          WHERE target_id = %(target)s AND day BETWEEN a.anchor - a.reach AND a.anchor
          ORDER BY day DESC LIMIT 1) AS newest
      JOIN figure f ON f.target_id = %(target)s AND f.day = newest.day
       AND f.day BETWEEN %(oldest)s AND %(newest)s
     WHERE %(categories)s::int[] IS NULL OR f.category = ANY(%(categories)s::int[])
     ORDER BY a.anchor, f.category, f.part
"""


@dataclass(frozen=True)
class AnchoredFigures:
    """
    Figures of several days side by side.

    `frame` is indexed by (category, metric, component) with one column per anchor asked for, NaN where the figure is
    missing; `series` are the ids of its rows. `days` says which day was used for each anchor (None: none within reach), and `categories` which
    categories were read on it.
    """

    frame: pd.DataFrame
    series: NDArray[np.int64]
    days: dict[date, date | None]
    categories: dict[date, frozenset[int]]


def read_anchored(
    target_id: int, anchors: dict[date, int], categories: Iterable[int] | None = None
) -> AnchoredFigures:
    """
    The figures of a target on each anchor day, or on the nearest earlier day within its reach in days.

    One query; a target of 2,500 series costs about 33 pages for four anchors.
    """
    anchor_days = sorted(anchors)
    with vector_cursor() as cursor:
        cursor.execute(
            _ANCHORED,
            {
                "target": target_id,
                "anchors": anchor_days,
                "reaches": [anchors[day] for day in anchor_days],
                "oldest": min(day - timedelta(days=anchors[day]) for day in anchor_days),
                "newest": max(anchor_days),
                "categories": None if categories is None else list(categories),
            },
        )
        rows = cursor.fetchall()
    return _build_anchored(rows, anchor_days)


_EXACT = """
    SELECT target_id, day, day, category, part, layout_id, "values"
      FROM figure
     WHERE target_id = ANY(%(targets)s) AND day = ANY(%(days)s::date[])
       AND day BETWEEN %(oldest)s AND %(newest)s
       AND (%(categories)s::int[] IS NULL OR category = ANY(%(categories)s::int[]))
"""


def read_exactly(
    target_ids: Sequence[int], days: Sequence[date], categories: Iterable[int] | None = None
) -> dict[int, AnchoredFigures]:
    """The figures of several targets on exactly these days, by target id; one query."""
    chosen_days = sorted(set(days))
    rows: dict[int, list[Any]] = {target: [] for target in target_ids}
    with vector_cursor() as cursor:
        cursor.execute(
            _EXACT,
            {
                "targets": list(target_ids),
                "days": chosen_days,
                "oldest": chosen_days[0],
                "newest": chosen_days[-1],
                "categories": None if categories is None else list(categories),
            },
        )
        for target, *row in cursor.fetchall():
            rows[target].append(row)
    return {target: _build_anchored(target_rows, chosen_days) for target, target_rows in rows.items()}


def _build_anchored(rows: Iterable[Sequence[Any]], anchor_days: Sequence[date]) -> AnchoredFigures:
    """Rows of anchor, day, category, part, layout and values, side by side."""
    used: dict[date, date | None] = dict.fromkeys(anchor_days)
    read: dict[date, set[int]] = {day: set() for day in anchor_days}
    by_place: dict[tuple[int, int], dict[date, tuple[int, NDArray[np.float64]]]] = {}
    for anchor, day, category, part, layout, values in rows:
        used[anchor] = day
        read[anchor].add(category)
        by_place.setdefault((category, part), {})[anchor] = (layout, values)
    series, frame = _align(dict(sorted(by_place.items(), key=itemgetter(0))), anchor_days)
    return AnchoredFigures(
        frame, series, used, {day: frozenset(categories) for day, categories in read.items()}
    )


def _align(
    by_place: dict[tuple[int, int], dict[date, tuple[int, NDArray[np.float64]]]], columns: Sequence[date]
) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """Stack the vectors of each (category, part), by the ids of their series; where layouts differ, align them by series id."""
    series = layout_series({layout for vectors in by_place.values() for layout, _ in vectors.values()})
    ids: list[NDArray[np.int64]] = []
    blocks: list[NDArray[np.float64]] = []
    for vectors in by_place.values():
        layouts = {layout for layout, _ in vectors.values()}
        if len(layouts) == 1:
            members = series[next(iter(layouts))]
            block = np.full((len(members), len(columns)), np.nan)
            for position, day in enumerate(columns):
                if day in vectors:
                    block[:, position] = vectors[day][1]
        else:
            members = np.unique(np.concatenate([series[layout] for layout in layouts]))
            block = np.full((len(members), len(columns)), np.nan)
            for position, day in enumerate(columns):
                if day in vectors:
                    layout, values = vectors[day]
                    block[np.searchsorted(members, series[layout]), position] = values
        ids.append(members)
        blocks.append(block)
    if not ids:
        index = pd.MultiIndex.from_arrays([[], [], []], names=LEVELS)
        empty = pd.DataFrame(np.empty((0, len(columns))), index=index, columns=list(columns))
        return np.empty(0, dtype=np.int64), empty
    return _one_row_per_series(np.concatenate(ids), np.concatenate(blocks), columns)


def _one_row_per_series(
    ids: NDArray[np.int64], block: NDArray[np.float64], columns: Sequence[date]
) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """A series that moved to another part between two days has a row in each; merge them."""
    unique, place = np.unique(ids, return_inverse=True)
    if len(unique) < len(ids):
        merged = np.full((len(unique), block.shape[1]), np.nan)
        rows, positions = np.nonzero(~np.isnan(block))
        merged[place[rows], positions] = block[rows, positions]
        ids, block = unique, merged
    return ids, pd.DataFrame(block, index=index_of(ids), columns=list(columns))


def read_days(target: Target, days: Iterable[date], categories: Iterable[int] | None = None) -> pd.DataFrame:
    """The figures of exactly these days, a column per day, indexed by (category, metric, component)."""
    return read_anchored(target.pk, dict.fromkeys(days, 0), categories).frame


def read_trend(target: Target, series_id: int, first: date, last: date) -> pd.Series:
    """One series by day; days without figures are absent, days on which it did not occur are NaN."""
    with vector_cursor() as cursor:
        cursor.execute(
            "SELECT day, value FROM series_trend(%s, %s, %s, %s)", [target.pk, series_id, first, last]
        )
        rows = cursor.fetchall()
    return pd.Series(
        [np.nan if value is None else value for _, value in rows], index=[day for day, _ in rows], dtype=float
    )


_PICKED = """
    SELECT f.target_id, w.number, array_agg(f.day - %(first)s::date), array_agg(pick(f."values", w.positions))
      FROM figure f
      JOIN unnest(%(layouts)s::bigint[], %(numbers)s::int[]) AS n(layout_id, number) ON n.layout_id = f.layout_id
      JOIN (VALUES {wanted}) AS w(number, positions) ON w.number = n.number
     WHERE f.target_id = ANY(%(targets)s) AND f.day BETWEEN %(first)s AND %(last)s
       AND f.category = ANY(%(categories)s)
     GROUP BY f.target_id, w.number
"""


@dataclass(frozen=True)
class Histories:
    """
    Daily figures of chosen series of several targets: `values` maps target id to an array (days, series).

    `is_held` says by target which of the series its readings of these days had a place for, with or without a figure.
    """

    days: list[date]
    series: list[int]
    values: dict[int, NDArray[np.float64]]
    is_held: dict[int, NDArray[np.bool_]]


def read_histories(target_ids: Sequence[int], series: Sequence[int], first: date, last: date) -> Histories:
    """
    Chosen series of several targets over a stretch of days, by one query that decompresses each vector once.

    The server puts the days of a target together, so that they arrive as a table and not one by one.
    """
    days = [first + timedelta(days=offset) for offset in range((last - first).days + 1)]
    shape = (len(days), len(series))
    values = {target: np.full(shape, np.nan) for target in target_ids}
    is_held = {target: np.zeros(len(series), dtype=bool) for target in target_ids}
    categories = {key[0] for key in keys_of(series)}
    column = {pk: index for index, pk in enumerate(series)}
    layouts, groups = _positions(series)
    if not layouts:
        return Histories(days, list(series), values, is_held)
    groups_sql = ", ".join(
        f"({number}, ARRAY{positions}::int[])" for number, (positions, _) in enumerate(groups)
    )
    with vector_cursor() as cursor:
        cursor.execute(
            _PICKED.format(wanted=groups_sql),
            {
                "layouts": [layout for layout, _ in layouts],
                "numbers": [number for _, number in layouts],
                "targets": list(target_ids),
                "first": first,
                "last": last,
                "categories": sorted(categories),
            },
        )
        for target, number, rows, picked in cursor.fetchall():
            columns = [column[pk] for pk in groups[number][1]]
            is_held[target][columns] = True
            place = np.ix_(rows, columns)
            values[target][place] = np.where(np.isnan(picked), values[target][place], picked)
    return Histories(days, list(series), values, is_held)


def read_metrics(
    target_ids: Sequence[int],
    days: Sequence[date],
    metrics: Collection[str],
    categories: Collection[int] | None = None,
) -> dict[int, pd.DataFrame]:
    """
    The series of some metrics that targets have around some days, by target id, as read_days() has those of one.

    Where a category has much else, this moves a small part of what its vectors hold.
    """
    named = Series.objects.filter(metric__in=metrics)
    if categories is not None:
        named = named.filter(category__in=categories)
    series = list(named.order_by("category", "pk").values_list("pk", flat=True))
    histories = read_histories(target_ids, series, min(days), max(days))
    offsets = [(day - histories.days[0]).days for day in days]
    index = index_of(np.array(series, dtype=np.int64))
    frames = {}
    for target, values in histories.values.items():
        rows = histories.is_held[target]
        frames[target] = pd.DataFrame(values[offsets].T[rows], index=index[rows], columns=list(days))
    return frames


def _positions(series: Sequence[int]) -> tuple[list[tuple[int, int]], list[tuple[list[int], list[int]]]]:
    """Layouts that hold any of the series, with the number of their group; groups of (positions, series) from 1."""
    with vector_cursor() as cursor:
        cursor.execute("SELECT id FROM layout WHERE series_ids && %s::int[]", [list(series)])
        holding = [pk for (pk,) in cursor.fetchall()]
    is_chosen = np.zeros(
        max(series, default=0) + 2, dtype=bool
    )  # its last place stands for all that are beyond
    is_chosen[list(series)] = True
    groups: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    layouts = []
    for layout, members in layout_series(holding).items():
        at = np.flatnonzero(is_chosen[np.minimum(members, len(is_chosen) - 1)])
        group = (tuple((at + 1).tolist()), tuple(members[at].tolist()))
        layouts.append((layout, groups.setdefault(group, len(groups))))
    return layouts, [(list(positions), list(ids)) for positions, ids in groups]


_LATEST = """
    SELECT asked.target_id, held.series_id, newest."values"[held.position]
      FROM unnest(%(targets)s::int[]) AS asked(target_id)
     CROSS JOIN (SELECT DISTINCT category, part FROM layout WHERE id = ANY(%(layouts)s)) AS place
     CROSS JOIN LATERAL (
         SELECT layout_id, "values" FROM figure
          WHERE target_id = asked.target_id AND category = place.category AND part = place.part
            AND day BETWEEN %(first)s AND %(last)s
          ORDER BY day DESC LIMIT 1) AS newest
      JOIN unnest(%(layouts)s::bigint[], %(positions)s::int[], %(series)s::int[])
        AS held(layout_id, position, series_id) ON held.layout_id = newest.layout_id
"""


def read_latest(
    target_ids: Sequence[int], series: Sequence[int], first: date, last: date
) -> dict[int, dict[int, float]]:
    """
    By target and series, the known figures of the newest day within a stretch.

    Each figure decompresses its vector, so it is for a few series of many targets.
    """
    layouts, groups = _positions(series)
    places = [
        (layout, position, pk)
        for layout, number in layouts
        for position, pk in zip(*groups[number], strict=True)
    ]
    figures: dict[int, dict[int, float]] = {target: {} for target in target_ids}
    with vector_cursor() as cursor:
        cursor.execute(
            _LATEST,
            {
                "layouts": [layout for layout, _, _ in places],
                "positions": [position for _, position, _ in places],
                "series": [pk for _, _, pk in places],
                "targets": list(target_ids),
                "first": first,
                "last": last,
            },
        )
        for target, pk, value in cursor:
            if value == value:
                figures[target][pk] = value
    return figures


@dataclass(frozen=True)
class Vectors:
    """Vectors of many targets: rows of target, layout and values, and the series of each layout by position."""

    rows: list[tuple[int, int, NDArray[np.float64]]]
    series: dict[int, NDArray[np.int64]]


def read_vectors(target_ids: Sequence[int], categories: Sequence[int], day: date) -> Vectors:
    """All figures of some categories of targets on a day, by one query."""
    with vector_cursor() as cursor:
        cursor.execute(
            'SELECT target_id, layout_id, "values" FROM figure'
            " WHERE target_id = ANY(%s) AND day = %s AND category = ANY(%s)",
            [list(target_ids), day, list(categories)],
        )
        rows = cursor.fetchall()
    return Vectors(rows, layout_series({layout for _, layout, _ in rows}))
