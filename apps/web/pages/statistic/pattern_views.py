"""The patterns of a statistic by day of the week and hour of the day."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.web.date_range import asked_statistic, file_name
from apps.web.pages.statistic import sheets
from apps.web.pages.statistic.related_statistics import statistic_url
from apps.web.pages.statistic.weekly_patterns import day_pattern, week_of
from apps.web.sentences import Part
from apps.web.tables import table_file


def patterns(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Both patterns: a page of its own, or the sections of the statistic's page."""
    target, found, component, until, _span = asked_statistic(request, pk, metric)
    week, day = week_of(target, found, component, until), day_pattern(target, found, component, until)
    for one in (week, day):
        name = f"{file_name(found.key)}-{one.key}-{until}"
        if file := table_file(request, one.key, sheets.RHYTHM, sheets.rhythm(one.rows), name):
            return file
    return render(
        request,
        "pages/statistic/patterns.html",
        {
            "target": target,
            "metric": found,
            "component": component,
            "patterns": (week, day),
            "sentence": [Part(week.sentence or week.why_not, True)],
            "statistic_url": statistic_url(target, found.key, component, until),
        },
    )
