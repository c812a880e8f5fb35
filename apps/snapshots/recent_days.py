"""What the head of a target's pages says of its last days: one statement of our own, as it is asked on each of them."""

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection

from apps.inventory.models import Target

RESTART_DAYS = 90
CATEGORY_DAYS = 35
CHANGE_DAYS = 30
RELEASE = ("version", "distribution", "kernel")  # facts

_RECENT = """
SELECT (SELECT coalesce(sum(restarts), 0) FROM coverage
         WHERE target_id = %(target)s AND day > %(until)s - %(restart_days)s AND day <= %(until)s),
       (SELECT array_agg(DISTINCT key::int) FROM coverage, jsonb_each(categories)
         WHERE target_id = %(target)s AND day > %(until)s - %(category_days)s AND day <= %(until)s
           AND NOT value ? 'missing'),
       (SELECT origin FROM coverage WHERE target_id = %(target)s AND day = %(until)s),
       (SELECT jsonb_object_agg(name, value ORDER BY since)::text FROM fact
         WHERE target_id = %(target)s AND component = '' AND name = ANY(%(release)s)),
       changed.number, changed.last
  FROM (SELECT count(DISTINCT component) AS number, max(since) AS last FROM fact
         WHERE target_id = %(target)s AND name = 'parameter'
           AND (since AT TIME ZONE %(zone)s)::date > %(until)s - %(change_days)s
           AND (since AT TIME ZONE %(zone)s)::date <= %(until)s
           AND EXISTS (SELECT FROM fact AS before
                        WHERE before.target_id = fact.target_id AND before.name = fact.name
                          AND before.component = fact.component AND before.since < fact.since)) AS changed
"""


@dataclass(frozen=True)
class RecentDays:
    """What is known of the days up to one."""

    restarts: int  # in RESTART_DAYS
    categories: AbstractSet[int]  # of which something was read in CATEGORY_DAYS
    origin: str  # where the figures of the day come from, if not from readings
    release: Mapping[str, str]  # the newest of each fact of RELEASE
    changed_parameters: int  # that are not what they were CHANGE_DAYS before ...
    last_change: datetime | None  # ... and when the last of them changed


def read_recent_days(target: Target, until: date) -> RecentDays:
    """What is known of the days of a target up to `until`, that one too."""
    with connection.cursor() as cursor:
        cursor.execute(
            _RECENT,
            {
                "target": target.pk,
                "until": until,
                "zone": target.time_zone,
                "release": list(RELEASE),
                "restart_days": RESTART_DAYS,
                "category_days": CATEGORY_DAYS,
                "change_days": CHANGE_DAYS,
            },
        )
        restarts, categories, origin, release, changed, last_change = cursor.fetchone()
    release_facts: Mapping[str, str] = json.loads(release) if release else {}
    return RecentDays(
        int(restarts), frozenset(categories or ()), origin or "", release_facts, changed, last_change
    )
