"""Findings that bear on a case: on its statistic, on what it is made of, or on what the method reads beside it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import escape
from typing import Any

from apps.advisors.case_figures import cause_behind
from apps.advisors.engine.finding_rules import FindingRule
from apps.advisors.engine.rule_inputs import (
    DeviceInput,
    FigureInput,
    GrowthInput,
    LimitInput,
    RuleInput,
    leaves_of,
)
from apps.advisors.standing_findings import StandingFinding, read_standing_findings
from apps.catalog.causes import Driven, Service, Stored
from apps.catalog.metric import base_of
from apps.catalog.registry import find_metric, is_metric
from apps.catalog.subjects import neighbourhood_of, statistics_on
from apps.thresholds.models import Violation

SeriesPattern = tuple[str, str]  # a statistic, and a pattern of its components


@dataclass(frozen=True)
class CaseFinding:
    """A finding, with those lines of its evidence that bear on a case."""

    standing: StandingFinding
    lines: Sequence[Mapping[str, Any]]

    @property
    def count(self) -> int:
        """Of its lines; where all bear on the case, those too whose figures were not stored."""
        finding = self.standing.finding
        is_whole = len(self.lines) == len(finding.evidence)
        return finding.line_count if is_whole else len(self.lines)


@dataclass(frozen=True)
class OfferedAction:
    """What a finding says to do, as a step of a plan, with the reason."""

    text: str
    reason: str


def find_case_findings(violation: Violation) -> list[CaseFinding]:
    """
    The findings of the target and of its machine that bear on a case, worst first; of a closed case those of its last day.

    They are evidence: no diagnosis follows from them. What somebody dismissed is left out.
    """
    if not is_metric(violation.metric):
        return []
    target = violation.target
    around = [target, *([target.runs_on] if target.runs_on else [])]
    patterns = _read_with(violation)
    findings = [
        CaseFinding(standing, _bearing_lines(standing.rule, standing.finding.evidence, patterns))
        for standing in read_standing_findings(around, on=violation.closed_on)
        if standing.dismissal is None
    ]
    return [finding for finding in findings if finding.lines]


def offer_actions(findings: Iterable[CaseFinding], steps: Collection[str]) -> list[OfferedAction]:
    """What findings say to do, each once; what the plan has among its steps already is left out."""
    offered: dict[str, OfferedAction] = {}
    for row in findings:
        finding, rule = row.standing.finding, row.standing.rule
        reason = f"{rule.title} on {finding.target.name} ({rule.key}), noticed since {finding.opened_on:%-d %B %Y}."
        for text in rule.actions:
            if text not in steps:
                offered.setdefault(text, OfferedAction(text, reason))
    return list(offered.values())


def _read_with(violation: Violation) -> list[SeriesPattern]:
    """The statistic of a case, what its figure is made of, and what the method reads beside it."""
    own = escape(violation.component)
    about = violation.about
    patterns = [(about.base, own)]
    match cause_behind(violation):
        case Stored(used=used):
            patterns.append((used, own))
        case Driven(drivers=drivers):
            patterns += [(key, "*") for key, _ in drivers]
        case Service(average=average, count=count):
            patterns += [(average, own), (count, own)]
    target = violation.target
    named = neighbourhood_of(target.platform, about.base, violation.component)
    for platform in dict.fromkeys((target.platform, (target.runs_on or target).platform)):
        for subject in named.subjects if named else ():
            source = statistics_on(platform, subject)
            patterns += source.statistics if source else ()
    return [(key, pattern) for metric, pattern in patterns for key in _keys_behind(metric)]


def _keys_behind(key: str) -> set[str]:
    """A statistic, and the readings that it is made of."""
    metric = find_metric(key)
    return {base_of(key)} | (set(metric.ingredients) if metric else set())


def _bearing_lines(
    rule: FindingRule, lines: Sequence[Mapping[str, Any]], patterns: Sequence[SeriesPattern]
) -> list[Mapping[str, Any]]:
    """Those lines of evidence of which an input is one of these series."""
    leaves = [leaf for declared in rule.inputs for leaf in leaves_of(declared)]
    return [line for line in lines if any(_is_one_of(leaf, line["component"], patterns) for leaf in leaves)]


def _is_one_of(declared: RuleInput, component: str, patterns: Sequence[SeriesPattern]) -> bool:
    if not isinstance(declared, FigureInput | GrowthInput | LimitInput | DeviceInput):
        return False
    name = declared.component if isinstance(declared, FigureInput) and not declared.is_each else component
    keys = _keys_behind(declared.metric)
    return any(key in keys and fnmatchcase(name, pattern) for key, pattern in patterns)
