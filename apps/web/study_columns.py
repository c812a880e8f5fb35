"""The columns of figures before and after a change: on the page of a study, and in a case file."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.advisors.study_result import ComparedFigure
from apps.catalog.registry import is_metric
from apps.charts import figures
from apps.reports.study_text import write_change, write_interval
from apps.web.cells import after, hover, icon, link, marked
from apps.web.tables import Column, FigureColumn, RowHead

Row = TypeVar("Row")


def figure_columns(
    of: Callable[[Row], ComparedFigure], before: str, after_it: str, *, is_narrow: bool = False
) -> Sequence[Column[Row]]:
    """A figure before and after, with the days of both in the heads; where there is little room, rates and interval are in files."""
    return (
        RowHead("figure", lambda row: of(row).name, lambda row: _name(of(row))),
        Column("of", lambda row: of(row).target.name, in_file_only=True),
        Column("unit", lambda row: of(row).metric.display_unit, css="sub nowrap"),
        Column("unit of rate", lambda row: of(row).rate_unit, in_file_only=True),
        _rate_column("rate before", of, lambda figure: figure.rate_before, in_file_only=is_narrow),
        _rate_column("rate after", of, lambda figure: figure.rate_after, in_file_only=is_narrow),
        FigureColumn(
            format_html("before<br>{}", before),
            lambda row: of(row).before,
            lambda row: figures.figure(of(row).before),
            label="before",
        ),
        FigureColumn(
            format_html("after<br>{}", after_it),
            lambda row: of(row).after,
            lambda row: figures.figure(of(row).after, of(row).before),
            css="strong",
            label="after",
        ),
        FigureColumn(
            "effect",
            lambda row: effect.percent if (effect := of(row).effect) else None,
            lambda row: write_change(of(row)),
            file_head="effect, %",
        ),
        FigureColumn(
            "interval",
            lambda row: effect.margin if (effect := of(row).effect) else None,
            lambda row: write_interval(of(row)),
            css="quiet-text nowrap",
            file_head="interval, ± % at 95 %",
            in_file_only=is_narrow,
        ),
        Column("target", lambda row: figures.threshold(of(row).aim) if of(row).aim else ""),
        Column("verdict", lambda row: of(row).verdict, lambda row: _verdict(of(row)), css="nowrap"),
    )


def statistic_address(figure: ComparedFigure) -> str:
    """The page of a figure's statistic; empty of one that no catalogue has."""
    if not is_metric(figure.metric.key):
        return ""
    query = {"component": figure.component} if figure.component else {}
    return reverse("statistic", args=[figure.target.pk, figure.metric.key], query=query)


def _name(figure: ComparedFigure) -> SafeString:
    about = figure.metric.label if figure.component and figure.component != figure.metric.label else ""
    return after(link(statistic_address(figure), figure.name, ""), "sub", about)


def _verdict(figure: ComparedFigure) -> SafeString:
    is_good = figure.outcome in GOOD
    css = "mark-ok" if is_good else "mark-part" if figure.is_accepted else ""
    if figure.outcome is Outcome.WORSE and not figure.is_accepted:
        css = "mark-bad"
    sign = icon("tick") if is_good else icon("flag") if figure.is_accepted else ""
    words = format_html("{}{}", sign, figure.verdict)
    why = figure.acceptance.reason if figure.acceptance and figure.is_accepted else figure.reason
    return hover(why, words, f"said {css}".strip()) if why else marked(f"said {css}".strip(), words)


def _rate_column(
    head: str,
    of: Callable[[Row], ComparedFigure],
    rate: Callable[[ComparedFigure], float | None],
    *,
    in_file_only: bool,
) -> Column[Row]:
    def show(row: Row) -> object:
        value = rate(of(row))
        return "" if value is None else hover(of(row).rate_unit, figures.figure(value))

    return FigureColumn(head, lambda row: rate(of(row)), show, in_file_only=in_file_only)
