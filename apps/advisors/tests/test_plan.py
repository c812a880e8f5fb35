"""The plan of a violation: the steps decided when all was calm, and a diagnosis from the figures."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.advisors.models import Action, ActionPlan
from apps.advisors.plan import plan_actions, steps_of
from apps.collection.tests.scripted import BOOT, LOAD, TODAY, Story, host, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def violation(
    target: Target, *, redo: tuple[float, float], used: tuple[float, float], **rest: object
) -> Violation:
    """Space over its limit today; redo and space as they were 30 days ago and are today."""
    add_threshold("x_used", "10", now=BOOT, target=target, **rest)  # type: ignore[arg-type]
    story = Story(target)
    for on, work, space in zip((TODAY - timedelta(days=30), TODAY), redo, used, strict=True):
        story.day(on, redo=work, used={"DATA": space})
    (opened,) = check_thresholds(target, TODAY, NOW).opened
    return opened


def busy_host(percent: float) -> Target:
    machine = host(interval_minutes=60)
    midnight = datetime.combine(TODAY, datetime.min.time(), UTC)
    for hour in range(25):
        at = midnight + timedelta(hours=hour)
        record_snapshot(
            machine, [ReadSource(category=LOAD, values={("x_busy_pct", ""): percent})], slot=at, captured_at=at, started_at=BOOT
        )  # fmt: skip
    roll_up_day(machine, TODAY, NOW)
    return machine


def test_a_plan_has_the_steps_of_its_limit_with_owner_and_day(target):
    owner = User.objects.create(username="dba")
    opened = violation(
        target, redo=(5, 5), used=(8, 11), plan="1. Add a file.\n- Ask for a disk\n\n", owner=owner, lead_time_days=14
    )  # fmt: skip

    plan_actions(opened, TODAY, NOW)

    steps = Action.objects.order_by("position")
    assert [(step.owner, step.due_on, step.state) for step in steps] == [
        (owner, TODAY + timedelta(days=14), "to_do")
    ] * 2
    assert [step.text for step in steps][1] == "Ask for a disk"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", []),
        ("Add a file", ["Add a file"]),
        ("Add a file. Ask for a disk.", ["Add a file.", "Ask for a disk."]),
        ("- Add a file\r\n• Ask for a disk", ["Add a file", "Ask for a disk"]),
        ("Set it to 1.5 GB", ["Set it to 1.5 GB"]),
        ("1. Add a file. Check it.\n2) Ask for a disk", ["Add a file.", "Check it.", "Ask for a disk"]),
    ],
)
def test_a_course_of_action_becomes_steps(text, steps):
    assert steps_of(text) == steps


@pytest.mark.parametrize(
    ("redo", "used", "busy", "diagnosis"),
    [
        ((5, 8), (8, 12), None, "capacity"),
        ((5, 5), (8, 12), None, "performance"),
        ((5, 5), (8, 12), 30.0, "performance"),
        ((5, 5), (8, 12), 95.0, "undetermined"),
        ((5, 8), (8, 12), 95.0, "capacity"),
    ],
)
def test_ACT1_a_diagnosis_is_proposed_from_the_figures_of_the_target_and_its_host(
    target, redo, used, busy, diagnosis
):
    if busy is not None:
        target.runs_on = busy_host(busy)
        target.save()

    plan = plan_actions(violation(target, redo=redo, used=used), TODAY, NOW)

    assert plan.diagnosis == diagnosis
    sentences = [one["sentence"] for one in plan.evidence]
    assert any("redo changed by" in sentence for sentence in sentences)
    assert busy is None or any(
        "CPU busy, p95 of scripthost" in s or "CPU busy of scripthost" in s for s in sentences
    )


def test_a_plan_that_exists_is_left_as_people_have_made_it(target):
    opened = violation(target, redo=(5, 5), used=(8, 11), plan="Add a file.")
    plan = plan_actions(opened, TODAY, NOW)
    plan.diagnosis = "capacity"
    plan.save()
    Action.objects.update(text="Add two files.", state="done")

    again = plan_actions(opened, TODAY, NOW + timedelta(days=1))

    assert (again.pk, again.diagnosis) == (plan.pk, "capacity")
    assert Action.objects.get().text == "Add two files."
    assert ActionPlan.objects.count() == 1


def test_a_violation_whose_limit_is_gone_still_gets_a_plan(target):
    opened = violation(target, redo=(5, 5), used=(8, 11))
    opened.threshold = None

    plan = plan_actions(opened, TODAY, NOW)

    assert not plan.actions.exists()
