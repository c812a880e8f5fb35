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
    query = pattern_report.PatternQuery.of(request.GET)
    rows = pattern_report.read_target(page.target, page.day, query) if page.day else []
    day = page.day or timezone.now().date()
    names = pattern_report.label_periods(pattern_report.periods_until(day, query), query)
    chosen_rows = pattern_report.filter_rows(rows, query)
    table = pattern_table(names, day, has_targets=False).fill(
        chosen_rows[: pattern_report.MOST],
        all_rows=lambda: chosen_rows,
        file_name=f"{page.target.name}-pattern-{day}",
    )
    if file := table.file(request):
        return file
    if rows:
        context["sentence"] = pattern_report.write_sentence(rows, query, page.target.name)
    return render(
        request,
        "pages/patterns/target.html",
        context | _filters(request, query, rows) | {"rows": table, "all": len(chosen_rows)},
    )


def group_pattern(request: HttpRequest) -> HttpResponse:
    """What the profiles of a group of targets show, over successive months or quarters."""
    query = pattern_report.PatternQuery.of(request.GET)
    group = Group.objects.filter(name=request.GET.get("group", "").replace("\0", "")).first()
    targets = Target.objects.in_estate().select_related("group").order_by("name")
    targets = targets.filter(group=group) if group else targets
    read = list(targets[: pattern_report.MOST_TARGETS])
    rows, periods = pattern_report.read_targets(read, query)
    names = pattern_report.label_periods(periods, query)
    chosen_rows = pattern_report.filter_rows(rows, query)
    day = periods[-1].last if periods else timezone.now().date()
    table = pattern_table(names, day, has_targets=True).fill(
        chosen_rows[: pattern_report.MOST], all_rows=lambda: chosen_rows
    )
    if file := table.file(request):
        return file
    context = {
        "sentence": pattern_report.write_sentence(rows, query, group.name if group else "all targets"),
        "group": group,
        "groups": list(Group.objects.values_list("name", flat=True)),
        "left_out": targets.count() - len(read),
        "read": len(read),
        "has_targets": True,
    }
    return render(
        request,
        "pages/patterns/patterns.html",
        context | _filters(request, query, rows) | {"rows": table, "all": len(chosen_rows)},
    )


def _filters(
    request: HttpRequest, query: pattern_report.PatternQuery, rows: Sequence[PatternRow]
) -> dict[str, Any]:
    others = {name: request.GET[name] for name in ("group", "on") if request.GET.get(name)}
    return {
        "steps": pattern_report.offer_steps(query, request.GET),
        "any": bool(rows),
        "pattern": query.pattern,
        "patterns": pattern_report.count_options(rows, query),
        "section": query.section,
        "sections": list(dict.fromkeys(row.metric.section.title for row in rows if row.metric.section.title)),
        "others": others | {"by": query.step, "count": query.count},
    }
