"""Reviews of random days come to the same whether they run once, twice, in chunks, late, or after a stop."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import count

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.review.nightly import review_targets
from apps.review.tests.test_nightly import NOW
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Step, Violation
from apps.thresholds.register import add_threshold
from apps.thresholds.tests.test_any_days import LIMIT, UNREAD, figures, rules, story_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

Days = Sequence[float | str]
_numbers = count()


class ReviewKilled(Exception):
    """The worker was."""


def review(targets: Sequence[Target], on: date) -> None:
    review_targets(targets, on, NOW, forecasts=False)


def once(target: Target, on: date) -> None:
    review([target], on)


def twice(target: Target, on: date) -> None:
    review([target], on)
    review([target], on)


def again_with_the_day_before(target: Target, on: date) -> None:
    review([target], on)
    review([target], on - timedelta(days=1))


def stopped_before_its_plan(target: Target, on: date) -> None:
    check_thresholds(target, on, NOW)
    review([target], on)


def stopped_and_rolled_back(target: Target, on: date) -> None:
    with suppress(ReviewKilled), transaction.atomic():
        review([target], on)
        raise ReviewKilled
    review([target], on)


def target_of(kind: str, rule: tuple[int, int, int, float]) -> Target:
    opens_after, more, closes_after, gap = rule
    target = instance(f"{kind}{next(_numbers)}")
    add_threshold(
        "x_used", f"{LIMIT:g}", now=BOOT, target=target, opens_after=opens_after, opens_within=opens_after + more,
        closes_after=closes_after, recovery_gap=gap, plan="Add a file.",
    )  # fmt: skip
    return target


def lived(target: Target, days: Days, after: Callable[[Target, date], None] | None) -> None:
    story = Story(target)
    for on, figure in zip(days_before(TODAY, len(days)), days, strict=True):
        if isinstance(figure, float):
            story.day(on, used={"DATA": figure})
        if after is not None:
            after(target, on)


def outcome(target: Target) -> list[tuple[object, ...]]:
    """Every violation with its steps and the steps of its plan."""
    return [
        (
            violation.opened_on,
            violation.closed_on,
            violation.closed_because,
            violation.state,
            violation.worst_value,
            violation.reviewed_on,
            list(Step.objects.filter(violation=violation).values_list("on", "before", "after", "why")),
            list(violation.plan.actions.values_list("text", "due_on")),
        )
        for violation in Violation.objects.filter(target=target).order_by("pk")
    ]


def deeds_of(target: Target, days: int) -> list[str]:
    """What happened on each day, by the steps alone."""
    steps = dict(Step.objects.filter(violation__target=target).values_list("on", "after"))
    words, is_open = [], False
    for on in days_before(TODAY, days):
        if on in steps:
            is_open = steps[on] == "open"
            words.append("opens" if is_open else "closes")
        else:
            words.append("goes on" if is_open else "nothing")
    return words


@settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
    deadline=None,
)
@given(some.lists(figures | some.just(UNREAD), min_size=8, max_size=14), rules)
def test_however_the_reviews_run_they_come_to_the_outcome_of_the_rule(days, rule):
    prepare()
    expected = target_of("ONCE", rule)
    lived(expected, days, once)

    for way in (twice, again_with_the_day_before, stopped_before_its_plan, stopped_and_rolled_back):
        target = target_of(way.__name__.upper(), rule)
        lived(target, days, way)
        assert outcome(target) == outcome(expected), way.__name__
    chunk = [target_of("CHUNK", rule) for _ in range(2)]
    for target in chunk:
        lived(target, days, None)
    for on in days_before(TODAY, len(days)):
        review(chunk, on)
    assert [outcome(target) for target in chunk] == [outcome(expected)] * 2
    assert deeds_of(expected, len(days)) == story_of(days, rule[0], rule[0] + rule[1], rule[2], rule[3])
