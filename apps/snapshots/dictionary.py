"""
Series and layouts by their identity. Neither ever changes, so a process keeps what it has seen without expiry.

Both are created by INSERT .. ON CONFLICT DO NOTHING and read back, in a short transaction of their own before that
of the snapshot, so that two collectors which meet the same new name wait for nothing.
"""

import hashlib
import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import UnknownMetric, get_metric
from apps.snapshots.models import VALUES_PER_ROW, Layout, Series

Key = tuple[int, str, str]  # category, metric, component

_KINDS = {Kind.COUNTER: "c", Kind.GAUGE: "g", Kind.HIGH_WATER: "h", Kind.RATIO: "r", Kind.SETTING: "g"}

_series: dict[Key, int] = {}
_keys: dict[int, Key] = {}
_layouts: dict[bytes, int] = {}
_ids: dict[int, NDArray[np.int64]] = {}


def forget() -> None:
    """Empty the cache; for tests, whose databases come and go."""
    for cache in (_series, _keys, _layouts, _ids, _newest):
        cache.clear()


def series_ids(keys: Sequence[Key], classes: Mapping[str, str] | None = None) -> list[int]:
    """The ids of series, creating what is new. `classes` gives the class of components where the source has one."""
    new = [key for key in dict.fromkeys(keys) if key not in _series]
    if new:
        _create(new, classes or {})
    return [_series[key] for key in keys]


def _create(keys: list[Key], classes: Mapping[str, str]) -> None:
    described = [(key, _metric(key[1])) for key in keys]
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


def _metric(key: str) -> Metric | None:
    try:
        return get_metric(key)
    except UnknownMetric:
        return None


def _unit(metric: Metric | None) -> str:
    if metric is None:
        return ""
    return metric.unit if metric.is_figure else (metric.reading_unit or metric.unit)


def _learn(rows: Iterable[Series]) -> None:
    for row in rows:
        key = (row.category, row.metric, row.component)
        _series[key] = row.pk
        _keys[row.pk] = key


def keys_of(ids: Iterable[int]) -> list[Key]:
    """Category, metric and component of series, in the order asked."""
    wanted = list(ids)
    unknown = {pk for pk in wanted if pk not in _keys}
    if unknown:
        _learn(Series.objects.filter(pk__in=unknown))
    return [_keys[pk] for pk in wanted]


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
    wanted = set(ids)
    unknown = wanted - _ids.keys()
    if unknown:
        for row in Layout.objects.filter(pk__in=unknown):
            _ids[row.pk] = np.asarray(row.series_ids, dtype=np.int64)
    return {pk: _ids[pk] for pk in wanted}


_newest: dict[
    tuple[str, int, int], list[list[int]]
] = {}  # table, target, category -> the series of each part
DEAD_SHARE = 0.25  # of a layout; with more of it gone a compact one is started


def place(table: str, target_id: int, category: int, ids: Sequence[int]) -> list[list[int]]:
    """
    The parts a target's category is laid out in so that it holds these series: the newest layouts, grown at the end.

    A series that has vanished keeps its position; when a quarter of a part has, the category is laid out anew.
    """
    key = (table, target_id, category)
    if key not in _newest:
        _newest[key] = _read_newest(*key)
    parts = _newest[key]
    held = {pk for part in parts for pk in part}
    wanted = set(ids)
    if held == wanted:
        return parts
    if parts and len(held - wanted) > DEAD_SHARE * len(held):
        parts, held = [], set()
    grown = [list(part) for part in parts]
    for pk in sorted(wanted - held):
        if not grown or len(grown[-1]) == VALUES_PER_ROW:
            grown.append([])
        grown[-1].append(pk)
    _newest[key] = grown
    return grown


def _read_newest(table: str, target_id: int, category: int) -> list[list[int]]:
    moment = {"snapshot": "bucket", "figure": "day"}[table]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT l.series_ids FROM {table} t JOIN layout l ON l.id = t.layout_id"
            f" WHERE t.target_id = %s AND t.category = %s AND t.{moment} ="
            f" (SELECT max({moment}) FROM {table} WHERE target_id = %s AND category = %s) ORDER BY t.part",
            [target_id, category, target_id, category],
        )
        return [list(ids) for (ids,) in cursor.fetchall()]
