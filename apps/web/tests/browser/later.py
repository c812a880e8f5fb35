"""
Later days of a target of its own, in the database of HEADROOM_DATABASE_URL: `python -m apps.web.tests.browser.later`.

`begin` registers WALKPRD with ten quiet days up to a fortnight ago; `night MS` is one more day with that average of
log file sync, recorded and reviewed. Prints the violations that are live then.
"""

import json
import sys
from datetime import date, datetime, timedelta

import django

NAME, QUIET, BACK = "WALKPRD", 10, 14


def main(what: str, *rest: str) -> None:
    from django.utils import timezone

    from apps.inventory.models import Target
    from apps.thresholds.models import Violation

    today = timezone.now().date()
    if what == "begin":
        begin(today)
    else:
        target = Target.objects.get(name=NAME)
        assert target.reviewed_through is not None
        night(target, target.reviewed_through + timedelta(days=1), float(rest[0]))
    live = Violation.objects.live().filter(target__name=NAME).order_by("pk")
    print(json.dumps([str(pk) for pk in live.values_list("pk", flat=True)]))


def begin(today: date) -> None:
    from django.utils import timezone

    from apps.inventory.models import Target
    from apps.snapshots.retention import ensure_partitions

    ensure_partitions([today - timedelta(days=back) for back in (0, 20, 40)])
    target = Target.objects.create(
        name=NAME,
        kind=Target.Kind.INSTANCE,
        platform="oracle",
        collector="oracle",
        is_paused=True,
        registered_at=timezone.now() - timedelta(days=40),
    )
    first = today - timedelta(days=BACK + QUIET)
    for offset in range(QUIET):
        night(target, first + timedelta(days=offset), 4.0)


def night(target: "object", on: date, milliseconds: float) -> None:
    """A day of 2,000 commits an hour, each waiting so long, read at the midnight that ends it, and reviewed."""
    from apps.collection.collect import timetable_of
    from apps.inventory.models import Target
    from apps.platforms.oracle.metrics import METRICS
    from apps.review.nightly import review_targets
    from apps.snapshots.engine.days import day_of
    from apps.snapshots.record import ReadSource, record_snapshot

    assert isinstance(target, Target)
    category = {metric.key: metric.category for metric in METRICS}["wait_time"]
    waited = target.address.get("waited", {"time": 0.0, "count": 0.0})
    timetable = timetable_of(target)

    def record(slot: datetime) -> None:
        values = {
            ("wait_time", "log file sync"): waited["time"],
            ("wait_count", "log file sync"): waited["count"],
        }
        record_snapshot(
            target,
            [ReadSource(category=category, values=values, classes={"log file sync": "Commit"})],
            slot=slot,
            captured_at=slot,
            started_at=target.registered_at,
        )

    if not waited["count"]:
        record(timetable.ending_slot(day_of(on - timedelta(days=1), target.zone)))
    waited = {"time": waited["time"] + 48_000 * milliseconds * 1000, "count": waited["count"] + 48_000}
    record(timetable.ending_slot(day_of(on, target.zone)))
    target.address = {"waited": waited}
    target.save(update_fields=["address"])
    review_targets([target], on, timetable.closes_at(on))


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
