"""A report as a page: its facts, put into words by its template."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from apps.reports.engine.week import BadWeek, last_complete_week
from apps.reports.registry import find_report
from apps.web.report_week import week_and_group


def report(request: HttpRequest, key: str) -> HttpResponse:
    """The report of a week, as a page or with `?format=` as a file; where a report has a page of its own, that page."""
    declared = find_report(key)
    if declared is None:
        raise Http404(f"There is no report named {key}.")
    if not declared.template:
        return redirect(declared.page)
    now = timezone.now()
    week, group = week_and_group(request, last_complete_week(now))
    try:
        facts = declared.compose(week, now, group)
    except BadWeek as error:
        raise Http404(str(error)) from None
    form = declared.formats.get(request.GET.get("format", ""))
    if form is not None:
        response = HttpResponse(form.make(facts), content_type=form.content_type)
        response["Content-Disposition"] = f'attachment; filename="{key}-{week.name}.{form.suffix}"'
        return response
    context = {"report": declared, "facts": facts, "week": week, "group": group}
    return render(request, "pages/reports/report.html", context)
