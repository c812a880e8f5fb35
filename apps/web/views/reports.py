"""The weekly report as it was composed."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.reports.models import WeeklyReport
from apps.reports.week import BadWeek, Week, last_complete_week, parse_week
from apps.reports.weekly import compose_weekly_report
from apps.web.rights import may_change, planner_required

LISTS = ("new", "continuing", "resolved", "predicted")


def weekly_report(request: HttpRequest) -> HttpResponse:
    """The report of a week; one that was not composed yet is composed on request."""
    newest = last_complete_week(timezone.now())
    try:
        week = parse_week(request.GET["week"]) if "week" in request.GET else newest
    except BadWeek as error:
        raise Http404(str(error)) from None
    if request.method == "POST":
        return _compose(request, week, newest)
    report = WeeklyReport.objects.filter(week=week.name, group=None).first()
    weeks = WeeklyReport.objects.filter(group=None).values_list("week", flat=True)
    return render(
        request,
        "pages/weekly_report.html",
        {
            "week": week,
            "report": _shown(report) if report else None,
            "weeks": [{"name": name, "url": f"?week={name}", "active": name == week.name} for name in weeks],
            "previous_url": f"?week={week.previous.name}",
            "next_url": f"?week={week.following.name}" if week < newest else None,
            "is_over": week <= newest,
            "can_change": may_change(request),
        },
    )


@planner_required
def _compose(request: HttpRequest, week: Week, newest: Week) -> HttpResponse:
    if week > newest:
        messages.warning(
            request, f"Week {week.name} is not over yet; its report can be composed from the Monday after."
        )
    else:
        compose_weekly_report(week, timezone.now())
    return redirect(f"{reverse('weekly_report')}?week={week.name}")


def _shown(report: WeeklyReport) -> dict[str, Any]:
    content = report.content
    lists = {
        name: [item | {"url": reverse("violation", args=[item["violation"]])} for item in content[name]]
        for name in LISTS
    }
    return {
        "week": report.week,
        "sentences": content["sentences"],
        "not_collected": content["not_collected"],
        "targets": content["targets"],
        "composed_at": report.composed_at,
        **lists,
    }
