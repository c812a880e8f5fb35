"""The tabs of a target: its detail reports by day, its host, its forecasts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.catalog.details import Detail, details_of
from apps.charts import figures
from apps.inventory.models import Target
from apps.outlook.profile import read_forecast_outlooks
from apps.reports.sheets import Sheet as FileSheet
from apps.web.pages.detail_reports.day_figures import (
    SPANS,
    DayFigures,
    Listed,
    Statistic,
    listed,
    read_figures,
    statistics,
)
from apps.web.pages.detail_reports.forecast_table import OUTLOOKS
from apps.web.pages.detail_reports.forecast_table import sentence_of as outlook_sentence
from apps.web.pages.detail_reports.host_comparison import beside_host
from apps.web.pages.detail_reports.report_tables import (
    Cells,
    Table,
    daily_sheet,
    daily_table,
    drawing_of,
    listing_sheet,
    listing_table,
    sentence_of,
    statistics_sheet,
    statistics_table,
)
from apps.web.pages.detail_reports.true_headroom import Rooms, rooms_of
from apps.web.reader_style import units_of
from apps.web.tables import FORMATS, file_of
from apps.web.target_page import Page, day_page, target_of, target_page

TRUE_HEADROOM = "true-headroom"
Sheet = tuple[str, Callable[[], tuple[list[str], Iterator[Cells]]]]


@dataclass(frozen=True)
class Report:
    """A detail report of a target over a span of days, before anything of it is written."""

    figures: DayFigures
    lead: Statistic | None
    listings: Sequence[Listed]
    statistics: Sequence[Statistic]

    @property
    def first(self) -> Listed | None:
        return next((one for one in self.listings if one.things), None)


def report(request: HttpRequest, pk: int, report: str) -> HttpResponse:
    """One detail report of a target, as a page or, with `?format=`, one of its tables as a file."""
    target = target_of(pk)
    detail = next((one for one in details_of(target.platform) if one.key == report), None)
    if detail is None:
        raise Http404(f"{target.name} has no report “{report[:40]}”.")
    page, span, words = day_page(request, target), span_asked(request), request.GET.get("q", "").strip()
    if page.day is None:
        return render(request, "pages/detail_reports/report.html", _head(page, detail, span, words))
    if detail.beside_host:
        return _host(page, detail, span)
    is_file = request.GET.get("format") in FORMATS
    found = read_report(page, detail, span, {} if is_file else units_of(request))
    if is_file and detail.room and request.GET.get("table") == TRUE_HEADROOM:
        return _rooms_file(request, page, detail, found, words) or _no_table(request, target)
    if is_file:
        return _file(request, page, detail, found, words) or _no_table(request, target)
    context = _context(page, detail, span, words, found) | {"rooms": _rooms(page, detail, found, words)}
    return render(request, "pages/detail_reports/report.html", context)


def forecasts(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecasts of a target, least slack first."""
    target = target_of(pk)
    page = day_page(request, target)
    found = read_forecast_outlooks(target, page.day, timezone.now()) if page.day else []
    table = replace(OUTLOOKS, caption=f"Forecasts of {target.name}, worst first")
    outlooks = table.fill(found, file_name=f"{target.name}-forecasts-outlooks-{page.day}")
    if request.GET.get("format") in FORMATS:
        return outlooks.file(request) or _no_table(request, target)
    context = target_page(page, "forecast") | {
        "outlooks": outlooks,
        "sentence": outlook_sentence(target, found),
    }
    return render(request, "pages/detail_reports/forecasts.html", context)


def span_asked(request: HttpRequest) -> int:
    """The days of the address where they are one of the spans, else 30."""
    given = request.GET.get("days", "")
    return int(given) if given in {str(one) for one in SPANS} else 30


def read_report(page: Page, detail: Detail, span: int, unit_of: dict[str, str]) -> Report:
    """The report as figures: one query for all of its days."""
    assert page.day is not None
    target = page.target
    figures = read_figures(target, page.day, span, detail.categories(target.platform))
    found = statistics(detail.statistics(target.platform), figures, unit_of)
    lists = [listed(one, figures, unit_of) for one in detail.listings]
    lead = next((one for one in found if one.metric.key == detail.lead), None)
    if lead is None and found and not any(one.things for one in lists):
        lead = found[0]
    return Report(figures, lead, lists, found)


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
        "report_title": detail.title,
    }


def _context(page: Page, detail: Detail, span: int, words: str, found: Report) -> dict[str, Any]:
    unit_of = units_of(page.request)
    tables: list[Table] = []
    for one in found.listings:
        if one.things:
            tables += [listing_table(one, words, unit_of), daily_table(one, words, unit_of)]
    if found.statistics:
        tables.append(statistics_table(found.statistics, found.figures))
    drawing, drawn = drawing_of(found.lead, found.first, found.figures)
    return _head(page, detail, span, words) | {
        "sentence": sentence_of(found.lead, found.first, found.figures, detail.title),
        "drawing": drawing,
        "drawn": drawn,
        "tables": tables,
        "can_filter": bool(words) or any(table.more for table in tables),
        "matches": any(one.cut(words, 1).things for one in found.listings),
    }


def _file(request: HttpRequest, page: Page, detail: Detail, found: Report, words: str) -> HttpResponse | None:
    sheets: list[Sheet] = []
    for one in found.listings:
        sheets.append((one.listing.key, lambda one=one: listing_sheet(one, words)))  # type: ignore[misc]
        sheets.append((f"{one.listing.key}-by-day", lambda one=one: daily_sheet(one, words)))  # type: ignore[misc]
    sheets.append(("statistics", lambda: statistics_sheet(found.statistics, found.figures)))
    return answer(request, page, detail.key, sheets)


def _rooms(page: Page, detail: Detail, found: Report, words: str) -> Rooms | None:
    """The true headroom of what the first listing lists, on the newest day that has figures of it."""
    newest = found.listings[0].newest if detail.room else None
    if detail.room is None or newest is None:
        return None
    return rooms_of(page.target, detail.key, detail.room, found.figures.days[newest], words)


def _rooms_file(
    request: HttpRequest, page: Page, detail: Detail, found: Report, words: str
) -> HttpResponse | None:
    rooms = _rooms(page, detail, found, words)
    return rooms.table.file(request) if rooms else None


def answer(request: HttpRequest, page: Page, report: str, sheets: Sequence[Sheet]) -> HttpResponse | None:
    """The table that the address names, else the first, as a file; None where it names no such table."""
    wanted = request.GET.get("table") or sheets[0][0]
    for key, made in sheets:
        if key == wanted:
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
    found = beside_host(target, target.runs_on, detail, page.day, span)
    if request.GET.get("format") in FORMATS:
        return answer(request, page, detail.key, [("statistics", found.sheet)]) or _no_table(request, target)
    context = _head(page, detail, span, "") | {
        "sentence": found.sentence(),
        "drawing": found.drawing,
        "drawn": found.drawn,
        "tables": [found.table()],
        "host": target.runs_on,
    }
    return render(request, "pages/detail_reports/report.html", context)
