"""The study of a case file: what became of the figures."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.advisors.models import StudyFigure
from apps.advisors.study_plan import add_figure, choose_windows
from apps.people.models import User
from apps.thresholds.case_steps import Refusal
from apps.thresholds.models import Violation
from apps.web.pages.case.case_page import do_in_case, find_case, read_number
from apps.web.pages.case.forms import FigureForm, WindowsForm
from apps.web.pages.case.study_table import offer_figures
from apps.web.rights import planner_required


@require_POST
def study_windows(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the days before and after, or take them from the steps of the plan."""
    by_steps = "by_steps" in request.POST
    form = WindowsForm(request.POST, auto_id="window_%s")
    if by_steps:
        for field in form.fields.values():
            field.required = False

    def deed(violation: Violation, _: User) -> None:
        days = None if by_steps else form.days
        choose_windows(violation, days, now=timezone.now(), version=read_number(request, "version"))

    return do_in_case(request, pk, "windows_form", form, deed, "study")


@require_POST
def study_figure(request: HttpRequest, pk: int) -> HttpResponse:
    """Name one more figure of the study, or change its target."""
    form = FigureForm(request.POST, auto_id="figure_%s", offered=offer_figures(find_case(pk)))

    def deed(violation: Violation, _: User) -> None:
        try:
            add_figure(violation, *form.pair, form.cleaned_data["aim"], now=timezone.now())
        except Refusal as error:
            form.add_error("aim", str(error))
            raise

    return do_in_case(request, pk, "figure_form", form, deed, "study")


@require_POST
@planner_required
def remove_figure(request: HttpRequest, pk: int, figure: int) -> HttpResponse:
    """Leave a figure out of the study."""
    get_object_or_404(StudyFigure, pk=figure, plan__violation=pk).delete()
    return redirect(f"{reverse('violation', args=[pk])}#study")
