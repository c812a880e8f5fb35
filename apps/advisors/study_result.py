"""StudyResult: what became of each figure of a study, thing by thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.profiles.differences import Comparison, DaysUsed
from apps.profiles.things import StatisticThing


@dataclass(frozen=True)
class Acceptance:
    """Why a cost was accepted and until when; `url` is that of the case in which it was."""

    reason: str
    until: date | None
    url: str = ""


@dataclass(frozen=True)
class FigureEffect:
    """What a change made of a figure, in percent of what it was, with what it may be off either way at 95 %."""

    percent: float
    margin: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.margin is None else (self.percent - self.margin, self.percent + self.margin)


@dataclass(frozen=True)
class ComparedFigure:
    """
    One figure before and after, in the unit of the profile; of an average the rate of what it is of stands beside it,
    in `rate_unit`.
    """

    target: Target
    metric: Metric
    component: str
    before: float | None
    after: float | None
    rate_unit: str
    rate_before: float | None
    rate_after: float | None
    effect: FigureEffect | None
    outcome: Outcome
    reason: str
    aim: str = ""
    aim_pk: int | None = None
    acceptance: Acceptance | None = None

    @property
    def name(self) -> str:
        return self.metric.called(self.component)

    @property
    def is_accepted(self) -> bool:
        return self.acceptance is not None and self.outcome is Outcome.WORSE

    @property
    def verdict(self) -> str:
        """The outcome in words; what got worse and was accepted says so."""
        return "worse, accepted" if self.is_accepted else str(self.outcome)


StudyThing = StatisticThing[ComparedFigure]


def figures_worse(thing: StudyThing) -> list[ComparedFigure]:
    """What of a thing got worse."""
    return [figure for figure in thing.rows if figure.outcome is Outcome.WORSE]


def is_cost_accepted(thing: StudyThing) -> bool:
    """Whether what got worse of a thing was accepted: the figure that leads it, or all that did."""
    worse = figures_worse(thing)
    return thing.lead.is_accepted or (bool(worse) and all(figure.is_accepted for figure in worse))


@dataclass(frozen=True)
class StudyResult:
    """
    Both windows of a study, thing by thing: those led by a figure with an aim, then what else changed, worse first, of the
    target and of its machine. `unchanged` figures stayed within their noise, `less_sure` ones changed less surely than these.
    """

    comparisons: Sequence[Comparison]  # of the target, and of its machine
    aimed_things: Sequence[StudyThing]
    other_things: Sequence[StudyThing]
    unchanged: int = 0
    less_sure: int = 0
    is_of_days: bool = True

    @property
    def days(self) -> tuple[DaysUsed, DaysUsed]:
        return self.comparisons[0].before, self.comparisons[0].after

    @property
    def is_over(self) -> bool:
        """Whether every day of the window after was reviewed."""
        return not self.days_until_over

    @property
    def days_until_over(self) -> int:
        """How many days of the window after are still to come."""
        if not self.is_of_days:
            return 0
        used = self.days[1]
        last = used.target.reviewed_through or used.period.first - timedelta(days=1)
        return max(0, (used.period.last - last).days)

    @property
    def things(self) -> Sequence[StudyThing]:
        return [*self.aimed_things, *self.other_things]

    @property
    def aimed(self) -> Sequence[ComparedFigure]:
        """The figures with an aim."""
        return [thing.lead for thing in self.aimed_things]

    @property
    def good(self) -> int:
        return sum(figure.outcome in GOOD for figure in self.aimed)

    @property
    def worse(self) -> Sequence[ComparedFigure]:
        """Every figure that got worse."""
        return [figure for thing in self.things for figure in figures_worse(thing)]

    @property
    def things_worse(self) -> Sequence[StudyThing]:
        return [thing for thing in self.things if figures_worse(thing)]

    @property
    def gain(self) -> tuple[ComparedFigure, float] | None:
        """The first figure with an aim that both windows have, and its difference."""
        for figure in self.aimed:
            if figure.before is not None and figure.after is not None:
                return figure, figure.after - figure.before
        return None
