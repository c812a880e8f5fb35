"""The plan of a violation: the steps decided when all was calm, and a diagnosis from the figures."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.advisors.evidence import diagnose_violations
from apps.advisors.models import Action, ActionPlan
from apps.advisors.plan import plan_actions, plan_target, split_into_steps
from apps.advisors.sentences import describe_evidence
from apps.advisors.steps import decide_diagnosis
from apps.catalog.causes import Service, Shared, Stored, add_causes
from apps.catalog.subjects import SubjectStatistics, add_subjects
from apps.collection.tests.scripted import (
    BOOT,
    HOSTS,
    LOAD,
    PLATFORM,
    TODAY,
    Story,
    days_before,
    host,
    instance,
    prepare,
)
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.models import Fact
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
EVENT = "log file sync"


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


@pytest.fixture
def causes() -> Iterator[None]:
    """What the scripted platforms declare of causes."""
    add_causes(
        PLATFORM,
        [
            Stored(metrics=("x_used",), used="x_used"),
            Service(metrics=("x_wait_time",), average="x_read_ms", count="x_waits"),
        ],
    )
    add_causes(HOSTS, [Shared(metrics=("x_busy_pct",), users="share of the processors")])
    yield
    add_causes(PLATFORM, [])
    add_causes(HOSTS, [])
    add_subjects(PLATFORM, [], {})


def story_of_days(target: Target, count: int = 49, *, last: date = TODAY, **things: object) -> Story:
    """So many days up to the last: of each thing either what it was every day, or a function of the day's number."""
    story = Story(target)
    for number, on in enumerate(days_before(last, count)):
        story.day(on, **{name: value(number) if callable(value) else value for name, value in things.items()})  # type: ignore[arg-type]
    return story


def violation(target: Target, metric: str = "x_used", limit: str = "10", **rest: object) -> Violation:
    """What is over its limit today."""
    add_threshold(metric, limit, now=BOOT, target=target, **rest)  # type: ignore[arg-type]
    (opened,) = check_thresholds(target, TODAY, NOW).opened
    return opened


def opened_on(opened: Violation, on: date) -> Violation:
    opened.opened_on = on
    opened.save()
    return opened


def busy_host(percent: float, *before: float) -> Target:
    """A machine read every hour, so busy today, and as busy as told on the days before."""
    machine = host(interval_minutes=60)
    for on, busy in zip(days_before(TODAY, len(before) + 1), (*before, percent), strict=True):
        midnight = datetime.combine(on, datetime.min.time(), UTC)
        for hour in range(1, 25):
            at = midnight + timedelta(hours=hour)
            record_snapshot(
                machine, [ReadSource(category=LOAD, values={("x_busy_pct", ""): busy})], slot=at, captured_at=at, started_at=BOOT
            )  # fmt: skip
        roll_up_day(machine, on, NOW)
    return machine


def sentences(plan: ActionPlan) -> str:
    return " ".join(describe_evidence(piece).sentence for piece in plan.evidence).replace("\u00a0", " ")


def test_a_plan_has_the_steps_of_its_limit_with_owner_and_day(target):
    owner = User.objects.create(username="dba")
    Story(target).day(TODAY, used={"DATA": 11})
    opened = violation(target, plan="1. Add a file.\n- Ask for a disk\n\n", owner=owner, lead_time_days=14)

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
    assert split_into_steps(text) == steps


@pytest.mark.parametrize(
    ("calls", "busy", "diagnosis"),
    [
        ((5, 8), None, "capacity"),
        ((5, 5), None, "performance"),
        ((5, 5), 30.0, "performance"),
        ((5, 5), 95.0, "undetermined"),
        ((5, 8), 95.0, "capacity"),
    ],
)
def test_ACT1_a_diagnosis_is_proposed_from_the_figures_of_the_target_and_its_host(
    target, calls, busy, diagnosis
):
    if busy is not None:
        target.runs_on = busy_host(busy)
        target.save()
    story_of_days(
        target, redo=lambda day: calls[day >= 42], calls=100, cpu=lambda day: 60.0 if day >= 42 else 30.0
    )
    opened = opened_on(violation(target, "x_cpu", "<=40"), TODAY - timedelta(days=6))

    plan = plan_actions(opened, TODAY, NOW)

    assert plan.diagnosis == diagnosis
    assert "redo" in sentences(plan)
    assert busy is None or "CPU busy, p95 of scripthost" in sentences(plan)


def test_W1a_a_restart_day_is_no_evidence(target):
    story = Story(target)
    for on in days_before(TODAY, 49):
        is_now = on > TODAY - timedelta(days=7)
        restarted_at = datetime(on.year, on.month, on.day, 2, tzinfo=UTC) if on.day in (3, 28) else None
        story.day(
            on,
            redo=60.0 if restarted_at else 10.0,
            calls=1,
            cpu=60.0 if is_now else 30.0,
            restarted_at=restarted_at,
        )
    opened = opened_on(violation(target, "x_cpu", "<=40"), TODAY - timedelta(days=6))

    plan = plan_actions(opened, TODAY, NOW)

    figure, *_ = plan.evidence
    assert figure["numbers"]["now_days"] == 6  # 28 June had a restart
    assert plan.diagnosis == "performance"
    assert "redo 0 %" in sentences(plan)


