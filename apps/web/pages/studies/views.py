"""Studies: their list, a new one, each on its page, and on paper."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify

from apps.advisors.models import ChangeStudy, StudyAcceptance, StudyAim, StudyCause
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_deeds import (
    accept_cost,
    add_aim,
    add_cause,
    close_study,
    make_study,
    propose_next_limits,
)
from apps.advisors.study_registry import all_kinds, find_kind
from apps.advisors.study_result import StudyResult
from apps.people.models import User
from apps.reports.study_paper import study_as_pdf
from apps.reports.study_text import (
    describe_kind,
    describe_study_windows,
    describe_test,
    headline_of,
    name_windows,
    write_causes,
    write_noise,
    write_scaling,
)
from apps.thresholds.case_steps import Refusal
from apps.web.address import number_in
from apps.web.pages.studies.forms import AimForm, CauseForm, ConclusionForm, CostForm, StudyForm
from apps.web.pages.studies.study_tables import STUDIES, figure_table, next_limits_table, study_groups
from apps.web.peak_hour_backfill import make_up_hours_of
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import page_or_file

WINDOWS = ("target", "question", "change", "before_from", "before_to", "after_from", "after_to")
_PARTS: Mapping[str, type[Model]] = {"aim": StudyAim, "cost": StudyAcceptance, "cause": StudyCause}
Deed = Callable[[ChangeStudy, Any, User | None], object]


def studies(request: HttpRequest) -> HttpResponse:
    """Every study, newest first; those whose profile is to be looked at again are named."""
    listed = list(ChangeStudy.objects.filter(target__retired_at=None).select_related("target", "made_by"))
    due = sum(study.is_due(timezone.now().date()) for study in listed)
    sentence = [
        Part("No change was studied yet", True),
        Part(": a question, a change, and days before and after."),
    ]
    if listed:
        rest = f"; the profiles of {count(due, 'target')} are to be looked at again." if due else "."
        sentence = [Part(capital(count(len(listed), "study", "studies")), True), Part(rest)]
    context = {"studies": STUDIES.fill(listed), "sentence": sentence, "can_change": may_change(request)}
    return page_or_file(request, "pages/studies/studies.html", context)


@planner_required
def add(request: HttpRequest) -> HttpResponse:
    """A new study of the kind that the address names; the address may fill in the form."""
    kind = find_kind(request.GET.get("kind", ""))
    names = (*WINDOWS, *(kind_field.name for kind_field in kind.fields))
    initial = {name: request.GET[name] for name in names if name in request.GET}
    form = StudyForm(kind, request.POST or None, initial=initial)
    if form.is_valid():
        try:
            made = make_study(form.draft, by=_person(request), now=timezone.now())
        except Refusal as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Saved. Name the figures that it is about.")
            return redirect(made)
    context = {"form": form, "kind": kind, "kinds": all_kinds()}
    return render(request, "pages/studies/add.html", context)


def study(request: HttpRequest, pk: int) -> HttpResponse:
    """A study with its figures; what people send is done, and shown again where it cannot be."""
    shown_study = _find(pk)
    result = compare_study(shown_study)
    typed = _forms(request, shown_study, result)
    if request.method == "POST":
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        if _carry_out(request, shown_study, typed):
            return redirect(shown_study)
    return page_or_file(request, "pages/studies/study.html", _context(request, shown_study, result, typed))


def study_paper(request: HttpRequest, pk: int) -> HttpResponse:
    """A study on paper."""
    printed = _find(pk)
    response = HttpResponse(study_as_pdf(printed), content_type="application/pdf")
    name = slugify(f"study-{printed.target.name}-{printed.question}")[:80]
    response["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return response


def _find(pk: int) -> ChangeStudy:
    rows = ChangeStudy.objects.select_related("target__runs_on", "made_by", "closed_by")
    return get_object_or_404(rows, pk=pk)


def _person(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _forms(request: HttpRequest, of: ChangeStudy, result: StudyResult) -> dict[str, forms.Form]:
    """The forms of the page: the one that was sent holds what was typed."""
    deed = request.POST.get("deed", "")

    def data(name: str) -> Mapping[str, Any] | None:
        return request.POST if deed == name else None

    return {
        "aim": AimForm(data("aim"), of.target),
        "cost": CostForm(data("cost"), result.worse),
        "cause": CauseForm(data("cause"), auto_id="cause_%s"),
        "close": ConclusionForm(data("close"), auto_id="close_%s"),
    }


def _carry_out(request: HttpRequest, of: ChangeStudy, typed: Mapping[str, forms.Form]) -> bool:
    """Do what was sent; whether it was done."""
    name = request.POST.get("deed", "")
    if of.closed_at is not None:
        messages.error(request, f"This study was closed on {of.closed_at:%-d %B %Y}; make another one.")
        return True
    if name == "remove":
        return _remove(request, of)
    form = typed.get(name)
    if form is None or not form.is_valid():
        return False
    try:
        _DEEDS[name](of, form, _person(request))
    except Refusal as error:
        form.add_error(None, str(error))
        return False
    rolled_up = make_up_hours_of([of.target]) if name == "aim" and find_kind(of.kind).is_rolled_up else ""
    messages.success(request, f"Saved. {rolled_up}".strip())
    return True


def _remove(request: HttpRequest, of: ChangeStudy) -> bool:
    """Leave out a figure, a cost or a cause."""
    part = _PARTS.get(request.POST.get("what", ""))
    number = number_in(request.POST.get("pk"))
    if part is None or number is None:
        messages.error(request, "Nothing was removed: that is no part of this study.")
        return True
    part._default_manager.filter(study=of, pk=number).delete()
    messages.success(request, "Removed.")
    return True


def _aim(of: ChangeStudy, form: AimForm, by: User | None) -> object:
    return add_aim(of, form.cleaned_data["metric"], form.component, form.cleaned_data["aim"])


def _accept(of: ChangeStudy, form: CostForm, by: User | None) -> object:
    typed = form.cleaned_data
    return accept_cost(
        of, *form.pair, reason=typed["reason"], until=typed["until"], by=by, now=timezone.now()
    )


def _cause(of: ChangeStudy, form: CauseForm, by: User | None) -> object:
    return add_cause(of, form.cleaned_data["text"], form.cleaned_data["share"], by=by)


def _close(of: ChangeStudy, form: ConclusionForm, by: User | None) -> object:
    return close_study(of, form.cleaned_data["conclusion"], by=by, now=timezone.now())


_DEEDS: Mapping[str, Deed] = {"aim": _aim, "cost": _accept, "cause": _cause, "close": _close}


def _context(
    request: HttpRequest, of: ChangeStudy, result: StudyResult, typed: Mapping[str, forms.Form]
) -> dict[str, Any]:
    fact, rest = headline_of(result)
    before, after = name_windows(of, result)
    causes = write_causes(of, result)
    return {
        "study": of,
        "result": result,
        "sentence": [Part(fact, True), Part(rest)],
        "windows": describe_study_windows(of, result),
        "kind": find_kind(of.kind),
        "hours": describe_kind(of),
        "figures": figure_table(before, after).fill(
            groups=study_groups(of, result), file_name=f"study-{of.pk}"
        ),
        "causes": causes[:-1],
        "causes_total": causes[-1] if causes else "",
        "cause_rows": of.causes.all(),
        "scaling": write_scaling(of, result),
        "next_limits": next_limits_table(of).fill(propose_next_limits(of, result))
        if result.is_over
        else None,
        "forms": typed,
        "test": describe_test(of),
        "noise": write_noise(result),
        "is_over": result.is_over,
        "can_change": may_change(request) and of.closed_at is None,
    }
