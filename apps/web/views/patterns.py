"""The pattern report of a target, and of a group of targets."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.inventory.models import Group, Target
from apps.profiles.successive import PatternRow
from apps.web import patterns
from apps.web.page import page_of, target_of, target_page
from apps.web.tables import table_file


def target_pattern(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything of a target over successive months or quarters."""
    page = page_of(request, target_of(pk))
    context = target_page(page, "pattern")
    asked = patterns.Asked.of(request.GET)
    rows = patterns.of_target(page.target, page.day, asked) if page.day else []
    day = page.day or timezone.now().date()
    names = patterns.labels(patterns.periods_until(day, asked), asked)
    shown = patterns.chosen(rows, asked)
    name = f"{page.target.name}-pattern-{day}"
    if file := table_file(request, "pattern", patterns.heads(names), patterns.cells(shown), name):
        return file
    if rows:
        context["sentence"] = patterns.sentence(rows, asked, page.target.name)
    return render(
        request, "pages/target_pattern.html", context | _table(request, asked, rows, shown, names, day)
    )


def group_pattern(request: HttpRequest) -> HttpResponse:
    """What the profiles of a group of targets show, over successive months or quarters."""
    asked = patterns.Asked.of(request.GET)
    group = Group.objects.filter(name=request.GET.get("group", "").replace("\0", "")).first()
    targets = Target.objects.in_estate().select_related("group").order_by("name")
    targets = targets.filter(group=group) if group else targets
    read = list(targets[: patterns.MOST_TARGETS])
    rows, periods = patterns.of_targets(read, asked)
    names = patterns.labels(periods, asked)
    shown = patterns.chosen(rows, asked)
    if file := table_file(request, "pattern", patterns.heads(names), patterns.cells(shown), "pattern"):
        return file
    day = periods[-1].last if periods else timezone.now().date()
    context = {
        "sentence": patterns.sentence(rows, asked, group.name if group else "all targets"),
        "group": group,
        "groups": list(Group.objects.values_list("name", flat=True)),
        "left_out": targets.count() - len(read),
        "read": len(read),
        "has_targets": True,
    }
    return render(request, "pages/patterns.html", context | _table(request, asked, rows, shown, names, day))


def _table(
    request: HttpRequest,
    asked: patterns.Asked,
    rows: Sequence[PatternRow],
    shown: Sequence[PatternRow],
    names: Sequence[str],
    day: date,
) -> dict[str, Any]:
    kept = {name: request.GET[name] for name in ("group", "on") if request.GET.get(name)}
    return {
        "steps": patterns.steps(asked, request.GET),
        "names": names,
        "rows": [patterns.show(row, names, day) for row in shown[: patterns.MOST]],
        "all": len(shown),
        "any": bool(rows),
        "pattern": asked.pattern,
        "patterns": patterns.options(rows, asked),
        "section": asked.section,
        "sections": list(dict.fromkeys(row.metric.section for row in rows if row.metric.section)),
        "kept": kept | {"by": asked.step, "count": asked.count},
    }
