"""Violations of random days against a second, plain statement of the rule (docs/method.md, Thresholds and violations)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.thresholds.calendars import Calendar
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
LIMIT = 100.0
BRIEF = "brief"  # measured over too little of the day to be judged
UNREAD = "unread"
LEFT_OUT = "left out"  # read, whatever it was, on a day of a calendar
_numbers = count()

figures = some.sampled_from([50.0, 90.0, 90.0, 95.0, 100.0, 100.1, 130.0, 130.0])
rules = some.tuples(
    some.integers(1, 3), some.integers(0, 2), some.integers(1, 4), some.sampled_from([0.0, 5.0, 10.0])
)


def story_of(
    days: Sequence[float | str], opens_after: int, opens_within: int, closes_after: int, gap: float
) -> list[str]:
    """What happens on each day, told plainly: opens, closes, goes on, or nothing."""
    deeds, is_open = [], False
    for today, figure in enumerate(days):
        judged = [figure for figure in days[: today + 1] if isinstance(figure, float)]
        is_judged = isinstance(figure, float)
        is_beyond = is_judged and figure > LIMIT  # type: ignore[operator]
        if not is_open:
            is_open = is_beyond and sum(figure > LIMIT for figure in judged[-opens_within:]) >= opens_after
            deeds.append("opens" if is_open else "nothing")
            continue
        recovered = LIMIT - LIMIT * gap / 100
        is_over = (
            is_judged
            and len(judged) >= closes_after
            and all(figure <= recovered for figure in judged[-closes_after:])
        )
        is_open = not is_over
        deeds.append("goes on" if is_open else "closes")
    return deeds


def reviewed(
    target_name: str,
    metric: str,
    days: Sequence[float | str],
    rule: tuple[int, int, int, float],
    *,
    kind: str = "maintenance",
    leaves_out_peaks: bool = False,
) -> list[str]:
    opens_after, more, closes_after, gap = rule
    target = instance(target_name)
    add_threshold(
        metric, f"{LIMIT:g}", now=BOOT, target=target, opens_after=opens_after, opens_within=opens_after + more,
        closes_after=closes_after, recovery_gap=gap, leaves_out_peaks=leaves_out_peaks,
    )  # fmt: skip
    on_calendar = [
        on
        for on, figure in zip(days_before(TODAY, len(days)), days, strict=True)
        if isinstance(figure, str) and figure.startswith(LEFT_OUT)
    ]
    if on_calendar:
        listed = "\n".join(map(str, on_calendar))
        Calendar.objects.create(name=target_name, kind=kind, days=listed, target=target, set_at=BOOT)
    story, deeds = Story(target), []
    for on, figure in zip(days_before(TODAY, len(days)), days, strict=True):
        begins, _ = story.slots(on)
        if figure == BRIEF:
            story.day(on, redo=500, restarted_at=begins + timedelta(hours=9))
        elif isinstance(figure, str) and figure.startswith(LEFT_OUT):
            story.day(on, used={"DATA": float(figure.removeprefix(LEFT_OUT))})
        elif isinstance(figure, float) and metric == "x_redo":
            story.day(on, redo=figure)
        elif isinstance(figure, float):
            story.day(on, used={"DATA": figure})
        checked = check_thresholds(target, on, NOW)
        deeds.append(
            "opens"
            if checked.opened
            else "closes"
            if checked.closed
            else "goes on"
            if checked.continued
            else "nothing"
        )
    return deeds


@settings(
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(some.lists(figures | some.just(UNREAD), min_size=8, max_size=18), rules)
def test_days_that_were_not_read_are_left_out_of_the_rule(days, rule):
    prepare()

    deeds = reviewed(f"UNREAD{next(_numbers)}", "x_used", days, rule)

    assert deeds == story_of(days, rule[0], rule[0] + rule[1], rule[2], rule[3])


@settings(
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(some.lists(figures | some.just(BRIEF), min_size=8, max_size=18), rules)
def test_days_that_were_measured_too_briefly_are_left_out_of_the_rule(days, rule):
    prepare()

    deeds = reviewed(f"BRIEF{next(_numbers)}", "x_redo", days, rule)

    assert deeds == story_of(days, rule[0], rule[0] + rule[1], rule[2], rule[3])
    assert Violation.objects.filter(target__name=f"BRIEF{next(_numbers) - 1}", closed_on=None).count() == (
        1 if deeds[-1] in ("opens", "goes on") else 0
    )


left_out = some.sampled_from([50.0, 100.0, 130.0]).map(lambda figure: f"{LEFT_OUT}{figure}")


@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(
    some.lists(figures | some.just(UNREAD) | left_out, min_size=8, max_size=18),
    rules,
    some.sampled_from([("maintenance", False), ("maintenance", True), ("peak", True)]),
)
def test_days_that_a_calendar_leaves_out_are_left_out_of_the_rule(days, rule, exclusion):
    prepare()
    kind, leaves_out_peaks = exclusion

    deeds = reviewed(
        f"LEFT{next(_numbers)}", "x_used", days, rule, kind=kind, leaves_out_peaks=leaves_out_peaks
    )

    assert deeds == story_of(days, rule[0], rule[0] + rule[1], rule[2], rule[3])


@settings(
    max_examples=4,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(some.lists(figures | left_out, min_size=8, max_size=14), rules)
def test_known_peaks_are_judged_where_the_limit_does_not_leave_them_out(days, rule):
    prepare()
    plain = [figure if isinstance(figure, float) else float(figure.removeprefix(LEFT_OUT)) for figure in days]

    deeds = reviewed(f"PEAK{next(_numbers)}", "x_used", days, rule, kind="peak")

    assert deeds == story_of(plain, rule[0], rule[0] + rule[1], rule[2], rule[3])
