"""A dry run tells what the review would have found: the same verdicts, the same violations."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, levels, prepare
from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.thresholds.calendars import Calendar
from apps.thresholds.check import check_thresholds
from apps.thresholds.dry_run import DryRun, dry_runs
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
_numbers = count()
plainly = settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)


def limit(target: Target, notation: str, metric: str = "x_used", **rest: object) -> Threshold:
    (made,) = add_threshold(metric, notation, now=BOOT, target=target, **rest)  # type: ignore[arg-type]
    return made


def run(draft: Threshold, target: Target, names: list[str], days: int = 30) -> DryRun:
    return dry_runs(draft, {target: names}, TODAY, days)[target.pk]


def reviewed(target: Target, metric: str, names: list[str], days: int) -> tuple[list[bool], list[bool], int]:
    """The same by the review: fired and judged of each day, violations opened."""
    fired, judged, opened = [], [], 0
    for on in days_before(TODAY, days):
        checked = check_thresholds(target, on, NOW)
        states = [
            state for (key, name, _), state in checked.states.items() if key == metric and name in names
        ]
        fired.append(FigureState.VIOLATED in states)
        judged.append(any(state in (FigureState.VIOLATED, FigureState.COMFORTABLE) for state in states))
        opened += len(checked.opened)
    return fired, judged, opened


def agree(draft: Threshold, target: Target, names: list[str], days: int = 30) -> DryRun:
    result = run(draft, target, names, days)
    assert (result.fired.tolist(), result.judged.tolist(), result.opened) == reviewed(
        target, draft.metric, names, days
    )
    return result


persistence = some.fixed_dictionaries(
    {
        "opens_after": some.integers(1, 2),
        "opens_within": some.integers(2, 3),
        "closes_after": some.integers(1, 3),
        "recovery_gap": some.sampled_from([0.0, 5.0]),
        "leaves_out_peaks": some.booleans(),
    }
)
levels_of = some.sampled_from([50.0, 95.0, 99.0, 100.0, 100.00000001, 100.1, 130.0])


@plainly
@given(
    some.lists(some.tuples(levels_of | some.none(), levels_of | some.none()), min_size=10, max_size=18),
    some.sampled_from(["100", "<100", ">=100", ">99", "95..100", "0", "?", "<=99 unless >=100 GB free"]),
    persistence,
)
def test_of_gauges_it_says_what_the_review_finds(days, notation, rule):
    prepare()
    target = instance(f"GAUGE{next(_numbers)}")
    story = Story(target)
    for number, (on, (data, temp)) in enumerate(zip(days_before(TODAY, len(days)), days, strict=True)):
        used = {name: value for name, value in (("DATA", data), ("TEMP", temp)) if value is not None}
        if used:
            free = dict.fromkeys(used, 130.0 - 40 * (number % 3)) if number % 4 else None
            story.day(on, used=used, free=free)
    Calendar.objects.create(
        name=target.name, kind="peak", days=str(TODAY - timedelta(days=4)), target=target, set_at=BOOT
    )
    Calendar.objects.create(
        name=f"{target.name} m", days=str(TODAY - timedelta(days=6)), target=target, set_at=BOOT
    )

    agree(limit(target, notation, **rule), target, ["DATA", "TEMP"])


@plainly
@given(
    some.lists(
        some.sampled_from([None, (0, 0), (99, 20), (100, 20), (5000, 5), (5000, 10), (5000, 10.1), (2, 50)]),
        min_size=10,
        max_size=18,
    ),
    some.sampled_from(["1", "<1", ">=1", "0", "0.5..1"]),
    some.sampled_from(["value", "change_7"]),
)
def test_of_averages_that_may_not_occur_it_says_what_the_review_finds(days, notation, figure):
    prepare()
    target = instance(f"WAIT{next(_numbers)}")
    story = Story(target)
    for on, waits in zip(days_before(TODAY, len(days)), days, strict=True):
        if waits is not None:
            story.day(on, waits={"log file sync": waits})

    agree(
        limit(target, notation, "x_read_ms", component="log file sync", figure=figure),
        target,
        ["log file sync"],
    )


@plainly
@given(
    some.lists(some.sampled_from([None, "brief", 4.0, 5.0, 6.0, 0.0]), min_size=10, max_size=18),
    some.sampled_from(["5", "<5", ">=5"]),
    some.sampled_from(["value", "change_7"]),
)
def test_of_counters_with_restarts_and_gaps_it_says_what_the_review_finds(days, notation, figure):
    prepare()
    target = instance(f"WORK{next(_numbers)}")
    story = Story(target)
    for on, redo in zip(days_before(TODAY, len(days)), days, strict=True):
        begins, _ = story.slots(on)
        if redo == "brief":
            story.day(on, redo=50, restarted_at=begins + timedelta(hours=9))
        elif redo is not None:
            story.day(on, redo=redo)

    agree(limit(target, notation, "x_redo", figure=figure), target, [""])


def test_of_no_change_it_goes_by_the_baseline(instance_with_a_jump):
    target, draft = instance_with_a_jump

    result = agree(draft, target, ["DATA"])

    assert int(result.fired.sum()) == 4


@pytest.fixture
def instance_with_a_jump() -> tuple[Target, Threshold]:
    prepare()
    target = instance()
    days = levels(target, [*range(100, 120), 110, 125, 95])
    Baseline.objects.create(target=target, first_day=days[0], last_day=days[19], marked_at=NOW)
    draft = limit(target, "no change")
    return target, draft


def test_THR1_days_over_the_limit_violations_and_false_alarms_avoided_are_told_apart():
    prepare()
    target = instance()
    levels(target, [60, 40, 40, 40, 40, 60, 60, 40, 40, 40, 40, 60, 40])

    result = run(limit(target, "<=50", opens_after=2, opens_within=3), target, ["DATA"])

    assert int(result.fired.sum()) == 4
    assert result.opened == 1
    assert result.avoided == [
        TODAY - timedelta(days=12),
        TODAY - timedelta(days=7),
        TODAY - timedelta(days=1),
    ]


def test_days_of_calendars_are_left_out_and_named():
    prepare()
    target = instance()
    levels(target, [60, 60, 60])
    Calendar.objects.create(name="month end", kind="peak", days="last 2 days of the month", set_at=BOOT)

    with_peaks = run(limit(target, "<=50", leaves_out_peaks=True), target, ["DATA"])
    not_asked = run(limit(target, "<=50"), target, ["DATA"])

    assert [int(result.fired.sum()) for result in (with_peaks, not_asked)] == [1, 3]
    assert set(with_peaks.left_out.values()) == {"known peak “month end”"}
    assert len([day for day in not_asked.fired_days if day in not_asked.peaks]) == 2


def test_many_targets_cost_no_more_queries_than_one(django_assert_max_num_queries):
    prepare()
    targets = [instance(f"T{number}") for number in range(12)]
    for number, target in enumerate(targets):
        levels(target, [40.0 + number, 50.0 + number])
    (draft,) = add_threshold("x_used", "<=55", now=BOOT)
    dry_runs(draft, {targets[0]: ["DATA"]}, TODAY)

    with django_assert_max_num_queries(7):
        results = dry_runs(draft, {key: ["DATA"] for key in targets}, TODAY)

    assert sum(result.fired.sum() for result in results.values()) == 6
    assert not Violation.objects.exists()


def test_a_limit_that_is_passed_already_fires_on_every_day_and_one_point_on_one():
    prepare()
    target = instance()
    levels(target, [60])

    result = run(limit(target, "<=50"), target, ["DATA"], days=90)

    assert (int(result.fired.sum()), int(result.judged.sum()), result.opened) == (1, 1, 1)
