"""How the newest runs left each target: asked on every page, by one look into the index a target."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from apps.collection.models import CollectionRun

# Statements of our own: composing these takes Django's ORM ten times as long as the server takes to answer.
_LEFT = """
    FROM {targets}
   CROSS JOIN LATERAL (
         SELECT state FROM collection_collectionrun
          WHERE target_id = target.id AND state <> %(running)s AND slot <= %(at)s
          ORDER BY slot DESC LIMIT 1) AS newest
   WHERE newest.state = ANY(%(states)s)
"""
_NEWEST_READ = """
  (SELECT slot FROM collection_collectionrun
    WHERE target_id = target.id AND state = ANY(%(read)s) AND slot <= %(at)s
    ORDER BY slot DESC LIMIT 1)
"""
_OF_ANY = f"SELECT target.id, {_NEWEST_READ}" + _LEFT.format(
    targets="unnest(%(ids)s::bigint[]) AS target(id)"
)
_OF_WATCHED = "SELECT count(*)" + _LEFT.format(
    targets="(SELECT id FROM inventory_target WHERE NOT is_paused AND retired_at IS NULL) AS target"
)

_LAST_READING = """
SELECT began_at, seconds, series FROM collection_collectionrun
 WHERE target_id = %(id)s AND state = ANY(%(read)s)
 ORDER BY slot DESC LIMIT 1
"""


class LastReading(NamedTuple):
    """The newest run of a target that read something: when it began, how long it took, how much it read."""

    began_at: datetime
    seconds: float
    series: int


def find_last_reading(target_id: int) -> LastReading | None:
    """The newest run of a target that read something."""
    with connection.cursor() as cursor:
        cursor.execute(_LAST_READING, {"id": target_id, "read": list(CollectionRun.WITH_SNAPSHOT)})
        row = cursor.fetchone()
    return None if row is None else LastReading(*row)


def find_left_in(
    states: Collection[str], target_ids: Collection[int], at: datetime
) -> dict[int, datetime | None]:
    """Those of the targets that were left in one of these states at a moment, with the newest slot that was read."""
    if not target_ids:
        return {}
    read = list(CollectionRun.WITH_SNAPSHOT)
    with connection.cursor() as cursor:
        cursor.execute(_OF_ANY, _parameters(states, at) | {"ids": list(target_ids), "read": read})
        return dict(cursor.fetchall())


def count_left_in(states: Collection[str], at: datetime) -> int:
    """How many watched targets were left in one of these states at a moment."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_WATCHED, _parameters(states, at))
        (count,) = cursor.fetchone()
    return int(count)


def _parameters(states: Collection[str], at: datetime) -> dict[str, Any]:
    return {"states": list(states), "at": at, "running": CollectionRun.State.RUNNING}
