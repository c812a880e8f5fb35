"""What people said, did and wrote about the violations of the estate, told day by day as its past is loaded."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from apps.advisors.attachments import add_comment
from apps.advisors.models import Action, ChangeStudy, StudyFigure
from apps.advisors.steps import change_action, decide_diagnosis
from apps.advisors.study_deeds import add_cause, study_from_plan
from apps.advisors.study_plan import add_figure, choose_windows
from apps.demo.cast.people import HADDAD, LINDQVIST, OKAFOR
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.case_steps import Refusal, take_step
from apps.thresholds.models import Step, Violation

State = Violation.State
STATE = Action.State


@dataclass(frozen=True)
class Case:
    """Which violation: of which member, of what."""

    member: str
    component: str


@dataclass(frozen=True, kw_only=True)
class StoryEvent:
    """Something that happened so many days before the last day loaded, to a violation once it is open."""

    of: Case
    by: str
    age: int
    at: time


@dataclass(frozen=True, kw_only=True)
class StateChange(StoryEvent):
    """A step somebody took with the violation."""

    to: str
    why: str
    review_in: int = 0  # days after the last one loaded


@dataclass(frozen=True, kw_only=True)
class ActionsDone(StoryEvent):
    """Steps of its plan by place, carried out or begun."""

    steps: tuple[int, ...]
    state: str = STATE.DONE


@dataclass(frozen=True, kw_only=True)
class StoryComment(StoryEvent):
    """A comment."""

    text: str


@dataclass(frozen=True, kw_only=True)
class DiagnosisDecision(StoryEvent):
    """What somebody made of its diagnosis."""

    diagnosis: str
    why: str


@dataclass(frozen=True, kw_only=True)
class FigureChoice(StoryEvent):
    """The figures that its study looks at: statistic, component, what is aimed at."""

    figures: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, kw_only=True)
class WindowChoice(StoryEvent):
    """The days before and after of its study, both ends included, as ages."""

    before: tuple[int, int]
    after: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class StudyChoice(StoryEvent):
    """The study that is made of its plan, with the gain by cause."""

    question: str
    change: str
    causes: tuple[tuple[str, int], ...]


WAIT = "wait_avg_ms"
COMMITS = Case("PAYPRD", "log file sync")
READS = Case("PAYPRD", "db file sequential read")
RECOVERY = Case("CRMPRD1", "RECO")

STORY: tuple[StoryEvent, ...] = (
    StateChange(
        of=COMMITS,
        by=OKAFOR,
        age=-40,
        at=time(9, 20),
        to=State.ACKNOWLEDGED,
        why="Payment runs wait for every commit.",
    ),
    StateChange(
        of=COMMITS,
        by=OKAFOR,
        age=-39,
        at=time(14, 5),
        to=State.IN_PROGRESS,
        why="The plan is taken: the redo path is measured first.",
    ),
    DiagnosisDecision(
        of=COMMITS,
        by=LINDQVIST,
        age=-38,
        at=time(10, 40),
        diagnosis="capacity",
        why="LGWR was busy 87 % of the time at 74 writes a second: the configuration of the redo path is the limit.",
    ),
    ActionsDone(of=COMMITS, by=OKAFOR, age=-37, at=time(16, 30), steps=(0,)),
    ActionsDone(of=COMMITS, by=OKAFOR, age=-15, at=time(22, 20), steps=(1, 2)),
    StoryComment(
        of=COMMITS,
        by=HADDAD,
        age=-15,
        at=time(22, 48),
        text="Redo LUNs moved at 22:15, writes below 1 ms since.",
    ),
    ActionsDone(of=COMMITS, by=OKAFOR, age=-14, at=time(8, 10), steps=(3,), state=STATE.UNDER_WAY),
    FigureChoice(
        of=COMMITS,
        by=OKAFOR,
        age=-14,
        at=time(8, 15),
        figures=(
            ("user_commits", "", ">=4x"),
            (WAIT, "log buffer space", "eliminate"),
            (WAIT, "log file sync", "<5 ms"),
            (WAIT, "log file parallel write", "<2 ms"),
            (WAIT, "log file switch completion", ""),
            (WAIT, "db file sequential read", "<10 ms"),
        ),
    ),
    StateChange(
        of=READS,
        by=LINDQVIST,
        age=-1,
        at=time(15, 10),
        to=State.REGRESSION,
        why="The read LUNs now share the array with the redo LUNs. Accepted until the array is replaced.",
        review_in=104,
    ),
    StoryComment(
        of=COMMITS,
        by=LINDQVIST,
        age=-1,
        at=time(15, 12),
        text="Accepting the slower reads until June; the array is replaced in May.",
    ),
    WindowChoice(of=COMMITS, by=OKAFOR, age=0, at=time(16, 35), before=(-22, -16), after=(-4, 0)),
    StoryComment(
        of=COMMITS,
        by=OKAFOR,
        age=0,
        at=time(16, 40),
        text="Good days since the payroll run. log file sync peaked at 6.1 ms during it.",
    ),
    StudyChoice(
        of=COMMITS,
        by=OKAFOR,
        age=0,
        at=time(16, 50),
        question="Did rebuilding the redo path make commits fast?",
        change="Redo logs on LUNs of their own, striped and mirrored; log buffer 72 MB; members of 8 GB.",
        causes=(
            ("LUNs of their own", 50),
            ("striped and mirrored", 20),
            ("log buffer", 15),
            ("larger members", 10),
            ("no other load on the paths", 5),
        ),
    ),
    StateChange(
        of=RECOVERY,
        by=OKAFOR,
        age=-6,
        at=time(10, 45),
        to=State.IN_PROGRESS,
        why="The standby keeps archived logs; four LUNs are ordered.",
    ),
    ActionsDone(of=RECOVERY, by=OKAFOR, age=-6, at=time(10, 50), steps=(0,)),
    ActionsDone(of=RECOVERY, by=OKAFOR, age=-6, at=time(10, 51), steps=(1,), state=STATE.UNDER_WAY),
)


def tell_story(target: Target, reviewed: date, last_day: date) -> None:
    """
    Let happen what happened after a day was reviewed and before the next one; told again it changes nothing.

    What nobody could have known yet, because the violation opens later in a shorter past, waits for its opening, and
    happens then in the same order: each after what came before.
    """
    for event, violation in _due(target, reviewed, last_day):
        moment = datetime.combine(min(reviewed + timedelta(days=1), last_day), event.at, target.zone)
        newest = violation.steps.order_by("-at").values_list("at", flat=True).first()
        _let_happen(event, violation, max(moment, newest) if newest else moment, last_day)


def _due(target: Target, reviewed: date, last_day: date) -> Iterator[tuple[StoryEvent, Violation]]:
    member = target.address["member"]
    for event in STORY:
        if event.of.member == member and last_day + timedelta(days=event.age - 1) <= reviewed:
            violations = Violation.objects.live().filter(target=target, component=event.of.component)
            violation = violations.exclude(opened_on=None).first()
            if violation is not None:
                yield event, violation


def _let_happen(event: StoryEvent, violation: Violation, moment: datetime, last_day: date) -> None:
    by = User.objects.get(username=event.by)
    if isinstance(event, StateChange):
        if not Step.objects.filter(violation=violation, why=event.why).exists():
            until = last_day + timedelta(days=event.review_in) if event.review_in else None
            take_step(violation, event.to, by=by, why=event.why, now=moment, review_on=until)
    elif isinstance(event, ActionsDone):
        for action in Action.objects.to_be_done().filter(plan__violation=violation, position__in=event.steps):
            if action.state != event.state:
                change_action(action, {"state": event.state}, by=by, now=moment)
    elif isinstance(event, StoryComment):
        if not violation.comments.filter(text=event.text).exists():
            add_comment(violation, event.text, by=by, now=moment)
    elif isinstance(event, DiagnosisDecision):
        if not violation.plan.confirmed_by_id:
            decide_diagnosis(violation, event.diagnosis, by=by, why=event.why, now=moment)
    elif isinstance(event, WindowChoice):
        if violation.plan.before_from is None:
            first, second, third, fourth = (
                last_day + timedelta(days=age) for age in (*event.before, *event.after)
            )
            choose_windows(violation, (first, second, third, fourth), now=moment)
    elif isinstance(event, StudyChoice):
        _make_study(event, violation, by, moment)
    elif (
        isinstance(event, FigureChoice) and not StudyFigure.objects.filter(plan__violation=violation).exists()
    ):
        for metric, component, aim in event.figures:
            add_figure(violation, metric, component, aim, now=moment)


def _make_study(event: StudyChoice, violation: Violation, by: User, moment: datetime) -> None:
    """Once; a past too short to have the days before the change has no study."""
    if ChangeStudy.objects.filter(target=violation.target, question=event.question).exists():
        return
    with suppress(Refusal):
        study = study_from_plan(
            violation.plan, question=event.question, change=event.change, by=by, now=moment
        )
        for text, share in event.causes:
            add_cause(study, text, share, by=by)
