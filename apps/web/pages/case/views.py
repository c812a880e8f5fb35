"""The case file of a violation: its life, its diagnosis, and what people say."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from apps.advisors.attachments import add_comment
from apps.advisors.steps import decide_diagnosis
from apps.people.models import User
from apps.thresholds.case_steps import assign, take_step
from apps.thresholds.models import Violation
from apps.web.pages.case.case_page import do_in_case, find_case, read_number, show_case
from apps.web.pages.case.forms import AssignForm, CommentForm, DiagnosisForm, StepForm


@require_safe
def violation(request: HttpRequest, pk: int) -> HttpResponse:
    """The case file: how the violation stands, why, what is being done."""
    case = find_case(pk)
    return show_case(request, case)


@require_POST
def step(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the next step of a violation's life."""
    form = StepForm(request.POST, auto_id="step_%s")

    def deed(violation: Violation, by: User) -> None:
        typed = form.cleaned_data
        take_step(
            violation,
            typed["to"],
            by=by,
            why=typed["why"],
            now=timezone.now(),
            review_on=typed["review_on"],
            newest_step=read_number(request, "seen"),
        )

    return do_in_case(request, pk, "step_form", form, deed, "next")


@require_POST
def assign_to(request: HttpRequest, pk: int) -> HttpResponse:
    """Say who looks after a violation, and until when."""
    form = AssignForm(request.POST, auto_id="assign_%s")

    def deed(violation: Violation, by: User) -> None:
        typed = form.cleaned_data
        newest = read_number(request, "seen")
        assign(violation, typed["owner"], typed["due_on"], by=by, now=timezone.now(), newest_step=newest)

    return do_in_case(request, pk, "assign_form", form, deed, "case")


@require_POST
def diagnosis(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or overrule the diagnosis that the figures propose."""
    form = DiagnosisForm(request.POST, auto_id="diagnosis_%s")

    def deed(violation: Violation, by: User) -> None:
        typed = form.cleaned_data
        decide_diagnosis(
            violation,
            typed["diagnosis"],
            by=by,
            why=typed["why"],
            now=timezone.now(),
            version=read_number(request, "version"),
        )

    return do_in_case(request, pk, "diagnosis_form", form, deed, "diagnosis")


@require_POST
def comment(request: HttpRequest, pk: int) -> HttpResponse:
    """Say something about a violation."""
    form = CommentForm(request.POST, auto_id="comment_%s")

    def deed(violation: Violation, by: User) -> None:
        add_comment(violation, form.cleaned_data["text"], by=by, now=timezone.now())

    return do_in_case(request, pk, "comment_form", form, deed, "comments")
