"""What all deeds in a case file share: the violation is found, the deed done, the page shown again."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from apps.people.models import User
from apps.thresholds.case_steps import Refusal
from apps.thresholds.models import Violation
from apps.web.address import number_in
from apps.web.pages.case.case_file import case_file
from apps.web.pages.case.case_tables import CASE_FINDINGS, PLAN_STEPS, files_table, study_table
from apps.web.rights import LACKS_RIGHT, may_change
from apps.web.tables import page_or_file


def find_case(pk: int) -> Violation:
    return get_object_or_404(
        Violation.objects.select_related("target__runs_on", "owner", "threshold", "follows"), pk=pk
    )


def show_case(request: HttpRequest, violation: Violation, **typed: Any) -> HttpResponse:
    violation.refresh_from_db()
    can_change = may_change(request)
    context = case_file(violation, **typed) | {"can_change": can_change}
    study = context["study"]
    context |= {
        "steps": PLAN_STEPS.fill(context["actions"]),
        "findings": CASE_FINDINGS.fill(context["finding_rows"]),
        "files": files_table(violation, can_change=can_change).fill(context["attachments"]),
        "study_table": study_table(study.before, study.after, can_change=can_change).fill(study.rows)
        if study
        else None,
    }
    return page_or_file(request, "pages/case/case.html", context)


def do_in_case(
    request: HttpRequest,
    pk: int,
    name: str,
    form: forms.Form,
    deed: Callable[[Violation, User], object],
    place: str,
    **typed: Any,
) -> HttpResponse:
    """Do what was typed and go back to its place on the page; else show what was typed again, and why."""
    if not isinstance(request.user, User) or not may_change(request):
        raise PermissionDenied(LACKS_RIGHT)
    violation = find_case(pk)
    if form.is_valid():
        try:
            deed(violation, request.user)
        except Refusal as error:
            if form.is_valid():  # else the deed has said it of a field
                form.add_error(None, str(error))
        else:
            messages.success(request, "Saved.")
            return redirect(f"{violation.get_absolute_url()}#{place}")
    return show_case(request, violation, **{name: form}, **typed)


def read_number(request: HttpRequest, name: str) -> int | None:
    """A number that the page gave along; none where it was tampered with."""
    return number_in(request.POST.get(name))
