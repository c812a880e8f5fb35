"""How many violations were open on each day, for the calendar of the estate."""

from datetime import date, timedelta

import numpy as np
from django.db import connection
from django.db.models import Count, QuerySet

from apps.inventory.models import Target
from apps.thresholds.models import Violation

_DAYS_READ = """
    SELECT day FROM generate_series(%(first)s::date, %(last)s::date, interval '1 day') AS asked(day)
     WHERE EXISTS (SELECT FROM coverage WHERE coverage.day = asked.day::date AND target_id = ANY(%(targets)s))
"""


def calendar_days(targets: QuerySet[Target], last: date, weeks: int = 13) -> dict[date, int | None]:
    """How many violations were open on each day; None for days on which nothing was read."""
    first = last - timedelta(days=7 * weeks - 1)
    with connection.cursor() as cursor:
        cursor.execute(
            _DAYS_READ, {"first": first, "last": last, "targets": [target.pk for target in targets]}
        )
        read = {day.date() for (day,) in cursor.fetchall()}
    spans = (
        Violation.objects.filter(target__in=targets, opened_on__lte=last)
        .exclude(closed_on__lte=first)
        .order_by()
        .values_list("opened_on", "closed_on")
        .annotate(number=Count("pk"))
    )
    changes = np.zeros((last - first).days + 2, dtype=int)  # how many more are open than on the day before
    for opened, closed, number in spans:
        changes[max(0, (opened - first).days)] += number
        changes[(min(closed, last + timedelta(days=1)) - first).days if closed else -1] -= number
    days = (first + timedelta(days=offset) for offset in range((last - first).days + 1))
    return {
        day: int(count) if day in read else None
        for day, count in zip(days, changes.cumsum()[:-1], strict=True)
    }
