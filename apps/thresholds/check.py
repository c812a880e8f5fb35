"""Violations opened, continued and closed by the review of a target's day; `rule.py` decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from apps.catalog.registry import get_metric, is_metric
from apps.inventory.models import Target
from apps.snapshots.measured import Measured
from apps.thresholds.baseline import BaselineLimits, read_baseline_limits
from apps.thresholds.calendars import ExcludedDays
from apps.thresholds.case_steps import end_acknowledgements
from apps.thresholds.engine.notation import LimitSide
from apps.thresholds.findings import flag_excluded_days, take_findings
from apps.thresholds.judge import FigureState, state_of
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.limits import describe_limit
from apps.thresholds.models import Severity, Step, Threshold, Violation
from apps.thresholds.precedence import find_applicable
from apps.thresholds.rule import JudgedSeries, Verdict, judge_series
from apps.thresholds.series import add_second_conditions, count_days_needed
from apps.thresholds.step_text import write_sentence

RETURNS_WITHIN = timedelta(days=30)  # a violation that comes back so soon is the same one

FigureKey = tuple[str, str, str]  # metric, component, figure


@dataclass
class CheckResult:
    """What a review of one target's day found."""

    target: Target
    day: date
    opened: list[Violation] = field(default_factory=list)
    continued: list[Violation] = field(default_factory=list)
    closed: list[Violation] = field(default_factory=list)
    states: dict[FigureKey, FigureState] = field(default_factory=dict)
    crossings: list[tuple[Threshold, str]] = field(
        default_factory=list
    )  # limits over by their rule, with the component


def check_thresholds(
    target: Target, day: date, now: datetime | None = None, reader: LimitReader | None = None
) -> CheckResult:
    """
    Judge a target's closed day: open, continue and close its violations, in one transaction.

    A `reader` up to this day keeps what it read for the next step. Checking a day again changes nothing, nor does checking one that is earlier than what a violation has seen.
    """
    now = now or timezone.now()
    with transaction.atomic():
        Target.objects.select_for_update().filter(pk=target.pk).first()
        return _check(target, day, now, reader)


def _check(target: Target, day: date, now: datetime, reader: LimitReader | None) -> CheckResult:
    reader = reader or LimitReader(target, day)
    live = {
        (violation.metric, violation.component, violation.figure): violation
        for violation in Violation.objects.live().filter(target=target).select_related("threshold")
    }
    components = {metric: list(names) for metric, names in reader.components.items()}
    for metric, component, _ in live:
        if is_metric(metric) and component not in components.setdefault(metric, []):
            components[metric].append(component)
    review = _TargetReview.read(reader, components)
    result = CheckResult(target, day)
    for metric, component in sorted((metric, name) for metric, names in components.items() for name in names):
        for of, rules in _rules(review, metric, component).items():
            key = (metric, component, of)
            violation = live.pop(key, None)
            _check_figure(result, review, key, rules, violation, now)
    for violation in live.values():
        if violation.reviewed_on is None or violation.reviewed_on < day:
            _close(result, review, violation, now, "No threshold is set on it any more.")
    end_acknowledgements(target, day, now)
    return result


@dataclass(frozen=True)
class _TargetReview:
    """What the thresholds of a target judged on the days up to one: each is asked once, for all of its components."""

    thresholds: Sequence[Threshold]
    components: Mapping[str, Sequence[str]]
    measured: Measured
    baseline_limits: BaselineLimits
    left_out: ExcludedDays
    first: date
    today: int  # the day that is reviewed, counted from the first
    judged: dict[int, dict[str, JudgedSeries]] = field(default_factory=dict)

    @classmethod
    def read(cls, reader: LimitReader, components: Mapping[str, Sequence[str]]) -> "_TargetReview":
        """The figures of these components, those of second conditions too; three queries beside those of baselines."""
        pairs = [(metric, name) for metric, names in components.items() for name in names]
        thresholds = reader.thresholds
        back = count_days_needed(thresholds)
        return cls(
            thresholds,
            components,
            reader.read(add_second_conditions(pairs, thresholds), back + 1),
            read_baseline_limits(reader.target, thresholds),
            reader.excluded_days,
            reader.on - timedelta(days=back),
            back,
        )

    @cached_property
    def by_metric(self) -> Mapping[str, list[Threshold]]:
        grouped: dict[str, list[Threshold]] = {}
        for threshold in self.thresholds:
            grouped.setdefault(threshold.metric, []).append(threshold)
        return grouped

    def judged_series(self, threshold: Threshold, component: str) -> JudgedSeries:
        """How a threshold judged a component."""
        if threshold.pk not in self.judged:
            names = [name for name in self.components[threshold.metric] if threshold.covers(name)]
            second = threshold.second_metric
            judged = judge_series(
                threshold,
                [self.baseline_limits.limit(threshold, name) for name in names],
                take_findings(self.measured, threshold.about, names, threshold.figure),
                flag_excluded_days(self.left_out, self.measured.days, with_peaks=threshold.leaves_out_peaks),
                take_findings(self.measured, get_metric(second), names, Threshold.FigureOf.VALUE)
                if second
                else None,
            )
            self.judged[threshold.pk] = dict(zip(names, judged, strict=True))
        return self.judged[threshold.pk][component]


