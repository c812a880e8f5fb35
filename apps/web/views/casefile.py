"""The case file of a violation, and what people do in it."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from apps.advisors.due import entries_of_person, entries_of_violation
from apps.advisors.ics import Entry, calendar_file
from apps.advisors.kept import add_comment, attach, safe_name, too_large
from apps.advisors.models import Action, Attachment, PlanTemplate, StudyFigure
from apps.advisors.steps import add_action, change_action, decide_diagnosis, move_action
from apps.advisors.study import add_figure, choose_windows
from apps.advisors.templates import apply_template
from apps.people.models import User
from apps.thresholds.life import NotNow, assign, take_step
from apps.thresholds.models import Violation
from apps.web import sheets
from apps.web.case_forms import (
    ActionChangeForm,
    ActionForm,
    AssignForm,
    AttachmentForm,
    CommentForm,
    DiagnosisForm,
    FigureForm,
    StepForm,
    UseTemplateForm,
    WindowsForm,
)
from apps.web.casefile import case_file, history_of
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.studied import figures_offered
from apps.web.tables import table_file
from apps.web.uploads import LARGEST, bytes_sent

MOVES = {"up": -1, "down": 1}


@require_safe
def violation(request: HttpRequest, pk: int) -> HttpResponse:
    """The case file: how the violation stands, why, what is being done."""
    found = _find(pk)
    if "format" in request.GET:
        days = sheets.history(history_of(found).days_with_values(), found.about.display_unit)
        if file := table_file(request, "figures", sheets.HISTORY, days, f"violation-{pk}"):
            return file
    return _page(request, found)


def _find(pk: int) -> Violation:
    return get_object_or_404(
        Violation.objects.select_related("target__runs_on", "owner", "threshold", "follows"), pk=pk
    )


def _page(request: HttpRequest, found: Violation, **typed: Any) -> HttpResponse:
    found.refresh_from_db()
    context = case_file(found, **typed) | {"can_change": may_change(request)}
    return render(request, "pages/violation.html", context)


def _deed(
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
    found = _find(pk)
    if form.is_valid():
        try:
            deed(found, request.user)
        except NotNow as error:
            if form.is_valid():  # else the deed has said it of a field
                form.add_error(None, str(error))
        else:
            messages.success(request, "Saved.")
            return redirect(f"{found.get_absolute_url()}#{place}")
    return _page(request, found, **{name: form}, **typed)


def _number(request: HttpRequest, name: str) -> int | None:
    """A number that the page gave along; none where it was tampered with."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None


