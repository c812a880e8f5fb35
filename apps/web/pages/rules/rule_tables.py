"""The tables of a rule: its inputs, the cases that prove it, its settings, and what a draft would have done."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from apps.advisors.engine.finding_rules import FindingRule
from apps.advisors.engine.rule_inputs import RuleInput
from apps.advisors.finding_text import write_input, write_parameters
from apps.advisors.models import RuleSetting
from apps.advisors.rule_cases import RuleCase
from apps.advisors.rule_dry_run import RuleCourse, RuleDryRun
from apps.advisors.rule_figures import source_of
from apps.charts import figures
from apps.web.cells import hover, link
from apps.web.finding_rows import EVIDENCE, LAST_SEEN, SINCE, TARGET, WEIGHT, FindingRow
from apps.web.tables import Column, FigureColumn, RowHead, Table

MOST_DAYS = 6  # that are named in a cell


@dataclass(frozen=True)
class CaseRow:
    """A case of a rule, with its figures in words."""

    figures: str
    expected: str


def case_rows(rule: FindingRule, cases: Iterable[RuleCase]) -> list[CaseRow]:
    """The cases of a rule; figures with the labels of their inputs."""
    rows = []
    for case in cases:
        inputs = [(rule.find_input(key), value) for key, value in case.figures.items()]
        texts = [f"{declared.label} {write_input(declared, value)}" for declared, value in inputs if declared]
        rows.append(CaseRow("; ".join(texts), case.expected))
    return rows


def setting_text(setting: RuleSetting) -> str:
    """What is set, in words: "SGA, at least 8 GB"."""
    rule = setting.about
    if rule is None:
        return ""
    written = write_parameters(rule, setting.values)
    return ", ".join(
        f"{parameter.label} {written[parameter.key]}"
        for parameter in rule.parameters
        if parameter.key in setting.values
    )


def _days(days: Sequence[date]) -> str:
    listed = ", ".join(figures.short_day(day) for day in days[:MOST_DAYS])
    return f"{listed} …" if len(days) > MOST_DAYS else listed or "none"


def _opened(course: RuleCourse) -> str:
    return f"{len(course.opened)}, open now" if course.stands else str(len(course.opened))


def _changed_days(row: RuleDryRun) -> list[date]:
    """The days on which the draft says other than the rule as it stands."""
    return sorted(set(row.present.fired) ^ set(row.draft.fired))


INPUTS: Table[RuleInput] = Table(
    "rule-inputs",
    "What the rule asks for",
    (
        RowHead("input", lambda row: row.label),
        Column("unit", lambda row: row.unit or "–", css="quiet-text"),
        Column("of", lambda row: "each component" if row.is_each else "the target", css="quiet-text"),
        Column("what gives it", source_of, css="wrap"),
    ),
    title="Inputs",
)
FIRES_ON: Table[FindingRow] = Table(
    "fires-on",
    "Where the rule fires",
    (RowHead("target", lambda row: row.target.name, TARGET.show), WEIGHT, EVIDENCE, SINCE, LAST_SEEN),
    title="Where it fires",
)
CASES: Table[CaseRow] = Table(
    "rule-cases",
    "Cases that prove the rule",
    (
        RowHead("figures", lambda row: row.figures, css="first wrap"),
        Column("the rule says", lambda row: row.expected),
    ),
    title="Cases",
)
SETTINGS: Table[RuleSetting] = Table(
    "rule-settings",
    "What was set, the narrowest first",
    (
        RowHead("for", lambda row: row.scope),
        Column("set", setting_text),
        Column("by", lambda row: str(row.set_by or "somebody who has left"), css="quiet-text"),
        FigureColumn("on", lambda row: row.set_at, lambda row: figures.short_day(row.set_at.date())),
        Column("withdraw", template="pages/rules/withdraw.html", sorts=False, is_head_unseen=True),
    ),
    title="Parameters that were set",
)
DRY_RUNS: Table[RuleDryRun] = Table(
    "dry-runs",
    "The rule on past days, as it stands and as it would be",
    (
        RowHead(
            "target",
            lambda row: row.target.name,
            lambda row: link(row.target.get_absolute_url(), row.target.name),
        ),
        FigureColumn("days it could be evaluated", lambda row: float(row.evaluated), label="evaluated"),
        FigureColumn("days it fires", lambda row: float(len(row.present.fired)), label="fires"),
        FigureColumn("would fire", lambda row: float(len(row.draft.fired)), css="strong"),
        FigureColumn(
            "findings it opened",
            lambda row: float(len(row.present.opened)),
            lambda row: _opened(row.present),
            label="opened",
        ),
        FigureColumn(
            "would have opened",
            lambda row: float(len(row.draft.opened)),
            lambda row: _opened(row.draft),
            css="strong",
        ),
        Column(
            "other days",
            lambda row: ", ".join(day.isoformat() for day in _changed_days(row)),
            lambda row: hover(
                ", ".join(day.isoformat() for day in _changed_days(row)), _days(_changed_days(row))
            ),
            css="wrap",
        ),
    ),
    title="The last 90 days",
)
