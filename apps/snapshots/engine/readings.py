"""What was read of a target, and the same as tables of successive readings (arithmetic, no Django)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import numpy as np

from apps.catalog.metric import MetricOf
from apps.snapshots.engine.rates import Flags, Floats


@dataclass(frozen=True)
class Shot:
    """
    What was read of one category in one slot: `keys` are (metric, component) by position of `values`.

    One without keys ends a stretch of which nothing is known.
    """

    captured_at: datetime
    started_at: datetime | None
    keys: Sequence[tuple[str, str]]
    values: Floats
    identity: str = ""  # whose counters these are; where it changes between two readings, nothing is known


Shots = Mapping[int, Mapping[datetime, Shot]]  # category -> slot -> what was read


@dataclass(frozen=True)
class ReadingTable:
    """One category over n + 1 slots: `values` (n + 1, s), and for each metric its components and their columns."""

    captured: Floats
    started: Floats
    moved: Flags  # (n,)
    unknown: Flags  # (n,): intervals of which nothing is known
    values: Floats
    columns: Mapping[str, tuple[list[str], list[int]]]


def table_of(shots: Mapping[datetime, Shot], slots: Sequence[datetime]) -> ReadingTable:
    rows = [shots.get(slot) for slot in slots]
    lists = {id(shot.keys): shot.keys for shot in rows if shot is not None}
    column = {
        key: index for index, key in enumerate(dict.fromkeys(key for keys in lists.values() for key in keys))
    }
    places = {number: np.array([column[key] for key in keys], dtype=int) for number, keys in lists.items()}
    captured, started = np.full(len(slots), np.nan), np.full(len(slots), np.nan)
    values = np.full((len(slots), len(column)), np.nan)
    owners = [shot.identity if shot is not None else "" for shot in rows]
    moved = np.array([bool(a and b) and a != b for a, b in pairwise(owners)], dtype=bool)
    for index, shot in enumerate(rows):
        if shot is not None:
            captured[index] = shot.captured_at.timestamp()
            started[index] = shot.started_at.timestamp() if shot.started_at else np.nan
            values[index, places[id(shot.keys)]] = shot.values
    unknown = np.array([shot is not None and not shot.keys for shot in rows[1:]], dtype=bool)
    columns: dict[str, tuple[list[str], list[int]]] = {}
    for (metric, component), index in column.items():
        names, where = columns.setdefault(metric, ([], []))
        names.append(component)
        where.append(index)
    return ReadingTable(captured, started, moved, unknown, values, columns)


def components_of(tables: Mapping[int, ReadingTable], metric_of: MetricOf) -> dict[str, list[str]]:
    """The components of each kind that the readings name, sorted, so that arrays of one kind line up."""
    names: dict[str, set[str]] = {}
    for table in tables.values():
        for key, (components, _) in table.columns.items():
            metric = metric_of(key)
            if metric is not None and metric.component_kind:
                names.setdefault(metric.component_kind, set()).update(components)
    return {kind: sorted(members) for kind, members in names.items()}
