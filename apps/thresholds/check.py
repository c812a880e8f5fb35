"""Violations opened, continued, closed: the rule of product.md, "State and violation"."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apps.catalog.registry import get_metric, is_metric
from apps.charts.figures import figure
from apps.inventory.models import Target
from apps.thresholds.baseline import Steady, steady_limits
from apps.thresholds.calendars import LeftOut, left_out
from apps.thresholds.finding import Finding
from apps.thresholds.judge import State, Verdict, judge
from apps.thresholds.life import end_acknowledgements
from apps.thresholds.limits import limit_text
from apps.thresholds.models import Severity, Step, Threshold, Violation
from apps.thresholds.notation import Limit
from apps.thresholds.resolve import applying
from apps.thresholds.series import DAYS_BACK, Figures, components_of, days_needed, read_figures, with_seconds

RETURNS_WITHIN = timedelta(days=30)  # a violation that comes back so soon is the same one

FigureKey = tuple[str, str, str]  # metric, component, figure


@dataclass
class Checked:
    """What a review of one target's day found."""

    target: Target
    day: date
    opened: list[Violation] = field(default_factory=list)
    continued: list[Violation] = field(default_factory=list)
    closed: list[Violation] = field(default_factory=list)
    states: dict[FigureKey, State] = field(default_factory=dict)


@dataclass(frozen=True)
class _Rule:
    """One threshold that applies to one component, with its verdicts of days."""

    threshold: Threshold
    limit: Limit
    figures: Figures
    component: str
    left_out: LeftOut

    def finding(self, on: date) -> Finding:
        found = self.figures.finding(self.threshold.about, self.component, self.threshold.figure, on)
        reason = self.left_out.reason(on, with_peaks=self.threshold.leaves_out_peaks)
        if not self.limit.second:
            return replace(found, left_out=reason) if reason else found
        other = get_metric(self.limit.second.metric)
        value = Threshold.FigureOf.VALUE
        second = self.figures.finding(other, self.component, value, on)
        return replace(found, left_out=reason, second=second)

    def verdict(self, on: date) -> Verdict:
        return judge(self.limit, self.finding(on), self.threshold.about)

    def judged_days(self, until: date, count: int) -> list[date]:
        """The last judged days up to a day, newest first."""
        days: list[date] = []
        for back in range(DAYS_BACK):
            on = until - timedelta(days=back)
            if self.verdict(on).is_judged:
                days.append(on)
                if len(days) == count:
                    break
        return days

    def opens_on(self, day: date) -> bool:
        """Beyond the limit on this day, which makes it N of the last M judged ones."""
        if self.verdict(day).state is not State.VIOLATED:
            return False
        recent = self.judged_days(day, self.threshold.opens_within)
        return sum(self.verdict(on).state is State.VIOLATED for on in recent) >= self.threshold.opens_after

    def closes_on(self, day: date, opened_on: date) -> bool:
        """The K-th judged day in a row inside the limit by the recovery gap, counted after the day it opened."""
        if not self.verdict(day).is_judged:
            return False
        recent = [on for on in self.judged_days(day, self.threshold.closes_after) if on > opened_on]
        return len(recent) == self.threshold.closes_after and all(self._is_recovered(on) for on in recent)

    def days_inside(self, day: date, opened_on: date) -> int:
        """How many of the last judged days in a row count towards its end."""
        count = 0
        for on in self.judged_days(day, self.threshold.closes_after):
            if on <= opened_on or not self._is_recovered(on):
                break
            count += 1
        return count

    def _is_recovered(self, on: date) -> bool:
        finding = self.finding(on)
        other = finding.second.value if finding.second else None
        return not self.limit.is_beyond(finding.value, self.threshold.recovery_gap / 100, other)


def check_thresholds(target: Target, day: date, now: datetime | None = None) -> Checked:
    """
    Judge a target's closed day: open, continue and close its violations, in one transaction.

    Checking a day again changes nothing, nor does checking one that is earlier than what a violation has seen.
    """
    now = now or timezone.now()
    with transaction.atomic():
        Target.objects.select_for_update().filter(pk=target.pk).first()
        return _check(target, day, now)


