"""The report as a workbook: a sheet for each list, figures as numbers, days as days."""

from datetime import date
from io import BytesIO

import xlsxwriter

from apps.reports.facts import Facts, Item, QuarterAccount
from apps.reports.lines import GROUPS, count_items, headline, knowledge_text
from apps.reports.models import WeeklyReport
from apps.reports.sheets import PLAIN, Book, Cell, Sheet

WIDE = ("what", "next step", "why", "statistic")


def as_xlsx(report: WeeklyReport) -> bytes:
    """The workbook as bytes."""
    facts, made = report.facts, BytesIO()
    with xlsxwriter.Workbook(made, PLAIN) as workbook:
        book = Book(workbook)
        _summary(book, report, facts)
        for sheet in _sheets(facts):
            book.add(sheet, WIDE)
    return made.getvalue()


def _sheets(facts: Facts) -> list[Sheet]:
    return [*_sheets_of_figures(facts), *_sheets_of_what_was_said(facts)]


def _sheets_of_figures(facts: Facts) -> list[Sheet]:
    """What is beyond its limit or moved, what has to be decided, and how forecasts fared."""
    return [
        Sheet(
            "Violations",
            _VIOLATIONS,
            [_row(kind, item) for kind, _ in GROUPS for item in getattr(facts, kind)],
        ),
        Sheet(
            "Got closer",
            ("target", "what", "likely on", "a week ago", "days nearer"),
            [
                (closer.target, closer.what, _day(closer.likely_on), _day(closer.before_on), closer.days)
                for closer in facts.closer
            ],
        ),
        Sheet(
            "Movers",
            ("target", "statistic", "change", "week before", "week", "unit"),
            [
                (mover.target, mover.what, mover.change, mover.before, mover.now, mover.unit)
                for mover in facts.movers
            ],
        ),
        Sheet(
            "Decisions",
            ("by", "what", "who", "options"),
            [
                (_day(decision.on), decision.text, decision.who, "; ".join(decision.options))
                for decision in facts.decisions
            ],
        ),
        Sheet(
            "Forecasts of the quarter",
            ("promises", "forecast", "came", "days off", "days off, line", "chance off, points"),
            [_account_row(facts.account)] if facts.account is not None else [],
        ),
    ]


def _sheets_of_what_was_said(facts: Facts) -> list[Sheet]:
    """What Headroom noticed, what users said, what is larger than needed, and what was not read."""
    return [
        Sheet(
            "New findings",
            ("target", "finding", "weight", "rule"),
            [(finding.target, finding.title, finding.weight, finding.rule) for finding in facts.findings],
        ),
        Sheet(
            "What users said",
            ("target", "day", "verdict", "what", "by"),
            [
                (verdict.target, verdict.on, verdict.verdict, verdict.text, verdict.said_by)
                for verdict in facts.verdicts
            ],
        ),
        Sheet(
            "Larger than needed",
            ("target", "what"),
            [(resource.target, resource.text) for resource in facts.oversized],
        ),
        Sheet(
            "Not collected",
            ("target", "nights", "why"),
            [(gap["target"], int(gap["nights"]), gap["reason"]) for gap in facts.not_collected],
        ),
    ]


def _account_row(account: QuarterAccount) -> tuple[Cell, ...]:
    return (
        account.promises, account.predicted, account.came, account.days_off, account.line_days_off, account.chance_off,
    )  # fmt: skip


_VIOLATIONS = (
    "list", "state", "severity", "target", "group", "what", "figure", "limit", "unit", "over since", "ended on",
    "likely on", "soonest on", "act by", "owner", "due on", "slack, days", "next step", "figure of", "broke at", "broke on", "note", "over since, as predicted",
    "figure measured",
)  # fmt: skip


def _row(kind: str, item: Item) -> tuple[Cell, ...]:
    return (
        kind, item.state, item.severity, item.target, item.group, item.what, item.value, item.limit, item.unit,
        _day(item.opened_on), _day(item.closed_on), _day(item.likely_on), _day(item.soonest_on), _day(item.act_by),
        item.owner, _day(item.due_on), item.slack, item.next_step, _day(item.value_on),
        item.broke_at, _day(item.broke_on), item.standing,
        _day(item.came_true_on), item.note,
    )  # fmt: skip


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _summary(book: Book, report: WeeklyReport, facts: Facts) -> None:
    page = book.workbook.add_worksheet("Summary")
    page.set_column(0, 0, 30)
    rows: list[tuple[Cell, ...]] = [
        (f"Headroom, weekly report, {headline(facts, report.week)}",),
        *((sentence,) for sentence in report.sentences),
        (),
        *((word, count) for word, count, _ in count_items(facts)),
        (),
        (knowledge_text(facts),),
    ]
    for number, row in enumerate(rows):
        book.write(page, number, row)
