"""The steps of a walk as a table: a row for each figure of the evidence."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.advisors.engine.finding_rules import Classification
from apps.advisors.engine.walks import Answer, AnsweredStep
from apps.advisors.walk_figures import WalkedSteps, WalkEvidence
from apps.charts import figures
from apps.inventory.addresses import address
from apps.web.cells import below, link, no_figure
from apps.web.sentences import Part, capital
from apps.web.tables import Column, FigureColumn, RowHead, Table


@dataclass(frozen=True)
class WalkRow:
    """One figure of a step; the first of a step says its question, its answer and where it leads."""

    number: int
    answered: AnsweredStep
    evidence: WalkEvidence | None
    is_first: bool
    day: date

    @property
    def question(self) -> str:
        return f"{self.number}. {self.answered.step.question}"

    @property
    def answer(self) -> str:
        return str(self.answered.answer) if self.is_first else ""

    @property
    def leads_to(self) -> str:
        return self.answered.leads_to if self.is_first else ""

    @property
    def url(self) -> str:
        if self.evidence is None:
            return ""
        path = address("statistic", self.evidence.target.pk, self.evidence.metric.key)
        return f"{path}?{urlencode({'on': self.day.isoformat()})}"


def walk_rows(walked: WalkedSteps, day: date) -> Iterator[WalkRow]:
    """The rows of all steps; those that were not needed have no figures."""
    for number, answered in enumerate(walked.steps, start=1):
        parts: list[WalkEvidence | None] = []
        if answered.answer is not Answer.NOT_NEEDED:
            for figure in answered.step.figures:
                parts += walked.evidence[figure.key]
        for index, part in enumerate(parts or [None]):
            yield WalkRow(number, answered, part, not index, day)


def walk_sentence(walked: WalkedSteps, conclusion: Classification | None) -> list[Part]:
    """Where the walk ends."""
    if not walked.may_start:
        share = f"{figures.figure(round(100 * walked.common, 1))}{figures.SPACE}%"
        return [
            Part("This walk cannot start", True),
            Part(f": host and instances have {share} of the day in common, 80 % are needed."),
        ]
    answered = [step for step in walked.steps if step.answer is not Answer.NOT_NEEDED]
    if len(answered) < len(walked.steps):
        return [
            Part(f"The walk ends at step {len(answered)}", True),
            Part(f": {answered[-1].leads_to}"),
        ]
    name = "Undetermined" if conclusion is None else capital(conclusion)
    return [Part(name, True), Part(f": {answered[-1].leads_to}")]


def _question(row: WalkRow) -> SafeString:
    """The question of a step once, for those who see the table; those who hear it are told in each row."""
    if not row.is_first:
        return format_html('<span class="unseen">{}</span>', row.question)
    return below(row.question, row.answered.step.rule)


def _figure(value: float | None, why: str) -> SafeString | str:
    return figures.figure(value) if value is not None else no_figure(why)


STEPS: Table[WalkRow] = Table(
    "walk",
    "The steps, with their evidence and where each leads",
    (
        RowHead("question", lambda row: row.question if row.is_first else "", lambda row: _question(row)),
        Column("statistic", lambda row: row.evidence.metric.label if row.evidence else "", lambda row: link(row.url, row.evidence.metric.label) if row.evidence else ""),
        Column("of", lambda row: row.evidence.target.name if row.evidence else "", lambda row: link(row.evidence.target.get_absolute_url(), row.evidence.target.name) if row.evidence else ""),
        FigureColumn("the day", lambda row: row.evidence.now if row.evidence else None, lambda row: _figure(row.evidence.now, row.evidence.why) if row.evidence else ""),
        FigureColumn("30 days before", lambda row: row.evidence.before if row.evidence else None, lambda row: figures.figure(row.evidence.before) if row.evidence else ""),
        Column("unit", lambda row: row.evidence.metric.display_unit if row.evidence else "", css="sub"),
        Column("answer", lambda row: row.answer, css="strong nowrap"),
        Column("where it leads", lambda row: row.leads_to),
    ),
    title="The steps",
)  # fmt: skip
