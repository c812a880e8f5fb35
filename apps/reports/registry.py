"""
What is reported, found by its place: each report is one module of `kinds/`, and its template.

The module declares a ReportKind. Its page, its place in the menu and its command come with that.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.template.loader import render_to_string

from apps.catalog.declarations import find_declarations
from apps.inventory.models import Group
from apps.reports.engine.week import Week

KINDS = "apps.reports.kinds"  # the package whose modules declare reports


@dataclass(frozen=True)
class ReportFormat:
    """One form: how it is made of what a report gathered, and what its file is called and said to be."""

    make: Callable[[Any], bytes]
    suffix: str
    content_type: str


@dataclass(frozen=True, kw_only=True)
class ReportKind:
    """
    What can be said of a week, for all targets or those of a group; `key` names it in addresses and commands.

    `compose` gathers it, and raises BadWeek where there is nothing to say yet. `page` names the address of a report
    that has a page of its own; the others are shown by their `template`, which finds what was gathered as `facts`.
    """

    key: str
    title: str
    compose: Callable[[Week, datetime, Group | None], Any]
    formats: Mapping[str, ReportFormat]
    template: str = ""
    page: str = "report"


def report_by_template(
    key: str,
    title: str,
    compose: Callable[[Week, datetime, Group | None], Mapping[str, object]],
    **further: ReportFormat,
) -> ReportKind:
    """
    A report whose facts its template `reports/<key>.html` puts into words; as a file it is HTML or JSON.

    `further` are forms by their names, csv among them, that it has beside these.
    """
    template = f"reports/{key}.html"
    formats = {
        "html": ReportFormat(
            lambda facts: render_to_string(template, {"facts": facts}).encode(),
            "html",
            "text/html; charset=utf-8",
        ),
        "json": ReportFormat(
            lambda facts: json.dumps(facts, ensure_ascii=False, allow_nan=False).encode(),
            "json",
            "application/json",
        ),
    }
    return ReportKind(key=key, title=title, compose=compose, formats=formats | further, template=template)


def all_reports() -> Sequence[ReportKind]:
    """Every report, by its title."""
    return _declared_in(KINDS)


def find_report(key: str) -> ReportKind | None:
    return next((report for report in all_reports() if report.key == key), None)


@cache
def _declared_in(package: str) -> Sequence[ReportKind]:
    return sorted(find_declarations(package, ReportKind), key=lambda report: report.title)
