"""How many limited figures are over, closing, predicted and not known: what sentences count."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet

from apps.catalog.registry import find_metric, is_of_platform
from apps.charts.words import capital, in_words
from apps.collection.unread_targets import unread_targets
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.case_text import state_of_case
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold, Violation


@dataclass(frozen=True)
class Counts:
    """
    Cases by the state of their figure, and `young`: figures beyond a limit that no review has opened a case for yet.

    Of a target that was not read none counts as over or closing, nor as predicted.
    """

    over: int = 0
    predicted: int = 0
    closing: int = 0
    unread: int = 0
    young: int = 0

    @classmethod
    def of(cls, outlooks: Iterable[Outlook]) -> "Counts":
        outlooks = list(outlooks)
        cases = cls.of_states(outlook.state for outlook in outlooks if outlook.violation is not None)
        return replace(cases, young=sum(outlook.is_young for outlook in outlooks))

    @classmethod
    def of_states(cls, states: Iterable[FigureState]) -> "Counts":
        """Of the states of cases, one each."""
        state_list = list(states)
        return cls(
            over=state_list.count(FigureState.VIOLATED),
            predicted=state_list.count(FigureState.AT_RISK),
            closing=state_list.count(FigureState.CLOSING),
            unread=state_list.count(FigureState.NO_DATA),
        )

    @property
    def lead(self) -> str:
        """What is over, else what will be: "Eleven figures are over their limit"."""
        if self.over:
            return f"{_figures(self.over)} {_are(self.over)} over {_their(self.over)} limit"
        if self.predicted:
            return f"{_figures(self.predicted)} will be over {_their(self.predicted)} limit within 90 days"
        if self.young:
            return f"{_figures(self.young)} {_are(self.young)} beyond {_their(self.young)} limit without a case yet"
        if self.unread:
            return "Nothing that was read is over its limit"
        return "Nothing is over its limit" if self.closing else ""

    @property
    def rest(self) -> list[str]:
        """What else there is, beside the lead: "five more will be within 90 days", "one is inside again, closing"."""
        if self.over:
            return self.rest_when_over
        return (
            self.rest_when_over[1:] if self.predicted else self.rest_when_over[: -1 if self.young else None]
        )

    @property
    def rest_when_over(self) -> list[str]:
        """The same beside how many are over."""
        parts = []
        if self.predicted:
            parts.append(f"{in_words(self.predicted)} more will be within 90 days")
        if self.closing:
            parts.append(f"{in_words(self.closing)} {_are(self.closing)} inside again, closing")
        if self.unread:
            parts.append(f"{in_words(self.unread)} {_are(self.unread)} unknown, not read")
        if self.young:
            parts.append(f"{in_words(self.young)} more {_are(self.young)} beyond it without a case yet")
        return parts


def over_by_target(targets: QuerySet[Target], now: datetime) -> Counter[int]:
    """How many cases of each target are over their limit; of one that was not read nothing is known. Four queries at most."""
    cases = Violation.objects.over().filter(target__in=targets)
    over = Counter(cases.values_list("target_id", flat=True))
    unread = unread_targets(over, now)
    return Counter({target: number for target, number in over.items() if target not in unread})


def states_by_limit(now: datetime) -> dict[int, list[FigureState]]:
    """The states of the live cases of each limit, by its key; four queries at most."""
    cases = list(Violation.objects.live().filter(target__retired_at=None).exclude(threshold=None))
    unread = unread_targets({case.target_id for case in cases}, now)
    states: dict[int, list[FigureState]] = {}
    for case in cases:
        assert case.threshold_id is not None
        state = FigureState.NO_DATA if case.target_id in unread else state_of_case(case)
        states.setdefault(case.threshold_id, []).append(state)
    return states


def _figures(number: int) -> str:
    return f"{capital(in_words(number))} figure{'' if number == 1 else 's'}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _their(number: int) -> str:
    return "its" if number == 1 else "their"


def count_limited(targets: Mapping[int, Target], outlooks: Iterable[Outlook]) -> Counter[tuple[int, str]]:
    """
    How many things of each kind are under a limit on targets, by the id of each and the noun of the kind.

    Those of the targets' `outlooks`, which have a case or are near their limit; those that the last review forecast; and those
    that a limit names. Two queries.
    """
    limited = {
        (outlook.target.pk, outlook.metric, outlook.component)
        for outlook in outlooks
        if outlook.target.pk in targets
    }
    reviewed = Forecast.objects.of_last_review().filter(target__in=targets)
    limited.update(reviewed.values_list("target_id", "metric", "component"))
    for threshold in Threshold.objects.reaching(targets.values()).exclude(component=""):
        limited.update(
            (pk, threshold.metric, threshold.component)
            for pk, target in targets.items()
            if threshold.target_id in (None, pk)
            and threshold.group_id in (None, target.group_id)
            and not threshold.is_pattern
            and find_metric(threshold.metric) is not None
            and is_of_platform(threshold.metric, target.platform)
        )
    kinds = {
        (pk, metric.display.noun, component) for pk, key, component in limited if (metric := find_metric(key))
    }
    return Counter((pk, noun) for pk, noun, _ in kinds)
