"""The tabs of a target: its detail reports by day, its host, its forecasts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.catalog.details import Detail, details_of
from apps.charts import figures
from apps.charts.words import capital
from apps.inventory.models import Target
from apps.outlook.profile import read_forecast_outlooks
from apps.reports.sheets import Sheet as FileSheet
from apps.web.figure_history import outlook_of, read_history
from apps.web.machine_tables import file_among, tables_of_instance
from apps.web.pages.detail_reports.counter_table import counter_tables, read_counter_rows
from apps.web.pages.detail_reports.day_figures import (
    SPANS,
    ReportFigures,
    Statistic,
    ThingFigures,
    read_figures,
    read_things,
    select_statistics,
)
from apps.web.pages.detail_reports.forecast_table import OUTLOOKS
from apps.web.pages.detail_reports.forecast_table import sentence_of as outlook_sentence
from apps.web.pages.detail_reports.host_comparison import compare_with_host
from apps.web.pages.detail_reports.report_sheets import Cells, daily_sheet, listing_sheet, statistics_sheet
from apps.web.pages.detail_reports.report_tables import (
    ReportTable,
    daily_table,
    draw_first,
    listing_table,
    sentence_of,
    statistics_table,
)
from apps.web.pages.detail_reports.space_tab import SpaceTab, read_space_tab
from apps.web.reader_style import units_of
from apps.web.tables import FORMATS, file_of
from apps.web.target_page import Page, day_page, target_of, target_page

TRUE_HEADROOM = "true-headroom"
WIDTH, HEIGHT = 1120.0, 210.0  # of the drawing
Sheet = tuple[str, Callable[[], tuple[list[str], Iterator[Cells]]]]


@dataclass(frozen=True)
class Report:
    """A detail report of a target over a span of days, before anything of it is written."""

    figures: ReportFigures
    lead: Statistic | None
    listings: Sequence[ThingFigures]
    statistics: Sequence[Statistic]

    @property
    def first(self) -> ThingFigures | None:
        return next((things for things in self.listings if things.things), None)


def report(request: HttpRequest, pk: int, report: str) -> HttpResponse:
    """One detail report of a target, as a page or, with `?format=`, one of its tables as a file."""
    target = target_of(pk)
    detail = next((detail for detail in details_of(target.platform) if detail.key == report), None)
    if detail is None:
        raise Http404(f"{target.name} has no report “{report[:40]}”.")
    page, span, words = day_page(request, target), span_asked(request), request.GET.get("q", "").strip()
    if page.day is None:
        return render(request, "pages/detail_reports/report.html", _head(page, detail, span, words))
    if detail.beside_host:
        return _host(page, detail, span)
    is_file = request.GET.get("format") in FORMATS
    content = read_report(page, detail, span, {} if is_file else units_of(request))
    if is_file and detail.room and request.GET.get("table") == TRUE_HEADROOM:
        return _space_file(request, page, detail, content, words) or _no_table(request, target)
    if is_file and request.GET.get("table") in ("counters", "further"):
        table = _counters(page, detail, span, content).get(request.GET["table"])
        return (table.file(request) if table else None) or _no_table(request, target)
    if is_file:
        return _file(request, page, detail, content, words) or _no_table(request, target)
    context = _context(page, detail, span, words, content)
    return render(request, "pages/detail_reports/report.html", context)


def forecasts(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecasts of a target, least slack first."""
    target = target_of(pk)
    page = day_page(request, target)
    forecast_outlooks = read_forecast_outlooks(target, page.day, timezone.now()) if page.day else []
    table = replace(OUTLOOKS, caption=f"Forecasts of {target.name}, worst first")
    outlooks = table.fill(forecast_outlooks, file_name=f"{target.name}-forecasts-outlooks-{page.day}")
    if request.GET.get("format") in FORMATS:
        return outlooks.file(request) or _no_table(request, target)
    context = target_page(page, "forecast") | {
        "outlooks": outlooks,
        "sentence": outlook_sentence(target, forecast_outlooks),
    }
    return render(request, "pages/detail_reports/forecasts.html", context)


def span_asked(request: HttpRequest) -> int:
    """The days of the address where they are one of the spans, else 30."""
    days = request.GET.get("days", "")
    return int(days) if days in {str(span) for span in SPANS} else 30


def read_report(page: Page, detail: Detail, span: int, unit_of: dict[str, str]) -> Report:
    """The report as figures: one query for all of its days."""
    assert page.day is not None
    target = page.target
    figures = read_figures(target, page.day, span, set(detail.categories(target.platform)))
    statistics = select_statistics(detail.statistics(target.platform), figures, unit_of)
    lists = [read_things(listing, figures, unit_of) for listing in detail.listings]
    lead = next((statistic for statistic in statistics if statistic.metric.key == detail.lead), None)
    if lead is None and statistics and not any(things.things for things in lists):
        lead = statistics[0]
    return Report(figures, lead, lists, statistics)


def _head(page: Page, detail: Detail, span: int, words: str) -> dict[str, Any]:
    query = page.request.GET.copy()
    spans = []
    for days in SPANS:
        query["days"] = str(days)
        spans.append(
            {"label": f"{figures.whole(days)} d", "url": f"?{query.urlencode()}", "active": days == span}
        )
    return target_page(page, detail.key) | {
        "help": detail.help,
        "spans": spans,
        "span": span,
        "words": words,
        "tables": [],
        "day_tables": [],
        "report_title": detail.title,
    }


