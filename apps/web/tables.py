"""
A table is declared once: its columns say what a page shows, what a file holds and what a script sorts by.

The module that builds the rows declares the table beside it; its view fills it and answers with `page_or_file`;
the template says `{% table people %}`, or `{% table_tools people %}` and `{% bare_table people %}` where they are apart.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from html import escape, unescape
from typing import Any, Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import Context
from django.template.loader import get_template
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.reports.sheets import Cell, Sheet, as_csv, as_workbook

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS = ("csv", "xlsx")
Row = TypeVar("Row")
Css = str | Callable[[Row], str]


@dataclass(frozen=True)
class Column(Generic[Row]):
    """
    A column: `value` is what a file holds, exact; `show` what the page says, where that is another text.

    Without `value` the page alone has it, `in_file_only` is its opposite. `template` shows a cell that holds a form or a
    drawing, with the row as `row`. A figure, a day or a moment that is shown differently goes into `data-v` as it is.
    """

    head: str
    value: Callable[[Row], Cell] | None = None
    show: Callable[[Row], object] | None = None
    _: KW_ONLY
    css: str | Callable[[Row], str] = ""
    head_css: str = ""
    file_head: str = ""  # with its unit, where the page says less
    label: str | None = None  # beside it on a narrow screen; of a figure its head, where nothing else is said
    title: Callable[[Row], str] | None = None
    order: Callable[[Row], Cell] | None = None  # what a script sorts by, where it is not the value
    head_title: str = ""
    span: Callable[[Row], int] | None = None  # how many columns its cell takes the place of
    template: str = ""
    key: str = ""  # by which an address sorts, where the head changes
    has_unit: bool = False  # its unit stands in the column of units: sorted within each of them
    sorts: bool = True
    is_head_unseen: bool = False
    is_figure: bool = False
    is_row_head: bool = False
    in_file_only: bool = False

    @property
    def head_cell(self) -> SafeString:
        """The head as the page has it."""
        css = f"{'num ' if self.is_figure else ''}{self.head_css}".strip()
        head = self.head if isinstance(self.head, SafeString) else escape(self.head)
        text = f'<span class="unseen">{head}</span>' if self.is_head_unseen else head
        attributes = [
            _attribute("class", css),
            _attribute("data-key", self.key),
            _attribute("data-sorts", "" if self.sorts else "no"),
            _attribute("data-unit", "row" if self.has_unit else ""),
            _attribute("title", self.head_title),
        ]
        return SafeString(f'<th scope="col"{"".join(attributes)}>{text}</th>')

    @property
    def head_in_file(self) -> str:
        if self.file_head or not isinstance(self.head, SafeString):
            return self.file_head or self.head
        return unescape(strip_tags(self.head.replace("<br>", " ")))

    @property
    def _label(self) -> str:
        if self.label is not None:
            return self.label
        return (
            self.head
            if self.is_figure and not self.is_row_head and not isinstance(self.head, SafeString)
            else ""
        )

    def cell(self, row: Row, context: Context | None = None) -> SafeString:
        """One cell of the page."""
        value = self.value(row) if self.value is not None else None
        css = self.css if isinstance(self.css, str) else self.css(row)
        span = self.span(row) if self.span else 1
        text = self._content(row, value, context)
        exact = None
        if self.value is not None or self.order is not None:
            exact = _exact(self.order(row) if self.order else value, text)
        attributes = [
            ' scope="row"' if self.is_row_head else "",
            _attribute("class", f"{'num ' if self.is_figure else ''}{css}".strip()),
            _attribute("data-l", self._label),
            _attribute("title", self.title(row) if self.title else ""),
            f' colspan="{span}"' if span > 1 else "",
            "" if exact is None else f' data-v="{escape(exact)}"',
        ]
        name = "th" if self.is_row_head else "td"
        return SafeString(f"<{name}{''.join(attributes)}>{text}</{name}>")

    def _content(self, row: Row, value: Cell, context: Context | None) -> SafeString:
        if self.template and context is not None:
            with context.push(row=row):
                return SafeString(get_template(self.template).template.render(context))  # type: ignore[attr-defined]
        text = plain(value) if self.show is None else self.show(row)
        return text if isinstance(text, SafeString) else SafeString(escape(str(text)))


@dataclass(frozen=True)
class FigureColumn(Column[Row]):
    """A column of numbers or days, at the right."""

    is_figure: bool = True


@dataclass(frozen=True)
class RowHead(Column[Row]):
    """The column that names its row."""

    is_row_head: bool = True
    css: str | Callable[[Row], str] = "first"


@dataclass(frozen=True)
class DrawingColumn(Column[Row]):
    """A column that is looked at or used, not read: drawings, boxes and buttons."""

    sorts: bool = False


@dataclass(frozen=True)
class RowGroup(Generic[Row]):
    """Rows under a name that takes a row of its own; `file_rows` where files hold more than the page."""

    name: str
    rows: Sequence[Row]
    aside: str = ""
    file_rows: Sequence[Row] = ()


@dataclass(frozen=True)
class Table(Generic[Row]):
    """
    A table: its id on the page and in addresses, what it is, and its columns.

    `title` names its tools, `css` is how it is laid out, `columns_css` the widths of its columns; `opens_rows` lets keys
    walk through its rows, `opens_charts` a click open the chart of one below it; `empty` is said where there are no rows; `file_order` are heads of the file in its own order.
    """

    key: str
    caption: str
    columns: Sequence[Column[Row]]
    _: KW_ONLY
    title: str = ""
    css: str = "folds"
    columns_css: str = ""
    row_css: Callable[[Row], str] | None = None
    opens_rows: bool = False
    opens_charts: bool = False
    scrolls: bool = True
    region: str = ""  # the id of the title of a table that scrolls sideways by itself
    has_files: bool = True
    is_caption_seen: bool = False
    empty: str = ""
    file_order: Sequence[str] = ()

    def fill(
        self,
        rows: Iterable[Row] = (),
        *,
        groups: Sequence[RowGroup[Row]] = (),
        all_rows: Callable[[], Iterable[Row]] | None = None,
        file_name: str = "",
    ) -> "FilledTable[Row]":
        """The table with its rows, or groups of them; `all_rows` where files hold more than the page."""
        return FilledTable(self, list(rows), groups, all_rows, file_name)


@dataclass(frozen=True)
class FilledTable(Generic[Row]):
    """A table with its rows, for a template and for a file."""

    table: Table[Row]
    rows: Sequence[Row]
    groups: Sequence[RowGroup[Row]]
    all_rows: Callable[[], Iterable[Row]] | None
    file_name: str

    @property
    def key(self) -> str:
        return self.table.key

    @property
    def title(self) -> str:
        return self.table.title or self.table.caption

    @property
    def has_files(self) -> bool:
        return self.table.has_files

    def __len__(self) -> int:
        return len(self.rows) + sum(len(group.rows) for group in self.groups)

    @property
    def columns(self) -> Sequence[Column[Row]]:
        """The columns of the page."""
        return [column for column in self.table.columns if not column.in_file_only]

    def bodies(self, context: Context) -> Iterator[tuple[RowGroup[Row] | None, Sequence[SafeString]]]:
        """The rows of the page as markup, group by group."""
        columns = self.columns
        for group in self.groups or (None,):
            yield group, [self._row(row, columns, context) for row in (group.rows if group else self.rows)]

    def _row(self, row: Row, columns: Sequence[Column[Row]], context: Context) -> SafeString:
        cells, left_out = [], 0
        for column in columns:
            if left_out:
                left_out -= 1
                continue
            cells.append(column.cell(row, context))
            left_out = column.span(row) - 1 if column.span else 0
        css = self.table.row_css(row) if self.table.row_css else ""
        return SafeString(f"<tr{_attribute('class', css)}>{''.join(cells)}</tr>")

    @property
    def sheet(self) -> Sheet:
        """The table as a file holds it, with the name of its group before each row."""
        columns = [column for column in self.table.columns if column.value is not None]
        if self.table.file_order:
            columns.sort(key=lambda column: self.table.file_order.index(column.head_in_file))
        heads = [column.head_in_file for column in columns]
        return Sheet(
            self.file_name or self.table.key,
            ["group", *heads] if self.groups else heads,
            self._lines(columns),
        )

    def _lines(self, columns: Sequence[Column[Row]]) -> Iterator[Sequence[Cell]]:
        for group in self.groups:
            for row in group.file_rows or group.rows:
                yield [f"{group.name} {group.aside}".strip(), *_values(columns, row)]
        for row in self.all_rows() if self.all_rows else self.rows:
            yield _values(columns, row)

    def file(self, request: HttpRequest) -> HttpResponse | None:
        """The file where the address asks for this table, else None; an address without a name asks for the first."""
        kind, key = request.GET.get("format", ""), self.table.key
        if kind not in FORMATS or not self.table.has_files or request.GET.get("table", key) != key:
            return None
        return file_of(self.sheet, kind)


def page_or_file(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """The page, or the one of its tables for which the address asks as a file."""
    if request.GET.get("format") in FORMATS:
        for table in _tables_in(context):
            if file := table.file(request):
                return file
    return render(request, template, dict(context))


def _tables_in(part: object) -> Iterator[FilledTable[Any]]:
    """The tables of a context, in its order, and of what it holds."""
    if isinstance(part, FilledTable):
        yield part
    elif isinstance(part, (Mapping, list, tuple)):
        for inner in part.values() if isinstance(part, Mapping) else part:
            yield from _tables_in(inner)


def file_of(sheet: Sheet, kind: str) -> HttpResponse:
    """The sheet as something to download, "csv" or "xlsx"."""
    made = as_csv(sheet) if kind == "csv" else as_workbook([sheet])
    response = HttpResponse(made, content_type=CSV if kind == "csv" else XLSX)
    response["Content-Disposition"] = f'attachment; filename="{_file_name(sheet.name)}.{kind}"'
    return response


def plain(value: Cell) -> str:
    """A value as pages write it where a column says nothing else."""
    if isinstance(value, str) or value is None:
        return value or ""
    if isinstance(value, datetime):
        return figures.moment(value)
    return figures.short_day(value) if isinstance(value, date) else figures.figure(value)


def _values(columns: Sequence[Column[Row]], row: Row) -> list[Cell]:
    return [_in_file(column.value(row)) for column in columns if column.value is not None]


def _in_file(value: Cell) -> Cell:
    """No-break spaces keep figures and units together on a page; a file has plain ones."""
    return value.replace(figures.SPACE, " ") if isinstance(value, str) else value


def _exact(value: Cell, text: str) -> str | None:
    """What a script sorts by and copies, where the page shows something else."""
    if isinstance(value, str):
        return None
    if value is None:
        return "" if text else None
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    exact = value.isoformat() if isinstance(value, date) else f"{value:.12g}"
    return None if exact == text else exact


def _attribute(name: str, value: str) -> str:
    """An attribute of an element, where it has a value."""
    return f' {name}="{escape(value)}"' if value else ""


def _file_name(name: str) -> str:
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in name
    )
