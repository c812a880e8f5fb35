"""What people do with a violation: with whom, until when, and what becomes of it when somebody else was faster."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.case_steps import EditConflict, Refusal, assign, end_target, last_step, take_step
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Step, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
State = Violation.State


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


@pytest.fixture
def dba() -> User:
    return User.objects.create(username="dba", first_name="T.", last_name="Okafor")


def opened(target: Target, days: int = 6, plan: str = "") -> list[date]:
    """Over its limit for so many days, of which the first was reviewed."""
    add_threshold("x_used", "10", now=BOOT, target=target, plan=plan)
    story = levels(target, [11.0] * days)
    check_thresholds(target, story[0], at(story[0]))
    return story


def at(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), datetime.min.time(), UTC) + timedelta(hours=6)


def only() -> Violation:
    return Violation.objects.get()


def test_what_was_acknowledged_falls_back_when_its_day_was_reviewed(target, dba):
    days = opened(target)
    take_step(only(), State.ACKNOWLEDGED, by=dba, why="", now=at(days[0]), review_on=days[3])

    states = []
    for day in days[1:]:
        check_thresholds(target, day, at(day))
        states.append(only().state)

    assert states == ["acknowledged", "acknowledged", "open", "open", "open"]
    step = Step.objects.latest("pk")
    assert (step.before, step.after, step.by) == ("acknowledged", "open", None)
    assert step.sentence.replace("\u00a0", " ") == f"It was acknowledged until {days[3]:%-d %B}."
    assert only().opened_on == days[0]
    assert only().review_on is None


def test_a_review_repeated_takes_no_second_step(target, dba):
    days = opened(target)
    take_step(only(), State.ACKNOWLEDGED, by=dba, why="", now=at(days[0]), review_on=days[2])
    for _ in range(2):
        check_thresholds(target, days[2], at(days[2]))

    assert Step.objects.filter(before="acknowledged").count() == 1


def test_what_was_acknowledged_without_a_day_stays_so(target, dba):
    days = opened(target)
    take_step(only(), State.ACKNOWLEDGED, by=dba, why="", now=at(days[0]))

    check_thresholds(target, days[-1], at(days[-1]))

    assert only().state == State.ACKNOWLEDGED


def test_an_acknowledgement_is_prolonged(target, dba):
    days = opened(target)
    take_step(only(), State.ACKNOWLEDGED, by=dba, why="", now=at(days[0]), review_on=days[2])
    take_step(only(), State.ACKNOWLEDGED, by=dba, why="The disks are late.", now=at(days[0]), review_on=TODAY)

    check_thresholds(target, days[2], at(days[2]))

    assert (only().state, only().review_on) == (State.ACKNOWLEDGED, TODAY)


def test_ACT7_a_regression_is_accepted_with_a_reason_and_a_day(target, dba):
    opened(target)
    with pytest.raises(Refusal, match="Accepting a regression needs a reason and the day"):
        take_step(only(), State.REGRESSION, by=dba, why=" ", now=NOW, review_on=date(2026, 9, 1))
    with pytest.raises(Refusal, match="Accepting a regression needs a reason and the day"):
        take_step(only(), State.REGRESSION, by=dba, why="The array is shared now.", now=NOW)

    take_step(
        only(),
        State.REGRESSION,
        by=dba,
        why="The array is shared now.",
        now=NOW,
        review_on=date(2026, 9, 1),
    )

    violation = only()
    assert (violation.get_state_display(), violation.review_on) == ("accepted regression", date(2026, 9, 1))
    assert violation.is_accepted
    assert violation.is_live
    assert Step.objects.latest("pk").why == "The array is shared now."


def test_only_what_is_over_its_limit_can_be_an_accepted_regression(target, dba):
    opened(target)
    Violation.objects.update(opened_on=None, state=State.OPEN)

    with pytest.raises(Refusal, match="accept it as a risk"):
        take_step(only(), State.REGRESSION, by=dba, why="Known.", now=NOW, review_on=date(2026, 9, 1))


@pytest.mark.parametrize("to", [State.ACCEPTED, State.REGRESSION, State.ACKNOWLEDGED])
def test_a_day_to_look_again_lies_ahead(target, dba, to):
    opened(target)

    with pytest.raises(Refusal, match="1 July 2026 has come already; give a day after 1 July 2026"):
        take_step(only(), to, by=dba, why="Known.", now=NOW, review_on=date(2026, 7, 1))

    assert only().state == State.OPEN


def test_the_second_of_two_who_step_at_once_gets_a_sentence(target, dba):
    other = User.objects.create(username="other", first_name="R.", last_name="Lindqvist")
    opened(target)
    newest_step = last_step(only())
    take_step(only(), State.IN_PROGRESS, by=other, why="Mine", now=NOW, newest_step=newest_step)

    with pytest.raises(
        EditConflict, match=r"R\. Lindqvist changed this at 06:00, .*it is in progress now \(Mine\)"
    ):
        take_step(only(), State.ACKNOWLEDGED, by=dba, why="Seen.", now=NOW, newest_step=newest_step)

    assert only().state == State.IN_PROGRESS
    assert only().owner == other


def test_the_review_may_be_the_one_that_was_faster(target, dba):
    days = opened(target)
    newest_step = last_step(only())
    take_step(
        only(),
        State.ACKNOWLEDGED,
        by=dba,
        why="",
        now=at(days[0]),
        review_on=days[2],
        newest_step=newest_step,
    )
    newest_step = last_step(only())
    check_thresholds(target, days[2], at(days[2]))

    with pytest.raises(EditConflict, match="The review changed this at 06:00"):
        take_step(only(), State.IN_PROGRESS, by=dba, why="", now=NOW, newest_step=newest_step)


def test_somebody_is_asked_to_look_after_it_until_a_day(target, dba):
    opened(target)

    assign(only(), dba, date(2026, 7, 20), by=dba, now=NOW)
    assign(only(), dba, date(2026, 7, 20), by=dba, now=NOW)

    violation = only()
    assert (violation.owner, violation.due_on, violation.state) == (dba, date(2026, 7, 20), "open")
    (step,) = Step.objects.filter(by=dba)
    assert step.why == "Owned by T. Okafor, due on 20 July 2026."


def test_a_retired_target_takes_its_violations_with_it(target, dba):
    opened(target)

    end_target(target, NOW)

    violation = only()
    assert (violation.state, violation.closed_on) == (State.RESOLVED, NOW.date())
    assert violation.closed_because == "SCRIPT was retired."
    assert Step.objects.latest("pk").why == "SCRIPT was retired."
    with pytest.raises(Refusal):
        take_step(violation, State.IN_PROGRESS, by=dba, why="", now=NOW)
    with pytest.raises(Refusal):
        assign(violation, dba, None, by=dba, now=NOW)


def test_a_prediction_of_a_retired_target_is_averted(target):
    opened(target)
    Violation.objects.update(opened_on=None, state=State.PREDICTED)

    end_target(target, NOW)

    assert only().state == State.AVERTED
