"""The weekly report as it was composed, and its files."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe

from apps.inventory.models import Group
from apps.reports.drawings import draw
from apps.reports.engine.week import Week, last_complete_week
from apps.reports.formats import FORMATS, file_name
from apps.reports.lines import (
    GROUPS,
    account_text,
    closer_text,
    decision_text,
    headline,
    knowledge_text,
    verdict_text,
    write_lines,
)
from apps.reports.models import WeeklyReport
from apps.reports.weekly_report import NotOverYet, compose_weekly_report
from apps.web.address import number_in
from apps.web.pages.weekly_report.report_tables import MOVERS, NOT_COLLECTED, VIOLATIONS
from apps.web.report_week import week_and_group
from apps.web.rights import may_change, planner_required
from apps.web.sentences import capital
from apps.web.tables import RowGroup, page_or_file

FILES = {"pdf": "PDF", "xlsx": "XLSX", "text": "Text", "json": "JSON"}


def weekly_report(request: HttpRequest) -> HttpResponse:
    """The report of a week; one that was not composed yet is composed on request."""
    newest = last_complete_week(timezone.now())
    if request.method == "POST":
        return _compose(request, *week_and_group(request, newest))
    week, group = _week_and_group(request, newest)
    report = _report(request, week, group)
    weeks = (
        WeeklyReport.objects.filter(group=group).order_by("-week").values_list("week", flat=True).distinct()
    )
    return page_or_file(
        request,
        "pages/weekly_report/weekly_report.html",
        {
            "week": week,
            "report": _describe_report(report) if report else None,
            "versions": _versions(report) if report else [],
            "files": [(name, _url("weekly_report_file", report, form)) for form, name in FILES.items()]
            if report
            else [],
            "weeks": [
                {"name": name, "url": _query(name, group), "active": name == week.name} for name in weeks
            ],
            "groups": [
                {
                    "name": choice.name if choice else "all targets",
                    "url": _query(week.name, choice),
                    "active": choice == group,
                }
                for choice in (None, *Group.objects.all())
            ],
            "previous_url": _query(week.previous.name, group),
            "next_url": _query(week.following.name, group) if week < newest else None,
            "to_come": newest if week < newest and "week" not in request.GET else None,
            "to_come_url": _query(newest.name, group),
            "is_over": week <= newest,
            "can_change": may_change(request),
        },
    )


def weekly_report_file(request: HttpRequest, form: str) -> HttpResponse:
    """The report as a file; one that nobody composed yet is not there."""
    if form not in FORMATS:
        raise Http404(f"There is no {form} of a report.")
    week, group = _week_and_group(request, last_complete_week(timezone.now()))
    report = _report(request, week, group)
    if report is None:
        raise Http404(f"Week {week.name} was not reported yet.")
    response = HttpResponse(FORMATS[form].make(report), content_type=FORMATS[form].content_type)
    response["Content-Disposition"] = f'attachment; filename="{file_name(report, form)}"'
    return response


def _week_and_group(request: HttpRequest, newest: Week) -> tuple[Week, Group | None]:
    """Without a week in the address the newest that was reported, so that a Monday morning does not begin with an empty page."""
    week, group = week_and_group(request, newest)
    if "week" in request.GET:
        return week, group
    return WeeklyReport.objects.newest_week(group, newest) or week, group


def _report(request: HttpRequest, week: Week, group: Group | None) -> WeeklyReport | None:
    """The one asked for by its number, else what was composed last."""
    if (number := number_in(request.GET.get("report"))) is not None:
        return get_object_or_404(WeeklyReport, pk=number, week=week.name, group=group)
    return WeeklyReport.objects.newest_of(week, group)


@planner_required
def _compose(request: HttpRequest, week: Week, group: Group | None) -> HttpResponse:
    try:
        compose_weekly_report(week, timezone.now(), group)
    except NotOverYet as error:
        messages.warning(request, str(error))
    return redirect(f"{reverse('weekly_report')}{_query(week.name, group)}")


def _query(week: str, group: Group | None) -> str:
    return "?" + urlencode({"week": week, **({"group": group.pk} if group else {})})


def _url(name: str, report: WeeklyReport, *args: str) -> str:
    return f"{reverse(name, args=args)}{_query(report.week, report.group)}&report={report.pk}"


def _versions(report: WeeklyReport) -> list[dict[str, Any]]:
    """Everything that was composed for the week, newest first, where there is more than one."""
    versions = list(WeeklyReport.objects.filter(week=report.week, group=report.group))
    return [
        {
            "url": _url("weekly_report", version),
            "composed_at": version.composed_at,
            "is_sent": version.sent_at is not None,
            "active": version == report,
        }
        for version in (versions if len(versions) > 1 else [])
    ]


def _describe_report(report: WeeklyReport) -> dict[str, Any]:
    facts = report.facts
    groups = [
        RowGroup(capital(name), list(zip(items, write_lines(items), strict=True)), str(len(items)))
        for kind, name in GROUPS
        if (items := getattr(facts, kind))
    ]
    return {
        "week": report.week,
        "headline": headline(facts, report.week),
        "sentences": report.sentences,
        "not_collected": NOT_COLLECTED.fill(facts.not_collected),
        "targets": facts.targets,
        "composed_at": report.composed_at,
        "sent_at": report.sent_at,
        "as_known": knowledge_text(facts),
        # the drawings escape every name they show
        "charts": [
            {"title": chart.title, "caption": chart.caption, "svg": mark_safe(draw(chart))}
            for chart in facts.charts
        ],
        "mover_table": MOVERS.fill(facts.movers),
        "closer": [
            {"target": forecast.target, "what": forecast.what, "text": closer_text(forecast)}
            for forecast in facts.closer
        ],
        "account": account_text(facts.account) if facts.account else "",
        "decisions": [
            {"on": decision.on, "text": decision_text(decision), "who": decision.who}
            for decision in facts.decisions
        ],
        "oversized": facts.oversized,
        "findings": facts.findings,
        "verdicts": [(verdict.target, verdict_text(verdict)) for verdict in facts.verdicts],
        "violations": VIOLATIONS.fill(groups=groups),
        "facts": facts,
    }
