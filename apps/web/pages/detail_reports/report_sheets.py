"""The tables of a detail report for files: exact, every thing that matches, with what is to be said of a gap."""

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np

from apps.web.pages.detail_reports.day_figures import ReportFigures, Statistic, ThingFigures

Cells = list[str | float | date | None]


def listing_sheet(things: ThingFigures, words: str) -> tuple[list[str], Iterator[Cells]]:
    """The listing of the newest day for a file, every thing that matches."""
    listing = things.listing
    heads = [
        listing.noun,
        "class",
        "day",
        *(f"{column.label} ({column.shown_in})" for column in listing.columns),
    ]
    matching = things.cut(words)
    at = things.newest or 0

    def rows() -> Iterator[Cells]:
        for index, thing in enumerate(matching.things):
            values = [_plain(matching.values[column.metric][index, at]) for column in listing.columns]
            yield [thing.name, thing.klass, matching.figures.days[at], *values]

    return heads, rows()


def daily_sheet(things: ThingFigures, words: str) -> tuple[list[str], Iterator[Cells]]:
    """Every thing that matches on every day, oldest day first: a row for each, with what is to be said of a gap."""
    listing, by = things.listing, things.figures
    heads = [
        "day",
        listing.noun,
        "class",
        *(f"{column.label} ({column.shown_in})" for column in listing.daily),
        "note",
    ]
    matching = things.cut(words)

    def rows() -> Iterator[Cells]:
        for at in range(len(by.days) - 1, -1, -1):
            for index, thing in enumerate(matching.things):
                values = [_plain(matching.values[column.metric][index, at]) for column in listing.daily]
                note = matching.why(thing, listing.columns[0], by.days[at]) if values[0] is None else ""
                yield [by.days[at], thing.name, thing.klass, *values, note]

    return heads, rows()


def statistics_sheet(statistics: Sequence[Statistic], by: ReportFigures) -> tuple[list[str], Iterator[Cells]]:
    """Every statistic on every day, oldest day first."""
    heads = ["day", "target", "section", "statistic", "key", "value", "unit", "note"]

    def rows() -> Iterator[Cells]:
        for at in range(len(by.days) - 1, -1, -1):
            for statistic in statistics:
                value = _plain(statistic.values[at])
                note = "" if value is not None else by.why(by.days[at], statistic.metric) or "not present"
                section = statistic.metric.section.title
                yield [
                    by.days[at],
                    by.target.name,
                    section,
                    statistic.metric.label,
                    statistic.metric.key,
                    value,
                    statistic.unit,
                    note,
                ]

    return heads, rows()


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
