"""The study of a plan, from readings: the method's own redo study, and what may go wrong with one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from apps.advisors.engine.outcome import Outcome, Times, parse_times
from apps.advisors.models import Action, ActionPlan, StudyFigure
from apps.advisors.plan import plan_actions
from apps.advisors.steps import change_action
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_deeds import study_from_plan
from apps.advisors.study_plan import PlanStudy, add_figure, choose_windows, study_of, windows_of
from apps.advisors.study_result import ComparedFigure
from apps.advisors.tests.redo_study import CHANGED, DAYS, EXPECTED, NOW, WAITS, tell_redo_study
from apps.collection.tests.scripted import TODAY
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.engine.periods import Period
from apps.reports.study_text import headline_of
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


def figures_by_name(study: PlanStudy | None) -> dict[str, ComparedFigure]:
    assert study is not None
    assert study.result is not None
    return {figure.name: figure for figure in study.result.aimed}


def test_STU1_each_figure_of_the_redo_study_is_held_against_its_target(plan):
    study = study_of(plan)

    compared = figures_by_name(study)
    assert {name: figure.outcome for name, figure in compared.items()} == EXPECTED
    figures = {name: (figure.before, figure.after) for name, figure in compared.items()}
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
    assert study.result is not None
    assert study.result.good == 5


def test_a_case_and_a_study_of_its_plan_say_the_same(plan):
    study = study_of(plan)
    made = study_from_plan(plan, question="Faster?", change="Own LUNs.", by=None, now=NOW)

    of_study = compare_study(made)

    assert study is not None
    assert study.result is not None

    def without_keys(figures: Sequence[ComparedFigure]) -> list[ComparedFigure]:
        return [replace(figure, aim_pk=None) for figure in figures]

    assert without_keys(study.result.aimed) == without_keys(of_study.aimed)
    assert headline_of(study.result) == headline_of(of_study)


def test_verdicts_wait_for_the_days_that_were_chosen(plan):
    choose_windows(plan.violation, (DAYS[0], DAYS[6], DAYS[8], TODAY + timedelta(days=2)), now=NOW)
    plan.refresh_from_db()

    figures = figures_by_name(study_of(plan))

    assert {figure.verdict for figure in figures.values()} == {"no data"}
    assert {figure.reason for figure in figures.values()} == {"The days after are not over."}


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

    figures = figures_by_name(study)
    acceptance = figures["db file sequential read"].acceptance
    assert acceptance is not None
    assert acceptance.url == reads.get_absolute_url()
    assert figures["log file switch completion"].acceptance is None
    verdicts = Counter(figure.verdict for figure in figures.values())
    assert verdicts == {"met": 4, "eliminated": 1, "worse": 1, "worse, accepted": 1}


def test_without_figures_named_it_looks_at_that_of_the_violation(plan):
    StudyFigure.objects.all().delete()

    assert {name: figure.outcome for name, figure in figures_by_name(study_of(plan)).items()} == {
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

    figures = figures_by_name(study_of(plan))

    assert figures["DATA"].outcome is Outcome.NO_DATA
    assert (
        figures["no such event average of writes"].outcome is Outcome.MET
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
