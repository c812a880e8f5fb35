"""Segments: the largest, and those that are worked on most."""

from datetime import datetime, timedelta

import numpy as np

from apps.collection.collector import Reading
from apps.inventory.models import Target
from apps.platforms.oracle import categories, queries
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.places import STORED_IN, places_as_text
from apps.platforms.oracle.read import Reader, readings
from apps.snapshots.engine.readings import Shot
from apps.snapshots.roll_up import shots_of
from apps.snapshots.vectors import vector_cursor

HEAD = 50  # segments of each statistic
WATCHED_FOR = timedelta(days=35)  # since a segment was last at the head
MOST_WATCHED = 500  # segments


def read_segments(reader: Reader) -> list[Reading]:
    """The size of the largest segments, partitions together; the tablespace each is in is kept as a fact."""
    sizes = []
    for con_id, owner, name, size, *tablespaces in reader.rows(queries.SEGMENTS):
        segment = reader.in_container(con_id, f"{owner}.{name}")
        spaces = (reader.in_container(con_id, space) for space in tablespaces if space)
        reader.facts[f"{STORED_IN}/{segment}"] = places_as_text(spaces)
        sizes += readings([("segment_mb", size)], segment)
    return sizes


def read_activity(reader: Reader) -> list[Reading]:
    """The segments at the head of each statistic, partitions together, and those that were there of late."""
    metric_of = {m.name: m.key for m in METRICS if m.category == categories.SEGSTAT}
    names = sorted({_without_container(reader, component) for _, component in reader.watched})
    activity = []
    for con_id, owner, name, statistic, value, place in reader.rows(queries.SEGMENT_STATISTICS, names):
        component = reader.in_container(con_id, f"{owner}.{name}")
        metric = metric_of.get(statistic)
        if metric and (place <= HEAD or (metric, component) in reader.watched):
            activity += readings([(metric, value)], component)
    return activity


def _without_container(reader: Reader, component: str) -> str:
    container, _, name = component.partition("/")
    return name if container in reader.containers.values() else component


def read_watched_segments(target: Target, slot: datetime) -> frozenset[tuple[str, str]]:
    """
    The counters that are read on although they may not be at the head any more, by metric and component.

    A counter needs two readings in a row. So a segment that was among the first of a statistic stays under watch
    for five weeks; where there are very many, those that were there last.
    """
    with vector_cursor() as cursor:
        cursor.execute(
            'SELECT category, bucket, captured_at, started_at, layout_id, "values" FROM snapshot'
            " WHERE target_id = %s AND category = %s AND bucket >= %s AND bucket < %s ORDER BY bucket, part",
            [target.pk, categories.SEGSTAT, slot - WATCHED_FOR, slot],
        )
        rows = cursor.fetchall()
    shots = shots_of(target, rows).get(categories.SEGSTAT, {}) if rows else {}
    watched: set[tuple[str, str]] = set()
    names: set[str] = set()
    for bucket in sorted(shots, reverse=True):
        head = _head_of(shots[bucket])
        names |= {component for _, component in head}
        if len(names) > MOST_WATCHED:
            break
        watched |= head
    return frozenset(watched)


def _head_of(shot: Shot) -> set[tuple[str, str]]:
    """The counters that were among the first of their statistic in one reading."""
    order = np.argsort(-np.nan_to_num(shot.values, nan=-1.0), kind="stable")
    head: dict[str, list[tuple[str, str]]] = {}
    for place in order[~np.isnan(shot.values[order])]:
        key = shot.keys[place]
        of_statistic = head.setdefault(key[0], [])
        if len(of_statistic) < HEAD:
            of_statistic.append(key)
    return {key for keys in head.values() for key in keys}
