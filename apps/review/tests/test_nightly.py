"""The whole method for a closed day: each step once, whatever is killed or repeated."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.advisors.models import Action, ActionPlan
from apps.advisors.steps import change_action
from apps.collection.collect import collect_target
from apps.collection.tests.scripted import (
    BOOT,
    MB,
    SCRIPT,
    TODAY,
    days_before,
    instance,
    levels,
    prepare,
    reading,
)
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.people.models import User
from apps.review.nightly import review_targets
from apps.review.waiting_days import days_to_review, find_due_reviews
from apps.thresholds.case_steps import Refusal, take_step
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Step, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime.combine(TODAY + timedelta(days=1), datetime.min.time(), UTC) + timedelta(hours=13)


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def limit(target: Target, **rest: object) -> None:
    add_threshold("x_used", "10", now=BOOT, target=target, plan="Add a file. Ask for a disk.", **rest)  # type: ignore[arg-type]


def test_a_review_judges_predicts_plans_and_notes_how_far_it_came(target):
    limit(target)
    levels(target, [9, 11])

    (checked,) = review_targets([target], TODAY, NOW).results

    assert len(checked.opened) == 1
    assert [action.text for action in Action.objects.all()] == ["Add a file.", "Ask for a disk."]
    assert Forecast.objects.get().made_on == TODAY
    assert Target.objects.get().reviewed_through == TODAY


def test_reviewing_again_changes_nothing(target):
    limit(target)
    levels(target, [9, 11])
    review_targets([target], TODAY, NOW)

    def everything() -> list[tuple[object, ...]]:
        tables = (Violation, Step, ActionPlan, Action, Forecast)
        return [row for table in tables for row in table.objects.order_by("pk").values_list()]

    before = everything()
    review_targets([target], TODAY, NOW + timedelta(hours=1))

    assert everything() == before


def test_a_review_that_was_stopped_in_the_middle_is_finished_by_the_next(target):
    limit(target)
    levels(target, [11])
    check_thresholds(target, TODAY, NOW)

    review_targets([target], TODAY, NOW)

    assert ActionPlan.objects.get().violation == Violation.objects.get()


def test_an_earlier_day_does_not_turn_back_how_far_reviews_came(target):
    levels(target, [9, 9])
    review_targets([target], TODAY, NOW)

    review_targets([target], TODAY - timedelta(days=1), NOW)

    assert Target.objects.get().reviewed_through == TODAY


def test_days_that_were_missed_are_made_up_for_in_order(target):
    limit(target)
    days = levels(target, [11, 12, None, 9])
    order = []
    while due := list(find_due_reviews(NOW)):
        for on, targets in due:
            order.append(on)
            review_targets(targets, on, NOW)

    assert order == days
    assert Violation.objects.get().opened_on == days[0]


def test_nothing_is_due_before_anything_was_measured(target):
    assert days_to_review(target, NOW) == []
    assert list(find_due_reviews(NOW)) == []


def test_a_running_day_is_not_due(target):
    levels(target, [9])

    assert days_to_review(target, NOW - timedelta(hours=1)) == []  # its last reading may still be made up for
    assert days_to_review(target, NOW) == [TODAY]


def test_targets_of_one_day_are_reviewed_together_and_retired_ones_not(target):
    levels(target, [9])
    other = instance("OTHER")
    levels(other, [9])
    gone = instance("GONE")
    levels(gone, [9])
    gone.retire(NOW)

    ((on, targets),) = find_due_reviews(NOW)

    assert on == TODAY
    assert {target.name for target in targets} == {"SCRIPT", "OTHER"}


def test_what_is_due_is_one_question_however_many_targets(target, django_assert_num_queries):
    levels(target, [9])
    for number in range(5):
        levels(instance(f"OTHER{number}"), [9, 9])

    with django_assert_num_queries(1):
        due = list(find_due_reviews(NOW))

    assert [(on, len(targets)) for on, targets in due] == [(TODAY - timedelta(days=1), 5), (TODAY, 1)]


def test_a_day_whose_end_was_not_read_opens_and_closes_nothing(target):
    limit(target)
    target.registered_at = NOW - timedelta(days=3)
    target.save()
    begins = datetime.combine(TODAY, datetime.min.time(), UTC)
    SCRIPT.answers["SCRIPT"] = reading(begins + timedelta(minutes=5), 50 * MB)
    collect_target(target, begins + timedelta(minutes=5), begins + timedelta(minutes=6))
    for on in days_before(TODAY, 2):
        review_targets([target], on, NOW)

    violation = Violation.objects.get()

    assert (violation.opened_on, violation.judged_on) == (
        TODAY - timedelta(days=1),
        TODAY - timedelta(days=1),
    )
    assert violation.reviewed_on == TODAY


def test_ACT2_a_plan_has_steps_owner_and_day_and_the_case_closes_by_the_figures_alone(target):
    owner = User.objects.create(username="dba")
    limit(target, owner=owner, lead_time_days=14)
    days = levels(target, [11, 11, 9, 9, 9])
    review_targets([target], days[0], NOW)
    steps = Action.objects.order_by("position").values_list("text", "owner", "due_on", "state")
    due = days[0] + timedelta(days=14)
    assert list(steps) == [
        ("Add a file.", owner.pk, due, "to_do"),
        ("Ask for a disk.", owner.pk, due, "to_do"),
    ]

    for action in Action.objects.all():
        change_action(action, {"state": "done"}, by=owner, now=NOW)
    with pytest.raises(Refusal, match="the figures decide"):
        take_step(Violation.objects.get(), "resolved", by=owner, why="Done.", now=NOW)
    states = []
    for on in days[1:]:
        review_targets([target], on, NOW)
        states.append(Violation.objects.get().state)

    assert states == ["open", "open", "open", "resolved"]
    assert Violation.objects.get().closed_because == "Inside the limit on 3 judged days in a row."
