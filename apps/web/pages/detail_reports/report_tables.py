"""A detail report as the page shows it: its sentence, its drawing, its tables as texts, and the same tables for files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.catalog.details import ListingColumn
from apps.catalog.metric import Kind, Metric
from apps.charts import figures
from apps.charts.lines import ChartLine, lines
from apps.charts.sparkline import sparkline
from apps.inventory.models import Target
from apps.web.pages.detail_reports.day_figures import NOT_OF_IT, Array, DayFigures, Listed, Statistic, Thing
from apps.web.sentences import Part, capital, day_in_words

MOST_ROWS = 50  # things of a listing on one page
MOST_DAILY = 12  # of them day by day

PLAIN = {
    "not present": mark_safe('<td class="num"><span class="absent">Not present</span></td>'),
    NOT_OF_IT: mark_safe('<td class="num"><span class="absent">–</span></td>'),
}
Cells = list[str | float | date | None]


@dataclass(frozen=True)
class Row:
    """A row of a table: its name, where it leads, and its cells as markup."""

    name: str
    url: str
    aside: str  # the class of a thing, or the unit of a figure
    spark: str
    cells: SafeString


@dataclass
class Group:
    """Rows that belong together: the statistics of a section, or the figures of a thing."""

    title: str
    rows: list[Row] = field(default_factory=list)


@dataclass
class Table:
    """A table of the page: with `groups` of rows by day, or a plain listing of things in one group without a title."""

    key: str
    title: str
    aside: str
    heads: Sequence[str]
    groups: Sequence[Group]
    group_head: str = ""  # what the groups are; empty for a plain listing
    row_head: str = "statistic"
    total: int = 0
    shown: int = 0
    notes: Sequence[str] = ()
    has_sparks: bool = True
    has_classes: bool = True
    has_files: bool = True

    @property
    def more(self) -> int:
        return self.total - self.shown


# ── cells ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def cell(value: float, unit: str, why: str) -> SafeString:
    """A figure with its exact value, else the word for what is missing, with the reason."""
    if not np.isnan(value):
        return format_html(
            '<td class="num" title="{}">{}</td>', figures.exact(value, unit), figures.figure(value)
        )
    if why in PLAIN:
        return PLAIN[why]
    return format_html(
        '<td class="num"><span class="unread" title="{}"><span>No data</span></span></td>', why
    )


def _spark(values: Array, name: str, unit: str) -> str:
    """The line of a row, oldest first."""
    shown = [None if np.isnan(value) else float(value) for value in values[::-1]]
    known = [value for value in shown if value is not None]
    span = f"{figures.figure(min(known))} to {figures.figure(max(known))} {unit}" if known else "no figures"
    return sparkline(shown, None, "above", f"{name}, {len(shown)} days, {span}")


def _url(target: Target, metric: Metric, component: str, day: date) -> str:
    query = {"component": component, "on": day.isoformat()} if component else {"on": day.isoformat()}
    return f"{reverse('statistic', args=[target.pk, metric.key])}?{urlencode(query)}"


# ── tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def statistics_table(found: Sequence[Statistic], by: DayFigures) -> Table:
    """Every statistic of the sections, a row each, newest day first."""
    groups: dict[str, Group] = {}
    for one in found:
        groups.setdefault(one.metric.section.title, Group(one.metric.section.title)).rows.append(
            statistic_row(one, by)
        )
    heads, notes = day_heads(by, {one.metric.category for one in found})
    said = _counted(len(found), "statistic")
    return Table(
        "statistics", "Statistics by day", said, heads, list(groups.values()), "section", total=len(found), shown=len(found),
        notes=notes,
    )  # fmt: skip


def statistic_row(one: Statistic, by: DayFigures) -> Row:
    cells = [
        cell(value, one.unit, "" if not np.isnan(value) else by.why(day, one.metric) or "not present")
        for day, value in zip(by.days, one.values.tolist(), strict=True)
    ]
    return Row(
        capital(one.metric.label), _url(by.target, one.metric, "", by.days[0]), one.unit,
        _spark(one.values, one.metric.label, one.unit), SafeString("".join(cells)),
    )  # fmt: skip


def listing_table(found: Listed, words: str, unit_of: dict[str, str]) -> Table:
    """The largest things as of the newest day that has figures, a column for each figure."""
    listing, by = found.listing, found.figures
    matching = found.cut(words)
    cut = matching.cut(most=MOST_ROWS)
    at = found.newest or 0
    day = by.days[at]
    rank = listing.columns[0]
    rows = []
    for index, thing in enumerate(cut.things):
        cells = [
            cell(
                value := float(cut.values[column.metric][index, at]),
                unit_of.get(column.shown_in, column.shown_in),
                cut.why(thing, column, day) if np.isnan(value) else "",
            )
            for column in listing.columns
        ]
        ranked = cut.values[rank.metric][index]
        rows.append(
            Row(
                thing.name, _thing_url(by.target, thing, rank, day), thing.klass,
                _spark(ranked, thing.name, rank.shown_in), SafeString("".join(cells)),
            )
        )  # fmt: skip
    heads = [_head(one.label, unit_of.get(one.shown_in, one.shown_in)) for one in listing.columns]
    said = f"{figures.short_day(day)}, {_counted(len(matching.things), listing.noun)}"
    if words:
        said += f" of {figures.whole(len(found.things))}"
    return Table(
        listing.key, listing.title, said, heads, [Group("", rows)], "", listing.noun, len(matching.things), len(rows),
        _late(by.days[0], day), has_classes=any(row.aside for row in rows),
    )  # fmt: skip


def _head(label: str, unit: str) -> str:
    """A figure and its unit, which says nothing twice: "waits/day", not "waits, waits/day"."""
    if unit.startswith(label):
        return unit
    return label if label.startswith(unit) else f"{label}, {unit}"


def _late(asked: date, day: date) -> list[str]:
    return (
        []
        if asked == day
        else [f"Last read for {figures.short_day(day)}; later days of the span have no figures."]
    )


def daily_table(found: Listed, words: str, unit_of: dict[str, str]) -> Table:
    """The largest things day by day, a row for each figure, newest day first."""
    listing, by = found.listing, found.figures
    matching = found.cut(words)
    cut = matching.cut(most=MOST_DAILY)
    has_day = _days_read(cut)
    groups = []
    for index, thing in enumerate(cut.things):
        rows = []
        for column in listing.daily[:1] if thing.beside else listing.daily:
            unit = unit_of.get(column.shown_in, column.shown_in)
            values = cut.values[column.metric][index].tolist()
            cells = [
                cell(value, unit, "" if not np.isnan(value) else cut.why(thing, column, day))
                for day, value, is_shown in zip(by.days, values, has_day, strict=True)
                if is_shown
            ]
            url = _thing_url(by.target, thing, column, by.days[0])
            rows.append(Row(column.label, url, unit, "", SafeString("".join(cells))))
        groups.append(Group(thing.name, rows))
    heads, notes = day_heads(by, {one.is_of.category for one in listing.daily})
    heads = [head for head, is_shown in zip(heads, has_day, strict=True) if is_shown]
    return Table(
        f"{listing.key}-by-day", f"{listing.title} by day", "", heads, groups, listing.noun, "figure",
        len(matching.things), len(groups), notes, has_sparks=False,
    )  # fmt: skip


def _days_read(found: Listed) -> list[bool]:
    """Which days have a column: of what is read once a week, not those on which nobody asked."""
    asked = {str(one.is_of.category) for one in found.listing.daily}
    covers = [found.figures.coverage.get(day) for day in found.figures.days]
    return [cover is None or not asked.isdisjoint(cover.categories) for cover in covers]


def _thing_url(target: Target, thing: Thing, column: ListingColumn, day: date) -> str:
    return _url(target, thing.beside or column.is_of, thing.component, day)


def day_heads(by: DayFigures, categories: Iterable[int]) -> tuple[list[str], list[str]]:
    """The days as heads, those that were not measured in full with a mark, and what the marks mean."""
    heads, notes = [], []
    wanted = sorted(categories)
    for day in by.days:
        head = figures.short_day(day)
        cover = by.coverage.get(day)
        partial = [
            one for one in wanted if cover and str(one) in cover.categories and cover.is_partial_in(one)
        ]
        spans = (
            max((int(cover.categories.get(str(one), {}).get("spans", 1)) for one in wanted), default=1)
            if cover
            else 1
        )
        if cover is not None and cover.is_so_far:
            notes.append(f"* {head}: so far; the day is still running.")
            head += "*"
        elif cover is not None and partial:
            hours = min(cover.hours_of(one) for one in partial)
            without = sorted({name for one in partial for name in cover.without(one)})
            said = (
                f"measured without {' and '.join(without)}"
                if without
                else f"measured over {figures.fixed(hours, 1)} hours"
            )
            notes.append(f"* {head}: {said}.")
            head += "*"
        elif spans > 1:
            notes.append(f"* {head}: differences span {spans} days and are quoted per day.")
            head += "*"
        heads.append(head)
    return heads, notes[:8]


def _counted(number: int, noun: str) -> str:
    return f"{figures.whole(number)} {noun}{'' if number == 1 else 's'}"


# ── the first line and its drawing ──────────────────────────────────────────────────────────────────────────────────


def sentence_of(lead: Statistic | None, first: Listed | None, by: DayFigures, title: str) -> list[Part]:
    """What the tab says: its leading statistic and the range it moved in, or the thing that comes first."""
    if lead is not None:
        at = int(np.flatnonzero(~np.isnan(lead.values))[0])
        known = lead.values[~np.isnan(lead.values)]
        now = f"{figures.figure(float(lead.values[at]))} {lead.unit}"
        parts = [
            Part(f"{capital(lead.metric.label)} was {now}", True),
            Part(f" on {day_in_words(by.days[at])}"),
        ]
        if len(known) > 1:
            low, high = figures.figure(float(known.min())), figures.figure(float(known.max()))
            parts.append(Part(f", between {low} and {high} in these {len(by.days)} days"))
        return [*parts, Part(".")]
    if first is not None and first.things and first.newest is not None:
        return _of_first(first, by)
    return [Part(f"{title} of {by.target.name} has no figures in these {len(by.days)} days", True), Part(".")]


def _of_first(first: Listed, by: DayFigures) -> list[Part]:
    rank = first.listing.columns[0]
    values = first.values[rank.metric][0]
    known = np.flatnonzero(~np.isnan(values))
    name = first.things[0].name
    others = sum(one.beside is None for one in first.things)
    lead = f"{name} is first of {_counted(others, first.listing.noun)}" if others > 1 else name
    if first.things[0].beside is not None and others:
        lead = f"{name} comes before {_counted(others, first.listing.noun)}"
    parts = [Part(lead, True)]
    if not len(known):
        return [*parts, Part(".")]
    now, then = float(values[known[0]]), float(values[known[-1]])
    parts.append(
        Part(
            f": {rank.label} {figures.figure(now)} {rank.shown_in} on {day_in_words(by.days[int(known[0])])}"
        )
    )
    if known[0] != known[-1]:
        parts.append(Part(f", {figures.figure(then)} on {day_in_words(by.days[int(known[-1])])}"))
    return [*parts, Part(".")]


def drawing_of(lead: Statistic | None, first: Listed | None, by: DayFigures) -> tuple[str, str]:
    """The drawing of the tab and its title; both empty where there is nothing to draw."""
    days = list(reversed(by.days))
    if lead is not None:
        drawn = [ChartLine(capital(lead.metric.label), _known(lead.values))]
        said = f"{capital(lead.metric.label)}, {lead.unit}"
        return lines(days, drawn, said, unit=lead.unit, is_from_zero=lead.metric.kind is Kind.COUNTER), said
    if first is None or not first.things:
        return "", ""
    rank = first.listing.columns[0]
    drawn = [
        ChartLine(thing.name, _known(first.values[rank.metric][at]))
        for at, thing in enumerate(first.things[:5])
    ]
    said = f"{capital(rank.label)}, {rank.shown_in}"
    if len(first.things) > 5:
        said += f", the first 5 of {figures.whole(len(first.things))}"
    from_zero = rank.is_of.kind in (Kind.COUNTER, Kind.RATIO)
    return lines(days, drawn, said, unit=rank.shown_in, is_from_zero=from_zero), said


def _known(values: Array) -> list[float | None]:
    """Oldest first, None where there is no figure."""
    return [None if np.isnan(value) else float(value) for value in values[::-1]]


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def listing_sheet(found: Listed, words: str) -> tuple[list[str], Iterator[Cells]]:
    """The listing of the newest day for a file, every thing that matches."""
    listing = found.listing
    heads = [listing.noun, "class", "day", *(f"{one.label} ({one.shown_in})" for one in listing.columns)]
    kept = found.cut(words)
    at = found.newest or 0

    def rows() -> Iterator[Cells]:
        for index, thing in enumerate(kept.things):
            values = [_plain(kept.values[one.metric][index, at]) for one in listing.columns]
            yield [thing.name, thing.klass, kept.figures.days[at], *values]

    return heads, rows()


def daily_sheet(found: Listed, words: str) -> tuple[list[str], Iterator[Cells]]:
    """Every thing that matches on every day, oldest day first: a row for each, with what is to be said of a gap."""
    listing, by = found.listing, found.figures
    heads = [
        "day",
        listing.noun,
        "class",
        *(f"{one.label} ({one.shown_in})" for one in listing.daily),
        "note",
    ]
    kept = found.cut(words)

    def rows() -> Iterator[Cells]:
        for at in range(len(by.days) - 1, -1, -1):
            for index, thing in enumerate(kept.things):
                values = [_plain(kept.values[one.metric][index, at]) for one in listing.daily]
                note = kept.why(thing, listing.columns[0], by.days[at]) if values[0] is None else ""
                yield [by.days[at], thing.name, thing.klass, *values, note]

    return heads, rows()


def statistics_sheet(found: Sequence[Statistic], by: DayFigures) -> tuple[list[str], Iterator[Cells]]:
    """Every statistic on every day, oldest day first."""
    heads = ["day", "target", "section", "statistic", "key", "value", "unit", "note"]

    def rows() -> Iterator[Cells]:
        for at in range(len(by.days) - 1, -1, -1):
            for one in found:
                value = _plain(one.values[at])
                note = "" if value is not None else by.why(by.days[at], one.metric) or "not present"
                section = one.metric.section.title
                yield [
                    by.days[at],
                    by.target.name,
                    section,
                    one.metric.label,
                    one.metric.key,
                    value,
                    one.unit,
                    note,
                ]

    return heads, rows()


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
