"""CSV as people and programs give it: its text, its lines below a head, and its numbers; read alike wherever it is given."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

LARGEST = 1e18
MOST_NAMED = 5  # lines of which a refusal tells


class BadCsv(ValueError):
    """A text, a line or a number cannot be taken; the message says why to people."""


@dataclass(frozen=True)
class CsvLines:
    """Lines below a head, each with its number; decimals have a comma where lines are cut at semicolons."""

    head: Sequence[str]
    lines: Sequence[tuple[int, Sequence[str]]]
    has_comma: bool

    def fields(self) -> list[tuple[int, dict[str, str]]]:
        """Each line by the names of the head in small letters, stripped; a line that is too short lacks the last ones."""
        names = [name.casefold() for name in self.head]
        return [
            (number, dict(zip(names, (value.strip() for value in values), strict=False)))
            for number, values in self.lines
        ]


def decode_text(content: bytes) -> str:
    """The text of a file, or of what was sent. Raises BadCsv."""
    if content[:2] in (b"PK", b"\x1f\x8b"):
        raise BadCsv("This is a packed file or a workbook; save it as CSV and give that.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadCsv(f"Line {line} is not text in UTF-8; save it as CSV in UTF-8.") from None
    if "\0" in text:
        raise BadCsv("This is not text; save it as CSV in UTF-8.")
    return text.lstrip()


def split_lines(text: str, most: int, too_many: str) -> CsvLines:
    """The lines of a text with a head, cut at commas, semicolons or tabs; of more than `most` says `too_many`. Raises BadCsv."""
    separator = separator_of(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    lines: list[tuple[int, Sequence[str]]] = []
    try:
        head = [name.strip() for name in next(reader, [])]
        for values in reader:
            if not any(value.strip() for value in values):
                continue
            if len(values) > len(head):
                raise BadCsv(f"Line {reader.line_num} has {len(values)} fields, and the head {len(head)}.")
            if len(lines) == most:
                raise BadCsv(too_many)
            lines.append((reader.line_num, values))
    except csv.Error as error:
        raise BadCsv(f"Line {reader.line_num} is not CSV: {error}.") from None
    return CsvLines(head, lines, has_comma=separator == ";")


def separator_of(text: str) -> str:
    """What the fields of a text are cut at: what its first line has most of."""
    return max(",;\t", key=text.partition("\n")[0].count)


def read_number(text: str, *, has_comma: bool = False) -> float:
    """A number; with a comma for decimals where lines are cut at semicolons. Raises BadCsv."""
    plain = text.replace("\N{NO-BREAK SPACE}", "")
    if has_comma and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        raise BadCsv(f"“{text[:20]}” is not a number; write 1200 or 1200.5.") from None
    if "_" in text or not math.isfinite(value) or abs(value) > LARGEST:
        raise BadCsv(f"“{text[:20]}” is no number that can be.")
    return value


def read_day(text: str, today: date) -> date:
    """A day as 2026-02-17. Raises BadCsv, with today as the example."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadCsv(f"“{text[:20]}” is not a day; expected one such as {today}.") from None


def tell_problems(problems: Sequence[str]) -> str:
    """What is wrong with lines: the first of them, and how many more there are."""
    more = len(problems) - MOST_NAMED
    also = [f"So are {more:,} more."] if more > 0 else []
    return " ".join([*problems[:MOST_NAMED], *also])
