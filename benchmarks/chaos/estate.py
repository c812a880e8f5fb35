"""
What the drill watches, and what has to be true of it afterwards. Each step is a process of its own on the drill's data:

    python -m benchmarks.chaos.estate make PORT SECONDS    twenty instances to read, and twenty with a past
    python -m benchmarks.chaos.estate review               all days that wait, with nobody disturbing
    python -m benchmarks.chaos.estate deliver              what a killed sender left
    python -m benchmarks.chaos.estate violations           as far as their days decide them, as a line of JSON
    python -m benchmarks.chaos.estate check SINCE UNTIL    counts, as a line of JSON; reads what arrived as mail
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import django

INSTANCES = 20
PAST_DAYS = 8
HELD_BACK = 15  # of those with a past, let in one by one, so that reviews and notices fall among the kills
LET_IN = "UPDATE inventory_target SET retired_at = NULL WHERE name = 'PAST' || lpad((%s)::int::text, 2, '0')"
RECIPIENTS = ("ada@example.com", "grace@example.com", "mary@example.com")
TWIN = "undisturbed"
GB = 1024.0**3
REDO = "redo_size"


def make(port: int, seconds: float, now: datetime) -> None:
    """Register instances to be read, and as many that are paused, with a past to review that breaks a limit."""
    from apps.catalog.registry import get_metric
    from apps.inventory.models import Target
    from apps.inventory.register import register_target
    from apps.snapshots.record import ReadSource, record_snapshot
    from apps.snapshots.retention import ensure_partitions
    from apps.snapshots.roll_up import rebuild_figures
    from apps.thresholds.register import add_threshold
    from benchmarks.chaos.oracle import ACCOUNT, SERVICE

    today = now.date()
    days = [today - timedelta(days=back) for back in range(PAST_DAYS, -1, -1)]
    ensure_partitions(days)
    Target.objects.update(interval_minutes=1)
    for number in range(INSTANCES):
        # the number is nothing to the driver; it makes an address of each
        address = {"host": "127.0.0.1", "port": port, "service": SERVICE, "number": number}
        about: dict[str, Any] = {
            "kind": Target.Kind.INSTANCE, "platform": "oracle", "collector": "oracle", "now": now,
            "username": ACCOUNT[0], "password": ACCOUNT[1],
        }  # fmt: skip
        register_target(f"DRILL{number:02}", address=address, interval_minutes=1, **about)
        past = register_target(
            f"PAST{number:02}", address={**address, "number": -1 - number}, is_paused=True, **about
        )
        for index, day in enumerate(days):
            at = datetime(day.year, day.month, day.day, tzinfo=UTC)
            read = {(REDO, ""): (10 + number) * GB * index}
            record_snapshot(
                past, [ReadSource(category=get_metric(REDO).category, values=read)],
                slot=at, captured_at=at, started_at=datetime(2026, 1, 1, tzinfo=UTC),
            )  # fmt: skip
        rebuild_figures(past, days[0], days[-1], now)
    # a limit that half of the instances keep
    add_threshold(REDO, f"<={10 + INSTANCES // 2}", now=now)
    held_back = [f"PAST{number:02}" for number in range(HELD_BACK)]
    Target.objects.filter(name__in=held_back).update(retired_at=now)
    make_recipients(now + timedelta(seconds=60 + seconds / 2))


def make_recipients(due_at: datetime) -> None:
    """People who are told: of violations every minute, and of the week from that moment on, composed every minute too."""
    from django_celery_beat.models import CrontabSchedule, PeriodicTask

    from apps.notices.models import RecipientList, Subscriber

    Subscriber.objects.create(name="Room", address=RECIPIENTS[0], digest_minutes=1, failing=False)
    RecipientList.objects.create(
        name="Board", addresses=" ".join(RECIPIENTS), weekday=due_at.isoweekday(), at=due_at.time()
    )
    every_minute, _ = CrontabSchedule.objects.get_or_create(
        minute="*", hour="*", day_of_week="*", day_of_month="*", month_of_year="*", timezone="UTC"
    )
    weekly = PeriodicTask.objects.get(task="worker.tasks.compose_report")
    weekly.crontab = every_minute
    weekly.save()


def check(since: datetime, until: datetime, arrivals: dict[str, int]) -> dict[str, Any]:
    """Count what became of every slot, what is doubled, halved or different, and what is lost."""
    return {
        **check_slots(since, until),
        **check_snapshots(since),
        "figures": check_figures(),
        "reports": check_reports(),
        "notices": check_notices(),
        "mails": check_mails(arrivals),
    }


def check_slots(since: datetime, until: datetime) -> dict[str, Any]:
    """What became of every slot; slots that were missed in a row are one run."""
    from apps.collection.models import CollectionRun
    from apps.inventory.models import Target

    states, reasons, unaccounted, unexplained = Counter[str](), Counter[str](), 0, 0
    slots, middle, read_late, again = list(minutes(since, until)), since + (until - since) / 2, 0, 0
    for target in Target.objects.watched():
        runs = {
            slot: run
            for run in CollectionRun.objects.filter(target=target, slot__gte=since - timedelta(days=1))
            for slot in spanned(run.slot, run.last_slot)
        }
        for slot in slots:
            run = runs.get(slot)
            if run is None:
                unaccounted += 1
                print("unaccounted", target.name, slot, file=sys.stderr)
                continue
            states[run.state] += 1
            read_late += run.has_snapshot and slot > middle
            again += run.tries > 1
            if not run.has_snapshot:
                reasons[run.reason.partition(" (")[0][:90]] += 1
            if not run.has_snapshot and not run.reason:
                unexplained += 1
                print("unexplained", run, run.began_at, run.ended_at, run.tries, file=sys.stderr)
    for reason, count in reasons.most_common(12):
        print(count, reason, file=sys.stderr)
    return {
        "slots": sum(states.values()) + unaccounted, "states": dict(states), "read in the second half": read_late,
        "begun more than once": again,
        "unaccounted": unaccounted, "unexplained": unexplained,
    }  # fmt: skip


def spanned(first: datetime, last: datetime | None) -> Iterator[datetime]:
    """The slots of one run."""
    while True:
        yield first
        first += timedelta(minutes=1)
        if last is None or first > last:
            return


def minutes(since: datetime, until: datetime) -> Iterator[datetime]:
    slot = since.replace(second=0, microsecond=0) + timedelta(minutes=1)
    while slot < until:
        yield slot
        slot += timedelta(minutes=1)


def check_snapshots(since: datetime) -> dict[str, int]:
    """Complete runs whose snapshot lacks a category, and snapshots of no run."""
    from apps.collection.models import CollectionRun
    from apps.snapshots.models import Snapshot

    halved, orphaned = 0, 0
    buckets: dict[tuple[int, datetime], set[int]] = {}
    rows = Snapshot.objects.filter(bucket__gte=since).values_list("target_id", "bucket", "category")
    for target, bucket, category in rows:
        buckets.setdefault((target, bucket), set()).add(category)
    runs = {
        (run.target_id, run.slot): run
        for run in CollectionRun.objects.filter(slot__gte=since).select_related("target")
    }
    for key, categories in buckets.items():
        run = runs.get(key)
        if run is None or not run.has_snapshot:
            orphaned += 1
            continue
        read = {source["category"] for source in run.sources if not source["error"] and source["series"]}
        halved += categories != read
    whole = [run for key, run in runs.items() if run.has_snapshot and key not in buckets]
    return {"snapshots": len(buckets), "halved": halved, "orphaned": orphaned, "lost": len(whole)}


def check_figures() -> dict[str, int]:
    """Figures as the drill left them beside those that an undisturbed roll-up makes of the same readings."""
    from apps.inventory.models import Target
    from apps.snapshots.roll_up import readable_days, rebuild_figures

    left = read_figures()
    now = datetime.now(UTC)
    for target in Target.objects.in_estate():
        if readable := readable_days(target):
            rebuild_figures(target, *readable, now)
    made = read_figures()
    different = sum(left.get(key) != values for key, values in made.items())
    for key in [key for key in {**left, **made} if left.get(key) != made.get(key)][:5]:
        print(key, left.get(key, "")[:300], made.get(key, "")[:300], sep="\n  ", file=sys.stderr)
    return {"compared": len(made), "different": different + len(left.keys() - made.keys())}


def read_figures() -> dict[tuple[int, int, int, date], str]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT target_id, category, part, day, "values"::text FROM figure'
            """ WHERE EXISTS (SELECT 1 FROM unnest("values") value WHERE value <> 'NaN')"""
        )
        return {tuple(row[:4]): row[4] for row in cursor.fetchall()}


def check_reports() -> dict[str, int]:
    """Weekly reports: one that was sent, to each recipient once, and at most one composed since."""
    from apps.notices.models import Delivery
    from apps.reports.models import WeeklyReport

    weeks = Counter(
        (week, sent_at is not None) for week, sent_at in WeeklyReport.objects.values_list("week", "sent_at")
    )
    deliveries = Counter(Delivery.objects.exclude(report=None).values_list("recipient", flat=True))
    return {
        "sent": sum(count for (_, is_sent), count in weeks.items() if is_sent),
        "doubled": sum(count - 1 for count in weeks.values())
        + sum(count - 1 for count in deliveries.values()),
        "lost": len(set(RECIPIENTS) - deliveries.keys()),
    }


def check_notices() -> dict[str, int]:
    """Notices, each told to the subscriber in one message."""
    from apps.notices.models import Delivery, Notice

    texts = Counter(Notice.objects.exclude(kind=Notice.Kind.FAILING).values_list("text", flat=True))
    messages = Counter(
        notice["text"]
        for delivery in Delivery.objects.exclude(subscriber=None)
        for notice in delivery.notices
    )
    return {
        "told": sum(messages.values()),
        "messages": Delivery.objects.exclude(subscriber=None).count(),
        "doubled": (messages - texts).total(),
        "lost": (texts - messages).total(),
    }


def check_mails(arrivals: dict[str, int]) -> dict[str, int]:
    """Messages that arrived; one whose fate was unknown may arrive twice, with the same Message-ID."""
    from apps.notices.models import Delivery

    deliveries = {row.message_id: row for row in Delivery.objects.all()}
    return {
        "arrived": len(arrivals),
        "sent once more": sum(row.is_second for row in deliveries.values()),
        "doubled": sum(
            count > 1 + deliveries[name].is_second if name in deliveries else 1
            for name, count in arrivals.items()
        ),
        "lost": sum(row.message_id not in arrivals for row in deliveries.values()),
    }


def violations() -> list[list[str]]:
    """Each violation as far as its days alone decide it, and how many notices it has."""
    from apps.notices.models import Notice
    from apps.thresholds.models import Violation

    return sorted(
        [
            str(part)
            for part in (
                violation.target.name, violation.metric, violation.component, violation.state, violation.opened_on, violation.value,
                violation.worst_value, violation.judged_on, Notice.objects.filter(violation=violation).count(),
            )
        ]
        for violation in Violation.objects.select_related("target")
    )  # fmt: skip


def deliver_rest(now: datetime) -> None:
    """Tell what waits for its digest, and hand over what a killed sender left; it is given up for dead after a while."""
    from apps.notices.digest import prepare_digests
    from apps.notices.handover import deliver_due
    from apps.notices.models import Delivery

    for later in (1, 2):
        moment = now + later * (Delivery.LONGEST + timedelta(minutes=1))
        prepare_digests(moment)
        deliver_due(moment)


def review_rest(until: datetime) -> None:
    """Review every day that was not reviewed yet, in order, with nobody disturbing."""
    from apps.inventory.models import Target
    from apps.notices.digest import prepare_digests
    from apps.review.nightly import review_targets
    from apps.review.waiting_days import find_due_reviews

    Target.objects.filter(name__startswith="PAST").update(retired_at=None)
    while dues := list(find_due_reviews(until)):
        for on, targets in dues:
            review_targets(Target.objects.filter(pk__in=[target.pk for target in targets]), on, until)
    prepare_digests(until)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    django.setup()
    step, *arguments = sys.argv[1:]
    if step == "make":
        make(int(arguments[0]), float(arguments[1]), datetime.now(UTC))
    elif step == "check":
        since, until = (datetime.fromisoformat(text) for text in arguments)
        print(json.dumps(check(since, until, json.load(sys.stdin))))
    elif step == "deliver":
        deliver_rest(datetime.now(UTC))
    elif step == "violations":
        print(json.dumps(violations()))
    elif step == "review":
        review_rest(datetime.now(UTC))


if __name__ == "__main__":
    main()
