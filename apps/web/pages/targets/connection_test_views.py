"""Tests of connections: asked for by a form, made by a worker, parts beside the form."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from apps.collection.connection import CannotTest, ask_test, find_test, steps_of
from apps.collection.models import ConnectionTest
from apps.inventory.form_errors import label_of
from apps.inventory.models import Target
from apps.people.models import User
from apps.platforms.forms import SecretForm
from apps.platforms.registration import registration_of
from apps.web.pages.targets.connection_report import ConnectionReport
from apps.web.rights import planner_required
from worker.tasks import try_at_once

TESTED = "tested"  # the field that names the test the page made last


def ask(
    request: HttpRequest, form: SecretForm, collector: str, target: Target | None = None
) -> ConnectionTest | None:
    """The test of what was typed, under way; none where it may not be made now, and a message says why."""
    try:
        return _begin_test(request, form, collector, target)
    except CannotTest as error:
        messages.warning(request, str(error))
        return form.test


def answer_in_place(
    request: HttpRequest, form: SecretForm, collector: str, target: Target | None = None
) -> HttpResponse:
    """The test, or what is to be corrected first, for a page that stays as it is with all that was typed."""
    if not form.is_valid():
        return _show_part(request, {"wrong": _sentences(form)})
    try:
        test = _begin_test(request, form, collector, target)
    except CannotTest as error:
        return _show_part(request, {"wrong": [("", "", str(error))]})
    parts = show_test(test)
    return _show_part(request, parts if parts["is_under_way"] else parts | _late(test))


def _begin_test(
    request: HttpRequest, form: SecretForm, collector: str, target: Target | None
) -> ConnectionTest:
    assert isinstance(request.user, User)
    test = ask_test(
        request.user,
        str(request.session.session_key),
        target=target,
        collector=collector,
        address=form.address,
        username=form.account,
        typed=form.secrets,
    )
    try_at_once(test.pk)
    test.refresh_from_db()
    return test


def _sentences(form: SecretForm) -> list[tuple[str, str, str]]:
    """What is wrong: the id of the field, what it is called, and the sentence."""
    return [
        (form[name].auto_id, label_of(form, name), str(sentence))
        for name, sentences in form.errors.items()
        if name in form.fields
        for sentence in sentences
    ] + [("", "", str(sentence)) for sentence in form.non_field_errors()]


def _show_part(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    return render(
        request, "pages/targets/connection_test.html", context | {"can_test": True, "is_part": True}
    )


def test_made(request: HttpRequest) -> ConnectionTest | None:
    """The test that this page made last, if the same person asked for it in the same session."""
    assert isinstance(request.user, User)
    return find_test(request.user, str(request.session.session_key), request.POST.get(TESTED, ""))


def forget(test: ConnectionTest | None) -> None:
    """What was typed is kept with its target from now on."""
    if test is not None:
        test.delete()


def show_test(test: ConnectionTest | None) -> dict[str, Any]:
    """What a page shows of a test: its report, or that it is waited for."""
    steps = steps_of(test) if test else None
    name = _name_of(test) if test else ""
    return {
        "test": test,
        "report": None if steps is None else ConnectionReport(name, steps),
        "is_under_way": test is not None and steps is None,
    }


def _name_of(test: ConnectionTest) -> str:
    """What the tested place is called: by its target, else by where it is."""
    if test.target is not None:
        return test.target.name
    return str(test.address.get("service") or test.address.get("sid") or test.address.get("host") or "It")


@planner_required
def connection_test(request: HttpRequest, token: str) -> HttpResponse:
    """What came of a test, for the page that waits for it; 204 while it is under way."""
    assert isinstance(request.user, User)
    test = find_test(request.user, str(request.session.session_key), token)
    if test is None:
        raise Http404("This test has expired: it was made more than 15 minutes ago, or by somebody else.")
    parts = show_test(test)
    return HttpResponse(status=204) if parts["is_under_way"] else _show_part(request, parts | _late(test))


def _late(test: ConnectionTest) -> dict[str, Any]:
    """The group of boxes that takes the place of the one on the page, where the test brought what belongs into it."""
    registration = registration_of(test.collector)
    if registration is None:
        return {}
    kind = registration.load_form()
    fetched = kind({"test": "1"}, test=test).fetched
    if fetched is None:
        return {}
    form = kind(fetched)
    fields = dict(form.field_groups)[form.late_group]
    return {"late_group": (form.late_group, fields), "fetched": fetched["fetched"]}
