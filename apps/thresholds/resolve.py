"""Which of several thresholds applies, and why: target, group, all; named component, pattern, all; the stricter."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.catalog.metric import base_of
from apps.catalog.registry import metrics_of
from apps.inventory.models import Target
from apps.thresholds.models import Threshold
from apps.thresholds.notation import Form


@dataclass(frozen=True)
class Applying:
    """The winner for one figure, direction and severity, and those it wins over."""

    threshold: Threshold
    over: Sequence[Threshold]

    @property
    def why(self) -> str:
        """Which one applies and why, in a sentence."""
        if not self.over:
            return f"Set for {self.threshold.scope}; no other limit touches this figure."
        others = " and over ".join(
            f"{other.notation} for {_place(other)}, because {wins_because(self.threshold, other)}"
            for other in self.over
        )
        return f"Set for {_place(self.threshold)}; it wins over {others}."


def wins_because(winner: Threshold, other: Threshold) -> str:
    """The first rule by which one threshold comes before another, in words."""
    if _scope(winner) != _scope(other):
        places = ("a target", "a group", "all targets")
        return f"{places[_scope(winner)]} comes before {places[_scope(other)]}"
    if _named(winner) != _named(other):
        names = ("a named component", "a pattern", "all components")
        return f"{names[_named(winner)]} comes before {names[_named(other)]}"
    if (_slackness(winner), bool(winner.second)) != (_slackness(other), bool(other.second)):
        return "it is the stricter"
    return "they are equally strict and it was set first"


def _place(threshold: Threshold) -> str:
    return f"{threshold.scope}, {threshold.component}" if threshold.component else threshold.scope


def applying(thresholds: Iterable[Threshold], target: Target, metric: str, component: str) -> list[Applying]:
    """
    The thresholds that hold for one component: of several on the same figure, direction and severity one wins.

    Target before group before all, then a named component before a pattern before all components, then the stricter.
    """
    groups: dict[tuple[str, str, str], list[Threshold]] = {}
    for threshold in thresholds:
        if threshold.metric != metric or not threshold.covers(component) or not threshold.reaches(target):
            continue
        groups.setdefault(contested(threshold), []).append(threshold)
    found = []
    for members in groups.values():
        winner, *others = sorted(members, key=precedence)
        found.append(Applying(winner, others))
    return found


def on_the_same(thresholds: Iterable[Threshold], threshold: Threshold) -> list[Threshold]:
    """The others for the very same target, group or all, statistic and component, of which it and they only one applies."""

    def place(one: Threshold) -> tuple[object, ...]:
        return one.target_id, one.group_id, one.metric, one.component, *contested(one)

    return [one for one in thresholds if one.pk != threshold.pk and place(one) == place(threshold)]


def contested(threshold: Threshold) -> tuple[str, str, str]:
    """Figure, direction and severity: of the thresholds that share them on a component only one applies."""
    return threshold.figure, threshold.limit.direction, threshold.severity


def precedence(threshold: Threshold) -> tuple[int, int, float, bool, int]:
    """Sorts thresholds on one figure so that the one that wins comes first; a second condition makes it less strict."""
    return (
        _scope(threshold),
        _named(threshold),
        _slackness(threshold),
        bool(threshold.second),
        threshold.pk or sys.maxsize,
    )


def _scope(threshold: Threshold) -> int:
    return 0 if threshold.target_id else 1 if threshold.group_id else 2


def _named(threshold: Threshold) -> int:
    return 2 if not threshold.component else 1 if threshold.is_pattern else 0


def _slackness(threshold: Threshold) -> float:
    """Smaller for the stricter limit."""
    strictly = -1e-9 if threshold.form in (Form.BELOW, Form.ABOVE) else 0.0
    match threshold.limit.direction:
        case "upper":
            high = threshold.high or 0.0
            return high + strictly * max(1.0, abs(high))
        case "lower":
            low = threshold.low or 0.0
            return -low + strictly * max(1.0, abs(low))
        case "both" if threshold.low is not None and threshold.high is not None:
            return threshold.high - threshold.low
        case _:
            return 0.0


def named_components(thresholds: Iterable[Threshold], target: Target) -> list[tuple[str, str]]:
    """(metric, component) pairs that a target's thresholds name outright; the profile shows them whatever their size."""
    own = {metric.key: metric for metric in metrics_of(target.platform)}
    pairs = []
    for threshold in thresholds:
        metric = own.get(base_of(threshold.metric))
        if metric is None or not threshold.reaches(target) or threshold.is_pattern:
            continue
        if threshold.component or not metric.component_kind:
            pairs.append((threshold.metric, threshold.component))
    return list(dict.fromkeys(pairs))
