"""Which of several thresholds applies, and why: target, group, all; named component, pattern, all; the stricter."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.catalog.metric import base_of
from apps.catalog.registry import metrics_of
from apps.charts import figures
from apps.inventory.models import Target
from apps.thresholds.engine.notation import Form, LimitSide
from apps.thresholds.models import Threshold


@dataclass(frozen=True)
class ApplicableThreshold:
    """The winner for one figure, side and severity, and those it wins over."""

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
    if _scope_rank(winner) != _scope_rank(other):
        places = ("a target", "a group", "all targets")
        return f"{places[_scope_rank(winner)]} comes before {places[_scope_rank(other)]}"
    if _component_rank(winner) != _component_rank(other):
        names = ("a named component", "a pattern", "all components")
        return f"{names[_component_rank(winner)]} comes before {names[_component_rank(other)]}"
    if (_slackness(winner), bool(winner.second)) != (_slackness(other), bool(other.second)):
        return f"{figures.threshold(winner.notation)} is stricter"
    return "they are equally strict and it was set first"


def _place(threshold: Threshold) -> str:
    return f"{threshold.scope}, {threshold.component}" if threshold.component else threshold.scope


def find_applicable(
    thresholds: Iterable[Threshold], target: Target, metric: str, component: str
) -> list[ApplicableThreshold]:
    """
    The thresholds that hold for one component: of several on the same figure, side and severity one wins.

    Target before group before all, then a named component before a pattern before all components, then the stricter.
    """
    groups: dict[tuple[str, str, str], list[Threshold]] = {}
    for threshold in thresholds:
        if threshold.metric != metric or not threshold.covers(component) or not threshold.reaches(target):
            continue
        groups.setdefault(contest_key(threshold), []).append(threshold)
    applicable = []
    for members in groups.values():
        winner, *others = sorted(members, key=precedence)
        applicable.append(ApplicableThreshold(winner, others))
    return applicable


def find_rivals(thresholds: Iterable[Threshold], threshold: Threshold) -> list[Threshold]:
    """The others for the very same target, group or all, statistic and component, of which it and they only one applies."""

    def place(other: Threshold) -> tuple[object, ...]:
        return other.target_id, other.group_id, other.metric, other.component, *contest_key(other)

    return [other for other in thresholds if other.pk != threshold.pk and place(other) == place(threshold)]


def contest_key(threshold: Threshold) -> tuple[str, LimitSide, str]:
    """Figure, side and severity: of the thresholds that share them on a component only one applies."""
    return threshold.figure, threshold.limit.side, threshold.severity


def precedence(threshold: Threshold) -> tuple[int, int, float, bool, int]:
    """Sorts thresholds on one figure so that the one that wins comes first; a second condition makes it less strict."""
    return (
        _scope_rank(threshold),
        _component_rank(threshold),
        _slackness(threshold),
        bool(threshold.second),
        threshold.pk or sys.maxsize,
    )


def _scope_rank(threshold: Threshold) -> int:
    return 0 if threshold.target_id else 1 if threshold.group_id else 2


def _component_rank(threshold: Threshold) -> int:
    return 2 if not threshold.component else 1 if threshold.is_pattern else 0


def _slackness(threshold: Threshold) -> float:
    """Smaller for the stricter limit."""
    strictly = -1e-9 if threshold.form in (Form.BELOW, Form.ABOVE) else 0.0
    match threshold.limit.side:
        case LimitSide.UPPER:
            high = threshold.high or 0.0
            return high + strictly * max(1.0, abs(high))
        case LimitSide.LOWER:
            low = threshold.low or 0.0
            return -low + strictly * max(1.0, abs(low))
        case LimitSide.BOTH if threshold.low is not None and threshold.high is not None:
            return threshold.high - threshold.low
        case _:
            return 0.0


def list_named_components(thresholds: Iterable[Threshold], target: Target) -> list[tuple[str, str]]:
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
