"""The tables of a report as readings at both ends of its interval: counters from 0 to their total, levels as they stood."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from apps.catalog.metric import Kind, Metric
from apps.collection.collector import Reading
from apps.platforms.oracle import categories
from apps.platforms.oracle.read import named, waits
from apps.platforms.oracle.reports.report_tables import PrintedTable

EXACT = 0.01  # what printing a figure with few digits may take from it, as a share
MICROSECONDS = 1e6
_UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6, "cs": 1e4, "min": 6e7}
Pair = tuple[float | None, float | None]  # at the begin and at the end


@dataclass
class PrintedFigures:
    """Readings of a report by category, at its begin and at its end, and what was made of its tables."""

    begin: dict[int, list[Reading]] = field(default_factory=dict)
    end: dict[int, list[Reading]] = field(default_factory=dict)
    understood: dict[str, int] = field(default_factory=dict)  # table: rows
    cut: list[str] = field(default_factory=list)  # names that are cut and may be several

    def add(self, category: int, metric: str, pair: Pair, component: str = "") -> None:
        for readings, value in zip((self.begin, self.end), pair, strict=True):
            if value is not None:
                readings.setdefault(category, []).append(Reading(metric, value, component))


def figures_of(
    tables: Sequence[PrintedTable], text: str, events_read: Callable[[str], Sequence[str]]
) -> PrintedFigures:
    """
    What a report says that the catalogue has.

    `events_read` gives wait events that begin so, for names that are cut; the report's own wider tables have some in full.
    """
    result = PrintedFigures()
    in_full = _events_in_full(tables)

    def events(beginning: str) -> Sequence[str]:
        able = [name for name in in_full if name.startswith(beginning)]
        return able or events_read(beginning)

    waited: dict[str, _Waited] = {}
    for table in tables:
        for name, take in _TABLES.items():
            if take(table, result):
                result.understood[name] = result.understood.get(name, 0) + len(table.rows)
                break
        else:
            if _take_waits(table, waited, events, result):
                result.understood["wait events"] = result.understood.get("wait events", 0) + len(table.rows)
    _add_waits(waited, result)
    _take_memory(text, result)
    return result


def _events_in_full(tables: Iterable[PrintedTable]) -> set[str]:
    """The events whose names are not cut in any of the tables that name them."""
    return {
        row[0]
        for table in tables
        if table.has("Event", "Waits")
        for row in table.rows
        if row[0] and not table.is_cut(row[0])
    }


def number(text: str) -> float | None:
    """A figure as it is printed, `26,366` or `.7`; None where there is none, or where it did not fit."""
    plain = text.replace(",", "")
    return float(plain) if re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?", plain) else None


def _named(
    table: PrintedTable, name: str, metrics: Mapping[str, Metric], result: PrintedFigures
) -> Metric | None:
    """The statistic of a row; one whose name is cut is it where no other begins so."""
    if name in metrics or not table.is_cut(name):
        return metrics.get(name)
    able = {metric.key: metric for full, metric in metrics.items() if full.startswith(name)}
    if len(able) > 1:
        result.cut.append(name)
        return None
    return next(iter(able.values()), None)


def _take_activity(table: PrintedTable, result: PrintedFigures) -> bool:
    """Instance Activity Stats: what was counted over the interval."""
    if not table.has("Statistic", "Total", "per Second"):
        return False
    metrics = named(categories.SYSSTAT)
    for name, total, *_ in _rows(table, 2):
        metric = _named(table, name, metrics, result)
        if metric is not None and metric.kind is Kind.COUNTER:
            result.add(categories.SYSSTAT, metric.key, _counted(total))
    return True


def _take_levels(table: PrintedTable, result: PrintedFigures) -> bool:
    """Instance Activity Stats with absolute values: logons and cursors as they stood."""
    if not table.has("Statistic", "Begin Value", "End Value"):
        return False
    metrics = named(categories.SYSSTAT)
    for name, begin, end, *_ in _rows(table, 3):
        metric = _named(table, name, metrics, result)
        if metric is not None and metric.kind is not Kind.COUNTER:
            result.add(categories.SYSSTAT, metric.key, (number(begin), number(end)))
    return True


def _take_time_model(table: PrintedTable, result: PrintedFigures) -> bool:
    if not (table.has("Statistic", "Time (s)") or table.has("Statistic Name", "Time (s)")):
        return False
    metrics = named(categories.TIME_MODEL)
    for name, seconds, *_ in _rows(table, 2):
        metric = _named(table, name, metrics, result)
        if metric is not None:
            _, total = _counted(seconds)
            result.add(
                categories.TIME_MODEL, metric.key, (0.0, None if total is None else total * MICROSECONDS)
            )
    return True


def _take_machine(table: PrintedTable, result: PrintedFigures) -> bool:
    """OS statistics: times over the interval, and what the machine has."""
    is_statspack = list(table.columns) == ["Statistic", "Total"]
    if not (is_statspack or table.has("Statistic", "Value", "End Value")):
        return False
    metrics = named(categories.OSSTAT)
    for name, value, *rest in _rows(table, 2):
        metric = _named(table, name, metrics, result)
        if metric is None:
            continue
        begin = number(value)
        end = number(rest[0]) if rest and rest[0] else begin
        result.add(
            categories.OSSTAT, metric.key, _counted(value) if metric.kind is Kind.COUNTER else (begin, end)
        )
    return True


def _take_files(table: PrintedTable, result: PrintedFigures) -> bool:
    """File IO Stats of HTML: how often each file was read and written."""
    if not table.has("Tablespace", "Filename", "Reads"):
        return False
    writes = table.at("Writes")
    for row in _rows(table, 3):
        result.add(categories.FILES, "file_reads", _counted(row[2]), row[1])
        if writes is not None and len(row) > writes:
            result.add(categories.FILES, "file_writes", _counted(row[writes]), row[1])
    return True


_TABLES: Mapping[str, Callable[[PrintedTable, PrintedFigures], bool]] = {
    "instance activity": _take_activity,
    "levels": _take_levels,
    "time model": _take_time_model,
    "the machine": _take_machine,
    "files": _take_files,
}


def _rows(table: PrintedTable, least: int) -> Iterable[Sequence[str]]:
    return (row for row in table.rows if len(row) >= least and row[0])


def _counted(text: str) -> Pair:
    total = number(text)
    return (None, None) if total is None or total < 0 else (0.0, total)


@dataclass
class _Waited:
    """How often and how long an event was waited for, by users and behind them; a time that is printed too coarsely is unknown."""

    count: dict[str, float] = field(default_factory=dict)
    time: dict[str, float | None] = field(default_factory=dict)


def _take_waits(
    table: PrintedTable,
    waited: dict[str, _Waited],
    events: Callable[[str], Sequence[str]],
    result: PrintedFigures,
) -> bool:
    time, average = table.at("Total Wait Time (s)"), table.at("Avg wait")
    who = re.search("foreground|background", table.title.casefold())
    if time is None or average is None or who is None or not table.has("Event", "Waits"):
        return False
    for row in _rows(table, max(time, average) + 1):
        count, name = number(row[1]), row[0]
        if table.is_cut(name):
            able = events(name)
            if len(able) != 1:
                result.cut.append(name)
                continue
            name = able[0]
        if count is None:
            continue
        event = waited.setdefault(name, _Waited())
        event.count[who[0]] = count
        event.time[who[0]] = _time(row[time], row[average], table.columns[average], count)
    return True


def _time(total: str, average: str, head: str, count: float) -> float | None:
    """Microseconds, by the total or by the average, whichever is printed finer; None where neither is fine enough."""
    unit = re.search(r"(us|ms|cs|min|s)\)?$", average) or re.search(r"\((us|ms|cs|s)\)", head)
    choices = [(_coarseness(total), number(total), MICROSECONDS)]
    if unit is not None:
        plain = re.sub(r"[a-z ]+$", "", average)
        value = number(plain)
        choices.append((_coarseness(plain), None if value is None else value * count, _UNITS[unit[1]]))
    coarseness, value, factor = min(choices, key=lambda choice: choice[0])
    return value * factor if value is not None and coarseness <= EXACT else None


def _coarseness(text: str) -> float:
    """By how much rounding may have changed a printed figure, as a share."""
    value = number(text)
    if not value:
        return float("inf")
    digits = len(text.partition(".")[2])
    return float(0.5 * 10**-digits / abs(value))


def _add_waits(waited: Mapping[str, _Waited], result: PrintedFigures) -> None:
    """Of each event how often and how long it was waited for, by all and by users."""
    rows, start = [], []
    for name, event in waited.items():
        times = list(event.time.values())
        total = None if None in times else sum(time for time in times if time is not None)
        own = event.count.get("foreground"), event.time.get("foreground")
        rows.append((name, sum(event.count.values()), None, total, own[0], None, own[1]))
        start.append((name, *(None if value is None else 0.0 for value in rows[-1][1:])))
    if rows:
        result.begin[categories.SYSTEM_EVENT] = waits(start)
        result.end[categories.SYSTEM_EVENT] = waits(rows)


def _take_memory(text: str, result: PrintedFigures) -> None:
    """The PGA in use at both ends, in megabytes."""
    plain = re.sub(r"<[^>]+>", " ", text)
    match = re.search(r"PGA use \(MB\):\s+([\d.,]+)\s+([\d.,]+)", plain)
    if match is not None:
        begin, end = (number(figure) for figure in match.groups())
        if begin is not None and end is not None:
            result.add(categories.PGASTAT, "pga_allocated", (begin * 2**20, end * 2**20))