def days_inside(violation: Violation) -> int:
    """How many judged days in a row an open violation has been inside its limit, at the last one looked at."""
    threshold, day = violation.threshold, violation.reviewed_on
    if threshold is None or day is None or violation.opened_on is None or not threshold.limit.direction:
        return 0
    if not is_metric(threshold.metric):
        return 0
    pair = (violation.metric, violation.component)
    figures = read_figures(violation.target, [pair], day, days_back=days_needed([threshold]))
    limit = steady_limits(violation.target, [threshold]).limit(threshold, violation.component)
    out = left_out(violation.target, day - timedelta(days=DAYS_BACK), day)
    rule = _Rule(threshold, limit, figures, violation.component, out)
    return rule.days_inside(day, violation.opened_on)


def _check(target: Target, day: date, now: datetime) -> Checked:
    thresholds = [one for one in Threshold.objects.touching([target]) if is_metric(one.metric)]
    live = {
        (one.metric, one.component, one.figure): one
        for one in Violation.objects.live().filter(target=target).select_related("threshold")
    }
    components = components_of(target, {one.metric for one in thresholds}, day)
    pairs = {(metric, name) for metric, names in components.items() for name in names}
    pairs |= {(metric, component) for metric, component, _ in live if is_metric(metric)}
    scene = _Scene(
        thresholds,
        target,
        read_figures(target, with_seconds(pairs, thresholds), day, days_back=days_needed(thresholds)),
        steady_limits(target, thresholds),
        left_out(target, day - timedelta(days=DAYS_BACK), day),
    )
    checked = Checked(target, day)
    for metric, component in sorted(pairs):
        for of, rules in _rules(scene, metric, component).items():
            key = (metric, component, of)
            violation = live.pop(key, None)
            _check_figure(checked, key, rules, violation, now)
    for violation in live.values():
        if violation.reviewed_on is None or violation.reviewed_on < day:
            _close(checked, violation, now, "No threshold is set on it any more.")
    end_acknowledgements(target, day, now)
    return checked


@dataclass(frozen=True)
class _Scene:
    """What the rules of a target's day are told by."""

    thresholds: Sequence[Threshold]
    target: Target
    figures: Figures
    steady: Steady
    left_out: LeftOut


def _rules(scene: _Scene, metric: str, component: str) -> dict[str, list[_Rule]]:
    """The rules on one component by figure, critical ones first."""
    rules: dict[str, list[_Rule]] = {}
    for one in applying(scene.thresholds, scene.target, metric, component):
        limit = scene.steady.limit(one.threshold, component)
        rule = _Rule(one.threshold, limit, scene.figures, component, scene.left_out)
        rules.setdefault(one.threshold.figure, []).append(rule)
    for members in rules.values():
        members.sort(key=lambda rule: rule.threshold.severity != Severity.CRITICAL)
    return rules


def _check_figure(
    checked: Checked, key: FigureKey, rules: list[_Rule], violation: Violation | None, now: datetime
) -> None:
    day = checked.day
    states = [state for rule in rules if (state := rule.verdict(day).state) is not None]
    if states:
        checked.states[key] = max(states, key=list(State).index)
    if violation is not None and violation.reviewed_on is not None and violation.reviewed_on >= day:
        checked.continued.append(violation)
        return
    breaking = next((rule for rule in rules if rule.opens_on(day)), None)
    if violation is None or violation.is_predicted:
        if breaking is not None:
            _open(checked, key, breaking, violation, now)
        elif violation is not None:
            _await(checked, rules, violation)
        return
    _carry_on(checked, rules, breaking, violation, now)


def _await(checked: Checked, rules: list[_Rule], violation: Violation) -> None:
    """A predicted violation meets another day that does not open it: its figure and its limit are those of now."""
    own = next((rule for rule in rules if rule.threshold.pk == violation.threshold_id), None)
    if own is not None:
        _look_at(violation, own, checked.day)
        violation.notation, violation.unit = own.threshold.notation, own.threshold.unit
        violation.severity = own.threshold.severity
        violation.save()
    checked.continued.append(violation)


