"""Daily figures as others keep them: lines of CSV with a head, whose columns are told apart by their names."""

import csv
import io
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import islice

DAY, TARGET, STATISTIC, COMPONENT, VALUE, UNIT = "day", "target", "statistic", "component", "value", "unit"
FIELDS = (DAY, TARGET, STATISTIC, COMPONENT, VALUE, UNIT)
NEEDED = (DAY, TARGET, STATISTIC, VALUE)
EXAMPLE = ",".join(FIELDS)
MOST_ROWS = 400_000
MOST_COLUMNS = 100
LARGEST = 1e18
DATES = {  # how a day is written: what people call it
    "%Y-%m-%d": "2026-01-31",
    "%Y%m%d": "20260131",
    "%d.%m.%Y": "31.01.2026",
    "%d/%m/%Y": "31/01/2026, the day first",
    "%m/%d/%Y": "01/31/2026, the month first",
    "%d-%b-%y": "31-JAN-26 or 31-JAN-2026",
}
_TRIED = 2000  # lines by which the way of writing days is told
_NAMES = {
    DAY: {"day", "date", "datum", "tag", "jour", "timestamp", "time"},
    TARGET: {"target", "database", "db", "instance", "host", "hostname", "server", "system"},
    STATISTIC: {"statistic", "metric", "metric_name", "stat_name", "name", "kpi"},
    COMPONENT: {"component", "object", "part", "of"},
    VALUE: {"value", "figure", "wert", "valeur", "average", "avg", "mean"},
    UNIT: {"unit", "units", "metric_unit", "einheit"},
}


class BadFigures(ValueError):
    """A file, a line or a field cannot be taken; the message says why to people."""


@dataclass(frozen=True)
class FigureColumns:
    """
    Which column holds what: `columns` by field, `fixed` what holds of every line instead, and how days are written.

    A field without either is empty. Without `dates` the days themselves tell.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    dates: str = ""

    @property
    def lacking(self) -> Sequence[str]:
        """The fields that are needed and are not there."""
        return [name for name in NEEDED if not self.columns.get(name) and not self.fixed.get(name)]


@dataclass(frozen=True)
class FigureLines:
    """The lines of a file below its head, each with its number; decimals have a comma where lines are cut at semicolons."""

    head: Sequence[str]
    lines: Sequence[tuple[int, Sequence[str]]]
    has_comma: bool

    def column(self, name: str) -> int | None:
        """The place of a column; None where the file has none of this name."""
        return self.head.index(name) if name in self.head else None

    def fields(self, columns: FigureColumns) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Each line as fields, stripped; its number is that of its line in the file. A line that is too short lacks the last ones."""
        places = {name: self.column(columns.columns.get(name, "")) for name in FIELDS}
        for number, values in self.lines:
            yield (
                number,
                {
                    name: columns.fixed.get(name, "")
                    if place is None
                    else values[place].strip()
                    if place < len(values)
                    else ""
                    for name, place in places.items()
                },
            )


def read_lines(content: bytes) -> FigureLines:
    """The lines of a CSV with a head, cut at commas, semicolons or tabs. Raises BadFigures."""
    text = _text_of(content)
    head, _, _ = text.partition("\n")
    separator = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    lines: list[tuple[int, Sequence[str]]] = []
    try:
        names = [name.strip() for name in next(reader)]
        _check_head(names)
        for values in reader:
            if not any(value.strip() for value in values):
                continue
            if len(values) > len(names):
                raise BadFigures(
                    f"Line {reader.line_num} has {len(values)} fields, and the head {len(names)}."
                )
            if len(lines) == MOST_ROWS:
                raise BadFigures(
                    f"There are more than {MOST_ROWS:,} lines; cut the file by target or by year."
                )
            lines.append((reader.line_num, values))
    except csv.Error as error:
        raise BadFigures(f"Line {reader.line_num} is not CSV: {error}.") from None
    if not lines:
        raise BadFigures("There is a head and no line below it.")
    return FigureLines(names, lines, has_comma=separator == ";")


def _text_of(content: bytes) -> str:
    if content[:2] in (b"PK", b"\x1f\x8b"):
        raise BadFigures("This is a packed file or a workbook; save it as CSV and give that.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadFigures(f"Line {line} is not text in UTF-8; save the file as CSV in UTF-8.") from None
    if "\0" in text:
        raise BadFigures("This is not text; save it as CSV in UTF-8.")
    if not text.strip():
        raise BadFigures(f"The file is empty; give lines below a head such as {EXAMPLE}.")
    return text.lstrip()


def _check_head(names: Sequence[str]) -> None:
    if len(names) < 2:
        raise BadFigures(f"The first line is “{names[0][:60]}”; expected a head such as {EXAMPLE}.")
    if len(names) > MOST_COLUMNS:
        raise BadFigures(f"The head has {len(names)} columns; give at most {MOST_COLUMNS}.")
    if twice := next((name for name in names if name and names.count(name) > 1), ""):
        raise BadFigures(f"The head names “{twice[:60]}” twice.")


def guess_columns(lines: FigureLines) -> FigureColumns:
    """Which column holds what, by the usual names; what is not guessed is left to people."""
    columns: dict[str, str] = {}
    for name, usual in _NAMES.items():
        exact = [column for column in lines.head if column.casefold() == name]
        usual_columns = [column for column in lines.head if column.casefold() in usual]
        if exact or usual_columns:
            columns[name] = (exact or usual_columns)[0]
    return FigureColumns(columns)


def tell_dates(lines: FigureLines, columns: FigureColumns) -> str:
    """How the days are written: the first way that reads them all. Raises BadFigures where two do, or none."""
    texts = [fields[DAY] for _, fields in islice(lines.fields(columns), _TRIED) if fields[DAY]]
    ways = {way: sum(_day_written(text, way) is not None for text in texts) for way in DATES}
    best = max(ways.values(), default=0)
    if not best:
        example = texts[0][:20] if texts else ""
        raise BadFigures(
            f"“{example}” is not a day; expected one such as 2026-01-31. Choose how days are written."
        )
    able = [way for way, count in ways.items() if count == best]
    if len(able) > 1:
        raise BadFigures(f"“{texts[0][:20]}” can be read in two ways; choose how days are written.")
    return able[0]


def read_day(text: str, way: str) -> date:
    """A day as it is written in this way, whatever time follows it. Raises BadFigures."""
    day = _day_written(text, way)
    if day is None:
        raise BadFigures(f"“{text[:20]}” is not a day such as {DATES.get(way, '2026-01-31')}.")
    return day


@lru_cache(maxsize=20_000)
def _day_written(text: str, way: str) -> date | None:
    """None where it is not written so; a month of three letters may have a year of two digits or of four."""
    word = text.replace("T", " ").split(" ")[0] if way == "%Y-%m-%d" else text.split(" ")[0]
    for form in (way, "%d-%b-%Y") if way == "%d-%b-%y" else (way,):
        try:
            return date(*time.strptime(word, form)[:3])
        except ValueError:
            continue
    return None


def read_value(text: str, *, has_comma: bool) -> float:
    """A number; with a comma for decimals where the file is cut at semicolons. Raises BadFigures."""
    plain = text.replace(",", ".") if has_comma and "." not in text else text
    try:
        value = float(plain)
    except ValueError:
        raise BadFigures(f"“{text[:20]}” is not a number; write 1200 or 1200.5.") from None
    if "_" in text or not math.isfinite(value) or abs(value) > LARGEST:
        raise BadFigures(f"“{text[:20]}” is no number that can be.")
    return value
