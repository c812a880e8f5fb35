"""
Load the estate: its targets, its limits, and the readings of every night up to yesterday.

The readings go the way of all readings: recorded as snapshots, rolled up, judged day by day. The work is done in weeks of
one target; what is done is noted with the target, so that a stop in the middle is continued by the next start.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from apps.advisors.findings import try_rules
from apps.collection.collect import timetable_of
from apps.collection.collector import Collected, CollectionError
from apps.collection.engine.slots import Timetable
from apps.collection.models import CollectionRun
from apps.collection.record_run import outcome_of, record_sources
from apps.demo.batches import send_batch_ends
from apps.demo.collector import NAME, DemoCollector, address_of
from apps.demo.drivers import add_drivers
from apps.demo.estate import HOSTS, INSTANCES, KNOWN_PEAKS, SHARED_LIMITS
from apps.demo.parts import DemoHost, DemoInstance, DemoLimit, DemoMember
from apps.demo.people import add_people
from apps.demo.progress import demo_progress, loaded_days
from apps.demo.remarks import write_remarks
from apps.demo.story import tell_story
from apps.forecasting.kind_records import renew_kind_records
from apps.forecasting.ledger import is_night_of_promises, promise_limits
from apps.inventory.example import Progress
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.reports.engine.week import last_complete_week
from apps.reports.models import WeeklyReport
from apps.reports.weekly_report import compose_weekly_report
from apps.review.nightly import review_targets
from apps.snapshots.engine.days import day_of
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.calendar_register import save_calendar
from apps.thresholds.calendars import Calendar
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold

HISTORY = range(1, 1001)  # days that can be loaded
WEEK = 7
FORESEEN = 10
HOURLY = 60
DAILY = 1440
READ_AT = time(0, 5)


class BadHistory(ValueError):
    """The estate cannot have a past of so many days; the message says how many it can have."""


def load_demo(days: int = 120, now: datetime | None = None) -> Progress:
    """
    Load the estate, or go on with loading it; nothing happens where all of it is there.

    Several may do it side by side: each takes the targets that nobody else has. Raises BadHistory.
    """
    if days not in HISTORY:
        raise BadHistory(f"{days} days cannot be loaded; give from {HISTORY[0]} to {HISTORY[-1]:,}.")
    now = now or timezone.now()
    with _not_waiting_for_the_disk():
        for target in set_up_demo(days, now):
            with _alone(target) as is_alone:
                if is_alone:
                    _load_unless_gone(target, now)
    progress = demo_progress()
    if progress.total and progress.is_complete:
        _try_rules()
        renew_kind_records(now.date())
        _report_last_week(now)
    return progress


def _try_rules() -> None:
    """Try the rules on all days at once, now that machines and instances both have theirs."""
    for target in Target.objects.demo().filter(collector=NAME):
        try_rules(target, *loaded_days(target.address))


def _report_last_week(now: datetime) -> None:
    """Have a report to read from the first day on, as an installation has that ran last Monday."""
    week = last_complete_week(now)
    if not WeeklyReport.objects.filter(week=week.name, group=None).exists():
        compose_weekly_report(week, now)


@contextmanager
def _not_waiting_for_the_disk() -> Iterator[None]:
    """
    Commits return before they are on the disk.

    What a crash takes back is loaded again, for the note of what is done is taken back with it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET synchronous_commit")


