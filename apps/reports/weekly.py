"""The weekly report: what broke its limit, what was resolved, what was not collected (product.md, The weekly report)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Q

from apps.advisors.models import Action
from apps.collection.models import CollectionRun
from apps.inventory.models import Group, Target
from apps.reports.models import WeeklyReport
from apps.reports.week import Week
from apps.thresholds.models import Severity, Violation


@dataclass(frozen=True)
class Item:
    """One violation as the report prints it; days as ISO text, values in `unit`."""

    violation: int
    target: str
    group: str
    what: str
    severity: str
    state: str
    limit: str
    value: float | None
    unit: str
    opened_on: str | None
    closed_on: str | None
    owner: str
    due_on: str | None
    next_step: str


@dataclass(frozen=True)
class Facts:
    """What happened in a week, as known when the report was composed."""

    new: Sequence[Item]
    continuing: Sequence[Item]
    resolved: Sequence[Item]
    predicted: Sequence[Item]
    not_collected: Sequence[dict[str, str]]
    targets: int


def compose_weekly_report(week: Week, now: datetime, group: Group | None = None) -> WeeklyReport:
    """Compose and keep the report of a week; composing it again replaces it."""
    facts = gather(week, now, group)
    content: dict[str, Any] = {"sentences": sentences(facts), **asdict(facts)}
    report, _ = WeeklyReport.objects.update_or_create(
        week=week.name, group=group, defaults={"composed_at": now, "content": content}
    )
    return report


def gather(week: Week, now: datetime, group: Group | None = None) -> Facts:
    """The facts of a week, of all targets or a group."""
    targets = Target.objects.filter(Q(retired_at=None) | Q(retired_at__gte=_midnight(week.first_day)))
    if group is not None:
        targets = targets.filter(group=group)
    seen = Violation.objects.for_report(week.first_day, week.last_day).filter(target__in=targets)
    items: dict[str, list[tuple[tuple[Any, ...], Item]]] = {
        "new": [],
        "continuing": [],
        "resolved": [],
        "predicted": [],
    }
    for violation in seen.select_related("plan"):
        kind = _kind(violation, week)
        if kind:
            items[kind].append((_worst_first(violation), _item(violation)))
    sorted_items = {
        kind: [item for _, item in sorted(found, key=lambda pair: pair[0])] for kind, found in items.items()
    }
    return Facts(**sorted_items, not_collected=_not_collected(targets, week), targets=targets.count())


def _kind(violation: Violation, week: Week) -> str:
    """Which list of the report a violation belongs to; none if it was over before or came later."""
    opened, closed = violation.opened_on, violation.closed_on
    if opened is None or opened > week.last_day:
        is_known = violation.predicted_on is not None and violation.predicted_on <= week.last_day
        return "predicted" if is_known and (closed is None or closed > week.last_day) else ""
    if closed is not None and closed <= week.last_day:
        return "resolved" if closed >= week.first_day else ""
    return "new" if opened >= week.first_day else "continuing"


def _worst_first(violation: Violation) -> tuple[Any, ...]:
    return (
        violation.severity != Severity.CRITICAL,
        violation.due_on or date.max,
        violation.opened_on or date.max,
        violation.target.name.lower(),
        violation.pk,
    )


def _item(violation: Violation) -> Item:
    step = (
        Action.objects.filter(plan__violation=violation)
        .exclude(state__in=(Action.State.DONE, Action.State.DROPPED))
        .first()
    )
    return Item(
        violation=violation.pk,
        target=violation.target.name,
        group=violation.target.group.name if violation.target.group else "",
        what=f"{violation.component}, {violation.about.label}"
        if violation.component
        else violation.about.label,
        severity=violation.severity,
        state=violation.get_state_display(),
        limit=violation.notation,
        value=violation.value,
        unit=violation.unit,
        opened_on=violation.opened_on.isoformat() if violation.opened_on else None,
        closed_on=violation.closed_on.isoformat() if violation.closed_on else None,
        owner=str(violation.owner) if violation.owner else "",
        due_on=violation.due_on.isoformat() if violation.due_on else None,
        next_step=step.text if step else "",
    )


def _not_collected(targets: Sequence[Target] | Any, week: Week) -> list[dict[str, str]]:
    """Targets that were not read on some night of the week, with the newest reason."""
    failed = CollectionRun.objects.filter(
        target__in=targets,
        state__in=(CollectionRun.State.FAILED, CollectionRun.State.MISSED),
        slot__gte=_midnight(week.first_day),
        slot__lt=_midnight(week.last_day + timedelta(days=1)),
        target__interval_minutes=1440,
    ).select_related("target")
    told: dict[str, dict[str, str]] = {}
    for run in failed.order_by("slot"):
        known = told.setdefault(run.target.name, {"target": run.target.name, "nights": "0", "reason": ""})
        known["nights"] = str(int(known["nights"]) + 1)
        known["reason"] = run.reason
    return sorted(told.values(), key=lambda one: (-int(one["nights"]), one["target"]))


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def sentences(facts: Facts) -> list[str]:
    """The conclusion in up to three sentences, written from the facts."""
    over = [*facts.new, *facts.continuing]
    told = [_what_is_over(facts, len(over))]
    if over:
        told.append(_what_comes_first(over[0]))
    elif facts.resolved:
        told.append(f"{_count(len(facts.resolved), 'violation')} came back under control.")
    if facts.not_collected:
        names = ", ".join(one["target"] for one in facts.not_collected[:3])
        more = len(facts.not_collected) - 3
        told.append(f"Not read every night: {names}{f' and {more} more' if more > 0 else ''}.")
    return told[:3]


def _what_is_over(facts: Facts, over: int) -> str:
    if not over:
        return "Nothing broke its limit." if not facts.resolved else "Nothing is over its limit any more."
    new = f"{_count(len(facts.new), 'figure')} went over {'its' if len(facts.new) == 1 else 'their'} limit this week"
    new = new if facts.new else "Nothing new went over its limit this week"
    rest = f", {len(facts.continuing)} stayed over" if facts.continuing else ""
    resolved = f", {len(facts.resolved)} came back" if facts.resolved else ""
    return f"{new}{rest}{resolved}."


def _what_comes_first(item: Item) -> str:
    due = f", due {date.fromisoformat(item.due_on):%-d %B}" if item.due_on else ""
    owner = item.owner or "nobody yet"
    value = "" if item.value is None else f" at {item.value:.3g} {item.unit}"
    return f"First is {item.what} on {item.target}{value} against {item.limit}, owned by {owner}{due}."


def _count(number: int, noun: str) -> str:
    words = (
        "No",
        "One",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "Seven",
        "Eight",
        "Nine",
        "Ten",
        "Eleven",
        "Twelve",
    )
    shown = words[number] if number < len(words) else f"{number:,}"
    return f"{shown} {noun}{'' if number == 1 else 's'}"
