"""Targets that were not read on some night of a week."""

from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.reports.engine.week import Week

UNREAD = (CollectionRun.State.FAILED, CollectionRun.State.MISSED)
HALF_A_DAY = timedelta(hours=12)
LONGEST_REASON = 300


def find_missed_nights(targets: QuerySet[Target], week: Week, known_at: datetime) -> list[dict[str, str]]:
    """
    Targets read daily that were not read on some night, with the newest reason, the most nights first.

    A night belongs to the day that its slot ends, in the target's own time zone. One that a reading closed all the same,
    the scheduled one or one by hand, was read, whatever else failed. A target whose Sunday was not reviewed yet is named
    too, with no nights.
    """
    begin = datetime.combine(week.first_day, time(), UTC) - HALF_A_DAY
    runs = (
        CollectionRun.objects.filter(
            target__in=targets,
            slot__range=(begin, known_at),
            target__interval_minutes=1440,
        )
        .exclude(state=CollectionRun.State.RUNNING)
        .select_related("target")
        .defer("sources", "notes")
    )
    runs_by_night = [(run, _night(run)) for run in runs.order_by("slot")]
    read = {(run.target_id, ends) for run, ends in runs_by_night if run.state not in UNREAD}
    nights: dict[str, set[date]] = {}
    reasons: dict[str, str] = {}
    for run, ends in runs_by_night:
        is_unread = run.state in UNREAD and (run.target_id, ends) not in read and not _is_idle_try(run)
        if is_unread and week.first_day <= ends <= week.last_day:
            nights.setdefault(run.target.name, set()).add(ends)
            reasons[run.target.name] = run.reason or "It was missed."
    missed = [
        {"target": name, "nights": str(len(days)), "reason": reasons[name][:LONGEST_REASON]}
        for name, days in nights.items()
    ]
    late = targets.filter(is_paused=False, reviewed_through__lt=week.last_day).exclude(name__in=nights)
    missed += [
        {"target": name, "nights": "0", "reason": "Its Sunday is not closed yet."}
        for name in late.values_list("name", flat=True)
    ]
    return sorted(missed, key=lambda gap: (-int(gap["nights"]), gap["target"].lower()))


def _night(run: CollectionRun) -> date:
    """The day that a reading ends: that of the midnight it is nearest to."""
    return (run.slot.astimezone(run.target.zone).replace(tzinfo=None) - HALF_A_DAY).date()


def _is_idle_try(run: CollectionRun) -> bool:
    """A try by hand of a target that nobody wants to be read at night."""
    here = run.slot.astimezone(run.target.zone)
    is_scheduled = (here.hour, here.minute) == (run.target.collect_at.hour, run.target.collect_at.minute)
    return run.target.is_paused and not is_scheduled