def test_W1b_a_figure_is_no_witness_for_itself(target):
    story_of_days(target, redo=lambda day: 20.0 if day >= 42 else 10.0, calls=5)
    opened = opened_on(violation(target, "x_redo", "15"), TODAY - timedelta(days=6))

    plan = plan_actions(opened, TODAY, NOW)

    assert plan.diagnosis == "undetermined"
    assert [piece["kind"] for piece in plan.evidence] == ["figure"]


def test_W1c_a_proposal_is_made_anew_each_night_until_a_person_decides(target):
    story = story_of_days(target, 40, last=TODAY - timedelta(days=9), redo=5, calls=1, cpu=30.0)
    add_threshold("x_cpu", "<=40", now=BOOT, target=target)
    for number, on in enumerate(days_before(TODAY, 9)):
        story.day(on, redo=5, calls=1, cpu=50.0 if number == 0 else 60.0)
        check_thresholds(target, on, NOW)
        plan_target(target, on, NOW)
    plan = ActionPlan.objects.get()
    assert (plan.diagnosis, plan.proposed_on) == ("performance", TODAY)
    assert plan.evidence[0]["numbers"]["now_days"] == 7

    by = User.objects.create(username="dba")
    decide_diagnosis(plan.violation, "performance", by=by, why="", now=NOW)
    ActionPlan.objects.update(evidence=[])
    plan_target(target, TODAY, NOW)

    assert ActionPlan.objects.get().evidence == []


def test_W1c_a_case_with_nothing_before_it_gets_its_diagnosis_once_there_is_something(target):
    story = Story(target)
    add_threshold("x_read_ms", "1", now=BOOT, target=target, component=EVENT)
    proposals = []
    for number, on in enumerate(days_before(TODAY, 20)):
        story.day(on, waits={EVENT: (1000 if number < 10 else 1010, 15.0 if number < 10 else 40.0)})
        check_thresholds(target, on, NOW)
        plan_target(target, on, NOW)
        proposals.append(ActionPlan.objects.get().proposed)

    assert (proposals[0], proposals[-1]) == ("undetermined", "performance")
    assert "nothing was measured before it began" in sentences(ActionPlan.objects.get())


def test_reviewing_a_day_again_or_an_older_one_changes_no_proposal(target):
    story_of_days(target, redo=5, calls=1, cpu=lambda day: 60.0 if day >= 42 else 30.0)
    opened_on(violation(target, "x_cpu", "<=40"), TODAY - timedelta(days=6))
    plan_target(target, TODAY, NOW)
    before = ActionPlan.objects.values().get()

    plan_target(target, TODAY, NOW)
    plan_target(target, TODAY - timedelta(days=3), NOW)

    assert ActionPlan.objects.values().get() == before


def test_W1d_a_filling_tablespace_is_judged_by_what_is_stored_and_not_by_rates_of_work(target, causes):
    story_of_days(target, redo=5, calls=1, used=lambda day: {"DATA": 100 + 2.0 * day})

    plan = plan_actions(violation(target, limit="150"), TODAY, NOW)

    assert plan.diagnosis == "capacity"
    assert "More is stored day by day: 2 MB a day" in sentences(plan)
    assert "redo" not in sentences(plan)


def test_of_what_is_stored_in_a_tablespace_the_largest_growers_are_named(target, causes):
    add_causes(
        PLATFORM, [Stored(metrics=("x_hit_pct",), used="x_hit_pct", things="x_used", stored_in="lies_in")]
    )
    story_of_days(
        target,
        hits=lambda day: 90.0 - day,
        used=lambda day: {"SALES": 100 + 3.0 * day, "OTHER": 100 + 9.0 * day},
    )
    for thing, where in (("SALES", ""), ("OTHER", "IDX")):
        Fact.objects.create(target=target, name="lies_in", component=thing, since=BOOT, value=where)

    plan = plan_actions(violation(target, "x_hit_pct", ">=50"), TODAY, NOW)

    assert plan.diagnosis == "capacity"
    assert "What grew most in five weeks: SALES 139 → 244 MB." in sentences(plan).replace("\u00a0", " ")