def _rules(review: _TargetReview, metric: str, component: str) -> dict[str, list[JudgedSeries]]:
    """The rules on one component by figure, critical ones first."""
    rules: dict[str, list[JudgedSeries]] = {}
    candidates = review.by_metric.get(metric, [])
    for winner in find_applicable(candidates, review.measured.target, metric, component):
        rules.setdefault(winner.threshold.figure, []).append(
            review.judged_series(winner.threshold, component)
        )
    for members in rules.values():
        members.sort(key=lambda rule: rule.threshold.severity != Severity.CRITICAL)
    return rules


def _check_figure(
    result: CheckResult,
    review: _TargetReview,
    key: FigureKey,
    rules: list[JudgedSeries],
    violation: Violation | None,
    now: datetime,
) -> None:
    day, today = result.day, review.today
    states = [state for rule in rules if (state := state_of(rule.verdict(today))) is not None]
    if states:
        result.states[key] = max(states, key=list(FigureState).index)
    open_rules = [rule for rule in rules if rule.opens(today)]
    result.crossings += [(rule.threshold, key[1]) for rule in open_rules]
    if violation is not None and violation.reviewed_on is not None and violation.reviewed_on >= day:
        result.continued.append(violation)
        return
    breaking = next(iter(open_rules), None)
    if violation is None or violation.is_predicted:
        if breaking is not None:
            _open(result, review, key, breaking, violation, now)
        elif violation is not None:
            _await(result, review, rules, violation)
        return
    _carry_on(result, review, rules, breaking, violation, now)


def _await(
    result: CheckResult, review: _TargetReview, rules: list[JudgedSeries], violation: Violation
) -> None:
    """A predicted violation meets another day that does not open it: its figure and its limit are those of now."""
    own = next((rule for rule in rules if rule.threshold.pk == violation.threshold_id), None)
    if own is not None:
        _look_at(violation, own, review, result.day)
        violation.notation, violation.unit = own.threshold.notation, own.threshold.unit
        violation.severity = own.threshold.severity
        violation.save()
    result.continued.append(violation)


def _carry_on(
    result: CheckResult,
    review: _TargetReview,
    rules: list[JudgedSeries],
    breaking: JudgedSeries | None,
    violation: Violation,
    now: datetime,
) -> None:
    """A live violation meets another day: it goes on, changes its severity, or closes."""
    day, today = result.day, review.today
    worst = breaking or next((rule for rule in rules if rule.verdict(today) is Verdict.VIOLATED), None)
    own = next((rule for rule in rules if rule.threshold.pk == violation.threshold_id), rules[0])
    is_undecided = own.threshold.limit.side is LimitSide.NONE
    if worst is None and _was_changed(violation, own) and (is_undecided or own.verdict(today).is_judged):
        facts = {"kind": "limit_changed", "before": violation.notation, "after": own.threshold.notation}
        _close(result, review, violation, now, write_sentence(facts), facts=facts)
        return
    opened = ((violation.opened_on or day) - review.first).days
    if all(rule.closes(today, opened) for rule in rules if rule.threshold.limit.side):
        count = own.threshold.closes_after
        _close(result, review, violation, now, f"Inside the limit on {count} judged days in a row.", own)
        return
    _look_at(violation, worst or own, review, day)
    if worst is not None and worst.threshold.severity != violation.severity:
        before, violation.severity = violation.severity, worst.threshold.severity
        facts = {"kind": "severity", "before": before, "after": violation.severity}
        facts["notation"] = worst.threshold.notation
        _step(violation, violation.state, now, day, facts=facts, severity_before=before)
    if worst is not None:
        violation.threshold, violation.notation = worst.threshold, worst.threshold.notation
    violation.save()
    result.continued.append(violation)