@contextmanager
def _alone(target: Target) -> Iterator[bool]:
    """Whether nobody else loads this target, until the end of the block."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtext('headroom demo'), %s)", [target.pk])
        is_alone = bool(cursor.fetchone()[0])
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtext('headroom demo'), %s)", [target.pk])


def _load_unless_gone(target: Target, now: datetime) -> None:
    """The estate may be removed while it is being loaded; there is nothing more to do then."""
    try:
        target.refresh_from_db()
        load_target(target, now)
    except (DatabaseError, Target.DoesNotExist):
        if Target.objects.filter(pk=target.pk).exists():
            raise


def set_up_demo(days: int, now: datetime) -> list[Target]:
    """The targets of the estate with their limits, those to be looked at first in front; made where missing."""
    targets = list(Target.objects.demo().filter(collector=NAME)) or _set_up(days, now)
    names = [member.name for member in (*INSTANCES, *HOSTS)]
    return sorted(targets, key=lambda target: names.index(target.address["member"]))


def _set_up(days: int, now: datetime) -> list[Target]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('headroom demo'))")
        if existing := list(Target.objects.demo().filter(collector=NAME)):
            return existing
        people = add_people()
        targets: dict[str, Target] = {}
        for member in (*HOSTS, *INSTANCES):
            runs_on = targets[member.host] if isinstance(member, DemoInstance) else None
            targets[member.name] = _add_target(member, people, days_of(member, days, now), runs_on)
        for shared in SHARED_LIMITS:
            group = Group.objects.get(name=shared.group)
            _add_limit(shared.limit, people, shared.limit.owner, now, group=group)
        _add_known_peaks(people, list(targets.values()), now)
    return list(targets.values())


def days_of(member: DemoMember, days: int, now: datetime) -> tuple[date, date]:
    """The first and the last day a member is loaded with: the last one is closed by a slot that has come."""
    interval = HOURLY if isinstance(member, DemoHost) else DAILY
    last_slot = Timetable(ZoneInfo(member.time_zone), timedelta(minutes=interval), READ_AT).last_slot(now)
    last_day = last_slot.astimezone(ZoneInfo(member.time_zone)).date() - timedelta(days=1)
    return last_day - timedelta(days=days - 1), last_day


def _add_target(
    member: DemoMember, people: dict[str, User], loaded: tuple[date, date], runs_on: Target | None
) -> Target:
    """A target that is paused, and reviewed, until its past is loaded."""
    first_day, last_day = loaded
    group, _ = Group.objects.get_or_create(name=member.group)
    began_on = (
        first_day if member.first_age is None else max(first_day, last_day + timedelta(days=member.first_age))
    )
    is_host = isinstance(member, DemoHost)
    target = Target.objects.create(
        name=_free_name(member.name),
        kind=Target.Kind.HOST if is_host else Target.Kind.INSTANCE,
        platform="linux" if is_host else "oracle",
        collector=NAME,
        address=address_of(member.name, first_day, last_day),
        group=group,
        runs_on=runs_on,
        environment=member.environment,
        owner=people[member.owner],
        notes=member.notes,
        time_zone=member.time_zone,
        collect_at=READ_AT,
        interval_minutes=HOURLY if is_host else DAILY,
        is_paused=True,
        is_demo=True,
        registered_at=datetime.combine(began_on, time(0, 0), ZoneInfo(member.time_zone)),
        reviewed_through=last_day,
    )
    for limit in member.limits:
        _add_limit(limit, people, limit.owner or member.owner, target.registered_at, target=target)
    if isinstance(member, DemoInstance):
        add_drivers(target, member, loaded, people[member.owner], target.registered_at)
    return target


def _free_name(name: str) -> str:
    """A real target keeps its name; the fictional one steps aside."""
    return f"{name}-demo" if Target.objects.named(name).exists() else name


def _add_limit(
    limit: DemoLimit,
    people: dict[str, User],
    owner: str,
    set_at: datetime,
    *,
    target: Target | None = None,
    group: Group | None = None,
) -> list[Threshold]:
    return add_threshold(
        limit.metric,
        limit.notation,
        now=set_at,
        target=target,
        group=group,
        component=limit.component,
        severity=limit.severity,
        set_by=people[owner],
        owner=people[owner],
        plan=limit.plan,
        lead_time_days=limit.lead_time,
        opens_after=limit.fires_on,
        opens_within=limit.fires_of,
        closes_after=limit.closes_after,
        leaves_out_peaks=limit.leaves_out_peaks,
    )


def _add_known_peaks(people: dict[str, User], targets: Sequence[Target], now: datetime) -> None:
    """The calendars of the estate; a real one keeps its name."""
    for peak in KNOWN_PEAKS:
        _, last_day = loaded_days(
            next(target for target in targets if str(target.group) == peak.group).address
        )
        is_taken = Calendar.objects.in_force().filter(name=peak.name).exists()
        calendar = Calendar(
            name=f"{peak.name} (demo)" if is_taken else peak.name,
            kind=Calendar.Kind.PEAK,
            days=peak.days_until(last_day),
            group=Group.objects.get(name=peak.group),
        )
        save_calendar(calendar, by=people[peak.by], now=now)


def load_target(target: Target, now: datetime) -> None:
    """Record and review the past of one target, a week at a time, and what has been of today."""
    if target.address.get("is_loaded"):
        return
    first_day, last_day = loaded_days(target.address)
    first_day = max(first_day, target.registered_at.astimezone(target.zone).date())
    ensure_partitions(_days(first_day - timedelta(days=1), now.date() + timedelta(days=1)))
    through = target.address.get("loaded_through")
    since = date.fromisoformat(through) + timedelta(days=1) if through else first_day
    while since <= last_day:
        until = min(since + timedelta(days=WEEK - 1), last_day)
        _load_days(target, since, until, has_beginning=since == first_day)
        _note(target, loaded_through=until.isoformat())
        since = until + timedelta(days=1)
    _load_since(target, last_day + timedelta(days=1), now)
    write_remarks(target, last_day)
    target.is_paused = False
    target.save(update_fields=["is_paused"])
    _note(target, is_loaded=True)


def _note(target: Target, **entries: str | bool) -> None:
    target.address = target.address | entries
    target.save(update_fields=["address"])


def _days(since: date, until: date) -> list[date]:
    return [since + timedelta(days=offset) for offset in range((until - since).days + 1)]


def _load_days(target: Target, since: date, until: date, *, has_beginning: bool) -> None:
    """Record the slots that end these days, with the one that begins them where nothing came before; judge each day."""
    timetable = timetable_of(target)
    began, ended = (
        timetable.ending_slot(day_of(on, target.zone)) for on in (since - timedelta(days=1), until)
    )
    send_batch_ends(target, since, until)
    _record_slots(target, began if has_beginning else timetable.next_slot(began), ended)
    _, last_day = loaded_days(target.address)
    for on in _days(since, until):
        is_recent = (last_day - on).days < FORESEEN
        review_targets([target], on, timetable.closes_at(on), forecasts=is_recent, findings=False)
        if is_night_of_promises(on):
            promise_limits(target, on)
        tell_story(target, on, last_day)


def _load_since(target: Target, since: date, now: datetime) -> None:
    """What has been read since the last day loaded: the hours of today, and nights that a stop has skipped."""
    timetable = timetable_of(target)
    began = timetable.ending_slot(day_of(since - timedelta(days=1), target.zone))
    _record_slots(target, timetable.next_slot(began), now)
    for on in _days(since, now.astimezone(target.zone).date()):
        roll_up_day(target, on, now)


def _record_slots(target: Target, first: datetime, last: datetime) -> None:
    timetable = timetable_of(target)
    runs = []
    facts_before: Mapping[str, str] = {}
    slot = first
    while slot <= last:
        run = CollectionRun(target=target, slot=slot, began_at=slot)
        try:
            collected = DemoCollector().collect(target, slot)
        except CollectionError as error:
            _fail(run, error)
        else:
            run = _succeed(run, collected, {} if collected.facts == facts_before else collected.facts)
            facts_before = collected.facts
        runs.append(run)
        slot = timetable.next_slot(slot)
    CollectionRun.objects.bulk_create(runs, ignore_conflicts=True)


def _fail(run: CollectionRun, error: CollectionError) -> None:
    """What could not be read is told on the run; once a person is needed, the nights that follow are not tried."""
    target = run.target
    run.state = CollectionRun.State.MISSED if target.is_blocked else CollectionRun.State.FAILED
    run.reason, run.ended_at = str(error), run.slot
    run.is_worth_retrying = error.is_worth_retrying
    if error.needs_a_person and not target.is_blocked:
        target.blocked_because = str(error)
        target.save(update_fields=["blocked_because"])


def _succeed(run: CollectionRun, collected: Collected, facts: Mapping[str, str]) -> CollectionRun:
    seconds = round(sum(source.seconds for source in collected.sources), 3)
    record_sources(run.target, run.slot, collected, collected.sources, facts)
    return outcome_of(run, collected, collected.sources, run.slot, seconds)
