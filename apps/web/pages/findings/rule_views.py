"""Every rule on one page: when it fires, where it is from, and where it fires."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from apps.advisors.engine.finding_rules import FindingRule, all_finding_rules, all_guards
from apps.advisors.finding_text import write_condition
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

    @property
    def condition(self) -> str:
        return write_condition(self.rule)


def _targets_cell(row: RuleRow) -> SafeString:
    links = [
        link(reverse("target_findings", args=[target.pk]), target.name, "")
        for target in row.targets[:MOST_TARGETS]
    ]
    if len(row.targets) > MOST_TARGETS:
        links.append(marked("quiet-text", f"+{len(row.targets) - MOST_TARGETS}"))
    return SafeString(" ".join(links)) if links else marked("quiet-text", "nowhere")


def _anchor(row: RuleRow) -> SafeString:
    return SafeString(f'<span id="{escape(row.rule.key)}">{escape(row.rule.title)}</span>')


RULES: Table[RuleRow] = Table(
    "rules",
    "Every rule, by subject",
    (
        RowHead("rule", lambda row: row.rule.title, _anchor),
        Column("name", lambda row: row.rule.key, css="quiet-text"),
        Column("class", lambda row: row.rule.classification.value),
        Column("weight", lambda row: row.rule.weight.value),
        Column("fires when", lambda row: row.condition, css="wrap"),
        Column("source", lambda row: row.rule.source, css="quiet-text"),
        FigureColumn("on", lambda row: float(len(row.targets)), file_head="fires on targets"),
        Column("targets, worst first", lambda row: ", ".join(map(str, row.targets)), _targets_cell),
        FigureColumn(
            "lacks input on", lambda row: float(row.untried), file_head="cannot be evaluated on targets"
        ),
        Column("meaning", lambda row: figures.mark_figures(row.rule.meaning), in_file_only=True),
        Column("what to do", lambda row: figures.mark_figures(" ".join(row.rule.actions)), in_file_only=True),
        Column("more", template="pages/findings/rule_more.html", sorts=False, is_head_unseen=True),
    ),
    title="Rules",
)


def rules(request: HttpRequest) -> HttpResponse:
    """Every rule with its condition, its source and where it fires."""
    standing = read_standing_findings()
    firing: dict[str, list[StandingFinding]] = defaultdict(list)
    for row in standing:
        firing[row.rule.key].append(row)
    trials = read_trials()
    untried = Counter(key for trial in trials for key in trial.missing)
    subjects: dict[str, list[RuleRow]] = {}
    for rule in all_finding_rules():
        targets = [row.finding.target for row in firing[rule.key]]
        subjects.setdefault(rule.subject, []).append(RuleRow(rule, targets, untried[rule.key]))
    context = {
        "rules": RULES.fill(groups=[RowGroup(subject, rows) for subject, rows in subjects.items()]),
        "sentence": _sentence(standing, subjects),
        "guards": all_guards(),
        "trials": trials,
    }
    return page_or_file(request, "pages/findings/rules.html", context)


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
