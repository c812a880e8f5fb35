"""The patterns of a statistic by day of the week and hour of the day."""

from django.http import HttpRequest, HttpResponse

from apps.web.date_range import file_name, resolve_statistic
from apps.web.pages.statistic.related_statistics import statistic_url
from apps.web.pages.statistic.weekly_patterns import day_pattern, week_of
from apps.web.sentences import Part
from apps.web.tables import page_or_file


def patterns(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Both patterns: a page of its own, or the sections of the statistic's page."""
    target, statistic, component, until, _span = resolve_statistic(request, pk, metric)
    week, day = week_of(target, statistic, component, until), day_pattern(target, statistic, component, until)
    name = file_name(statistic.key)
    sections = [section for section in (week, day) if not section.why_not]
    if len(sections) < 2 and not getattr(request, "htmx", False):
        sections = [week, day]
    patterns = [
        {"table": section.table(f"{name}-{section.key}-{until}"), "pattern": section}
        for section in sections or [week]
    ]
    return page_or_file(
        request,
        "pages/statistic/patterns.html",
        {
            "target": target,
            "name": statistic.called(component),
            "patterns": patterns,
            "sentence": [Part(week.sentence or week.why_not, True)],
            "statistic_url": statistic_url(target, statistic.key, component, until),
        },
    )
