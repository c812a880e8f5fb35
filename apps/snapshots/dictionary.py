"""
Series and layouts by their identity. Neither ever changes, so a process keeps what it has seen without expiry.

Both are created by INSERT .. ON CONFLICT DO NOTHING and read back, in a short transaction of their own before that
of the snapshot, so that two collectors which meet the same new name wait for nothing.
"""

import hashlib
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import find_metric
from apps.snapshots.models import COMPRESSED_FROM, VALUES_PER_ROW, Layout, Series

if TYPE_CHECKING:
    import pandas as pd

Key = tuple[int, str, str]  # category, metric, component
Name = tuple[str, str]  # metric, component

_KINDS = {Kind.COUNTER: "c", Kind.GAUGE: "g", Kind.HIGH_WATER: "h", Kind.RATIO: "r", Kind.SETTING: "g"}

_series: dict[Key, int] = {}
_keys: dict[int, Key] = {}
_classes: dict[int, str] = {}  # of the series that have one
_layouts: dict[bytes, int] = {}
_ids: dict[int, NDArray[np.int64]] = {}
_indexes: "dict[bytes, pd.MultiIndex]" = {}
MOST_INDEXES = 100
LEVELS = ["category", "metric", "component"]


def forget() -> None:
    """Empty the cache; for tests, whose databases come and go."""
    for cache in (_series, _keys, _classes, _indexes, _layouts, _ids, _newest, _placed):
        cache.clear()


def series_ids(keys: Sequence[Key], classes: Mapping[str, str] | None = None) -> list[int]:
    """The ids of series, creating what is new. `classes` gives the class of components where the source has one."""
    new = [key for key in dict.fromkeys(keys) if key not in _series]
    if new:
        _create(new, classes or {})
    return [_series[key] for key in keys]


def _create(keys: list[Key], classes: Mapping[str, str]) -> None:
    described = [(key, find_metric(key[1])) for key in keys]
    Series.objects.bulk_create(
        [
            Series(
                category=category,
                metric=name,
                component=component,
                kind=_KINDS[metric.kind] if metric else "g",
                unit=_unit(metric),
                component_class=classes.get(component, ""),
            )
            for (category, name, component), metric in described
        ],
        ignore_conflicts=True,
    )
    _learn(
        Series.objects.filter(
            category__in={key[0] for key in keys},
            metric__in={key[1] for key in keys},
            component__in={key[2] for key in keys},
        )
    )


def _unit(metric: Metric | None) -> str:
    if metric is None:
        return ""
    return metric.unit if metric.is_figure else metric.native_unit


def _learn(rows: Iterable[Series]) -> None:
    for row in rows:
        key = (row.category, row.metric, row.component)
        _series[key] = row.pk
        _keys[row.pk] = key
        if row.component_class:
            _classes[row.pk] = row.component_class


def keys_of(ids: Iterable[int]) -> list[Key]:
    """Category, metric and component of series, in the order asked."""
    pks = list(ids)
    unknown = {pk for pk in pks if pk not in _keys}
    if unknown:
        _learn(Series.objects.filter(pk__in=unknown))
    return [_keys[pk] for pk in pks]


def classes_of(ids: NDArray[np.int64]) -> dict[str, str]:
    """The class of each component among series that has one, such as the wait class of an event."""
    keys_of(ids.tolist())
    return {_keys[pk][2]: _classes[pk] for pk in ids.tolist() if pk in _classes}


def index_of(ids: NDArray[np.int64]) -> "pd.MultiIndex":
    """The keys of series as the index of a frame; those of the same series are one."""
    import pandas as pd  # here alone: a collection needs no frames

    series = ids.tobytes()
    if series not in _indexes:
        if len(_indexes) >= MOST_INDEXES:
            _indexes.clear()
        _indexes[series] = pd.MultiIndex.from_tuples(keys_of(ids.tolist()), names=LEVELS)
    return _indexes[series]


def layout_id(category: int, part: int, ids: Sequence[int]) -> int:
    """The layout with exactly these series in this order."""
    digest = hashlib.sha256(struct.pack(f">hh{len(ids)}i", category, part, *ids)).digest()
    if digest not in _layouts:
        Layout.objects.bulk_create(
            [Layout(category=category, part=part, digest=digest, series_ids=list(ids))], ignore_conflicts=True
        )
        pk = Layout.objects.values_list("pk", flat=True).get(digest=digest)
        _layouts[digest] = pk
        _ids[pk] = np.asarray(ids, dtype=np.int64)
    return _layouts[digest]


