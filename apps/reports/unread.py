"""Targets that were not read on some night of a week."""

from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.reports.week import Week

HALF_A_DAY = timedelta(hours=12)
LONGEST_REASON = 300


def not_collected(targets: QuerySet[Target], week: Week, known_at: datetime) -> list[dict[str, str]]:
    """
    Targets read daily that were not read on some night, with the newest reason, the most nights first.

    A night belongs to the day that its slot ends, in the target's own time zone. A target whose Sunday was not
    reviewed yet is named too, with no nights.
    """
    begin = datetime.combine(week.first_day, time(), UTC) - HALF_A_DAY
    failed = (
        CollectionRun.objects.filter(
            target__in=targets,
            state__in=(CollectionRun.State.FAILED, CollectionRun.State.MISSED),
            slot__range=(begin, known_at),
            target__interval_minutes=1440,
        )
        .select_related("target")
        .defer("sources", "notes")
    )
    nights: dict[str, set[date]] = {}
    reasons: dict[str, str] = {}
    for run in failed.order_by("slot"):
        ends = (run.slot.astimezone(run.target.zone).replace(tzinfo=None) - HALF_A_DAY).date()
        if week.first_day <= ends <= week.last_day:
            nights.setdefault(run.target.name, set()).add(ends)
            reasons[run.target.name] = run.reason or "It was missed."
    told = [
        {"target": name, "nights": str(len(days)), "reason": reasons[name][:LONGEST_REASON]}
        for name, days in nights.items()
    ]
    late = targets.filter(is_paused=False, reviewed_through__lt=week.last_day).exclude(name__in=nights)
    told += [
        {"target": name, "nights": "0", "reason": "Its Sunday is not closed yet."}
        for name in late.values_list("name", flat=True)
    ]
    return sorted(told, key=lambda one: (-int(one["nights"]), one["target"].lower()))