def _carry_on(
    checked: Checked, rules: list[_Rule], breaking: _Rule | None, violation: Violation, now: datetime
) -> None:
    """A live violation meets another day: it goes on, changes its severity, or closes."""
    day = checked.day
    worst = breaking or next((rule for rule in rules if rule.verdict(day).state is State.VIOLATED), None)
    own = next((rule for rule in rules if rule.threshold.pk == violation.threshold_id), rules[0])
    is_undecided = not own.threshold.limit.direction
    if worst is None and _was_changed(violation, own) and (is_undecided or own.verdict(day).is_judged):
        _close(
            checked,
            violation,
            now,
            f"The limit was changed from {violation.notation} to {own.threshold.notation}.",
        )
        return
    opened_on = violation.opened_on or day
    if all(rule.closes_on(day, opened_on) for rule in rules if rule.threshold.limit.direction):
        count = own.threshold.closes_after
        _close(checked, violation, now, f"Inside the limit on {count} judged days in a row.", own)
        return
    _look_at(violation, worst or own, day)
    if worst is not None and worst.threshold.severity != violation.severity:
        why = f"{violation.severity} became {worst.threshold.severity}: {worst.threshold.notation}"
        violation.severity = worst.threshold.severity
        _step(violation, violation.state, now, day, why)
    if worst is not None:
        violation.threshold, violation.notation = worst.threshold, worst.threshold.notation
    violation.save()
    checked.continued.append(violation)


def _was_changed(violation: Violation, rule: _Rule) -> bool:
    return violation.threshold_id != rule.threshold.pk or violation.notation != rule.threshold.notation


def _look_at(violation: Violation, rule: _Rule, day: date) -> None:
    """Note what this day's figure was, where it was judged."""
    violation.reviewed_on = day
    if not rule.verdict(day).is_judged:
        return
    violation.judged_on = day
    violation.value = rule.finding(day).value
    if violation.value is not None and rule.limit.is_beyond(violation.value):
        worse = min if rule.limit.direction == "lower" else max
        known = violation.worst_value
        violation.worst_value = violation.value if known is None else worse(known, violation.value)


def _open(checked: Checked, key: FigureKey, rule: _Rule, predicted: Violation | None, now: datetime) -> None:
    """Open a violation: the predicted one comes true, a recent one returns, or a new one begins."""
    metric, component, of = key
    day, threshold = checked.day, rule.threshold
    former = (
        Violation.objects.filter(target=checked.target, metric=metric, component=component, figure=of)
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
            target=checked.target, metric=metric, component=component, figure=of, follows=former
        )
    violation.threshold, violation.notation = threshold, threshold.notation
    violation.unit, violation.severity = threshold.unit, threshold.severity
    violation.state, violation.closed_on, violation.closed_because = Violation.State.OPEN, None, ""
    violation.review_on = None
    violation.opened_on = violation.opened_on or day
    violation.owner = violation.owner or threshold.owner
    if returns or violation.due_on is None:
        violation.due_on = day + timedelta(days=threshold.lead_time_days)
    _look_at(violation, rule, day)
    violation.save()
    value = "" if violation.value is None else f"{_measured(rule, violation.value, day)} against "
    _step(
        violation,
        before,
        now,
        day,
        f"{'Back over' if returns else 'Over'} its limit: {value}{limit_text(threshold, violation.unit)}.",
    )
    checked.opened.append(violation)


def _measured(rule: _Rule, value: float, day: date) -> str:
    """The figure that broke the limit, and the one that had to be broken too."""
    told = f"{figure(value)} {rule.threshold.unit}"
    other = rule.finding(day).second
    if rule.limit.second is None or other is None or other.value is None:
        return told
    return f"{told} and {figure(other.value)} {rule.limit.second.unit} {rule.limit.second.word}"


def _close(
    checked: Checked, violation: Violation, now: datetime, why: str, rule: _Rule | None = None
) -> None:
    before, predicted = violation.state, violation.is_predicted
    if rule is not None:
        _look_at(violation, rule, checked.day)
    violation.state = Violation.State.AVERTED if predicted else Violation.State.RESOLVED
    violation.closed_on, violation.closed_because = checked.day, why
    violation.reviewed_on = checked.day
    violation.save()
    _step(violation, before, now, checked.day, why)
    checked.closed.append(violation)


def _step(violation: Violation, before: str, now: datetime, day: date, why: str) -> None:
    Step.objects.create(violation=violation, at=now, on=day, before=before, after=violation.state, why=why)
