"""The report as a workbook: a sheet for each list, figures as numbers, days as days."""

from collections.abc import Sequence
from datetime import date
from io import BytesIO
from typing import Any

import xlsxwriter

from apps.reports.facts import Facts, Item
from apps.reports.lines import GROUPS, as_known, counts, headline
from apps.reports.models import WeeklyReport

LONGEST = 32_767  # characters of a cell
# what a name begins with is text, whatever it looks like: no formula, no link, no number is made of it
PLAIN = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "in_memory": True,
}

Cell = str | float | int | date | None


def as_xlsx(report: WeeklyReport) -> bytes:
    """The workbook as bytes."""
    facts, made = report.facts, BytesIO()
    with xlsxwriter.Workbook(made, PLAIN) as workbook:
        book = _Book(workbook)
        book.summary(report, facts)
        book.sheet(
            "Violations",
            _VIOLATIONS,
            [_row(kind, item) for kind, _ in GROUPS for item in getattr(facts, kind)],
        )
        book.sheet(
            "Got closer",
            ("target", "what", "likely on", "a week ago", "days nearer"),
            [
                (one.target, one.what, _day(one.likely_on), _day(one.before_on), one.days)
                for one in facts.closer
            ],
        )
        book.sheet(
            "Movers",
            ("target", "statistic", "change", "week before", "week", "unit"),
            [(one.target, one.what, one.change, one.before, one.now, one.unit) for one in facts.movers],
        )
        book.sheet(
            "Decisions",
            ("by", "what", "who"),
            [(_day(one.on), one.text, one.who) for one in facts.decisions],
        )
        book.sheet(
            "Larger than needed", ("target", "what"), [(one.target, one.text) for one in facts.oversized]
        )
        book.sheet(
            "Not collected",
            ("target", "nights", "why"),
            [(one["target"], int(one["nights"]), one["reason"]) for one in facts.not_collected],
        )
    return made.getvalue()


_VIOLATIONS = (
    "list", "state", "severity", "target", "group", "what", "figure", "limit", "unit", "over since", "ended on",
    "likely on", "soonest on", "act by", "owner", "due on", "slack, days", "next step",
)  # fmt: skip


def _row(kind: str, item: Item) -> tuple[Cell, ...]:
    return (
        kind, item.state, item.severity, item.target, item.group, item.what, item.value, item.limit, item.unit,
        _day(item.opened_on), _day(item.closed_on), _day(item.likely_on), _day(item.soonest_on), _day(item.act_by),
        item.owner, _day(item.due_on), item.slack, item.next_step,
    )  # fmt: skip


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


class _Book:
    """A workbook with its two formats."""

    def __init__(self, workbook: Any) -> None:
        self.workbook = workbook
        self.head = workbook.add_format({"bold": True, "bottom": 1})
        self.day = workbook.add_format({"num_format": "yyyy-mm-dd"})

    def summary(self, report: WeeklyReport, facts: Facts) -> None:
        page = self.workbook.add_worksheet("Summary")
        page.set_column(0, 0, 30)
        rows: list[tuple[Cell, ...]] = [
            (f"Headroom, weekly report, {headline(facts, report.week)}",),
            *((sentence,) for sentence in report.sentences),
            (),
            *((word, count) for word, count, _ in counts(facts)),
            (),
            (as_known(facts),),
        ]
        for number, row in enumerate(rows):
            self._write(page, number, row)

    def sheet(self, name: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        page = self.workbook.add_worksheet(name)
        for column, head in enumerate(heads):
            page.write_string(0, column, head, self.head)
            page.set_column(column, column, 40 if head in ("what", "next step", "why", "statistic") else 14)
        for number, row in enumerate(rows, 1):
            self._write(page, number, row)
        page.freeze_panes(1, 0)
        if rows:
            page.autofilter(0, 0, len(rows), len(heads) - 1)

    def _write(self, page: Any, number: int, row: Sequence[Cell]) -> None:
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                page.write_string(number, column, cell[:LONGEST])
            elif isinstance(cell, date):
                page.write_datetime(number, column, cell, self.day)
            elif cell is not None:
                page.write_number(number, column, cell)
