"""Violations open, continue and close by the figures."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, levels, prepare
from apps.inventory.models import Target
from apps.outlook.profile import read_profile_outlook
from apps.people.models import User
from apps.profiles.models import Baseline
from apps.profiles.tests.slide import SLIDE, tell_slide
from apps.thresholds.case_steps import Refusal, take_step
from apps.thresholds.check import CheckResult, check_thresholds
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.models import Step, Threshold, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def limit(target: Target, notation: str = "10", metric: str = "x_used", **rest: object) -> Threshold:
    (made,) = add_threshold(metric, notation, now=BOOT, target=target, **rest)  # type: ignore[arg-type]
    return made


def judged(target: Target, values: list[float | None], last: date = TODAY) -> list[CheckResult]:
    """Tell days of one tablespace and review each."""
    return [check_thresholds(target, on, NOW) for on in levels(target, values, last=last)]


def in_letters(checks: list[CheckResult]) -> str:
    """What became of it day by day: o opened, c continued, x closed, . nothing."""
    return "".join(
        "o" if check.opened else "x" if check.closed else "c" if check.continued else "." for check in checks
    )


def only() -> Violation:
    return Violation.objects.get()


# ── the golden case ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_PRO4_the_slide_has_eight_violated_and_two_comfortable(target):
    tell_slide(target)
    for event, (*_, notation, _state) in SLIDE.items():
        limit(target, notation, "x_read_ms", component=event)

    checked = check_thresholds(target, TODAY, NOW)

    assert {key[1]: state for key, state in checked.states.items()} == {
        event: FigureState(rest[-1]) for event, rest in SLIDE.items()
    }
    assert (len(checked.opened), Violation.objects.open().count()) == (8, 8)
    rows = {row.row.component: row.state for row in profile_of(target, TODAY).rows if row.row.component}
    assert rows == {event: FigureState(rest[-1]) for event, rest in SLIDE.items()}


# ── opening and closing ──────────────────────────────────────────────────────────────────────────────────────────────


def test_THR1_it_opens_on_the_first_day_beyond_the_limit_and_closes_on_the_third_inside(target):
    owner = User.objects.create(username="dba")
    limit(target, owner=owner, lead_time_days=14)

    checks = judged(target, [9, 11, 12, 10, 9, 8, 8])

    assert in_letters(checks) == ".occcx."
    violation = only()
    assert (violation.opened_on, violation.closed_on) == (
        TODAY - timedelta(days=5),
        TODAY - timedelta(days=1),
    )
    assert (violation.worst_value, violation.unit, violation.notation) == (12, "MB", "10")
    assert (violation.owner, violation.due_on) == (owner, TODAY + timedelta(days=9))
    assert violation.state == Violation.State.RESOLVED
    assert "3 judged days in a row" in violation.closed_because


def test_a_day_beyond_in_between_starts_the_count_anew(target):
    limit(target)

    assert in_letters(judged(target, [11, 9, 9, 11, 9, 9, 9])) == "occcccx"


def test_it_may_take_n_of_the_last_m_days_to_open(target):
    limit(target, opens_after=2, opens_within=3)

    assert in_letters(judged(target, [11, 9, 9, 11, 9, 11])) == ".....o"


def test_it_opens_only_on_a_day_that_is_beyond_the_limit_itself(target):
    limit(target, opens_after=2, opens_within=4)

    assert in_letters(judged(target, [11, None, 9, 11])) == "...o"


def test_the_recovery_gap_asks_for_more_than_the_limit(target):
    limit(target, recovery_gap=10, closes_after=2)

    assert in_letters(judged(target, [11, 9.5, 9.5, 9.5, 9, 9])) == "occccx"


def test_days_without_data_neither_open_nor_close(target):
    limit(target)

    assert in_letters(judged(target, [11, 9, None, None, 9, None, 9])) == "occcccx"


def test_days_measured_too_briefly_are_not_judged(target):
    limit(target, "10", "x_redo")
    story = Story(target)
    brief = {2, 4, 5}
    checks = []
    for number, on in enumerate(days_before(TODAY, 8)):
        begins, _ = story.slots(on)
        restarted = begins + timedelta(hours=6) if number in brief else None
        story.day(on, redo=11 if number in (0, 5) else 5, restarted_at=restarted)
        checks.append(check_thresholds(target, on, NOW))

    assert in_letters(checks) == "occcccx."
    assert [check.states.get(("x_redo", "", "value")) for check in checks][2] is FigureState.NO_DATA


def test_an_average_over_few_waits_is_not_judged_except_against_zero(target):
    limit(target, "1", "x_read_ms", component="few")
    limit(target, "0", "x_read_ms", component="rare")
    Story(target).day(TODAY, waits={"few": (99, 50), "rare": (1, 50)})

    checked = check_thresholds(target, TODAY, NOW)

    assert [violation.component for violation in checked.opened] == ["rare"]
    assert checked.states["x_read_ms", "few", "value"] is FigureState.NO_DATA
    reasons = {row.row.component: row.reason for row in profile_of(target, TODAY).rows}
    assert reasons["few"] == "an average over 99, fewer than 100, is not judged"


def test_not_present_is_comfortable_against_an_upper_limit_and_not_judged_against_a_lower_one(target):
    limit(target, "1", "x_read_ms", component="log file sync")
    limit(target, ">=1", "x_read_ms", component="enq: TX")
    Story(target).day(TODAY, waits={})

    rows = {row.row.component: row for row in profile_of(target, TODAY).rows}

    assert rows["log file sync"].state is FigureState.COMFORTABLE
    assert rows["enq: TX"].state is FigureState.NO_DATA
    assert rows["enq: TX"].reason == "it did not occur, and that is not judged against a lower limit"
    assert not check_thresholds(target, TODAY, NOW).opened


def test_an_undecided_limit_never_fires(target):
    limit(target, "?")

    assert in_letters(judged(target, [11, 1e9])) == ".."


def test_no_change_is_inside_the_baselines_fifth_to_ninety_fifth_percentile(target):
    limit(target, "no change")
    days = levels(target, [*range(100, 120), 110, 125, 95])
    assert in_letters([check_thresholds(target, on, NOW) for on in days]) == "." * 23

    Baseline.objects.create(target=target, first_day=days[0], last_day=days[19], marked_at=NOW)
    checks = [check_thresholds(target, on, NOW) for on in days[-3:]]

    assert in_letters(checks) == ".oc"


@pytest.mark.parametrize("figure", ["change_7", "change_30", "change_90"])
def test_a_limit_may_be_on_the_change_of_a_figure(target, figure):
    limit(target, "<20", figure=figure)
    back = int(figure.rpartition("_")[2])
    levels(target, [100], last=TODAY - timedelta(days=back))
    levels(target, [120], last=TODAY)

    (violation,) = check_thresholds(target, TODAY, NOW).opened

    assert (violation.figure, violation.value, violation.unit) == (figure, pytest.approx(20), "%")
    (row,) = (row for row in profile_of(target, TODAY).rows if row.row.component == "DATA")
    assert row.state is FigureState.VIOLATED


# ── the row and the review agree ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("then", [(0, 0), (2000, 5), None])
@pytest.mark.parametrize("now", [(0, 0), (2000, 5), (2000, 20)])
def test_the_row_says_what_the_review_finds_whatever_occurred_then_and_now(target, then, now):
    limit(target, "<50", "x_read_ms", component="log file sync", figure="change_7")
    story = Story(target)
    if then is not None:
        story.day(TODAY - timedelta(days=7), waits={"log file sync": then})
    story.day(TODAY - timedelta(days=8 if then is None else 5), hits=1.0)
    story.day(TODAY, waits={"log file sync": now})

    checked = check_thresholds(target, TODAY, NOW)

    (row,) = (row for row in profile_of(target, TODAY).rows if row.row.component == "log file sync")
    assert checked.states["x_read_ms", "log file sync", "change_7"] is row.state


# ── severity ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_warning_and_a_critical_limit_make_one_violation_of_the_highest_severity_that_holds(target):
    limit(target, "10")
    limit(target, "20", severity="critical")

    checks = judged(target, [11, 25, 15, 9, 9, 9])

    assert in_letters(checks) == "occccx"
    assert [step.sentence for step in Step.objects.all()] == [
        "Over its limit: 11 MB against 10.",
        "warning became critical: 20",
        "critical became warning: 10",
        "Inside the limit on 3 judged days in a row.",
    ]
    assert list(Step.objects.values_list("severity_before", flat=True)) == ["", "warning", "critical", ""]
    assert only().worst_value == 25


def test_an_upper_and_a_lower_limit_hold_side_by_side(target):
    limit(target, "10")
    limit(target, ">=5")

    checks = judged(target, [4, 7, 7, 12, 7, 7, 7])

    assert in_letters(checks) == "occcccx"


# ── coming back ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_that_returns_within_thirty_days_is_the_same_violation(target):
    limit(target)

    checks = judged(target, [11, 9, 9, 9, *[None] * 29, 11])

    assert in_letters(checks)[:4] == "occx"
    assert in_letters(checks)[-1] == "o"
    violation = only()
    assert (violation.state, violation.closed_on) == (Violation.State.OPEN, None)
    assert "Back over its limit" in violation.steps.last().sentence  # type: ignore[union-attr]


def test_one_that_returns_later_is_a_new_violation_that_names_the_old(target):
    limit(target)

    judged(target, [11, 9, 9, 9, *[None] * 30, 11])

    old, new = Violation.objects.order_by("pk")
    assert old.state == Violation.State.RESOLVED
    assert (new.follows, new.state) == (old, Violation.State.OPEN)


# ── changed limits ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_changed_limit_no_longer_finds_is_closed_with_that_reason(target):
    threshold = limit(target)
    judged(target, [11])
    threshold.notation, threshold.high = "12", 12.0
    threshold.save()

    (closed,) = judged(target, [11], last=TODAY + timedelta(days=1))[0].closed

    assert closed.closed_because == "The limit was changed from 10 to 12."


def test_a_limit_that_is_not_decided_any_more_closes_with_that_reason(target):
    threshold = limit(target)
    judged(target, [11])
    threshold.notation, threshold.form, threshold.high = "?", "undecided", None
    threshold.save()

    (closed,) = judged(target, [11], last=TODAY + timedelta(days=1))[0].closed

    assert closed.closed_because == "The limit was changed from 10 to ?."


def test_a_changed_limit_that_still_finds_it_goes_on(target):
    threshold = limit(target)
    judged(target, [13])
    threshold.notation, threshold.high = "12", 12.0
    threshold.save()

    checks = judged(target, [13], last=TODAY + timedelta(days=1))

    assert in_letters(checks) == "c"
    assert only().notation == "12"


def test_a_withdrawn_limit_closes_its_violation(target):
    threshold = limit(target)
    judged(target, [11])
    threshold.withdrawn_at = NOW
    threshold.save()

    (closed,) = judged(target, [11], last=TODAY + timedelta(days=1))[0].closed

    assert "No threshold is set on it any more" in closed.closed_because


# ── again, late, out of order ────────────────────────────────────────────────────────────────────────────────────────


def everything() -> list[tuple[object, ...]]:
    return [*Violation.objects.order_by("pk").values_list(), *Step.objects.order_by("pk").values_list()]


def test_reviewing_a_day_again_changes_nothing(target):
    limit(target)
    limit(target, "20", severity="critical")
    days = levels(target, [11, 25, 9, 9, 9, 30, None, 9])

    for on in days:
        check_thresholds(target, on, NOW)
        before = everything()
        check_thresholds(target, on, NOW + timedelta(hours=1))
        assert everything() == before
    before = everything()
    for on in days:
        check_thresholds(target, on, NOW + timedelta(hours=2))

    assert everything() == before


def test_a_day_that_was_read_late_does_not_undo_what_later_days_decided(target):
    limit(target)
    days = levels(target, [11, None, 9, 9, 9])
    for on in days:
        check_thresholds(target, on, NOW)
    Story(target).day(days[1], used={"DATA": 50})

    check_thresholds(target, days[1], NOW)

    assert only().state == Violation.State.RESOLVED


def test_nothing_is_left_half_done_when_a_review_fails(target, monkeypatch):
    limit(target, component="DATA")
    limit(target, component="USERS")
    Story(target).day(TODAY, used={"DATA": 11, "USERS": 11})
    calls = []

    def fail_on_the_second(**fields: object) -> Step:
        calls.append(fields)
        if len(calls) == 2:
            raise OSError("the disk is full")
        return Step(**fields)

    monkeypatch.setattr(Step.objects, "create", fail_on_the_second)
    with pytest.raises(OSError, match="disk is full"):
        check_thresholds(target, TODAY, NOW)

    assert not Violation.objects.exists()


# ── people and predictions ───────────────────────────────────────────────────────────────────────────────────────────


def predicted(target: Target) -> Violation:
    return Violation.objects.create(
        target=target, metric="x_used", component="DATA", notation="10", unit="MB", severity="warning",
        state="predicted", predicted_on=TODAY - timedelta(days=10), threshold=limit(target),
    )  # fmt: skip


def test_a_predicted_violation_that_comes_true_is_the_same_record(target):
    foreseen = predicted(target)

    checks = judged(target, [9, 11])

    assert in_letters(checks) == "co"
    assert (only().pk, only().state) == (foreseen.pk, Violation.State.OPEN)


def test_a_prediction_that_somebody_acknowledged_still_comes_true(target):
    planner = User.objects.create(username="planner")
    take_step(predicted(target), "acknowledged", by=planner, why="seen", now=NOW)
    assert not Violation.objects.open().exists()

    checks = judged(target, [9, 11, 9, 9, 9])

    assert in_letters(checks) == "coccx"
    assert only().opened_on == TODAY - timedelta(days=3)


def test_a_prediction_has_the_figure_and_the_limit_of_the_last_review(target):
    predicted(target)
    judged(target, [8, None])
    assert (only().value, only().judged_on, only().reviewed_on) == (8, TODAY - timedelta(days=1), TODAY)

    threshold = Threshold.objects.get()
    threshold.notation, threshold.high, threshold.severity = "12", 12.0, "critical"
    threshold.save()
    judged(target, [9], last=TODAY + timedelta(days=1))

    assert (only().value, only().notation, only().severity, only().state) == (
        9,
        "12",
        "critical",
        "predicted",
    )


def test_a_comfortable_row_whose_violation_is_predicted_is_at_risk(target):
    predicted(target)
    levels(target, [9])

    profile = read_profile_outlook(target, TODAY, NOW).judged

    assert [row.state for row in profile.rows if row.row.component == "DATA"] == [FigureState.AT_RISK]
    assert profile.state is FigureState.AT_RISK


def test_what_people_say_stays_while_the_figures_go_on(target):
    planner = User.objects.create(username="planner")
    limit(target)
    judged(target, [11], last=TODAY - timedelta(days=1))
    take_step(only(), "in_progress", by=planner, why="adding a file", now=NOW)

    judged(target, [12])

    assert (only().state, only().owner, only().value) == (Violation.State.IN_PROGRESS, planner, 12)


def test_nobody_resolves_a_violation_by_hand(target):
    planner = User.objects.create(username="planner")
    limit(target)
    judged(target, [11])

    with pytest.raises(Refusal, match="the figures decide"):
        take_step(only(), "resolved", by=planner, why="done", now=NOW)


def test_an_accepted_risk_needs_a_reason_and_a_day_to_look_again(target):
    planner = User.objects.create(username="planner")
    limit(target)
    judged(target, [11])

    with pytest.raises(Refusal, match="needs a reason and the day"):
        take_step(only(), "accepted", by=planner, why=" ", now=NOW, review_on=TODAY + timedelta(days=9))
    with pytest.raises(Refusal, match="needs a reason and the day"):
        take_step(only(), "accepted", by=planner, why="month end", now=NOW)
    accepted = take_step(
        only(), "accepted", by=planner, why="month end", now=NOW, review_on=TODAY + timedelta(days=9)
    )

    assert (accepted.state, accepted.review_on) == (
        Violation.State.ACCEPTED,
        TODAY + timedelta(days=9),
    )
    assert (accepted.steps.last().by, accepted.steps.last().why) == (planner, "month end")  # type: ignore[union-attr]


def test_a_targets_state_is_the_worst_of_its_rows(target):
    Story(target).day(TODAY, redo=5, used={"DATA": 5, "USERS": 5})
    assert profile_of(target, TODAY).state is None

    states = []
    for notation, component in (("10", "DATA"), ("10", "GONE"), ("1", "USERS")):
        limit(target, notation, component=component)
        states.append(profile_of(target, TODAY).state)

    assert states == [FigureState.COMFORTABLE, FigureState.NO_DATA, FigureState.VIOLATED]
