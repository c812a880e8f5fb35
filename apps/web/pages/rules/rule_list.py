"""Every rule on one page: when it fires, where it is from, where it fires, and when its parameters were changed last."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from apps.advisors.engine.finding_rules import FindingRule, all_finding_rules, all_guards
from apps.advisors.finding_text import write_condition, write_parameters
from apps.advisors.rule_cases import all_rule_cases
from apps.advisors.rule_settings import read_last_changes, read_rule_settings
from apps.advisors.standing_findings import StandingFinding, read_standing_findings, read_trials
from apps.charts import figures
from apps.inventory.models import Target
from apps.web.cells import link, marked
from apps.web.sentences import Part, count
from apps.web.tables import Column, FigureColumn, RowGroup, RowHead, Table, page_or_file

MOST_TARGETS = 3


@dataclass(frozen=True)
class RuleRow:
    """A rule with the targets that it fires on, worst first, and how many it cannot be evaluated on."""

    rule: FindingRule
    targets: Sequence[Target]
    untried: int
    parameters: Mapping[str, float]  # for all
    cases: int
    changed_at: datetime | None

    @property
    def condition(self) -> str:
        return write_condition(self.rule, self.parameters)


def _targets_cell(row: RuleRow) -> SafeString:
    links = [
        link(reverse("target_findings", args=[target.pk]), target.name, "")
        for target in row.targets[:MOST_TARGETS]
    ]
    if len(row.targets) > MOST_TARGETS:
        links.append(marked("quiet-text", f"+{len(row.targets) - MOST_TARGETS}"))
    return SafeString(" ".join(links)) if links else marked("quiet-text", "nowhere")


def _title(row: RuleRow) -> SafeString:
    title = link(reverse("rule", args=[row.rule.key]), row.rule.title)
    return SafeString(f'<span id="{escape(row.rule.key)}">{title}</span>')


def condition_cell(rule: FindingRule, parameters: Mapping[str, float]) -> SafeString:
    """When a rule fires, with the parameters that can be changed in bold."""
    marked_up = {
        key: SafeString(f"<strong>{escape(text)}</strong>")
        for key, text in write_parameters(rule, parameters).items()
    }
    return SafeString(escape(figures.mark_figures(rule.fires_when)).format(**marked_up))


def _changed(row: RuleRow) -> str:
    return figures.short_day(row.changed_at.date()) if row.changed_at else ""


RULES: Table[RuleRow] = Table(
    "rules",
    "Every rule, by subject",
    (
        RowHead("rule", lambda row: row.rule.title, _title),
        Column("name", lambda row: row.rule.key, css="quiet-text"),
        Column("class", lambda row: row.rule.classification.value),
        Column("weight", lambda row: row.rule.weight.value),
        Column(
            "fires when",
            lambda row: row.condition,
            lambda row: condition_cell(row.rule, row.parameters),
            css="wrap",
        ),
        Column("source", lambda row: row.rule.source, css="quiet-text"),
        FigureColumn("on", lambda row: float(len(row.targets)), file_head="fires on targets"),
        Column("targets, worst first", lambda row: ", ".join(map(str, row.targets)), _targets_cell),
        FigureColumn(
            "lacks input on", lambda row: float(row.untried), file_head="cannot be evaluated on targets"
        ),
        FigureColumn("cases", lambda row: float(row.cases)),
        FigureColumn("changed", lambda row: row.changed_at, _changed),
        Column("meaning", lambda row: figures.mark_figures(row.rule.meaning), in_file_only=True),
        Column("what to do", lambda row: figures.mark_figures(" ".join(row.rule.actions)), in_file_only=True),
    ),
    title="Rules",
)


def rules(request: HttpRequest) -> HttpResponse:
    """Every rule with its condition, its source and where it fires."""
    standing = read_standing_findings()
    firing: dict[str, list[StandingFinding]] = defaultdict(list)
    for finding in standing:
        firing[finding.rule.key].append(finding)
    trials = read_trials()
    untried = Counter(key for trial in trials for key in trial.missing)
    settings, changed = read_rule_settings(), read_last_changes()
    cases = Counter(case.rule for case in all_rule_cases())
    subjects: dict[str, list[RuleRow]] = {}
    for rule in all_finding_rules():
        key, targets = rule.key, [row.finding.target for row in firing[rule.key]]
        row = RuleRow(rule, targets, untried[key], settings.parameters(rule), cases[key], changed.get(key))
        subjects.setdefault(rule.subject, []).append(row)
    context = {
        "rules": RULES.fill(groups=[RowGroup(subject, rows) for subject, rows in subjects.items()]),
        "sentence": _sentence(standing, subjects),
        "guards": all_guards(),
        "trials": trials,
    }
    return page_or_file(request, "pages/rules/rules.html", context)


def _sentence(standing: Sequence[StandingFinding], subjects: Mapping[str, Sequence[RuleRow]]) -> list[Part]:
    total = sum(len(rows) for rows in subjects.values())
    often = Counter(row.rule.title for row in standing).most_common(1)
    if not often:
        return [Part(f"None of {total} rules fires", True), Part(".")]
    fired = len({row.rule.key for row in standing})
    targets = len({row.finding.target_id for row in standing})
    (title, _), *_ = often
    times = f", {count(len(standing), 'time')} on {count(targets, 'target')}. Most often: {title}."
    return [Part(f"{fired} of {total} rules fire somewhere", True), Part(times)]
