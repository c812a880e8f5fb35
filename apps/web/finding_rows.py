"""Findings as rows of tables: the evidence with its figures, what it means, what to do, since when."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString

from apps.advisors.engine.finding_rules import Weight
from apps.advisors.engine.rule_inputs import FigureInput, RuleInput, Whose
from apps.advisors.finding_text import write_condition, write_input
from apps.advisors.standing_findings import StandingFinding
from apps.charts import figures
from apps.inventory.models import Target
from apps.web.cells import below, link, marked
from apps.web.sentences import count
from apps.web.tables import Column, FigureColumn, RowHead

MOST_LINES = 3  # components whose figures are shown
TAG = {Weight.CRITICAL: "tag is-over", Weight.WARNING: "tag is-risk", Weight.INFO: "tag"}


@dataclass(frozen=True)
class EvidenceLine:
    """One figure of the evidence: what it is, how much, and the page that shows it."""

    label: str
    text: str
    url: str = ""


@dataclass(frozen=True)
class FindingRow:
    """A finding as pages and files show it."""

    standing: StandingFinding
    evidence: Sequence[EvidenceLine]
    more: int  # components that are not shown
    can_change: bool = False

    @property
    def target(self) -> Target:
        return self.standing.finding.target

    @property
    def condition(self) -> str:
        return write_condition(self.standing.rule, self.standing.parameters)

    @property
    def evidence_text(self) -> str:
        texts = [f"{line.label} {line.text}" for line in self.evidence]
        return "; ".join([*texts, f"and {self.more} more"] if self.more else texts)

    @property
    def days(self) -> int:
        finding = self.standing.finding
        return finding.days_on(finding.reviewed_on)


def finding_rows(standing: Iterable[StandingFinding], *, can_change: bool = False) -> list[FindingRow]:
    """Findings as rows, in their order."""
    return [
        build_finding_row(row, row.finding.evidence, row.finding.line_count, can_change=can_change)
        for row in standing
    ]


def build_finding_row(
    standing: StandingFinding, lines: Sequence[Mapping[str, Any]], count: int, *, can_change: bool = False
) -> FindingRow:
    """A finding with the first of these lines of its evidence, of so many in all."""
    first_lines = lines[:MOST_LINES]
    evidence = [
        piece for line in first_lines for piece in _lines_of(standing, line["component"], line["figures"])
    ]
    return FindingRow(standing, evidence, count - len(first_lines), can_change)


def _lines_of(
    standing: StandingFinding, component: str, values: Mapping[str, float | None]
) -> list[EvidenceLine]:
    declared = [(standing.rule.find_input(key), value) for key, value in values.items()]
    is_plain = not component
    return [
        EvidenceLine(
            declared_input.label if is_plain else f"{component}: {declared_input.label}",
            write_input(declared_input, value),
            _statistic_url(standing, declared_input, component),
        )
        for declared_input, value in declared
        if declared_input is not None and (is_plain or declared_input.is_each)
    ]


def _statistic_url(standing: StandingFinding, declared: RuleInput, component: str) -> str:
    """The page of the statistic on the day of the evidence; nothing where it is made of several."""
    if not isinstance(declared, FigureInput) or declared.back is not None:
        return ""
    target = standing.finding.target
    owner = target.pk if declared.whose is Whose.TARGET else target.runs_on_id
    if owner is None or declared.whose is Whose.INSTANCES:
        return ""
    query = {"component": component or declared.component, "on": standing.finding.seen_on.isoformat()}
    return f"{reverse('statistic', args=[owner, declared.metric])}?{urlencode({k: v for k, v in query.items() if v})}"


def _evidence_cell(row: FindingRow) -> SafeString:
    lines = [
        SafeString(f"{link(line.url, line.label, '')} <strong>{escape(line.text)}</strong>")
        for line in row.evidence
    ]
    if row.more:
        lines.append(marked("quiet-text", f"and {row.more} more"))
    return SafeString("<br>".join(lines))


def _title_cell(row: FindingRow) -> SafeString:
    finding, rule = row.standing.finding, row.standing.rule
    weight = Weight(finding.weight)
    tag = SafeString(f"{marked(TAG[weight], weight.value)} {marked('sub', rule.key)}")
    return below(link(reverse("rule", args=[rule.key]), rule.title), tag)


def _since(row: FindingRow) -> SafeString:
    return below(figures.short_day(row.standing.finding.opened_on), count(row.days, "day"))


FINDING: Column[FindingRow] = RowHead("finding", lambda row: row.standing.rule.title, _title_cell)
WEIGHT: Column[FindingRow] = Column("weight", lambda row: row.standing.finding.weight, in_file_only=True)
RULE: Column[FindingRow] = Column("rule", lambda row: row.standing.rule.key, in_file_only=True)
TARGET: Column[FindingRow] = Column(
    "target",
    lambda row: row.target.name,
    lambda row: link(reverse("target_findings", args=[row.target.pk]), row.target.name),
)
EVIDENCE: Column[FindingRow] = Column(
    "evidence", lambda row: row.evidence_text, _evidence_cell, title=lambda row: f"fires when {row.condition}"
)
MEANING: Column[FindingRow] = Column(
    "what it means", lambda row: figures.mark_figures(row.standing.rule.meaning), css="wrap"
)
ACTION: Column[FindingRow] = Column(
    "what to do", lambda row: figures.mark_figures(row.standing.rule.actions[0]), css="wrap"
)
CLASS: Column[FindingRow] = Column(
    "class", lambda row: row.standing.rule.classification.value, css="quiet-text"
)
SINCE: Column[FindingRow] = FigureColumn("since", lambda row: row.standing.finding.opened_on, _since)
LAST_SEEN: Column[FindingRow] = FigureColumn(
    "seen", lambda row: row.standing.finding.seen_on, in_file_only=True
)
