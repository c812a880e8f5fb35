"""Segments: the largest, and those that are worked on most."""

from apps.collection.collector import Reading
from apps.platforms.oracle import categories, queries
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.read import Reader, readings


def read_segments(reader: Reader) -> list[Reading]:
    """The size of the largest segments, partitions together."""
    return [
        reading
        for con_id, owner, name, size in reader.rows(queries.SEGMENTS)
        for reading in readings([("segment_mb", size)], reader.in_container(con_id, f"{owner}.{name}"))
    ]


def read_activity(reader: Reader) -> list[Reading]:
    """The segments at the head of each statistic."""
    known = {m.name: m.key for m in METRICS if m.category == categories.SEGSTAT}
    return [
        reading
        for con_id, owner, name, statistic, value in reader.rows(queries.SEGMENT_STATISTICS)
        if statistic in known
        for reading in readings([(known[statistic], value)], reader.in_container(con_id, f"{owner}.{name}"))
    ]
