"""The findings of a target as days go by: opened, continued and closed, before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import isnan

from apps.advisors.engine.finding_rules import FiredLine, Trial
from apps.advisors.finding_models import Finding
from apps.inventory.models import Target

RETURNS_WITHIN = timedelta(days=30)  # a finding that comes back so soon is the same one
MOST_LINES = 20  # components whose figures are kept
CHANGING_FIELDS = (
    "weight", "seen_on", "reviewed_on", "quiet_days", "closed_on", "evidence", "line_count",
)  # fmt: skip


@dataclass
class FindingBook:
    """The findings of a target by rule, as the days go by; what changed is written at the end."""

    target: Target
    newest: dict[str, Finding]
    changed: dict[str, Finding] = field(default_factory=dict)
    finished: list[Finding] = field(default_factory=list)

    @classmethod
    def read(cls, target: Target) -> "FindingBook":
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
        """Write what changed: what was kept before in one statement, then what is new in another."""
        findings = [*self.finished, *self.changed.values()]
        former, new = ([each for each in findings if (each.pk is None) is is_new] for is_new in (False, True))
        Finding.objects.bulk_create(
            former, update_conflicts=True, unique_fields=["id"], update_fields=CHANGING_FIELDS
        )
        Finding.objects.bulk_create(new)


def line_as_json(line: FiredLine) -> Mapping[str, object]:
    """A line of evidence as it is kept: what did not occur has no number."""
    figures = {key: None if isnan(value) else value for key, value in line.figures.items()}
    return {"component": line.component, "weight": line.weight.value, "figures": figures}
