"""The pattern report of a target, and of a group of targets."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.inventory.models import Group, Target
from apps.profiles.period_patterns import PatternRow
from apps.web.pages.patterns import pattern_report
from apps.web.pages.patterns.pattern_table import pattern_table
from apps.web.target_page import page_of, target_of, target_page


def target_pattern(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything of a target over successive months or quarters."""
    page = page_of(request, target_of(pk))
    context = target_page(page, "pattern")
    asked = pattern_report.Asked.of(request.GET)
    rows = pattern_report.of_target(page.target, page.day, asked) if page.day else []
    day = page.day or timezone.now().date()
    names = pattern_report.labels(pattern_report.periods_until(day, asked), asked)
    shown = pattern_report.chosen(rows, asked)
    table = pattern_table(names, day, has_targets=False).fill(
        shown[: pattern_report.MOST], all_rows=lambda: shown, file_name=f"{page.target.name}-pattern-{day}"
    )
    if file := table.file(request):
        return file
    if rows:
        context["sentence"] = pattern_report.sentence(rows, asked, page.target.name)
    return render(
        request,
        "pages/patterns/target.html",
        context | _filters(request, asked, rows) | {"rows": table, "all": len(shown)},
    )


def group_pattern(request: HttpRequest) -> HttpResponse:
    """What the profiles of a group of targets show, over successive months or quarters."""
    asked = pattern_report.Asked.of(request.GET)
    group = Group.objects.filter(name=request.GET.get("group", "").replace("\0", "")).first()
    targets = Target.objects.in_estate().select_related("group").order_by("name")
    targets = targets.filter(group=group) if group else targets
    read = list(targets[: pattern_report.MOST_TARGETS])
    rows, periods = pattern_report.of_targets(read, asked)
    names = pattern_report.labels(periods, asked)
    shown = pattern_report.chosen(rows, asked)
    day = periods[-1].last if periods else timezone.now().date()
    table = pattern_table(names, day, has_targets=True).fill(
        shown[: pattern_report.MOST], all_rows=lambda: shown
    )
    if file := table.file(request):
        return file
    context = {
        "sentence": pattern_report.sentence(rows, asked, group.name if group else "all targets"),
        "group": group,
        "groups": list(Group.objects.values_list("name", flat=True)),
        "left_out": targets.count() - len(read),
        "read": len(read),
        "has_targets": True,
    }
    return render(
        request,
        "pages/patterns/patterns.html",
        context | _filters(request, asked, rows) | {"rows": table, "all": len(shown)},
    )


def _filters(request: HttpRequest, asked: pattern_report.Asked, rows: Sequence[PatternRow]) -> dict[str, Any]:
    kept = {name: request.GET[name] for name in ("group", "on") if request.GET.get(name)}
    return {
        "steps": pattern_report.steps(asked, request.GET),
        "any": bool(rows),
        "pattern": asked.pattern,
        "patterns": pattern_report.options(rows, asked),
        "section": asked.section,
        "sections": list(dict.fromkeys(row.metric.section.title for row in rows if row.metric.section.title)),
        "kept": kept | {"by": asked.step, "count": asked.count},
    }
