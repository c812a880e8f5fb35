"""A detail report as the page shows it: its sentence, its drawing, and its tables as texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.catalog.details import ListingColumn
from apps.catalog.metric import Kind, Metric
from apps.catalog.units import convert, readable_unit
from apps.charts import figures
from apps.charts.lines import ChartLine, lines
from apps.charts.sparkline import sparkline
from apps.charts.words import plural_of
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.web.cells import no_figure
from apps.web.pages.detail_reports.day_figures import (
    NOT_OF_IT,
    Array,
    ReportFigures,
    Statistic,
    Thing,
    ThingFigures,
)
from apps.web.sentences import Part, capital, day_in_words

MOST_ROWS = 50  # things of a listing on one page
MOST_DAILY = 12  # of them day by day

PLAIN = {
    "not present": mark_safe('<td class="num"><span class="absent">Not present</span></td>'),
    NOT_OF_IT: mark_safe('<td class="num"><span class="absent">–</span></td>'),
}


@dataclass(frozen=True)
class ReportRow:
    """A row of a table: its name, where it leads, and its cells as markup."""

    name: str
    url: str
    aside: str  # the class of a thing, or the unit of a figure
    spark: str
    cells: SafeString


@dataclass
class DayGroup:
    """Rows that belong together: the statistics of a section, or the figures of a thing."""

    title: str
    rows: list[ReportRow] = field(default_factory=list)


@dataclass
class ReportTable:
    """A table of the page: with `groups` of rows by day, or a plain listing of things in one group without a title."""

    key: str
    title: str
    aside: str
    heads: Sequence[str]
    groups: Sequence[DayGroup]
    group_head: str = ""  # what the groups are; empty for a plain listing
    row_head: str = "statistic"
    total: int = 0
    visible: int = 0
    notes: Sequence[str] = ()
    has_sparks: bool = True
    has_classes: bool = True
    has_files: bool = True

    @property
    def more(self) -> int:
        return self.total - self.visible


# ── cells ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def cell(value: float, unit: str, why: str) -> SafeString:
    """A figure with its exact value, else the word for what is missing, with the reason."""
    if not np.isnan(value):
        return format_html(
            '<td class="num" title="{}">{}</td>', figures.exact(value, unit), figures.figure(value)
        )
    if why in PLAIN:
        return PLAIN[why]
    return format_html('<td class="num">{}</td>', no_figure(why))


def _spark(values: Array, name: str, unit: str) -> str:
    """The line of a row, oldest first."""
    by_day = [None if np.isnan(value) else float(value) for value in values[::-1]]
    present = [value for value in by_day if value is not None]
    span = (
        f"{figures.figure(min(present))} to {figures.figure(max(present))} {unit}"
        if present
        else "no figures"
    )
    return sparkline(by_day, None, "above", f"{name}, {len(by_day)} days, {span}")


def _url(target: Target, metric: Metric, component: str, day: date) -> str:
    query = {"component": component, "on": day.isoformat()} if component else {"on": day.isoformat()}
    return f"{address('statistic', target.pk, metric.key)}?{urlencode(query)}"


# ── tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def statistics_table(statistics: Sequence[Statistic], by: ReportFigures) -> ReportTable:
    """Every statistic of the sections, a row each, newest day first."""
    groups: dict[str, DayGroup] = {}
    for statistic in statistics:
        groups.setdefault(
            statistic.metric.section.title, DayGroup(statistic.metric.section.title)
        ).rows.append(statistic_row(statistic, by))
    heads, notes = day_heads(by, {statistic.metric.category for statistic in statistics})
    aside = _counted(len(statistics), "statistic")
    return ReportTable(
        "statistics", "Statistics by day", aside, heads, list(groups.values()), "section", total=len(statistics), visible=len(statistics),
        notes=notes,
    )  # fmt: skip


def statistic_row(plain: Statistic, by: ReportFigures) -> ReportRow:
    """A statistic day by day, in the unit that writes its figures with four digits at most."""
    statistic = plain.readable
    cells = [
        cell(
            value,
            statistic.unit,
            "" if not np.isnan(value) else by.why(day, statistic.metric) or "not present",
        )
        for day, value in zip(by.days, statistic.values.tolist(), strict=True)
    ]
    return ReportRow(
        statistic.metric.label, _url(by.target, statistic.metric, "", by.days[0]), statistic.unit,
        _spark(statistic.values, statistic.metric.label, statistic.unit), SafeString("".join(cells)),
    )  # fmt: skip


def listing_table(things: ThingFigures, words: str, unit_of: dict[str, str]) -> ReportTable:
    """The largest things as of the newest day that has figures, a column for each figure."""
    listing, by = things.listing, things.figures
    matching = things.cut(words)
    cut = matching.cut(most=MOST_ROWS)
    at = things.newest or 0
    day = by.days[at]
    rank = listing.columns[0]
    units = {column.metric: _readable(cut, column, unit_of) for column in listing.columns}
    was_read = cut.was_read
    rows = []
    for index, thing in enumerate(cut.things):
        cells = [
            cell(
                value := float(cut.values[column.metric][index, at]) * units[column.metric].factor,
                units[column.metric].unit,
                cut.why(thing, column, day) if np.isnan(value) else "",
            )
            for column in listing.columns
        ]
        ranked = cut.values[rank.metric][index][was_read]
        rows.append(
            ReportRow(
                thing.name, _thing_url(by.target, thing, rank, day), thing.klass,
                _spark(ranked, thing.name, rank.shown_in), SafeString("".join(cells)),
            )
        )  # fmt: skip
    heads = [_head(column.label, units[column.metric].unit) for column in listing.columns]
    aside = f"{figures.short_day(day)}, {_counted(len(matching.things), listing.noun)}"
    if words:
        aside += f" of {figures.whole(len(things.things))}"
    return ReportTable(
        listing.key, listing.title, aside, heads, [DayGroup("", rows)], "", listing.noun, len(matching.things), len(rows),
        _late(by.days[0], day), has_classes=any(row.aside for row in rows),
    )  # fmt: skip


class ReadableUnit(NamedTuple):
    """A unit that writes the figures of a column with four digits at most, and the factor to it."""

    unit: str
    factor: float


def _readable(things: ThingFigures, column: ListingColumn, unit_of: dict[str, str]) -> ReadableUnit:
    have = unit_of.get(column.shown_in, column.shown_in)
    values = np.abs(things.values[column.metric])
    peak = 0.0 if not values.size or np.isnan(values).all() else float(np.nanmax(values))
    unit = readable_unit(have, peak)
    return ReadableUnit(unit, convert(1.0, have, unit))


def _head(label: str, unit: str) -> str:
    """A figure and its unit, which says nothing twice: "waits/day", not "waits, waits/day"."""
    if unit.startswith(label):
        return unit
    return label if label.startswith(unit) else f"{label}, {unit}"


def _late(until: date, day: date) -> list[str]:
    return (
        []
        if until == day
        else [f"Last read for {figures.short_day(day)}; later days of the span have no figures."]
    )


def daily_table(things: ThingFigures, words: str, unit_of: dict[str, str]) -> ReportTable:
    """The largest things day by day, a row for each figure, newest day first."""
    listing, by = things.listing, things.figures
    matching = things.cut(words)
    cut = matching.cut(most=MOST_DAILY)
    has_day = _days_read(cut)
    groups = []
    for index, thing in enumerate(cut.things):
        rows = []
        for column in listing.daily[:1] if thing.whole else listing.daily:
            unit, factor = _readable(cut, column, unit_of)
            values = (cut.values[column.metric][index] * factor).tolist()
            cells = [
                cell(value, unit, "" if not np.isnan(value) else cut.why(thing, column, day))
                for day, value, is_shown in zip(by.days, values, has_day, strict=True)
                if is_shown
            ]
            url = _thing_url(by.target, thing, column, by.days[0])
            rows.append(ReportRow(column.label, url, unit, "", SafeString("".join(cells))))
        groups.append(DayGroup(thing.name, rows))
    heads, notes = day_heads(by, {column.is_of.category for column in listing.daily})
    heads = [head for head, is_shown in zip(heads, has_day, strict=True) if is_shown]
    return ReportTable(
        f"{listing.key}-by-day", f"{listing.title} by day", "", heads, groups, listing.noun, "figure",
        len(matching.things), len(groups), notes, has_sparks=False,
    )  # fmt: skip


def _days_read(things: ThingFigures) -> list[bool]:
    """Which days have a column: of what is read once a week, not those on which nobody asked."""
    categories = {str(column.is_of.category) for column in things.listing.daily}
    covers = [things.figures.coverage.get(day) for day in things.figures.days]
    return [cover is None or not categories.isdisjoint(cover.categories) for cover in covers]


def _thing_url(target: Target, thing: Thing, column: ListingColumn, day: date) -> str:
    return _url(target, thing.whole or column.is_of, thing.component, day)


def day_heads(by: ReportFigures, categories: Iterable[int]) -> tuple[list[str], list[str]]:
    """The days as heads, those that were not measured in full with a mark, and what the marks mean."""
    heads, notes = [], []
    numbers = sorted(categories)
    for day in by.days:
        head = figures.short_day(day)
        cover = by.coverage.get(day)
        partial = [
            number
            for number in numbers
            if cover and str(number) in cover.categories and cover.is_partial_in(number)
        ]
        spans = (
            max((int(cover.categories.get(str(number), {}).get("spans", 1)) for number in numbers), default=1)
            if cover
            else 1
        )
        if cover is not None and cover.is_so_far:
            notes.append(f"* {head}: so far; the day is still running.")
            head += "*"
        elif cover is not None and partial:
            hours = min(cover.hours_of(number) for number in partial)
            without = sorted({name for number in partial for name in cover.without(number)})
            reason = (
                f"measured without {' and '.join(without)}"
                if without
                else f"measured over {figures.fixed(hours, 1)} hours"
            )
            notes.append(f"* {head}: {reason}.")
            head += "*"
        elif spans > 1:
            notes.append(f"* {head}: differences span {spans} days and are quoted per day.")
            head += "*"
        heads.append(head)
    return heads, notes[:8]


def _counted(number: int, noun: str) -> str:
    return f"{figures.whole(number)} {noun if number == 1 else plural_of(noun)}"


# ── the first line and its drawing ──────────────────────────────────────────────────────────────────────────────────


def sentence_of(
    lead: Statistic | None, first: ThingFigures | None, by: ReportFigures, title: str
) -> list[Part]:
    """What the tab says: its leading statistic and the range it moved in, or the thing that comes first."""
    if lead is not None:
        at = int(np.flatnonzero(~np.isnan(lead.values))[0])
        present = lead.values[~np.isnan(lead.values)]
        now = f"{figures.figure(float(lead.values[at]))} {lead.unit}"
        parts = [
            Part(f"{capital(lead.metric.label)} was {now}", True),
            Part(f" on {day_in_words(by.days[at])}"),
        ]
        if len(present) > 1:
            low, high = figures.figure(float(present.min())), figures.figure(float(present.max()))
            parts.append(Part(f", between {low} and {high} in these {len(by.days)} days"))
        return [*parts, Part(".")]
    if first is not None and first.things and first.newest is not None:
        return _of_first(first, by)
    return [Part(f"{title} of {by.target.name} has no figures in these {len(by.days)} days", True), Part(".")]


def _of_first(first: ThingFigures, by: ReportFigures) -> list[Part]:
    rank = first.listing.columns[0]
    values = first.values[rank.metric][0]
    positions = np.flatnonzero(~np.isnan(values))
    name = first.things[0].name
    others = sum(thing.whole is None for thing in first.things)
    lead = f"{name} is first of {_counted(others, first.listing.noun)}" if others > 1 else name
    if first.things[0].whole is not None and others:
        lead = f"{name} comes before {_counted(others, first.listing.noun)}"
    parts = [Part(lead, True)]
    if not len(positions):
        return [*parts, Part(".")]
    now, then = float(values[positions[0]]), float(values[positions[-1]])
    parts.append(
        Part(
            f": {rank.label} {figures.figure(now)} {rank.shown_in} on {day_in_words(by.days[int(positions[0])])}"
        )
    )
    if positions[0] != positions[-1]:
        parts.append(Part(f", {figures.figure(then)} on {day_in_words(by.days[int(positions[-1])])}"))
    return [*parts, Part(".")]


def draw_first(first: ThingFigures | None, by: ReportFigures) -> tuple[str, str]:
    """The first five things of a tab as lines, and the title; both empty where there is nothing to draw."""
    if first is None or not first.things:
        return "", ""
    was_read = first.was_read
    days = [day for day, is_read in zip(by.days, was_read, strict=True) if is_read][::-1]
    rank = first.listing.columns[0]
    chart_lines = [
        ChartLine(thing.name, _oldest_first(first.values[rank.metric][at][was_read]))
        for at, thing in enumerate(first.things[:5])
    ]
    title = f"{capital(rank.label)}, {rank.shown_in}"
    if len(first.things) > 5:
        title += f", the first 5 of {figures.whole(len(first.things))}"
    from_zero = rank.is_of.kind in (Kind.COUNTER, Kind.RATIO)
    return lines(days, chart_lines, title, unit=rank.shown_in, is_from_zero=from_zero), title


def _oldest_first(values: Array) -> list[float | None]:
    """Oldest first, None where there is no figure."""
    return [None if np.isnan(value) else float(value) for value in values[::-1]]
