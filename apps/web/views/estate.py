"""The first page: what is over, what is next, by when to act."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.charts.calendar import calendar
from apps.charts.treemap import treemap
from apps.inventory.models import Target
from apps.web.collected import failures, latest_runs
from apps.web.estate import ROWS, calendar_days, risks, sentence, tiles
from apps.web.present import filtered, filters, states
from apps.web.rights import may_change


def estate(request: HttpRequest) -> HttpResponse:
    targets = list(filtered(request.GET))
    today = timezone.now().date()
    lines = risks(targets, today)
    boxes = tiles(targets, states(targets))
    days = calendar_days(targets, today)
    pks = {target.pk for target in targets}
    return render(
        request,
        "pages/estate.html",
        {
            "sentence": sentence(lines, len(targets), today),
            "collection_line": failures([run for run in latest_runs() if run.target_id in pks]),
            "risks": lines[:ROWS],
            "more_risks": max(0, len(lines) - ROWS),
            "treemap": treemap(boxes) if boxes else "",
            "treemap_rows": boxes,
            "calendar": calendar(days, today) if days else "",
            "calendar_rows": days,
            "filters": filters(request.GET),
            "is_empty": not Target.objects.in_estate().exists(),
            "can_change": may_change(request),
        },
    )
