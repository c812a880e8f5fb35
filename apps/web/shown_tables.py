"""
The tables of a page as they are shown, as files: what a view does not write itself is read back from its page.

A cell's own `data-v` stands for its text: the exact figure, the day. Lists of figures are better written by their view
(`table_file`); lists of words, forms and short tables need nothing but an id and `{% table_tools id %}`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from html.parser import HTMLParser

from django.http import HttpRequest, HttpResponse

from apps.charts.figures import MINUS, MISSING
from apps.reports.sheets import Cell, Sheet
from apps.web.tables import FORMATS, file_of

_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LEFT_OUT = frozenset(
    {"form", "button", "select", "svg", "script", "template"}
)  # what is there to be used, not read
_VOID = frozenset({"br", "hr", "img", "input", "col", "use", "wbr", "source"})


def tables_as_files(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: where an address asks for a table as a file, and its view answered with the page."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        asked, key = request.GET.get("format", ""), request.GET.get("table", "")
        is_page = response.status_code == 200 and response.get("Content-Type", "").startswith("text/html")
        if asked not in FORMATS or not key or not is_page or response.streaming:
            return response
        found = table_in(response.content.decode(response.charset), key)
        return response if found is None else file_of(found, asked)

    return answer


def table_in(html: str, key: str) -> Sheet | None:
    """The table whose id is `key`; None where the page has none."""
    reader = _Reader(key)
    reader.feed(html)
    if reader.heads is None:
        return None
    return Sheet(key, *reader.shown())


@dataclass
class _Place:
    """A cell of the table, or the name of a group of rows."""

    given: str | None = None
    is_drawn: bool = False  # or to be ticked: nothing to read
    is_unseen: bool = True  # while nothing was said that is seen
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    @property
    def value(self) -> Cell:
        text = self.text if self.given is None else self.given
        plain = text.replace(MINUS, "-")
        if text in ("", MISSING):
            return None
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
        return float(plain.replace(",", "")) if _NUMBER.fullmatch(plain) else text


class _Reader(HTMLParser):
    """Reads one table; a row of the class `group-row` names those that follow."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key
        self.heads: list[_Place] | None = None
        self.rows: list[tuple[str, list[_Place]]] = []
        self.open: list[tuple[str, str]] = []  # elements within the table, with their classes
        self.group = ""
        self.row: list[_Place] = []
        self.place: _Place | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if not self.open:
            if tag == "table" and given.get("id") == self.key:
                self.open.append((tag, ""))
            return
        if tag in _VOID:
            if self.place is not None and tag == "br":
                self.place.words.append(" ")
            if self.place is not None and tag == "input" and given.get("type", "text") == "text":
                self.place.words.append(given.get("value") or "")
            return
        self.open.append((tag, given.get("class") or ""))
        if self._is_nested:
            return
        if tag == "tr":
            self.row = []
        elif tag in ("td", "th"):
            self.place = _Place(given.get("data-v"), given.get("data-sorts") == "no")
            self.row.append(self.place)

    def handle_endtag(self, tag: str) -> None:
        if not any(name == tag for name, _ in self.open):
            return
        is_nested = self._is_nested
        while True:
            name, classes = self.open.pop()
            if name == tag:
                break
        if is_nested or tag not in ("td", "th", "tr"):
            return
        self.place = None
        if tag != "tr":
            return
        if any(name == "thead" for name, _ in self.open):
            self.heads = self.row
        elif "group-row" in classes:
            self.group = self.row[0].text if self.row else ""
        else:
            self.rows.append((self.group, self.row))

    def handle_data(self, data: str) -> None:
        if self.place is None or any(name in _LEFT_OUT for name, _ in self.open) or self._is_nested:
            return
        self.place.words.append(data)
        if data.strip() and not any("unseen" in classes.split() for _, classes in self.open):
            self.place.is_unseen = False

    @property
    def _is_nested(self) -> bool:
        """Within a table that stands in a cell of this one."""
        return sum(name == "table" for name, _ in self.open) > 1

    def shown(self) -> tuple[list[str], list[list[Cell]]]:
        """Heads and rows; without columns of drawings, boxes and buttons: `data-sorts="no"`, or a head for the ear alone."""
        heads = self.heads or []
        kept = [number for number, head in enumerate(heads) if not head.is_unseen and not head.is_drawn]
        has_groups = any(group for group, _ in self.rows)
        names = [heads[number].text for number in kept]
        rows = [
            [*([group] if has_groups else []), *(row[number].value for number in kept if number < len(row))]
            for group, row in self.rows
        ]
        return ["group", *names] if has_groups else names, rows
