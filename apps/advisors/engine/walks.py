"""A walk: questions asked one after the other, answered by figures, each answer leading somewhere (arithmetic, no Django)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.advisors.engine.finding_rules import Classification

Amounts = Mapping[str, float]  # by the keys of figures; what was not measured is not there


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    LOOK = "look"  # its figures are looked at, and decide nothing
    NOT_KNOWN = "not known"
    NOT_NEEDED = "not needed"  # an earlier answer ended the walk


@dataclass(frozen=True)
class WalkFigure:
    """One figure of the evidence: a metric of the host, or what its instances have on a subject, added up."""

    key: str
    metric: str = ""
    subject: str = ""


@dataclass(frozen=True, kw_only=True)
class WalkStep:
    """
    A question with its evidence; `condition` takes the figures of the day and those of 30 days before.

    Without a condition the figures are looked at and `if_yes` says how. `ends_on_no` ends the walk. An answer may speak for a diagnosis.
    """

    question: str
    figures: tuple[WalkFigure, ...]
    condition: Callable[[Amounts, Amounts], bool] | None = None
    rule: str = ""
    if_yes: str
    if_no: str = ""
    ends_on_no: bool = False
    yes_means: Classification | None = None
    no_means: Classification | None = None
    missing: str = ""  # what would give the figures


@dataclass(frozen=True)
class Walk:
    """Steps in their order."""

    title: str
    steps: tuple[WalkStep, ...]


@dataclass(frozen=True)
class AnsweredStep:
    step: WalkStep
    answer: Answer

    @property
    def leads_to(self) -> str:
        match self.answer:
            case Answer.YES | Answer.LOOK:
                return self.step.if_yes
            case Answer.NO:
                return self.step.if_no
            case Answer.NOT_KNOWN:
                return self.step.missing
            case Answer.NOT_NEEDED:
                return ""

    @property
    def means(self) -> Classification | None:
        """What it speaks for; None where it speaks for nothing."""
        by_answer = {Answer.YES: self.step.yes_means, Answer.NO: self.step.no_means}
        return by_answer.get(self.answer)


def answer_steps(walk: Walk, now: Amounts, before: Amounts) -> list[AnsweredStep]:
    """Each step with its answer, up to the one that ends the walk."""
    answered: list[AnsweredStep] = []
    is_over = False
    for step in walk.steps:
        answer = Answer.NOT_NEEDED if is_over else _answer(step, now, before)
        answered.append(AnsweredStep(step, answer))
        is_over = is_over or (step.ends_on_no and answer is Answer.NO)
    return answered


def _answer(step: WalkStep, now: Amounts, before: Amounts) -> Answer:
    if step.condition is None:
        return Answer.LOOK
    try:
        return Answer.YES if step.condition(now, before) else Answer.NO
    except (KeyError, ZeroDivisionError):
        return Answer.NOT_KNOWN


def conclude_walk(answered: Sequence[AnsweredStep]) -> Classification | None:
    """What the last answer that speaks for anything speaks for; None where it is undetermined."""
    return next((step.means for step in reversed(answered) if step.means), None)


_walks: dict[str, Walk] = {}


def add_walk(platform: str, walk: Walk) -> None:
    """Add what a platform of hosts declares; a second time replaces the first."""
    _walks[platform] = walk


def walk_of(platform: str) -> Walk | None:
    """The walk of a platform; None where it declares none."""
    return _walks.get(platform)
