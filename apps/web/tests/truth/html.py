"""The tables of a page, cell by cell, with what a person sees and what a script sorts by."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

_DRAWING = re.compile(
    r"<(svg|script|style)\b[^>]*(?:(?<=/)>|>.*?</\1>)", re.S
)  # most of a page, and no text of a table
_LEFT_OUT = frozenset({"svg", "script", "style", "form", "select", "button", "template"})


@dataclass
class Cell:
    """A cell: its text, its exact text, and where it leads. `is_head` where it names its row or column."""

    attrs: dict[str, str]
    is_head: bool = False
    words: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)  # what its boxes and buttons send
    title: str = ""
    state: str = ""  # of the mark of a state within it

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    @property
    def sorts_as(self) -> str:
        return self.attrs.get("data-v", "")


@dataclass
class PageTable:
    key: str
    heads: list[str] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[PageTable] = []
        self.table: PageTable | None = None
        self.cell: Cell | None = None
        self.row: list[Cell] | None = None
        self.below: list[tuple[int, Cell, int]] = []  # cells that reach into rows to come
        self.is_head_row = False
        self.left_out: list[str] = []
        self.is_unseen = 0
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self.cell is not None and "name" in attributes:
            self.cell.fields[attributes["name"]] = attributes.get("value", "")
        if tag == "form" and self.table is None:  # a table may stand in a form
            return
        if self.left_out or tag in _LEFT_OUT:
            if tag in _LEFT_OUT:
                self.left_out.append(tag)
            return
        if tag == "table" and self.table is not None:  # within a cell of another
            self.left_out.append(tag)
        elif tag == "table":
            self.table = PageTable(attributes.get("id", ""))
            self.tables.append(self.table)
        elif self.table is None:
            return
        elif tag in ("thead", "tbody"):
            self.is_head_row, self.below = tag == "thead", []
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th") and self.row is not None:
            self._reach_down()
            self.cell = Cell(attributes, tag == "th", title=attributes.get("title", ""))
            span = int(attributes.get("rowspan", 1))
            self.row += [self.cell] * int(attributes.get("colspan", 1))
            if span > 1:
                self.below.append((len(self.row) - 1, self.cell, span - 1))
        elif self.cell is not None:
            self._read_mark(self.cell, tag, attributes)

    def _read_mark(self, cell: Cell, tag: str, attributes: Mapping[str, str]) -> None:
        """What an element within a cell says of it: an address, the exact words, a state."""
        if tag == "a" and "href" in attributes:
            cell.links.append(attributes["href"])
        cell.title = cell.title or attributes.get("title", "")
        states = re.search(
            r"\bis-(violated|closing|at_risk|comfortable|no_data)\b", attributes.get("class", "")
        )
        if states:
            cell.state = states[1]
        if tag == "sup":
            self.left_out.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.left_out:
            if tag == self.left_out[-1]:
                self.left_out.pop()
            return
        if tag in ("td", "th"):
            self.cell = None
        elif tag == "tr" and self.table is not None and self.row is not None:
            self._reach_down()
            if self.is_head_row:
                self.table.heads = [cell.text for cell in self.row]
            elif self.row:
                self.table.rows.append(self.row)
            self.row = None
        elif tag == "table":
            self.table = None

    def handle_data(self, data: str) -> None:
        if self.cell is not None and not self.left_out:
            self.cell.words.append(data)

    def _reach_down(self) -> None:
        """Put the cells of rows above into their places."""
        assert self.row is not None
        left = []
        for at, cell, rows in self.below:
            if at == len(self.row) and all(other is not cell for other in self.row):
                self.row.append(cell)
                rows -= 1
            if rows:
                left.append((at, cell, rows))
        self.below = left


def tables_in(html: str) -> dict[str, PageTable]:
    """The tables of a page by their ids."""
    reader = _Reader()
    reader.feed(_DRAWING.sub("", html))
    return {table.key or f"table {number}": table for number, table in enumerate(reader.tables)}


def by_head(table: PageTable, cells: Sequence[Cell]) -> dict[str, Cell]:
    """The cells of a row by the heads of their columns."""
    return dict(zip(table.heads, cells, strict=False))


def pairs_of(html: str) -> dict[str, str]:
    """The terms of a page with what is said of them."""
    pairs = re.findall(r"<dt>([^<]*)</dt>\s*<dd[^>]*>(.*?)</dd>", html, re.S)
    return {term: _plain(text) for term, text in pairs}


def sentence_of(html: str) -> str:
    """The first line of a page."""
    return _text_of(re.search(r"<h1>(.*?)</h1>", html, re.S))


def text_after(html: str, mark: str, tag: str) -> str:
    """The text of the first element of this kind after a mark; empty where there is none."""
    return _text_of(re.search(rf"{re.escape(mark)}.*?<{tag}>(.*?)</{tag}>", html, re.S))


def _text_of(match: re.Match[str] | None) -> str:
    return "" if match is None else _plain(match[1])


def _plain(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", markup)).split())
