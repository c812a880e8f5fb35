"""What happened that people asked to be told of. Finding it again changes nothing."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Max

from apps.advisors.models import Action
from apps.charts.figures import figure, long_day
from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.notices.models import Notice
from apps.outlook.outlooks import outlooks_of_cases
from apps.thresholds.limits import write_limit_of
from apps.thresholds.models import Step, Violation

Kind = Notice.Kind
BACK = timedelta(days=3)  # how long after it happened something is still told, for instance after a stop
MOST_NIGHTS = 30
State = Violation.State


def find_events(now: datetime) -> list[Notice]:
    """Note what happened and was not noted yet; the new ones."""
    notices = [
        *_opened_notices(now),
        *_predicted_notices(now),
        *_overdue_notices(now),
        *_failing_notices(now),
    ]
    have = set(
        Notice.objects.filter(key__in=[notice.key for notice in notices]).values_list("key", flat=True)
    )
    new = [notice for notice in notices if notice.key not in have]
    return Notice.objects.bulk_create(new)


def _opened_notices(now: datetime) -> Iterator[Notice]:
    steps = Step.objects.filter(
        after=State.OPEN, on__isnull=False, at__gt=now - BACK, violation__target__retired_at=None
    ).exclude(before=State.OPEN)
    for step in steps.select_related("violation__target", "violation__threshold"):
        violation = step.violation
        broke = violation.worst_value if violation.is_closing else violation.value
        value = f" at {figure(broke)} {violation.unit}".rstrip() if broke is not None else ""
        text = f"{_name(violation)} is over its limit{value} against {write_limit_of(violation)}."
        yield _violation_notice(violation, Kind.OPENED, step.pk, text, now)


def _predicted_notices(now: datetime) -> Iterator[Notice]:
    """Predictions whose time to act has come: the likely day lies within the lead time."""
    live = (
        Violation.objects.predicted()
        .filter(target__retired_at=None)
        .select_related("target", "threshold", "owner")
    )
    for outlook in outlooks_of_cases(live, now):
        if outlook.likely_on is None or outlook.act_by is None or outlook.act_by > now.date():
            continue
        text = (
            f"{_name(outlook.case)} is likely to reach its limit {outlook.limit_words} around "
            f"{long_day(outlook.likely_on)}; the lead time is {outlook.lead} days, so act now."
        )
        yield _violation_notice(outlook.case, Kind.PREDICTED, outlook.case.pk, text, now)


def _overdue_notices(now: datetime) -> Iterator[Notice]:
    late = (
        Action.objects.filter(
            due_on__lt=now.date(), plan__violation__closed_on=None, plan__violation__target__retired_at=None
        )
        .exclude(state__in=(Action.State.DONE, Action.State.DROPPED))
        .exclude(plan__violation__state__in=(State.ACCEPTED, State.REGRESSION))
        .select_related("plan__violation__target", "owner")
    )
    for action in late:
        violation = action.plan.violation
        owner = f" ({action.owner})" if action.owner else ""
        text = f"{_name(violation)}: the step “{action.text}” was due on {long_day(action.due_on)}{owner}."
        yield _violation_notice(violation, Kind.OVERDUE, f"{action.pk}:{action.due_on}", text, now)


def _violation_notice(violation: Violation, kind: Kind, which: object, text: str, now: datetime) -> Notice:
    """`which` tells this one from others of its kind, whenever it is found."""
    return Notice(
        kind=kind,
        key=f"{kind}:{which}",
        target=violation.target,
        violation=violation,
        found_at=now,
        text=text,
    )


def _failing_notices(now: datetime) -> Iterator[Notice]:
    """Targets that were not read for so many days in a row; each further day is a notice of its own."""
    bad = (CollectionRun.State.FAILED, CollectionRun.State.MISSED)
    since = now - timedelta(days=MOST_NIGHTS)
    read = dict(
        CollectionRun.objects.exclude(state__in=(*bad, CollectionRun.State.RUNNING))
        .filter(slot__gt=since)
        .values_list("target_id")
        .annotate(last=Max("slot"))
    )
    failed: dict[int, list[CollectionRun]] = {}
    runs = CollectionRun.objects.filter(
        state__in=bad, slot__range=(since, now), target__retired_at=None, target__is_paused=False
    )
    for run in runs.defer("sources", "notes").select_related("target").order_by("slot"):
        if run.slot > read.get(run.target_id, since):
            failed.setdefault(run.target_id, []).append(run)
    for members in failed.values():
        first, last, target = members[0], members[-1], members[-1].target
        days = _days_unread(target, first.slot, last.slot, now)
        if not days:
            continue
        yield Notice(
            kind=Kind.FAILING,
            key=f"failing:{target.pk}:{first.slot:%Y%m%d}:{days}",
            target=target,
            nights=days,
            found_at=now,
            text=f"{target.name} was not read for {days} day{'' if days == 1 else 's'}: {_reason(last, target)}",
        )


def _days_unread(target: Target, first: datetime, last: datetime, now: datetime) -> int:
    """
    Whole days by the slots that came to nothing from the first failure on, both moments of failures.

    A reading asked for by hand lies between slots, and its failure is no day. Of a target read many times a day only
    slots of a full day make one; those that were not even tried count as soon as they are missed.
    """
    timetable = timetable_of(target)
    due = timetable.next_slot(first - timedelta(microseconds=1))
    newest = max(timetable.last_slot(last), timetable.last_slot(now - timetable.patience))
    between = _on_the_wall(newest, target) - _on_the_wall(due, target)
    return max((between + timetable.interval) // timedelta(days=1), 0)


def _on_the_wall(moment: datetime, target: Target) -> datetime:
    """Where clocks are put forward or back, a day is still from one daily slot to the next."""
    return moment.astimezone(target.zone).replace(tzinfo=None)


def _reason(run: CollectionRun, target: Target) -> str:
    return (target.blocked_because or run.reason or "its nights were missed.")[:300]


def _name(violation: Violation) -> str:
    return f"{violation.what} on {violation.target.name}"