def _was_changed(violation: Violation, rule: JudgedSeries) -> bool:
    return violation.threshold_id != rule.threshold.pk or violation.notation != rule.threshold.notation


def _look_at(violation: Violation, rule: JudgedSeries, review: _TargetReview, day: date) -> None:
    """Note what this day's figure was, where it was judged."""
    violation.reviewed_on = day
    if not rule.verdict(review.today).is_judged:
        return
    violation.judged_on = day
    is_inside = rule.verdict(review.today) is not Verdict.VIOLATED and violation.opened_on is not None
    opened = ((violation.opened_on or day) - review.first).days
    violation.days_inside = rule.days_inside(review.today, opened) if is_inside else None
    violation.value = rule.value(review.today)
    if violation.value is not None and rule.limit.is_beyond(violation.value):
        worse = min if rule.limit.side is LimitSide.LOWER else max
        worst = violation.worst_value
        violation.worst_value = violation.value if worst is None else worse(worst, violation.value)


def _open(
    result: CheckResult,
    review: _TargetReview,
    key: FigureKey,
    rule: JudgedSeries,
    predicted: Violation | None,
    now: datetime,
) -> None:
    """Open a violation: the predicted one comes true, a recent one returns, or a new one begins."""
    metric, component, of = key
    day, threshold = result.day, rule.threshold
    former = (
        Violation.objects.filter(target=result.target, metric=metric, component=component, figure=of)
        .exclude(closed_on=None)
        .order_by("-closed_on")
        .first()
    )
    if (
        predicted is None
        and former is not None
        and former.reviewed_on is not None
        and former.reviewed_on >= day
    ):
        return  # a later day is known already
    returns = predicted is None and former is not None and day - (former.closed_on or day) <= RETURNS_WITHIN
    violation = predicted or (former if returns else None)
    before = violation.state if violation else ""
    if violation is None:
        violation = Violation(
            target=result.target, metric=metric, component=component, figure=of, follows=former
        )
    violation.threshold, violation.notation = threshold, threshold.notation
    violation.unit, violation.severity = threshold.unit, threshold.severity
    violation.state, violation.closed_on, violation.closed_because = Violation.State.OPEN, None, ""
    violation.review_on = None
    violation.opened_on = violation.opened_on or day
    violation.owner = violation.owner or threshold.owner
    if returns or violation.due_on is None:
        violation.due_on = day + timedelta(days=threshold.lead_time_days)
    _look_at(violation, rule, review, day)
    violation.save()
    facts = {
        "kind": "over",
        "is_back": returns,
        "value": violation.value,
        "unit": threshold.unit,
        "limit": describe_limit(threshold, violation.unit),
        **_second(rule, review.today),
    }
    _step(violation, before, now, day, facts=facts)
    result.opened.append(violation)


def _second(rule: JudgedSeries, today: int) -> dict[str, Any]:
    """The figure of the second condition, where that had to be broken too."""
    second = rule.limit.second
    if second is None or rule.seconds is None or np.isnan(rule.seconds[today]):
        return {}
    value = float(rule.seconds[today])
    return {"second_value": value, "second_unit": second.unit, "second_word": second.word}


def _close(
    result: CheckResult,
    review: _TargetReview,
    violation: Violation,
    now: datetime,
    why: str,
    rule: JudgedSeries | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    before, predicted = violation.state, violation.is_predicted
    if rule is not None:
        _look_at(violation, rule, review, result.day)
    violation.state = Violation.State.AVERTED if predicted else Violation.State.RESOLVED
    violation.closed_on, violation.closed_because = result.day, why
    violation.reviewed_on = result.day
    violation.save()
    _step(violation, before, now, result.day, why, facts=facts)
    result.closed.append(violation)


def _step(
    violation: Violation,
    before: str,
    now: datetime,
    day: date,
    why: str = "",
    *,
    facts: Mapping[str, Any] | None = None,
    severity_before: str = "",
) -> None:
    """Note a step of the review: its facts, or why where it has none."""
    Step.objects.create(
        violation=violation,
        at=now,
        on=day,
        before=before,
        after=violation.state,
        severity_before=severity_before,
        facts=facts or {},
        why="" if facts else why,
    )
