"""The findings that stand: of some targets or of all, worst first, and which of them somebody dismissed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from apps.advisors.engine.finding_rules import WEIGHTS, FindingRule, Weight
from apps.advisors.models import Dismissal, Finding, RuleTrial
from apps.advisors.rule_settings import read_rule_settings
from apps.inventory.models import Target
from apps.people.models import User


@dataclass(frozen=True)
class StandingFinding:
    """A finding with its rule, the parameters that the rule has on its target, and who dismissed it until when."""

    finding: Finding
    rule: FindingRule
    parameters: Mapping[str, float]
    dismissal: Dismissal | None

    @property
    def rank(self) -> tuple[int, date, str, str]:
        """Its place in a list: by weight, the oldest first."""
        finding = self.finding
        return (
            WEIGHTS.index(Weight(finding.weight)),
            finding.opened_on,
            finding.target.name.casefold(),
            finding.rule,
        )


def read_standing_findings(
    targets: Iterable[Target] | None = None, *, on: date | None = None
) -> list[StandingFinding]:
    """
    The live findings of some targets, or of all that are watched, worst first; three queries.

    With a day that is over, those that stood on it.
    """
    rows = Finding.objects.live() if on is None else Finding.objects.standing_on(on)
    findings = rows.select_related("target").filter(target__retired_at=None)
    if targets is not None:
        findings = findings.filter(target__in=list(targets))
    listed = list(findings)
    dismissals = _read_dismissals(listed)
    settings = read_rule_settings({finding.target for finding in listed})
    standing = [
        StandingFinding(
            finding, rule, settings.parameters(rule, finding.target), _dismissal_of(finding, dismissals)
        )
        for finding in listed
        if (rule := finding.about) is not None
    ]
    return sorted(standing, key=lambda row: row.rank)


def _read_dismissals(findings: Iterable[Finding]) -> Mapping[tuple[int, str], Dismissal]:
    targets = {finding.target_id for finding in findings}
    rows = Dismissal.objects.filter(target__in=targets, withdrawn_at=None).select_related("by").order_by("at")
    return {(row.target_id, row.rule): row for row in rows}


def _dismissal_of(finding: Finding, dismissals: Mapping[tuple[int, str], Dismissal]) -> Dismissal | None:
    dismissal = dismissals.get((finding.target_id, finding.rule))
    return dismissal if dismissal is not None and dismissal.until >= finding.reviewed_on else None


def read_trials(targets: Iterable[Target] | None = None) -> list[RuleTrial]:
    """The newest trial of each target that is watched."""
    trials = RuleTrial.objects.filter(target__retired_at=None).select_related("target")
    return list(trials if targets is None else trials.filter(target__in=list(targets)))


def dismiss(finding: Finding, until: date, reason: str, by: User | None, now: datetime) -> Dismissal:
    """Take note of a finding: until this day it stands among those that were dismissed."""
    return Dismissal.objects.create(
        target=finding.target, rule=finding.rule, until=until, reason=reason, by=by, at=now
    )


def withdraw_dismissal(finding: Finding, now: datetime) -> int:
    """Let a finding be shown again; how many dismissals ended by it."""
    rows = Dismissal.objects.filter(target=finding.target, rule=finding.rule, withdrawn_at=None)
    return rows.update(withdrawn_at=now)
