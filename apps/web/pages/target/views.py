"""A target: its profile, its violations, how it was read, and everything that was read of it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.collection.models import CollectionRun
from apps.reports.sheets import Sheet
from apps.web import violation_table
from apps.web.collection_runs import runs_of
from apps.web.pages.target import sheets
from apps.web.pages.target.everything import MOST, everything
from apps.web.profile_table import show_profile
from apps.web.reader_style import preferences_of, units_of
from apps.web.tables import file_of, table_file
from apps.web.target_changes import changes_of
from apps.web.target_page import page_of, target_of, target_page


def target(request: HttpRequest, pk: int) -> HttpResponse:
    """The profile of a target, today's or of any day."""
    page = page_of(request, target_of(pk))
    name = f"{page.target.name}-{page.day}"
    if file := table_file(request, "profile", sheets.PROFILE, sheets.profile(page), name):
        return file
    context = target_page(page, "profile")
    if page.looked is not None:
        context["profile"] = show_profile(page.looked, units_of(request))
        context["hidden_columns"] = preferences_of(request).hidden_columns
        context["csv_url"] = f"{reverse('target_csv', args=[pk])}?on={page.day}"
    return render(request, "pages/target/profile.html", context)


def target_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """The profile as CSV, with exact values."""
    page = page_of(request, target_of(pk))
    name = f"{page.target.name}-{page.day}"
    return file_of(Sheet(name, sheets.PROFILE, sheets.profile(page)), "csv")


def target_violations(request: HttpRequest, pk: int) -> HttpResponse:
    page = page_of(request, target_of(pk))
    context = target_page(page, "violations")
    name = f"{page.target.name}-violations"
    if file := table_file(
        request, "violations", violation_table.HEADS, violation_table.violation_cells(context["rows"]), name
    ):
        return file
    return render(request, "pages/target/violations.html", context)


def target_collection(request: HttpRequest, pk: int) -> HttpResponse:
    """The last runs of a target, with what each source cost."""
    page = page_of(request, target_of(pk))
    runs = runs_of(CollectionRun.objects.filter(target=page.target)[:40])
    if file := table_file(request, "runs", sheets.RUNS, sheets.runs(runs), f"{page.target.name}-readings"):
        return file
    changes = changes_of(page.target)
    name = f"{page.target.name}-changes"
    if file := table_file(request, "changed", sheets.CHANGES, sheets.changes(changes), name):
        return file
    return render(
        request,
        "pages/target/collection.html",
        target_page(page, "collection") | {"runs": runs, "changes": changes},
    )


def target_all(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that was collected of a day, a row each."""
    page = page_of(request, target_of(pk))
    words = request.GET.get("q", "")
    rows = everything(page, words)
    name = f"{page.target.name}-everything-{page.day}"
    if file := table_file(request, "everything", sheets.EVERYTHING, sheets.everything(rows), name):
        return file
    context = target_page(page, "all") | {"rows": rows[:MOST], "all": len(rows), "words": words}
    return render(request, "pages/target/everything.html", context)
