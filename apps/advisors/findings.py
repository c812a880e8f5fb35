"""Findings opened, continued and closed by trying the rules of a target on its closed days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import isnan

from django.db import transaction

from apps.advisors.engine.finding_rules import FindingRule, FiredLine, Trial, finding_rules_of, try_rule
from apps.advisors.finding_models import Finding, RuleTrial
from apps.advisors.rule_figures import RuleFigures
from apps.advisors.rule_readings import RuleReadings
from apps.inventory.models import Target

RETURNS_WITHIN = timedelta(days=30)  # a finding that comes back so soon is the same one
MOST_LINES = 20  # components whose figures are kept


def rules_for(target: Target) -> list[FindingRule]:
    """The rules that are tried on a target: what is of a database stands on it, and not on each of its instances."""
    rules = finding_rules_of(target.platform)
    if target.kind == Target.Kind.DATABASE:
        return [rule for rule in rules if rule.is_of_database]
    if target.database_id is not None:
        return [rule for rule in rules if not rule.is_of_database]
    return list(rules)


def try_rules(target: Target, first: date, last: date | None = None) -> None:
    """
    Try the rules of a target on closed days, in order: open, continue and close its findings, in one transaction.

    Days that were tried before are left alone, so that trying them again changes nothing; a day that was not read is passed over.
    """
    rules = rules_for(target)
    if not rules:
        return
    with transaction.atomic():
        Target.objects.select_for_update().filter(pk=target.pk).first()
        former = RuleTrial.objects.filter(target=target).first()
        begin = first if former is None else max(first, former.on + timedelta(days=1))
        end = last or first
        if begin > end:
            return
        figures = RuleFigures(RuleReadings.read(target, rules, begin, end))
        book = _FindingBook.read(target)
        trials: Sequence[Trial] = ()
        tried_on = None
        for day in figures.readings.days_read(begin, end):
            tried_on = day
            trials = [try_rule(rule, figures.values(rule, day)) for rule in rules]
            for trial in trials:
                book.enter(trial, day)
            figures.resolved.clear()
        if tried_on is not None:
            book.save()
            _note_trial(target, tried_on, trials)


def _note_trial(target: Target, on: date, trials: Sequence[Trial]) -> None:
    missing = {
        trial.rule.key: [declared.key for declared in trial.missing]
        for trial in trials
        if not trial.is_evaluable
    }
    entries = {"on": on, "tried": len(trials), "missing": missing}
    RuleTrial.objects.update_or_create(target=target, defaults=entries)


@dataclass
class _FindingBook:
    """The findings of a target by rule, as the days go by; what changed is written at the end."""

    target: Target
    newest: dict[str, Finding]
    changed: dict[str, Finding] = field(default_factory=dict)
    finished: list[Finding] = field(default_factory=list)

    @classmethod
    def read(cls, target: Target) -> "_FindingBook":
        rows = Finding.objects.filter(target=target).order_by("rule", "-opened_on", "-pk").distinct("rule")
        return cls(target, {finding.rule: finding for finding in rows})

    def enter(self, trial: Trial, day: date) -> None:
        """Take in what trying a rule came to on a day; what could not be evaluated changes nothing."""
        finding = self.newest.get(trial.rule.key)
        if not trial.is_evaluable or (finding is not None and finding.reviewed_on >= day):
            return
        if trial.fires:
            self._see(trial, finding, day)
        elif finding is not None and finding.closed_on is None:
            finding.reviewed_on = day
            finding.quiet_days += 1
            if finding.quiet_days >= trial.rule.closes_after:
                finding.closed_on = day
            self.changed[trial.rule.key] = finding

    def _see(self, trial: Trial, finding: Finding | None, day: date) -> None:
        """A rule fires: its finding goes on, comes back, or begins."""
        key = trial.rule.key
        is_over = finding is not None and finding.closed_on is not None
        if finding is None or (is_over and day - (finding.closed_on or day) > RETURNS_WITHIN):
            if finding is not None and key in self.changed:
                self.finished.append(self.changed.pop(key))
            finding = Finding(target=self.target, rule=key, opened_on=day)
            self.newest[key] = finding
        assert trial.weight is not None
        finding.weight = trial.weight
        finding.seen_on = finding.reviewed_on = day
        finding.quiet_days, finding.closed_on = 0, None
        finding.evidence = [line_as_json(line) for line in trial.lines[:MOST_LINES]]
        finding.line_count = len(trial.lines)
        self.changed[key] = finding

    def save(self) -> None:
        """Write what changed."""
        for finding in (*self.finished, *self.changed.values()):
            finding.save()


def line_as_json(line: FiredLine) -> Mapping[str, object]:
    """A line of evidence as it is kept: what did not occur has no number."""
    figures = {key: None if isnan(value) else value for key, value in line.figures.items()}
    return {"component": line.component, "weight": line.weight.value, "figures": figures}
