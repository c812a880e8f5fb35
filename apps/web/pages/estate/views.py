"""The first page: what is over, what is next, by when to act."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.charts.calendar import calendar
from apps.charts.treemap import treemap
from apps.collection.unread_targets import unread_targets
from apps.inventory.models import Target
from apps.web.collection_runs import failures, last_runs_of
from apps.web.pages.estate import sheets
from apps.web.pages.estate.open_days import calendar_days
from apps.web.pages.estate.risks import ROWS, risks, sentence
from apps.web.pages.estate.size_map import LISTED, tiles
from apps.web.rights import may_change
from apps.web.tables import table_file
from apps.web.target_filters import filtered, filters
from apps.web.target_states import states


def estate(request: HttpRequest) -> HttpResponse:
    targets = filtered(request.GET)
    now = timezone.now()
    today = now.date()
    runs = last_runs_of(targets)
    unread = unread_targets(targets, now)
    lines, counts = risks(targets, unread, now)
    if file := table_file(request, "risk-list", sheets.RISKS, sheets.risks(lines)):
        return file
    boxes = tiles(targets, states(targets, unread))
    largest = sorted(boxes, key=lambda tile: -tile.size)
    if file := table_file(request, "size-list", sheets.SIZES, sheets.sizes(largest)):
        return file
    days = calendar_days(targets, today)
    if file := table_file(request, "open-by-day", sheets.OPEN_BY_DAY, sheets.open_by_day(days)):
        return file
    return render(
        request,
        "pages/estate/estate.html",
        {
            "sentence": sentence(lines, counts, len(targets), today),
            "collection_line": failures([run for run in runs if not run.target.is_paused]),
            "risks": lines[:ROWS],
            "more_risks": max(0, len(lines) - ROWS),
            "treemap": treemap(boxes) if boxes else "",
            "treemap_rows": largest[:LISTED],
            "tiles": len(boxes),
            "calendar": calendar(days, today) if days else "",
            "calendar_rows": days,
            "filters": filters(request.GET),
            "is_empty": not Target.objects.in_estate().exists(),
            "can_change": may_change(request),
        },
    )