def _context(page: Page, detail: Detail, span: int, words: str, content: Report) -> dict[str, Any]:
    """The tab: what it answers, its drawing, its tables, and below them the days."""
    unit_of = units_of(page.request)
    space = _space(page, detail, content, words)
    tables: list[ReportTable] = []
    days: list[ReportTable] = []
    for things in content.listings:
        if not things.things:
            continue
        if space is None or things is not content.listings[0]:
            tables.append(listing_table(things, words, unit_of))
        days.append(daily_table(things, words, unit_of))
    if content.statistics:
        days.append(statistics_table(content.statistics, content.figures))
    context = _head(page, detail, span, words)
    sentence = sentence_of(content.lead, content.first, content.figures, detail.title)
    if space is not None:
        context |= {
            "space": space,
            "sentence": space.sentence(),
            "facts": [*space.facts(), *context["facts"]],
        }
    else:
        context |= {"sentence": sentence} | _draw(page, span, content)
    return (
        context
        | _counters(page, detail, span, content)
        | {
            "tables": tables,
            "day_tables": days,
            "can_filter": bool(words) or any(table.more for table in (*tables, *days)),
            "matches": any(things.cut(words, 1).things for things in content.listings),
        }
    )


def _draw(page: Page, span: int, content: Report) -> dict[str, Any]:
    """The leading statistic with its limit and forecast, else the first five things."""
    lead = content.lead
    if lead is None:
        svg, title = draw_first(content.first, content.figures)
        return {"drawing": svg, "drawing_title": title}
    assert page.day is not None
    history = read_history(page.target, lead.metric, "", page.day, span)
    title = f"{capital(lead.metric.label)}, {lead.metric.display_unit}"
    return {"drawing": outlook_of(history, WIDTH, HEIGHT, ahead=span), "drawing_title": title}


def _counters(page: Page, detail: Detail, span: int, content: Report) -> dict[str, Any]:
    if not content.statistics or page.day is None:
        return {}
    rows = read_counter_rows(page.target, detail, content.statistics, content.figures)
    counters, further = counter_tables(page.target, rows, page.day, span)
    return {"counters": counters, "further": further, "counted": len(rows)}


def _file(
    request: HttpRequest, page: Page, detail: Detail, content: Report, words: str
) -> HttpResponse | None:
    sheets: list[Sheet] = []
    for things in content.listings:
        sheets.append((things.listing.key, lambda things=things: listing_sheet(things, words)))  # type: ignore[misc]
        sheets.append((f"{things.listing.key}-by-day", lambda things=things: daily_sheet(things, words)))  # type: ignore[misc]
    sheets.append(("statistics", lambda: statistics_sheet(content.statistics, content.figures)))
    return answer(request, page, detail.key, sheets)


def _space(page: Page, detail: Detail, content: Report, words: str) -> SpaceTab | None:
    """The room of what the first listing lists, on the newest day that has figures of it."""
    newest = content.listings[0].newest if detail.room else None
    if detail.room is None or newest is None:
        return None
    return read_space_tab(page.target, detail.key, detail.room, content.figures.days[newest], words)


def _space_file(
    request: HttpRequest, page: Page, detail: Detail, content: Report, words: str
) -> HttpResponse | None:
    space = _space(page, detail, content, words)
    return space.table.file(request) if space else None


def answer(request: HttpRequest, page: Page, report: str, sheets: Sequence[Sheet]) -> HttpResponse | None:
    """The table that the address names, else the first, as a file; None where it names no such table."""
    name_of_table = request.GET.get("table") or sheets[0][0]
    for key, made in sheets:
        if key == name_of_table:
            heads, rows = made()
            name = f"{page.target.name}-{report}-{key}-{page.day}"
            return file_of(FileSheet(name, heads, rows), request.GET["format"])
    return None


def _no_table(request: HttpRequest, target: Target) -> HttpResponse:
    raise Http404(f"This report of {target.name} has no table “{request.GET.get('table', '')[:40]}”.")


def _host(page: Page, detail: Detail, span: int) -> HttpResponse:
    """The host beside the instance."""
    request, target = page.request, page.target
    if target.runs_on is None:
        return render(
            request, "pages/detail_reports/report.html", _head(page, detail, span, "") | {"no_host": True}
        )
    assert page.day is not None
    comparison = compare_with_host(target, target.runs_on, detail, page.day, span)
    machine = tables_of_instance(target, target.runs_on, page.day)
    if file := file_among(request, machine):
        return file
    if request.GET.get("format") in FORMATS:
        return answer(request, page, detail.key, [("statistics", comparison.sheet)]) or _no_table(
            request, target
        )
    context = _head(page, detail, span, "") | {
        "sentence": comparison.sentence(),
        "drawing": comparison.drawing,
        "drawing_title": comparison.drawing_title,
        "day_tables": [comparison.table()],
        "is_open": True,
        "host": target.runs_on,
        "machine_tables": machine,
    }
    return render(request, "pages/detail_reports/report.html", context)
