"""Rules that could not be evaluated on a target, and findings that ended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F

from apps.advisors.engine.finding_rules import FindingRule, find_finding_rule
from apps.advisors.models import Finding, RuleTrial
from apps.advisors.rule_figures import source_of
from apps.inventory.models import Target
from apps.web.tables import Column, FigureColumn, RowHead, Table


@dataclass(frozen=True)
class UntriedRow:
    """A rule that lacks inputs on a target, with what would give the first of them."""

    target: str
    rule: FindingRule
    inputs: str
    source: str


def untried_rows(trials: Iterable[RuleTrial]) -> list[UntriedRow]:
    """The rules that the newest trials could not evaluate."""
    rows = []
    for trial in trials:
        for key, names in trial.missing.items():
            rule = find_finding_rule(key)
            missing = [part for name in names if rule and (part := rule.find_input(name))]
            if rule is not None and missing:
                labels = ", ".join(declared.label for declared in missing)
                rows.append(UntriedRow(trial.target.name, rule, labels, source_of(missing[0])))
    return rows


def read_ended(targets: Sequence[Target], within: timedelta) -> list[Finding]:
    """Findings that closed lately, seen from the last day that each target was tried."""
    closed = Finding.objects.filter(target__in=targets).exclude(closed_on=None)
    lately = closed.filter(closed_on__gte=F("target__rule_trial__on") - within)
    return list(lately.select_related("target").order_by("-closed_on"))


def _title(finding: Finding) -> str:
    return finding.about.title if finding.about else finding.rule


UNTRIED: Table[UntriedRow] = Table(
    "not-evaluable",
    "Rules that could not be evaluated",
    (
        RowHead("rule", lambda row: row.rule.title),
        Column("target", lambda row: row.target),
        Column("lacks", lambda row: row.inputs),
        Column("what would give it", lambda row: row.source, css="wrap"),
    ),
    title="Not evaluable",
)
ENDED: Table[Finding] = Table(
    "ended",
    "Findings that ended in the last 60 days",
    (
        RowHead("finding", _title),
        Column("target", lambda row: row.target.name),
        Column("weight", lambda row: row.weight),
        FigureColumn("since", lambda row: row.opened_on),
        FigureColumn("last seen", lambda row: row.seen_on),
        FigureColumn("ended", lambda row: row.closed_on),
    ),
    title="Ended",
)
