"""Studies of a change: windows, effects, costs, the gain by cause, and what comes next."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from apps.advisors.engine.outcome import Outcome
from apps.advisors.models import Action, ActionPlan, ChangeStudy
from apps.advisors.steps import change_action
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_deeds import (
    StudyDraft,
    accept_cost,
    add_aim,
    add_cause,
    close_study,
    make_study,
    propose_next_limits,
    study_from_plan,
)
from apps.advisors.study_result import Acceptance, ComparedFigure, StudyResult
from apps.advisors.tests.redo_study import CHANGED, DAYS, EXPECTED, NOW, WAITS, tell_redo_study
from apps.collection.tests.scripted import TODAY, Story, instance
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.things import StatisticThing
from apps.reports.study_text import (
    describe_windows,
    headline_of,
    write_causes,
    write_change,
    write_interval,
    write_scaling,
)
from apps.snapshots.models import Fact
from apps.thresholds.case_steps import Refusal, take_step
from apps.thresholds.models import Violation

pytestmark = pytest.mark.django_db

FIRST, LAST = DAYS[0], DAYS[14]
QUESTION = {"question": "Did moving the redo logs help?", "change": "Own LUNs, larger members."}


@pytest.fixture(scope="module")
def target_pk(module_db: None) -> int:
    return tell_redo_study().pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def study(target: Target) -> ChangeStudy:
    made = make(target)
    for event, (_, _, aim) in WAITS.items():
        add_aim(made, "x_read_ms", event, aim)
    add_aim(made, "x_redo", "", ">=4x")
    add_aim(made, "x_hit_pct", "", "no change")
    return made


def make(target: Target, **other: Any) -> ChangeStudy:
    fields = {**QUESTION, "before": (FIRST, DAYS[6]), "after": (DAYS[8], LAST)} | other
    return make_study(StudyDraft(target=target, **fields), by=None, now=NOW)


def figures_of(study: ChangeStudy) -> dict[str, ComparedFigure]:
    return {figure.name: figure for figure in compare_study(study).aimed}


def test_STU1_the_redo_study_is_met_missed_eliminated_better_worse_and_same(study):
    result = compare_study(study)

    assert {figure.name: figure.outcome for figure in result.aimed} == EXPECTED
    assert result.good == 5
    assert headline_of(result) == (
        "Five of seven figures with a target came out well",
        "; two things got worse.",
    )
    redo = figures_of(study)["redo"]
    assert write_change(redo) == "7.22×"


def test_of_an_average_the_rate_stands_beside_it(study):
    commits = figures_of(study)["log file sync"]

    assert commits.rate_unit == "waits/s"
    assert commits.rate_before == commits.rate_after == pytest.approx(1000 / 86_400)
    gone = figures_of(study)["log buffer space"]
    assert (gone.before, gone.after, gone.rate_after) == (pytest.approx(2.86), 0.0, 0.0)


def test_figures_that_never_moved_say_so_instead_of_an_interval(study):
    assert write_interval(figures_of(study)["log file sync"]) == "constant in both"


def test_an_effect_has_the_interval_of_welch(target):
    other = instance("NOISY")
    story = Story(other)
    for on, amount in zip(DAYS, (70, 74, 71, 73, 72, 70, 74, 72, 80, 84, 81, 83, 82, 80, 84), strict=True):
        story.day(on, redo=amount, calls=1000)
    other.reviewed_through = LAST
    other.save()
    made = make(other)
    add_aim(made, "x_redo", "", "")

    (redo,) = compare_study(made).aimed

    assert redo.effect is not None
    assert redo.effect.interval is not None
    assert redo.effect.percent == pytest.approx(100 * 10 / 72)
    # equal spreads of 7 days each: 10 ± 2.179 × 0.9759 (12 degrees of freedom), of 72
    assert redo.effect.margin == pytest.approx(100 * 2.1788 * 0.92582 / 72, rel=0.001)
    assert redo.outcome is Outcome.WORSE


def test_what_changed_without_a_target_stands_below_and_the_rest_is_counted(target):
    made = make(target)

    result = compare_study(made)

    assert not result.aimed
    assert "log file sync" in {thing.lead.name for thing in result.other_things}
    assert result.unchanged > 0
    assert headline_of(result)[0] == "No figure has a target yet"


def test_what_else_changed_of_a_thing_stands_with_it_and_counts_once(target):
    other = instance("SPACE")
    story = Story(other)
    for number, on in enumerate(DAYS):
        grown = 100 + 10 * (number > 7) + number % 2
        sizes = dict.fromkeys(("DATA", "USERS"), float(grown))
        story.day(on, used=sizes, free={name: 200 - size for name, size in sizes.items()})
    other.reviewed_through = LAST
    other.save()
    made = make(other)
    add_aim(made, "x_used", "DATA", "<105")

    result = compare_study(made)

    (data,), (users,) = result.aimed_things, result.other_things
    assert [(row.metric.key, row.component) for row in data.rows] == [("x_used", "DATA"), ("x_free", "DATA")]
    assert {row.component for row in users.rows} == {"USERS"}
    assert (len(result.worse), len(result.things_worse)) == (4, 2)
    assert headline_of(result) == (
        "The figure with a target did not come out well",
        "; two things got worse.",
    )
    accept_cost(made, "x_used", "DATA", reason="x", until=NOW.date(), by=None, now=NOW)
    assert headline_of(compare_study(made))[1] == "; two things got worse, one of them accepted."


@pytest.mark.parametrize(
    ("good", "aimed", "worse", "accepted", "sentence"),
    [
        (1, 1, 0, 0, "The figure with a target came out well; nothing got worse."),
        (0, 1, 1, 1, "The figure with a target did not come out well; one thing got worse, accepted."),
        (0, 3, 2, 1, "None of three figures with a target came out well; two things got worse, one of them accepted."),
        (4, 6, 0, 0, "Four of six figures with a target came out well; nothing got worse."),
        (4, 13, 0, 0, "4 of 13 figures with a target came out well; nothing got worse."),
    ],
)  # fmt: skip
def test_a_headline_has_its_numbers_in_one_style(study, good, aimed, worse, accepted, sentence):
    template = compare_study(study).aimed[0]
    acceptance = Acceptance("x", TODAY)
    outcomes = [Outcome.MET] * good + [Outcome.WORSE] * worse + [Outcome.SAME] * (aimed - good - worse)
    figures = [replace(template, outcome=outcome, component=str(at)) for at, outcome in enumerate(outcomes)]
    cost = [replace(figure, acceptance=acceptance) for figure in figures[good : good + accepted]]
    figures[good : good + accepted] = cost

    result = StudyResult(compare_study(study).comparisons, [StatisticThing(figure) for figure in figures], ())

    assert "".join(headline_of(result)) == sentence


def test_ACT7_what_got_worse_is_accepted_with_a_reason_until_a_day(study):
    until = NOW.date() + timedelta(days=90)
    accept_cost(
        study, "x_read_ms", "db file sequential read", reason="Shared array.", until=until, by=None, now=NOW
    )

    figures = figures_of(study)

    assert figures["db file sequential read"].verdict == "worse, accepted"
    assert figures["log file switch completion"].verdict == "worse"
    assert headline_of(compare_study(study))[1] == "; two things got worse, one of them accepted."
    with pytest.raises(Refusal, match="Say why it is accepted"):
        accept_cost(study, "x_read_ms", "log file sync", reason=" ", until=until, by=None, now=NOW)
    with pytest.raises(Refusal, match="1 January 2026 has gone by"):
        accept_cost(study, "x_read_ms", "log file sync", reason="x", until=date(2026, 1, 1), by=None, now=NOW)


def test_what_was_accepted_in_a_case_is_accepted_in_a_study(study, target):
    dba = User.objects.create(username="dba")
    case = Violation.objects.get(target=target, component="db file sequential read")
    until = NOW.date() + timedelta(days=90)
    take_step(case, "regression", by=dba, why="Shared LUNs.", now=NOW, review_on=until)

    reads = figures_of(study)["db file sequential read"]

    assert reads.verdict == "worse, accepted"
    assert reads.acceptance is not None
    assert (reads.acceptance.reason, reads.acceptance.until) == (f"Accepted in case V-{case.pk}.", until)


def test_ACT6_the_gain_by_cause_adds_up_to_the_difference(study):
    okafor = User.objects.create(username="planner", first_name="T.", last_name="Okafor")
    for text, share in (("own LUNs", 50), ("larger members", 20), ("write cache", 15), ("RAID 10", 10)):
        add_cause(study, text, share, by=okafor)

    lines = write_causes(study, compare_study(study))

    assert lines[0] == "own LUNs: 50\N{NO-BREAK SPACE}%, 1.22\N{NO-BREAK SPACE}cs, says T. Okafor"
    assert lines[-1].startswith("50 + 20 + 15 + 10 = 95")
    assert lines[-1].endswith("5\N{NO-BREAK SPACE}% are not explained.")
    with pytest.raises(Refusal, match="The causes have 95 % of the gain; give a share from 1 to 5 %"):
        add_cause(study, "luck", 6, by=okafor)
    add_cause(study, "luck", 5, by=okafor)
    assert "not explained" not in write_causes(study, compare_study(study))[-1]
    with pytest.raises(Refusal, match="have all of the gain"):
        add_cause(study, "more luck", 1, by=okafor)


def test_THR8_a_closed_study_proposes_the_next_thresholds_and_a_day_to_look_again(study):
    close_study(study, "Commits are fast.", by=None, now=NOW)

    limits = {
        row.metric.called(row.component): row for row in propose_next_limits(study, compare_study(study))
    }

    assert study.revisit_on == NOW.date() + timedelta(days=30)
    assert study.is_due(study.revisit_on)
    commits = limits["log file sync"]
    assert commits.proposal.notation == "<=0.25"  # 15 % beyond 0.213 cs
    assert commits.existing is not None
    assert commits.existing.notation == "<5 ms"
    assert limits["log buffer space"].proposal.notation == ""
    with pytest.raises(Refusal, match="was closed on"):
        add_aim(study, "x_redo", "", "")
    with pytest.raises(Refusal, match="was closed on"):
        close_study(study, "Again.", by=None, now=NOW)


def test_a_study_is_closed_with_a_conclusion_once_its_days_are_over(target):
    running = make(target, after=(DAYS[8], TODAY + timedelta(days=3)))
    add_aim(running, "x_redo", "", ">=4x")

    (redo,) = compare_study(running).aimed
    assert (redo.before, redo.effect, redo.verdict) == (pytest.approx(72), None, "no data")
    assert headline_of(compare_study(running)) == (
        "The days after the change are not over",
        ": three more days to come, the verdicts wait.",
    )
    with pytest.raises(Refusal, match="close the study once that day was reviewed"):
        close_study(running, "Done.", by=None, now=NOW)
    with pytest.raises(Refusal, match="Say what came of it"):
        close_study(running, " ", by=None, now=NOW)
    assert running.closed_at is None


def test_windows_tell_how_many_of_their_days_count(target):
    made = make(target, before=(FIRST - timedelta(days=2), DAYS[6]))

    assert [text.partition(": ")[2] for _, text in describe_windows(compare_study(made))] == [
        "7 of 9 days count, 2 not read or in part",
        "7 of 7 days count",
    ]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"before": (DAYS[6], FIRST)}, "exchange them"),
        ({"before": (FIRST, DAYS[8])}, "choose days that do not overlap"),
        ({"before": (DAYS[5], DAYS[6])}, "The window before has 2 of the 3 days"),
        ({"after": (DAYS[8], DAYS[8])}, "The window after has 1 of the 3 days"),
        (
            {"before": (FIRST - timedelta(days=40), FIRST - timedelta(days=30))},
            "was read on 0 of the 11 days before the change; 3 are needed",
        ),
        ({"before": (FIRST - timedelta(days=200), DAYS[6])}, "choose at most 92"),
    ],
)
def test_windows_that_cannot_be_get_a_sentence_and_nothing_is_stored(target, fields, sentence):
    with pytest.raises(Refusal) as refused:
        make(target, **fields)

    assert sentence in str(refused.value)
    assert not ChangeStudy.objects.exists()


def test_another_release_on_both_sides_is_refused_unless_it_is_the_change(target):
    for day, release in ((FIRST - timedelta(days=9), "19.22"), (CHANGED, "19.25")):
        at = datetime.combine(day, NOW.time(), UTC)
        Fact.objects.update_or_create(
            target=target, name="version", component="", since=at, defaults={"value": release}
        )

    with pytest.raises(Refusal, match=r"ran 19\.22 before and 19\.25 after"):
        make(target)
    assert not ChangeStudy.objects.exists()

    assert make(target, is_of_release=True).pk


def test_a_plan_becomes_a_study_with_its_windows_and_figures(target):
    plan = ActionPlan.objects.get(violation__component="log file sync")
    with pytest.raises(Refusal, match="no days after its change yet"):
        study_from_plan(plan, **QUESTION, by=None, now=NOW)
    dba = User.objects.create(username="dba")
    done_at = datetime.combine(CHANGED, NOW.time(), UTC)
    change_action(Action.objects.get(plan=plan), {"state": "done"}, by=dba, now=done_at)

    made = study_from_plan(plan, **QUESTION, by=dba, now=NOW)

    assert (made.before_from, made.after_to) == (FIRST, LAST)
    assert [(aim.component, aim.aim) for aim in made.aims.all()] == [("log file sync", "<5 ms")]
    assert isinstance(compare_study(made), StudyResult)


def test_an_aim_that_is_none_gets_a_sentence(study):
    with pytest.raises(Refusal, match="A multiple such as"):
        add_aim(study, "x_redo", "", "soon")

    assert study.aims.get(metric="x_redo").aim == ">=4x"


def test_an_average_is_told_for_more_work_where_its_days_carry_a_line(target):
    """Each wait takes as long as there is redo: at 1.5 times the redo it takes 1.5 times as long."""
    other = instance("BUSY")
    story = Story(other)
    for on, redo in zip(
        DAYS, (80, 90, 100, 110, 120, 80, 90, 100, 80, 90, 100, 110, 120, 100, 100), strict=True
    ):
        story.day(
            on,
            redo=redo,
            calls=1000,
            waits={"log file sync": (1000.0, redo / 10), "log buffer space": (1000.0, 7)},
        )
    other.reviewed_through = LAST
    other.save()
    made = make(other)
    for event in ("log file sync", "log buffer space"):
        add_aim(made, "x_read_ms", event, "")

    commits, buffers = write_scaling(made, compare_study(made))

    assert (
        commits
        == "log file sync: 1.5\N{NO-BREAK SPACE}cs (1.5 to 1.5) at 1.5 times the redo of now, if it holds its line; now 1"
    )
    assert buffers == "log buffer space: cannot be told, it did not go with the work"


def test_days_with_the_same_work_tell_nothing_of_more(study):
    lines = write_scaling(study, compare_study(study))

    assert lines[0] == "log file sync: cannot be told, the work of its days was too much alike"
