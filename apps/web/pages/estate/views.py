"""The first page: what is over, what is next, by when to act."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.charts.calendar import calendar
from apps.charts.treemap import treemap
from apps.collection.unread_targets import unread_targets
from apps.inventory.models import Target
from apps.outlook.counts import Counts
from apps.outlook.outlooks import outlooks_of, read_owners
from apps.platforms.registration import all_registrations
from apps.web.collection_runs import failures, last_runs_of
from apps.web.pages.estate.estate_tables import OPEN_BY_DAY, SIZES, risk_table
from apps.web.pages.estate.first_run import (
    SENTENCE,
    first_registration,
    is_first_run,
    machine_table,
    this_machine,
)
from apps.web.pages.estate.open_days import calendar_days
from apps.web.pages.estate.risks import ROWS, list_risks, sentence, with_alike
from apps.web.pages.estate.size_map import LISTED, tiles
from apps.web.pages.estate.totals import totals_of
from apps.web.rights import may_change
from apps.web.risk_rows import Risk
from apps.web.tables import page_or_file
from apps.web.target_filters import filter_targets, filter_words, filters
from apps.web.target_states import states


def estate(request: HttpRequest) -> HttpResponse:
    """The first page; before anything is registered the way to the first instance."""
    targets = filter_targets(request.GET)
    return _lead_in(request) if is_first_run(targets) else _show_estate(request, targets)


def _lead_in(request: HttpRequest) -> HttpResponse:
    machine = this_machine().first()
    context = {
        "is_first_run": True,
        "sentence": SENTENCE,
        "machine": machine,
        "machine_figures": machine_table(machine, timezone.now()),
        "registration": first_registration(),
        "registrations": all_registrations(),
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/estate/estate.html", context)


def _show_estate(request: HttpRequest, targets: QuerySet[Target]) -> HttpResponse:
    now = timezone.now()
    today = now.date()
    runs = last_runs_of(targets)
    unread = unread_targets([target.pk for target in targets], now)
    outlooks = outlooks_of(targets, now, unread)
    lines = list_risks(outlooks, targets, unread, now)

    def complete(lines: Sequence[Risk]) -> Sequence[Risk]:
        read_owners([line.outlook for line in lines])
        return with_alike(lines, outlooks)

    risk_list = risk_table(today).fill(complete(lines[:ROWS]), all_rows=lambda: complete(lines))
    if file := risk_list.file(request):
        return file
    boxes = tiles(
        targets, states(targets, unread, [outlook.violation for outlook in outlooks if outlook.violation])
    )
    largest = sorted(boxes, key=lambda tile: -tile.size)
    days = calendar_days(targets, today)
    return page_or_file(
        request,
        "pages/estate/estate.html",
        {
            "sentence": sentence(lines, Counts.of(outlooks), len(targets), filter_words(request.GET), today),
            "totals": totals_of(boxes),
            "has_targets": bool(targets),
            "collection_line": failures([run for run in runs if not run.target.is_paused]),
            "risks": risk_list,
            "more_risks": max(0, len(lines) - ROWS),
            "treemap": treemap(boxes) if boxes else "",
            "sizes": SIZES.fill(largest[:LISTED], all_rows=lambda: largest),
            "tiles": len(boxes),
            "calendar": calendar(days, today) if targets else "",
            "open_by_day": OPEN_BY_DAY.fill(list(days.items())[::-1], all_rows=lambda: days.items()),
            "filters": filters(request.GET),
            "can_change": may_change(request),
        },
    )
