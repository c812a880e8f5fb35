"""Tables as files: CSV and workbooks in which figures are numbers, days are days, and no name becomes a formula."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO, StringIO
from math import isfinite
from typing import Any

import xlsxwriter

Cell = str | float | int | date | datetime | None

LONGEST = 32_767  # characters of a cell
LONGEST_NAME = 31  # characters of the name of a sheet
# what a name begins with is text, whatever it looks like: no formula, no link, no number is made of it
PLAIN = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "in_memory": True,
}
BEGINS_FORMULA = "=+-@\t\r\n＝＋－＠"
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))  # in the name of a sheet


@dataclass(frozen=True)
class Sheet:
    """A table: its name, its heads with their units, and its rows; a missing figure is None or the word for it."""

    name: str
    heads: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def escape_formula(text: str) -> str:
    """A text that a spreadsheet, reading it from CSV, does not take for a formula."""
    return f"'{text}" if text and text[0] in BEGINS_FORMULA else text


def as_csv(sheet: Sheet) -> str:
    """The sheet as CSV: figures with twelve digits, days and moments as ISO 8601 writes them."""
    made = StringIO()
    out = csv.writer(made)
    out.writerow([escape_formula(head) for head in sheet.heads])
    out.writerows([_in_csv(cell) for cell in row] for row in sheet.rows)
    return made.getvalue()


def _in_csv(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return escape_formula(cell)
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    return f"{cell:.12g}" if isfinite(cell) else ""


def as_workbook(sheets: Iterable[Sheet]) -> bytes:
    """The sheets as one workbook, heads frozen and with their filters."""
    made = BytesIO()
    with xlsxwriter.Workbook(made, PLAIN) as workbook:
        book = Book(workbook)
        for sheet in sheets:
            book.add(sheet)
    return made.getvalue()


class Book:
    """A workbook that is being written, with its formats."""

    def __init__(self, workbook: Any) -> None:
        self.workbook = workbook
        self.head = workbook.add_format({"bold": True, "bottom": 1})
        self.day = workbook.add_format({"num_format": "yyyy-mm-dd"})
        self.moment = workbook.add_format({"num_format": "yyyy-mm-dd hh:mm"})

    def add(self, sheet: Sheet, wide: Sequence[str] = ()) -> None:
        """A sheet with its heads frozen and filtered; `wide` names the heads above long texts."""
        rows = list(sheet.rows)
        page = self.workbook.add_worksheet(sheet.name.translate(_FORBIDDEN)[:LONGEST_NAME].strip())
        for column, head in enumerate(sheet.heads):
            page.write_string(0, column, head, self.head)
            page.set_column(column, column, 40 if head in wide else 14)
        for number, row in enumerate(rows, 1):
            self.write(page, number, row)
        page.freeze_panes(1, 0)
        if rows:
            page.autofilter(0, 0, len(rows), len(sheet.heads) - 1)

    def write(self, page: Any, number: int, row: Sequence[Cell]) -> None:
        """One row; a moment is written as the clock of its own zone showed it, because a workbook knows no zones."""
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                page.write_string(number, column, cell[:LONGEST])
            elif isinstance(cell, datetime):
                page.write_datetime(number, column, cell.replace(tzinfo=None), self.moment)
            elif isinstance(cell, date):
                page.write_datetime(number, column, cell, self.day)
            elif cell is not None and isfinite(cell):
                page.write_number(number, column, cell)
