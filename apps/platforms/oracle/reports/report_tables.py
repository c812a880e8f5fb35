"""The tables of a report: of text by the dashes below their heads, of HTML by its tags."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import takewhile

_RULER = re.compile(r"^-{2,}(?: +-+)+\s*$")
_MOST_HEAD_LINES = 6
_WHERE = re.compile(r"\s+DB/Inst:.*$")


@dataclass
class PrintedTable:
    """
    A table: what stands above it, its columns, its rows as texts.

    Of text, `width` is that of its first column: a name that fills it may be cut. It is 0 where nothing is cut.
    """

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    width: int = 0

    def has(self, *columns: str) -> bool:
        """Whether its first columns are called so."""
        return len(self.columns) >= len(columns) and all(
            have.casefold().startswith(want.casefold())
            for have, want in zip(self.columns, columns, strict=False)
        )

    def at(self, words: str) -> int | None:
        """The place of the column whose head begins so; None where there is none."""
        places = (
            place for place, name in enumerate(self.columns) if name.casefold().startswith(words.casefold())
        )
        return next(places, None)

    def is_cut(self, name: str) -> bool:
        return bool(self.width) and len(name) >= self.width


def text_tables(text: str) -> Iterator[PrintedTable]:
    """The tables of a text report; one that a page break cuts comes as two."""
    lines = [line.rstrip("\r\n").replace("\f", "") for line in text.splitlines()]
    title = ""
    for number, line in enumerate(lines):
        if "DB/Inst:" in line:
            title = _WHERE.sub("", line).strip()
        if not _RULER.match(line):
            continue
        spans = [match.span() for match in re.finditer("-+", line)]
        head = list(takewhile(_is_head, reversed(lines[max(0, number - _MOST_HEAD_LINES) : number])))[::-1]
        rows = [_cut(row, spans) for row in takewhile(_is_row, lines[number + 1 :])]
        yield PrintedTable(title, [_column(head, span) for span in spans], rows, spans[0][1] - spans[0][0])


def _is_head(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("->") and "DB/Inst:" not in line and "~~~" not in line


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not re.match(r"^\s*-{5,}\s*$", line)


def _cut(line: str, spans: Sequence[tuple[int, int]]) -> Sequence[str]:
    """A row at the columns of its ruler; a figure that is wider than its column reaches to the left."""
    cells, begin = [], 0
    for _, end in spans:
        cells.append(line[begin:end].strip())
        begin = end
    return cells


def _column(head: Sequence[str], span: tuple[int, int]) -> str:
    return " ".join(filter(None, (line[span[0] : span[1]].strip() for line in head)))


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[tuple[str, list[list[str]]]] = []
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append((dict(attrs).get("summary") or "", []))
        elif tag == "tr" and self.tables:
            self.tables[-1][1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1][1]:
            self._cell = []

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.tables[-1][1][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None


def html_tables(text: str) -> Iterator[PrintedTable]:
    """The tables of an HTML report, each with what its summary says of it."""
    parser = _Tables()
    parser.feed(text)
    for summary, rows in parser.tables:
        if len(rows) > 1:
            yield PrintedTable(summary, rows[0], list(rows[1:]))
