"""The weekly report: what broke its limit, what came back, what was not read."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from apps.advisors.models import Action, ActionPlan
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import instance
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.reports.gather import gather
from apps.reports.models import WeeklyReport
from apps.reports.week import Week
from apps.reports.weekly import compose_weekly_report
from apps.thresholds.models import Step, Violation

pytestmark = pytest.mark.django_db

WEEK = Week(date(2026, 6, 22))
NOW = datetime(2026, 6, 29, 7, tzinfo=UTC)
MONDAY = WEEK.first_day


@pytest.fixture
def target() -> Target:
    made = instance("DWPRD", registered_at=NOW - timedelta(days=100))
    run(made, WEEK.last_day + timedelta(days=1), "complete")
    return made


def run(target: Target, on: date, state: str, reason: str = "") -> CollectionRun:
    slot = datetime.combine(on, target.collect_at, target.zone)
    return CollectionRun.objects.create(
        target=target, slot=slot, began_at=slot, ended_at=slot, state=state, reason=reason
    )


def violation(
    target: Target,
    component: str,
    opened_on: date | None,
    closed_on: date | None = None,
    *,
    predicted_on: date | None = None,
    **rest: Any,
) -> Violation:
    """A violation with the steps that the reviews took with it."""
    state = "resolved" if closed_on else "open" if opened_on else "predicted"
    given = {"severity": "warning", "value": 12.5, "notation": "10", "unit": "MB", "state": state}
    made = Violation.objects.create(
        target=target, metric="x_used", component=component, opened_on=opened_on, closed_on=closed_on,
        predicted_on=predicted_on, **(given | rest),
    )  # fmt: skip
    before = ""
    for after, on in (("predicted", predicted_on), ("open", opened_on), ("resolved", closed_on)):
        if on is not None:
            at = datetime.combine(on + timedelta(days=1), time(0, 7), UTC)
            Step.objects.create(violation=made, at=at, on=on, before=before, after=after)
            before = after
    return made


def day(offset: int) -> date:
    return MONDAY + timedelta(days=offset)


def composed() -> dict[str, Any]:
    content = compose_weekly_report(WEEK, NOW).content
    assert isinstance(content, dict)
    return content


def test_violations_stand_in_the_list_of_what_the_week_did_with_them(target):
    violation(target, "NEW", day(0))
    violation(target, "NEW ON SUNDAY", day(6))
    violation(target, "CONTINUING", day(-1))
    violation(target, "CLOSED LATER", day(-9), day(7))
    violation(target, "RESOLVED", day(-3), day(6))
    violation(target, "CAME AND WENT", day(1), day(4))
    violation(target, "PREDICTED", None, predicted_on=day(6))
    violation(target, "BEFORE", day(-9), day(-1))
    violation(target, "AFTER", day(7))
    violation(target, "PREDICTED AFTER", None, predicted_on=day(7))
    violation(target, "PREDICTED, OPENED LATER", day(8), predicted_on=day(2))

    content = composed()

    lists = {
        name: {item["what"].split(", used")[0] for item in content[name]}
        for name in ("new", "continuing", "resolved", "predicted")
    }
    assert lists == {
        "new": {"NEW", "NEW ON SUNDAY"},
        "continuing": {"CONTINUING", "CLOSED LATER"},
        "resolved": {"RESOLVED", "CAME AND WENT"},
        "predicted": {"PREDICTED", "PREDICTED, OPENED LATER"},
    }


def test_the_worst_come_first(target):
    violation(target, "WARNING", day(0), due_on=day(9))
    violation(target, "CRITICAL", day(4), due_on=day(90), severity="critical")

    assert [item["what"].split(",")[0] for item in composed()["new"]] == ["CRITICAL", "WARNING"]


def test_an_item_names_owner_day_and_next_step(target):
    owner = User.objects.create(username="dba", first_name="Dana", last_name="Base")
    found = violation(target, "DATA", day(1), owner=owner, due_on=day(9))
    plan = ActionPlan.objects.create(violation=found, made_at=NOW)
    Action.objects.create(plan=plan, position=0, text="Look.", state="done")
    Action.objects.create(plan=plan, position=1, text="Add a file.")

    (item,) = composed()["new"]

    assert (item["owner"], item["due_on"], item["next_step"]) == (
        "Dana Base",
        day(9).isoformat(),
        "Add a file.",
    )
    assert (item["what"], item["target"], item["value"], item["limit"], item["unit"]) == (
        "DATA, used",
        "DWPRD",
        12.5,
        "10",
        "MB",
    )


@pytest.mark.parametrize(
    ("new", "continuing", "resolved", "unread"),
    [(0, 0, 0, 0), (1, 0, 0, 0), (2, 3, 1, 2), (13, 0, 0, 9), (0, 0, 2, 1)],
)
def test_the_conclusion_has_up_to_three_sentences(target, new, continuing, resolved, unread):
    for number in range(new):
        violation(target, f"NEW{number}", day(1))
    for number in range(continuing):
        violation(target, f"OLD{number}", day(-5))
    for number in range(resolved):
        violation(target, f"OVER{number}", day(-5), day(2))
    for number in range(unread):
        run(instance(f"T{number}"), day(3), "missed", "It was off.")

    told = composed()["sentences"]

    assert 1 <= len(told) <= 3
    assert all(
        (sentence.endswith(".") and sentence[0].isupper()) or sentence[0].isdigit() for sentence in told
    )
    assert told == composed()["sentences"]
    assert (told[0] == "Nothing broke its limit.") == (new == continuing == resolved == 0)


# ── what was not collected ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_night_belongs_to_the_day_that_its_slot_ends(target):
    run(target, day(0), "missed", "of Sunday before")
    run(target, day(1), "failed", "of Monday")
    run(target, day(4), "missed", "of Thursday")

    (row,) = composed()["not_collected"]

    assert row == {"target": "DWPRD", "nights": "2", "reason": "of Thursday"}


@pytest.mark.parametrize(
    ("zone", "at"), [("Asia/Tokyo", time(0, 5)), ("America/New_York", time(0, 5)), ("Asia/Tokyo", time(22))]
)
def test_a_night_is_counted_in_the_targets_own_time_zone(zone, at):
    target = instance("FAR", time_zone=zone, collect_at=at)
    after_midnight = at < time(12)
    sunday = day(7) if after_midnight else day(6)
    run(target, sunday, "failed", "of Sunday")
    run(target, sunday + timedelta(days=1), "missed", "of Monday after")
    run(target, sunday - timedelta(days=7), "missed", "of Sunday before")

    (row,) = gather(WEEK, NOW + timedelta(days=3)).not_collected

    assert (row["nights"], row["reason"]) == ("1", "of Sunday")


def test_a_target_whose_sunday_is_not_closed_is_named():
    instance("LATE", collect_at=time(6, 30), reviewed_through=day(5))

    (row,) = gather(WEEK, NOW).not_collected

    assert row == {"target": "LATE", "nights": "0", "reason": "Its Sunday is not closed yet."}


# ── kept ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_composing_a_week_again_replaces_its_report(target):
    compose_weekly_report(WEEK, NOW)
    violation(target, "NEW", day(0))

    compose_weekly_report(WEEK, NOW + timedelta(hours=1))

    report = WeeklyReport.objects.get()
    assert (report.week, len(report.content["new"]), report.composed_at) == (
        "2026-W26",
        1,
        NOW + timedelta(hours=1),
    )


def test_a_report_stays_as_it_was_composed(target):
    found = violation(target, "NEW", day(0))
    compose_weekly_report(WEEK, NOW)
    found.delete()

    assert len(WeeklyReport.objects.get().content["new"]) == 1


def test_a_groups_report_is_of_its_targets_alone(target):
    warehouse = Group.objects.create(name="Warehouse")
    other = instance("OTHER", group=warehouse)
    violation(target, "NEW", day(0))
    violation(other, "MINE", day(0))

    report = compose_weekly_report(WEEK, NOW, group=warehouse)
    compose_weekly_report(WEEK, NOW)

    assert [item["target"] for item in report.content["new"]] == ["OTHER"]
    assert WeeklyReport.objects.count() == 2


def test_a_retired_target_is_in_the_reports_of_the_weeks_it_was_watched(target):
    violation(target, "NEW", day(0))
    target.retire(datetime.combine(day(2), time(), UTC))
    assert len(composed()["new"]) == 1

    later = compose_weekly_report(WEEK.following, NOW + timedelta(days=7))

    assert later.content["continuing"] == []