def test_a_wait_that_takes_twice_as_long_is_a_performance_problem_and_more_waits_are_capacity(target, causes):
    story_of_days(
        target,
        waits=lambda day: {
            EVENT: (1000, 40 if day >= 42 else 20),
            "direct path read": (2000 if day >= 42 else 1000, 20),
        },
    )
    add_threshold("x_read_ms", "3", now=BOOT, target=target, component=EVENT)
    add_threshold("x_wait_time", "<=30", now=BOOT, target=target, component="direct path read")
    check_thresholds(target, TODAY, NOW)
    Violation.objects.update(opened_on=TODAY - timedelta(days=6))

    plan_target(target, TODAY, NOW)

    slow, many = ActionPlan.objects.order_by("-violation__metric")[::-1]
    assert (slow.diagnosis, many.diagnosis) == ("performance", "capacity")
    assert "Each takes longer, and there are not more of them: average wait 2 → 4 cs" in sentences(slow)
    assert "There are more of them, and each takes no longer than before" in sentences(many)


def test_a_wait_that_appeared_while_the_work_stayed_is_a_performance_problem(target, causes):
    story_of_days(
        target,
        redo=5,
        calls=1,
        waits=lambda day: {"other": (1000, 1), **({EVENT: (1000, 40)} if day >= 42 else {})},
    )
    opened = opened_on(violation(target, "x_read_ms", "3", component=EVENT), TODAY - timedelta(days=6))

    plan = plan_actions(opened, TODAY, NOW)

    assert plan.diagnosis == "performance"
    assert "It did not occur before: 4 cs each now, 1,000 waits/day." in sentences(plan)


def test_a_machine_is_judged_by_who_uses_it(target, causes):
    machine = busy_host(90.0, *[40.0] * 10)
    target.runs_on = machine
    target.save()
    story_of_days(target, redo=5, calls=1, cpu=lambda day: 60.0 if day >= 48 else 30.0)
    add_subjects(PLATFORM, [], {"share of the processors": SubjectStatistics((("x_cpu", "*"),))})

    opened = violation(machine, "x_busy_pct", "80")
    plan = plan_actions(opened, TODAY, NOW)

    assert plan.diagnosis == "performance"
    assert "SCRIPT takes 30 → 60 s/day, for the same work" in sentences(plan)


def test_a_change_begins_where_the_forecast_found_that_the_level_shifted(target):
    story_of_days(target, redo=5, calls=1, cpu=lambda day: 60.0 if day >= 28 else 30.0)
    opened = violation(target, "x_cpu", "<=40")
    shift = TODAY - timedelta(days=20)
    TrendChange.objects.create(target=target, metric="x_cpu", on=shift, size=30.0)

    plan = plan_actions(opened, TODAY, NOW)

    assert plan.evidence[0]["numbers"]["begin"] == shift.isoformat()
    assert plan.diagnosis == "performance"


def test_what_a_person_decided_against_the_figures_stands_beside_what_they_say_now(target, causes):
    story = story_of_days(target, used=lambda day: {"DATA": 100 + 2.0 * day})
    plan = plan_actions(violation(target, limit="150"), TODAY, NOW)
    by = User.objects.create(username="dba")
    decide_diagnosis(plan.violation, "performance", by=by, why="A log is never purged.", now=NOW)

    for on in days_before(TODAY + timedelta(days=2), 2):
        story.day(on, used={"DATA": 400.0 if on > TODAY + timedelta(days=1) else 200.0})
        plan_target(target, on, NOW)

    plan.refresh_from_db()
    assert (plan.diagnosis, plan.proposed, plan.is_overruled) == ("performance", "undetermined", True)
    assert plan.proposed_on == TODAY + timedelta(days=2)


def test_a_decision_made_while_the_night_computes_stands(target, causes, monkeypatch):
    story_of_days(target, used=lambda day: {"DATA": 100 + 2.0 * day})
    plan = plan_actions(violation(target, limit="150"), TODAY, NOW)
    ActionPlan.objects.update(proposed="performance", diagnosis="performance")
    by = User.objects.create(username="dba")

    def diagnose(*arguments: object) -> object:
        decide_diagnosis(plan.violation, "performance", by=by, why="", now=NOW)
        return diagnose_violations(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("apps.advisors.plan.diagnose_violations", diagnose)
    plan_target(target, TODAY, NOW)

    plan.refresh_from_db()
    assert (plan.diagnosis, plan.proposed, plan.confirmed_by) == ("performance", "performance", by)


def test_a_plan_that_exists_is_left_as_people_have_made_it(target):
    Story(target).day(TODAY, used={"DATA": 11})
    opened = violation(target, plan="Add a file.")
    plan = plan_actions(opened, TODAY, NOW)
    Action.objects.update(text="Add two files.", state="done")

    again = plan_actions(opened, TODAY, NOW + timedelta(days=1))

    assert again.pk == plan.pk
    assert Action.objects.get().text == "Add two files."
    assert ActionPlan.objects.count() == 1


def test_a_violation_whose_limit_is_gone_still_gets_a_plan(target):
    Story(target).day(TODAY, used={"DATA": 11})
    opened = violation(target)
    opened.threshold = None

    plan = plan_actions(opened, TODAY, NOW)

    assert not plan.actions.exists()
