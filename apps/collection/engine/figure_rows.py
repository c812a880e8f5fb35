"""Daily figures as others keep them: lines of CSV with a head, whose columns are told apart by their names."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import islice

from apps.collection.engine.csv_text import BadCsv, CsvLines, decode_text, split_lines

DAY, TARGET, STATISTIC, COMPONENT, VALUE, UNIT = "day", "target", "statistic", "component", "value", "unit"
FIELDS = (DAY, TARGET, STATISTIC, COMPONENT, VALUE, UNIT)
NEEDED = (DAY, TARGET, STATISTIC, VALUE)
EXAMPLE = ",".join(FIELDS)
MOST_ROWS = 400_000
MOST_COLUMNS = 100
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


class BadFigures(BadCsv):
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
class FigureLines(CsvLines):
    """The lines of a file below its head."""

    def column(self, name: str) -> int | None:
        """The place of a column; None where the file has none of this name."""
        return self.head.index(name) if name in self.head else None

    def fields_of(self, columns: FigureColumns) -> Iterator[tuple[int, Mapping[str, str]]]:
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
    too_many = f"There are more than {MOST_ROWS:,} lines; cut the file by target or by year."
    try:
        text = decode_text(content)
        if not text:
            raise BadFigures(f"The file is empty; give lines below a head such as {EXAMPLE}.")
        read = split_lines(text, MOST_ROWS, too_many)
    except BadCsv as problem:
        raise BadFigures(str(problem)) from None
    _check_head(read.head)
    if not read.lines:
        raise BadFigures("There is a head and no line below it.")
    return FigureLines(read.head, read.lines, read.has_comma)


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
    texts = [fields[DAY] for _, fields in islice(lines.fields_of(columns), _TRIED) if fields[DAY]]
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