def layout_series(ids: Iterable[int]) -> dict[int, NDArray[np.int64]]:
    """The series of each layout, as arrays of ids by position."""
    pks = set(ids)
    unknown = pks - _ids.keys()
    if unknown:
        for row in Layout.objects.filter(pk__in=unknown):
            _ids[row.pk] = np.asarray(row.series_ids, dtype=np.int64)
    return {pk: _ids[pk] for pk in pks}


@dataclass(frozen=True)
class Placement:
    """Where values go that come in some order of their own: the parts of a category, and each value's position."""

    parts: list[tuple[int, int]]  # layout and length of each part
    positions: NDArray[np.intp]  # in all parts put together

    def whole(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values in their positions, with NaN where a series of the layouts has none."""
        vector = np.full(sum(length for _, length in self.parts), np.nan)
        vector[self.positions] = values
        return vector


_newest: dict[
    tuple[str, int, int], tuple[int, ...]
] = {}  # table, target, category -> the layout of each part
_placed: dict[
    tuple[int, tuple[Name, ...], tuple[int, ...]], Placement
] = {}  # lately, by category, names and layouts
MOST_PLACED = 300
DEAD_SHARE = 0.25  # of a layout; with more of it gone a compact one is started


def place(
    table: str,
    target_id: int,
    category: int,
    names: Iterable[Name],
    classes: Mapping[str, str] | None = None,
) -> Placement:
    """
    Where a target's category keeps the series of these names: in the newest layouts, grown at the end.

    A series that has vanished keeps its position; when a quarter of them has, the category is laid out anew.
    """
    key, read = (table, target_id, category), tuple(names)
    if key not in _newest:
        _newest[key] = _read_newest(*key)
    cached_placement = _placed.get((category, read, _newest[key]))
    if cached_placement is not None:
        return cached_placement
    placement = _place(category, series_ids([(category, *name) for name in read], classes), _newest[key])
    _newest[key] = tuple(layout for layout, _ in placement.parts)
    if len(_placed) >= MOST_PLACED:
        _placed.clear()
    _placed[category, read, _newest[key]] = placement
    return placement


def _place(category: int, ids: Sequence[int], layouts: Sequence[int]) -> Placement:
    series = np.array(ids, dtype=np.int64)
    members = layout_series(layouts)
    parts = [members[layout] for layout in layouts]
    laid_out = _join(parts)
    is_held = np.isin(series, laid_out)
    if len(laid_out) - np.count_nonzero(is_held) > DEAD_SHARE * len(laid_out):
        parts, is_held = [], np.zeros(len(series), dtype=bool)
    if not is_held.all():
        parts = _grow(parts, np.unique(series[~is_held]))
        layouts = [layout_id(category, part, members.tolist()) for part, members in enumerate(parts)]
        laid_out = _join(parts)
    order = np.argsort(laid_out)
    return Placement(
        [(layout, len(part)) for layout, part in zip(layouts, parts, strict=True)],
        order[np.searchsorted(laid_out, series, sorter=order)],
    )


def _join(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _grow(parts: list[NDArray[np.int64]], new: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Parts with series added at their end, and as many further parts as it takes."""
    room = VALUES_PER_ROW - len(parts[-1]) if parts else 0
    last = [np.concatenate([parts[-1], new[:room]])] if room else parts[-1:]
    return [*parts[:-1], *last, *_cut(new[room:])]


def _cut(new: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """
    As few parts as possible, evenly long: what is short stays uncompressed, so that 384 and 216 take a quarter more
    than twice 300. Where even parts would all be that short, as many as possible are full.
    """
    count = -(-len(new) // VALUES_PER_ROW)
    if len(new) < count * COMPRESSED_FROM:
        return [new[start : start + VALUES_PER_ROW] for start in range(0, len(new), VALUES_PER_ROW)]
    return np.array_split(new, count) if count else []


def _read_newest(table: str, target_id: int, category: int) -> tuple[int, ...]:
    moment = {"snapshot": "bucket", "figure": "day"}[table]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT layout_id FROM {table} WHERE target_id = %s AND category = %s AND {moment} = (SELECT"
            f" max({moment}) FROM {table} WHERE target_id = %s AND category = %s AND part = 0) ORDER BY part",
            [target_id, category, target_id, category],
        )
        return tuple(layout for (layout,) in cursor.fetchall())
