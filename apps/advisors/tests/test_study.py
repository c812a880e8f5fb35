"""The study of a plan, from readings: the method's own redo study, and what may go wrong with one."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.advisors.engine.outcome import Outcome, Times, parse_times
from apps.advisors.models import Action, ActionPlan, StudyFigure
from apps.advisors.plan import plan_actions
from apps.advisors.steps import change_action
from apps.advisors.study import Study, StudyRow, add_figure, choose_windows, study_of, windows_of
from apps.advisors.tests.redo_study import CHANGED, DAYS, EXPECTED, NOW, WAITS, tell_redo_study
from apps.collection.tests.scripted import TODAY
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.engine.periods import Period
from apps.thresholds.case_steps import EditConflict, Refusal, take_step
from apps.thresholds.models import Violation

pytestmark = pytest.mark.django_db


@pytest.fixture
def dba(db: None) -> User:
    return User.objects.create(username="dba")


@pytest.fixture(scope="module")
def target_pk(module_db: None) -> int:
    return tell_redo_study().pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def plan(target: Target, dba: User) -> ActionPlan:
    plan = ActionPlan.objects.get(violation__component="log file sync")
    done_at = datetime.combine(CHANGED, NOW.time(), UTC)
    change_action(Action.objects.get(plan=plan), {"state": "done"}, by=dba, now=done_at)
    for event, (_, _, aim) in WAITS.items():
        add_figure(plan.violation, "x_read_ms", event, aim, now=NOW)
    add_figure(plan.violation, "x_redo", "", ">=4x", now=NOW)
    add_figure(plan.violation, "x_hit_pct", "", "no change", now=NOW)
    return plan


def rows_by_name(study: Study | None) -> dict[str, StudyRow]:
    assert study is not None
    return {row.name: row for row in study.rows}


def test_STU1_each_figure_of_the_redo_study_is_held_against_its_target(plan):
    study = study_of(plan)

    rows = rows_by_name(study)
    assert {name: row.result for name, row in rows.items()} == EXPECTED
    figures = {
        name: (row.display_mean(row.judged.before), row.display_mean(row.judged.after))
        for name, row in rows.items()
    }
    assert figures["log file sync"] == (pytest.approx(2.645), pytest.approx(0.213))  # cs, as the profile
    assert figures["log file parallel write"] == (pytest.approx(1.18), pytest.approx(0.055))
    assert figures["log buffer space"] == (pytest.approx(2.86), 0.0)
    assert figures["hits"] == (pytest.approx(1.2), pytest.approx(1.2))
    before, after = figures["redo"]
    assert before is not None
    assert after is not None
    assert round(after / before, 1) == 7.2
    assert study is not None
    assert (study.before, study.after) == (Period(DAYS[0], DAYS[6]), Period(DAYS[8], DAYS[14]))
    assert study.good == 5


def test_ACT7_what_got_worse_by_the_change_can_be_accepted_as_its_cost(plan, dba, target):
    reads = Violation.objects.get(target=target, component="db file sequential read")
    take_step(
        reads,
        "regression",
        by=dba,
        why="The LUNs are shared.",
        now=NOW,
        review_on=NOW.date() + timedelta(days=90),
    )

    study = study_of(plan)

    assert rows_by_name(study)["db file sequential read"].accepted == reads
    assert rows_by_name(study)["log file switch completion"].accepted is None
    assert study is not None
    assert study.counts == {"met": 4, "eliminated": 1, "worse": 1, "worse, accepted": 1}


def test_without_figures_named_it_looks_at_that_of_the_violation(plan):
    StudyFigure.objects.all().delete()

    assert {name: row.result for name, row in rows_by_name(study_of(plan)).items()} == {
        "log file sync": Outcome.MET
    }


def test_there_is_none_before_a_step_was_carried_out(target):
    plan = plan_actions(Violation.objects.get(component="log file sync"), TODAY, NOW)

    assert study_of(plan) is None
    assert windows_of(plan) == (None, None)


def test_the_days_after_begin_once_one_was_reviewed(plan):
    Action.objects.update(done_on=TODAY)

    study = study_of(plan)

    assert study is not None
    assert study.after is None
    assert study.reason == "The days after begin once one was reviewed."


def test_people_choose_the_days_and_give_them_back(plan):
    choose_windows(plan.violation, (DAYS[2], DAYS[4], DAYS[9], DAYS[12]), now=NOW)
    plan.refresh_from_db()
    assert windows_of(plan) == (Period(DAYS[2], DAYS[4]), Period(DAYS[9], DAYS[12]))

    choose_windows(plan.violation, None, now=NOW)
    plan.refresh_from_db()

    assert windows_of(plan)[0] == Period(DAYS[0], DAYS[6])


@pytest.mark.parametrize(
    ("offsets", "words"),
    [((4, 2, 9, 12), "lies before"), ((2, 9, 9, 12), "do not overlap"), ((-200, 2, 9, 12), "at most 92")],
)
def test_days_that_cannot_be_get_a_sentence(plan, offsets, words):
    first, second, third, fourth = (DAYS[0] + timedelta(days=offset) for offset in offsets)

    with pytest.raises(Refusal, match=words):
        choose_windows(plan.violation, (first, second, third, fourth), now=NOW)


def test_the_second_who_chooses_days_is_told(plan):
    days = (DAYS[2], DAYS[4], DAYS[9], DAYS[12])
    choose_windows(plan.violation, days, now=NOW, version=0)

    with pytest.raises(EditConflict, match="Somebody changed this plan"):
        choose_windows(plan.violation, days, now=NOW, version=0)


@pytest.mark.parametrize("aim", ["2 parsecs", "<", "1..", "4 x x"])
def test_an_aim_that_is_none_gets_a_sentence(plan, aim):
    with pytest.raises(Refusal, match="A multiple such as >=4x is one too"):
        add_figure(plan.violation, "x_redo", "", aim, now=NOW)


def test_a_figure_that_was_never_measured_has_no_result(plan):
    add_figure(plan.violation, "x_write_ms", "no such event", "<5 ms", now=NOW)
    add_figure(plan.violation, "x_used", "DATA", "<5", now=NOW)

    rows = rows_by_name(study_of(plan))

    assert rows["DATA"].result is Outcome.NO_DATA
    assert (
        rows["no such event average of writes"].result is Outcome.MET
    )  # its source was read, and it did not occur


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4x", Times(">=", 4.0)),
        ("≥ 4×", Times(">=", 4.0)),
        ("<0.5x", Times("<", 0.5)),
        ("<5 ms", None),
        ("x", None),
    ],
)
def test_a_multiple_is_told_from_a_limit(text, expected):
    assert parse_times(text) == expected