@require_POST
def step(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the next step of a violation's life."""
    form = StepForm(request.POST, auto_id="step_%s")

    def deed(found: Violation, by: User) -> None:
        given = form.cleaned_data
        take_step(
            found,
            given["to"],
            by=by,
            why=given["why"],
            now=timezone.now(),
            review_on=given["review_on"],
            seen=_number(request, "seen"),
        )

    return _deed(request, pk, "step_form", form, deed, "next")


@require_POST
def assign_to(request: HttpRequest, pk: int) -> HttpResponse:
    """Say who looks after a violation, and until when."""
    form = AssignForm(request.POST, auto_id="assign_%s")

    def deed(found: Violation, by: User) -> None:
        given = form.cleaned_data
        seen = _number(request, "seen")
        assign(found, given["owner"], given["due_on"], by=by, now=timezone.now(), seen=seen)

    return _deed(request, pk, "assign_form", form, deed, "case")


@require_POST
def diagnosis(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or overrule the diagnosis that the figures propose."""
    form = DiagnosisForm(request.POST, auto_id="diagnosis_%s")

    def deed(found: Violation, by: User) -> None:
        given = form.cleaned_data
        decide_diagnosis(
            found,
            given["diagnosis"],
            by=by,
            why=given["why"],
            now=timezone.now(),
            version=_number(request, "version"),
        )

    return _deed(request, pk, "diagnosis_form", form, deed, "diagnosis")


# ── the plan ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@require_POST
def new_action(request: HttpRequest, pk: int) -> HttpResponse:
    """One more step of the plan."""
    form = ActionForm(request.POST, auto_id="add_%s")

    def deed(found: Violation, by: User) -> None:
        add_action(found, by=by, now=timezone.now(), **form.cleaned_data)

    return _deed(request, pk, "action_form", form, deed, "plan")


@require_POST
def use_template(request: HttpRequest, pk: int) -> HttpResponse:
    """Add the steps of a template to the plan."""
    offered = list(PlanTemplate.objects.filter(is_withdrawn=False))
    form = UseTemplateForm(request.POST, auto_id="use_%s", offered=offered)

    def deed(found: Violation, by: User) -> None:
        template = form.cleaned_data["template"]
        if not apply_template(found, template, by=by, now=timezone.now()):
            raise NotNow(f"Every step of “{template}” is in the plan already.")

    return _deed(request, pk, "template_form", form, deed, "plan")


@require_POST
def edit_action(request: HttpRequest, pk: int, action: int) -> HttpResponse:
    """Change a step of the plan: all of it, or its state alone."""
    found = get_object_or_404(Action, pk=action, plan__violation=pk)
    version = _number(request, "version")
    if "text" not in request.POST:
        return _set_state(request, pk, found, version)
    form = ActionChangeForm(request.POST, auto_id=f"change{found.pk}_%s")

    def deed(_: Violation, by: User) -> None:
        change_action(found, form.cleaned_data, by=by, now=timezone.now(), version=version)

    return _deed(request, pk, "change_form", form, deed, "plan", changed=found.pk)


@planner_required
def _set_state(request: HttpRequest, pk: int, found: Action, version: int | None) -> HttpResponse:
    state = request.POST.get("state", "")
    if state not in Action.State.values or not isinstance(request.user, User):
        return _page(request, _find(pk), plan_error=f"“{state}” is not a state of a step; choose one.")
    try:
        change_action(found, {"state": state}, by=request.user, now=timezone.now(), version=version)
    except NotNow as error:
        return _page(request, _find(pk), plan_error=str(error))
    return redirect(f"{reverse('violation', args=[pk])}#plan")


@require_POST
@planner_required
def order_action(request: HttpRequest, pk: int, action: int) -> HttpResponse:
    """Move a step of the plan up or down."""
    found = get_object_or_404(Action, pk=action, plan__violation=pk)
    move_action(found, MOVES.get(request.POST.get("to", ""), 0))
    return redirect(f"{reverse('violation', args=[pk])}#plan")


# ── the study ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@require_POST
def study_windows(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the days before and after, or take them from the steps of the plan."""
    by_steps = "by_steps" in request.POST
    form = WindowsForm(request.POST, auto_id="window_%s")
    if by_steps:
        for field in form.fields.values():
            field.required = False

    def deed(found: Violation, _: User) -> None:
        days = None if by_steps else form.days
        choose_windows(found, days, now=timezone.now(), version=_number(request, "version"))

    return _deed(request, pk, "windows_form", form, deed, "study")


@require_POST
def study_figure(request: HttpRequest, pk: int) -> HttpResponse:
    """Name one more figure of the study, or change its target."""
    form = FigureForm(request.POST, auto_id="figure_%s", offered=figures_offered(_find(pk)))

    def deed(found: Violation, _: User) -> None:
        try:
            add_figure(found, *form.pair, form.cleaned_data["aim"], now=timezone.now())
        except NotNow as error:
            form.add_error("aim", str(error))
            raise

    return _deed(request, pk, "figure_form", form, deed, "study")


@require_POST
@planner_required
def remove_figure(request: HttpRequest, pk: int, figure: int) -> HttpResponse:
    """Leave a figure out of the study."""
    get_object_or_404(StudyFigure, pk=figure, plan__violation=pk).delete()
    return redirect(f"{reverse('violation', args=[pk])}#study")


# ── what people say and keep ──────────────────────────────────────────────────────────────────────────────────────────


@require_POST
def comment(request: HttpRequest, pk: int) -> HttpResponse:
    """Say something about a violation."""
    form = CommentForm(request.POST, auto_id="comment_%s")

    def deed(found: Violation, by: User) -> None:
        add_comment(found, form.cleaned_data["text"], by=by, now=timezone.now())

    return _deed(request, pk, "comment_form", form, deed, "comments")


@require_POST
def add_attachment(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a file with a violation."""
    if bytes_sent(request) > LARGEST:
        form = AttachmentForm(auto_id="attach_%s", data={}, files=MultiValueDict())
        form.errors.clear()
        form.add_error("file", too_large("The file", bytes_sent(request)))
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        return _page(request, _find(pk), attachment_form=form)
    form = AttachmentForm(request.POST, request.FILES, auto_id="attach_%s")

    def deed(found: Violation, by: User) -> None:
        file = form.cleaned_data["file"]
        try:
            attach(found, file.name, file.read(), by=by, now=timezone.now())
        finally:
            file.close()

    return _deed(request, pk, "attachment_form", form, deed, "attachments")


@require_safe
def attachment(request: HttpRequest, pk: int, attachment: int) -> HttpResponse:
    """A file as it came, always as a download: no browser shows or runs it."""
    kept = get_object_or_404(Attachment, pk=attachment, violation=pk)
    answer = HttpResponse(bytes(kept.content), content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, safe_name(kept.name)) or "attachment"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "sandbox; default-src 'none'"
    answer["Cache-Control"] = "private, no-store"
    return answer


@planner_required
def remove_attachment(request: HttpRequest, pk: int, attachment: int) -> HttpResponse:
    """Remove a file, after a page that says what is lost."""
    kept = get_object_or_404(Attachment.objects.without_content(), pk=attachment, violation=pk)
    back = f"{reverse('violation', args=[pk])}#attachments"
    if request.method == "POST":
        kept.delete()
        messages.success(request, f"{kept.name} is removed.")
        return redirect(back)
    return render(
        request,
        "pages/confirm.html",
        {
            "title": f"Remove {kept.name}?",
            "lead": "It cannot be brought back.",
            "losses": [f"The file, kept by {kept.by or 'somebody who has left'}, is deleted."],
            "submit": "Remove the file",
            "cancel_url": back,
        },
    )


# ── calendars ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@require_safe
def violation_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """The due days of a violation as a calendar file."""
    found = _find(pk)
    name = f"{found.what} on {found.target.name}"
    return _calendar(name, f"violation-{pk}.ics", entries_of_violation(found, _address))


@require_safe
def person_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """The due days of a person as a calendar file."""
    person = get_object_or_404(User, pk=pk, is_active=True)
    name = f"Headroom: what {person} has to do"
    return _calendar(name, f"{person.username}.ics", entries_of_person(person, _address))


def _address(found: Violation) -> str:
    return f"{settings.HEADROOM_URL.rstrip('/')}{found.get_absolute_url()}"


def _calendar(name: str, file: str, entries: Any) -> HttpResponse:
    listed: list[Entry] = list(entries)
    answer = HttpResponse(
        calendar_file(name, listed, timezone.now()), content_type="text/calendar; charset=utf-8"
    )
    answer["Content-Disposition"] = content_disposition_header(True, safe_name(file)) or "attachment"
    answer["Cache-Control"] = "private, no-store"
    return answer
