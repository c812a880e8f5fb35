"""A few days of the estate through the real path: recorded, rolled up, judged, taken away again."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.collection.collect import collect_target, timetable_of
from apps.collection.models import CollectionRun
from apps.demo import load
from apps.demo.estate import EVERYBODY, HOSTS, INSTANCES, find_member
from apps.demo.load import load_demo, load_target, set_up_demo
from apps.demo.progress import demo_progress
from apps.demo.remove import remove_demo
from apps.inventory.models import Group, Target
from apps.inventory.register import set_password
from apps.people.models import User
from apps.reports.models import WeeklyReport
from apps.review.nightly import review_targets
from apps.snapshots.models import Coverage, Fact, Figure, Snapshot
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.calendars import Calendar
from apps.thresholds.dry_run import dry_runs
from apps.thresholds.models import Threshold, Violation

pytestmark = [pytest.mark.django_db, pytest.mark.long]

NOW = datetime(2026, 2, 18, 9, 30, tzinfo=UTC)
LAST_DAY = date(2026, 2, 17)


def set_up(days: int, now: datetime = NOW) -> dict[str, Target]:
    return {target.address["member"]: target for target in set_up_demo(days, now)}


def loaded(name: str, days: int) -> Target:
    target = set_up(days)[name]
    load_target(target, NOW)
    return target


def figures() -> dict[tuple[Any, ...], list[float]]:
    return {
        (row.target_id, row.category, row.part, row.day): [
            round(value, 9) for value in row.values if value == value
        ]
        for row in Figure.objects.all()
    }


def test_the_estate_has_instances_hosts_groups_owners_and_limits():
    targets = set_up(14)

    assert (len(INSTANCES), len(HOSTS)) == (9, 5)
    assert len({target.time_zone for target in targets.values()}) == 3
    assert targets["DWPRD"].runs_on == targets["dbx-dw01"]
    assert str(targets["DWPRD"].owner) == "R. Lindqvist"
    assert not any(user.has_usable_password() for user in User.objects.all())
    assert all(target.is_demo and target.is_paused for target in targets.values())
    assert Threshold.objects.filter(target=targets["DWPRD"]).count() == len(find_member("DWPRD").limits)
    assert not Threshold.objects.filter(plan="").exists()


def test_each_target_is_loaded_up_to_its_own_yesterday():
    just_after_midnight_in_berlin = datetime(2026, 2, 17, 23, 30, tzinfo=UTC)

    targets = set_up(14, just_after_midnight_in_berlin)

    last_days = {name: target.address["last_day"] for name, target in targets.items()}
    assert last_days["DWPRD"] == last_days["dbx-dw01"] == "2026-02-17"
    assert last_days["CRMPRD1"] == last_days["PAYPRD"] == "2026-02-16"


@pytest.mark.parametrize("days", [7, 35])
def test_S16_a_short_past_is_whole_and_its_story_is_told_in_order(days):
    target = loaded("PAYPRD", days)

    assert target.address["is_loaded"]
    (commits,) = Violation.objects.filter(target=target, component="log file sync", metric="wait_avg_ms")
    steps = list(commits.steps.order_by("at", "pk").values_list("after", flat=True))
    assert steps.index("acknowledged") < steps.index("in_progress")


@pytest.mark.parametrize("days", ["0", "-5", "1001", "9" * 30])
def test_S16_a_past_that_cannot_be_is_refused_and_nothing_is_left(days):
    with pytest.raises(CommandError, match="days cannot be loaded; give from 1 to 1,000"):
        call_command("load_demo", f"--days={days}")

    assert not Target.objects.exists()
    assert not User.objects.exists()


def test_an_instance_has_a_figure_for_each_day_it_was_read():
    target = loaded("HRPRD", 14)

    days = list(Coverage.objects.filter(target=target).order_by("day").values_list("day", flat=True))
    assert days == [LAST_DAY - timedelta(days=back) for back in range(13, -1, -1)]
    assert CollectionRun.objects.filter(target=target, state="complete").count() == 15
    assert not target.is_paused
    over = Violation.objects.get(target=target)
    assert (over.metric, over.severity, over.opened_on) == ("sessions_day_max", "critical", date(2026, 2, 14))


def test_a_host_has_its_hours_and_those_of_the_running_day():
    target = loaded("dbx-erp01", 3)

    runs = CollectionRun.objects.filter(target=target)
    newest = runs.order_by("-slot")[0]
    assert newest.slot == datetime(2026, 2, 18, 9, 0, tzinfo=UTC)
    assert runs.count() == 3 * 24 + 1 + 10
    assert Fact.objects.get(target=target, name="cpus").value == "12"


def test_the_known_month_end_close_opens_nothing_and_would_without_its_calendar():
    target = loaded("ERPPRD", 24)
    limit = Threshold.objects.get(target=target, metric="tm_db_time")

    judged = dry_runs(limit, {target: [""]}, LAST_DAY, 24)[target.pk]
    limit.leaves_out_peaks = False
    unknown = dry_runs(limit, {target: [""]}, LAST_DAY, 24)[target.pk]

    close = [date(2026, 1, day) for day in (29, 30, 31)]
    assert judged.fired_days == []
    assert list(judged.left_out) == close
    assert unknown.fired_days == close[:2]  # the third is a Saturday
    assert not Violation.objects.filter(target=target, metric="tm_db_time").exists()


def test_a_real_calendar_keeps_its_name_and_stays_when_the_estate_goes():
    real = Calendar.objects.create(name="month-end close", days="every Sunday", set_at=NOW)

    set_up(14)

    demo = Calendar.objects.get(group__name="ERP")
    assert (demo.name, str(demo.set_by), demo.changes.count()) == ("month-end close (demo)", "T. Okafor", 1)
    remove_demo()
    assert list(Calendar.objects.all()) == [real]


def test_the_newest_member_has_no_days_before_it_was_registered():
    target = loaded("MARTPRD", 30)

    assert Coverage.objects.filter(target=target).count() == 12
    assert Violation.objects.get(target=target, component="MART_IDX").state == Violation.State.RESOLVED


def test_the_nights_after_an_expired_password_are_not_tried():
    target = loaded("GISPRD", 8)

    runs = CollectionRun.objects.filter(target=target).order_by("slot")
    assert [run.state for run in runs][-5:] == ["complete", "failed", "missed", "missed", "missed"]
    assert "ORA-28001" in Target.objects.get(pk=target.pk).blocked_because


def test_after_a_new_password_the_instance_is_read_again_and_its_days_go_on():
    target = loaded("GISPRD", 8)
    slot = timetable_of(target).last_slot(NOW + timedelta(days=1))

    refused = collect_target(target, slot - timedelta(minutes=1), slot)
    set_password(target, "HEADROOM", "another one")
    runs = [collect_target(target, at, at) for at in (slot, slot + timedelta(days=1))]

    assert "ORA-28001" in refused.reason
    assert [run.state for run in runs] == ["complete", "complete"]
    assert not Target.objects.get(pk=target.pk).is_blocked
    day = (slot + timedelta(hours=9)).astimezone(target.zone).date()
    assert Coverage.objects.filter(target=target, day=day, is_so_far=False).exists()


def test_a_source_that_was_given_up_makes_the_night_partial():
    target = loaded("ERPPRD", 4)

    last_night = CollectionRun.objects.filter(target=target).order_by("-slot")[0]
    assert last_night.state == CollectionRun.State.PARTIAL
    assert [source["name"] for source in last_night.failed_sources] == ["dba_tablespace_usage_metrics"]


def test_loading_that_was_stopped_is_continued_and_comes_to_the_same(monkeypatch: pytest.MonkeyPatch):
    whole = loaded("LOGPRD", 16)
    expected = figures()
    remove_demo()
    target = set_up(16)["LOGPRD"]
    reviews: list[Any] = []

    def stop_on_the_tenth_day(*args: Any, **options: Any) -> object:
        reviews.append(args)
        if len(reviews) == 10:
            raise KeyboardInterrupt
        return review_targets(*args, **options)

    monkeypatch.setattr(load, "review_targets", stop_on_the_tenth_day)
    with pytest.raises(KeyboardInterrupt):
        load_target(target, NOW)
    assert not demo_progress().is_complete
    monkeypatch.undo()
    load_target(set_up_demo(16, NOW)[8], NOW)

    continued = {(whole.pk, *key[1:]): values for key, values in figures().items()}
    assert continued == expected
    assert CollectionRun.objects.filter(target=target).count() == 17


def test_loading_twice_changes_nothing():
    target = loaded("LOGPRD", 5)
    before = figures(), CollectionRun.objects.count(), Target.objects.count()

    load_target(Target.objects.get(pk=target.pk), NOW + timedelta(days=1))
    set_up_demo(5, NOW + timedelta(days=1))

    assert (figures(), CollectionRun.objects.count(), Target.objects.count()) == before


def test_loading_ends_quietly_when_the_estate_is_removed_meanwhile(monkeypatch: pytest.MonkeyPatch):
    set_up(2)
    monkeypatch.setattr(load, "load_target", lambda target, now: (remove_demo(), target.refresh_from_db()))

    assert load_demo(2, NOW).total == 0


def test_a_target_that_somebody_else_is_loading_is_left_to_them(monkeypatch: pytest.MonkeyPatch):
    @contextmanager
    def not_alone(target: Target) -> Iterator[bool]:
        yield False

    monkeypatch.setattr(load, "_alone", not_alone)

    assert load_demo(2, NOW).done == 0


def test_progress_counts_the_days_of_all_targets():
    assert demo_progress().is_complete

    loaded("LOGPRD", 5)

    progress = demo_progress()
    assert (progress.done, progress.total) == (5, 5 * len(EVERYBODY))
    assert not progress.is_complete


def test_the_night_after_is_collected_like_any_other():
    target = loaded("LOGPRD", 5)
    slot = timetable_of(target).next_slot(NOW)
    ensure_partitions([slot.date()])

    run = collect_target(target, slot, slot)

    assert run.state == CollectionRun.State.COMPLETE
    assert Coverage.objects.filter(target=target, day=date(2026, 2, 18)).exists()


def test_a_real_target_of_the_same_name_keeps_it():
    real = Target.objects.create(
        name="DWPRD", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )

    targets = set_up(5)

    assert targets["DWPRD"].name == "DWPRD-demo"
    assert Target.objects.get(name="DWPRD") == real


def test_removal_leaves_nothing_but_what_is_real():
    loaded("LOGPRD", 4)
    real = Target.objects.create(
        name="real",
        kind="host",
        platform="linux",
        collector="linux",
        registered_at=NOW,
        group=Group.objects.get(name="Shared"),
    )

    assert remove_demo() == len(EVERYBODY)

    assert list(Target.objects.all()) == [real]
    assert [group.name for group in Group.objects.all()] == ["Shared"]
    for model in (Snapshot, Figure, Coverage, CollectionRun, Threshold, Violation, User):
        assert not model.objects.exists(), model


def test_the_commands_load_and_remove(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(load, "HOSTS", ())
    monkeypatch.setattr(load, "INSTANCES", ())
    monkeypatch.setattr(load, "SHARED_LIMITS", ())
    monkeypatch.setattr(load, "KNOWN_PEAKS", ())
    out = StringIO()

    call_command("load_demo", days=3, stdout=out)
    call_command("remove_demo", stdout=out)

    assert "There is no demo estate." in out.getvalue()
    assert json.dumps(demo_progress().total) == "0"


def test_the_whole_estate_of_two_days_loads_in_one_go():
    assert load_demo(2, NOW).is_complete
    assert not Target.objects.demo().filter(is_paused=True).exists()
    assert [report.week for report in WeeklyReport.objects.all()] == ["2026-W07"]

    remove_demo()

    assert not WeeklyReport.objects.exists()
