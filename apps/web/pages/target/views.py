"""A target: its profile, its violations, how it was read, and everything that was read of it."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from apps.collection.models import CollectionRun
from apps.outlook.outlooks import outlooks_of_cases
from apps.thresholds.models import Violation
from apps.web.collection_runs import RUNS, runs_of
from apps.web.machine_tables import file_among, tables_of_host
from apps.web.not_measurable import not_measurable_of
from apps.web.pages.target.everything import EVERYTHING, MOST, read_everything
from apps.web.pages.target.profile_file import profile_table
from apps.web.profile_table import show_profile
from apps.web.reader_style import preferences_of, units_of
from apps.web.tables import file_of, page_or_file
from apps.web.target_changes import CHANGES, changes_of
from apps.web.target_page import page_of, page_with_host, target_of, target_page
from apps.web.violation_table import violation_rows, violations_table


def target(request: HttpRequest, pk: int) -> HttpResponse:
    """The profile of a target, today's or of any day."""
    page = page_with_host(request, target_of(pk))
    table = profile_table(page)
    machine = tables_of_host(page.target, page.day) if page.day else []
    if file := table.file(request) or file_among(request, machine):
        return file
    context = target_page(page, "profile") | {"machine_tables": machine}
    if page.looked is not None:
        context["profile"] = show_profile(page.looked, page.of_host, units_of(request))
        context["hidden_columns"] = preferences_of(request).hidden_columns
        context["csv_url"] = f"{reverse('target_csv', args=[pk])}?on={page.day}"
        context["table"] = table
    context["not_measurable"] = not_measurable_of(page.target, page.day)
    return render(request, "pages/target/profile.html", context)


def target_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """The profile as CSV, with exact values."""
    return file_of(profile_table(page_of(request, target_of(pk))).sheet, "csv")


def target_violations(request: HttpRequest, pk: int) -> HttpResponse:
    page = page_of(request, target_of(pk))
    live = Violation.objects.live().filter(target=page.target).select_related("target", "owner", "threshold")
    table = violations_table(has_target=False).fill(
        violation_rows(outlooks_of_cases(live, timezone.now())), file_name=f"{page.target.name}-violations"
    )
    context = target_page(page, "violations") | {"violations": table}
    return page_or_file(request, "pages/target/violations.html", context)


def target_collection(request: HttpRequest, pk: int) -> HttpResponse:
    """The last runs of a target, with what each source cost."""
    page = page_of(request, target_of(pk))
    name = page.target.name
    runs = runs_of(CollectionRun.objects.filter(target=page.target)[:40])
    context = {
        "runs": replace(RUNS, caption=f"The last readings of {name}, newest first").fill(
            runs, file_name=f"{name}-readings"
        ),
        "changes": CHANGES.fill(changes_of(page.target), file_name=f"{name}-changes"),
    }
    return page_or_file(request, "pages/target/collection.html", target_page(page, "collection") | context)


def target_all(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that was collected of a day, a row each."""
    page = page_of(request, target_of(pk))
    words = request.GET.get("q", "")
    rows = read_everything(page, words)
    name = f"{page.target.name}-everything-{page.day}"
    table = EVERYTHING.fill(rows[:MOST], all_rows=lambda: rows, file_name=name)
    if file := table.file(request):
        return file
    context = target_page(page, "all") | {"rows": table, "all": len(rows), "words": words}
    return render(request, "pages/target/everything.html", context)
