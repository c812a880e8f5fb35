"""Tests of connections: asked for by a form, made by a worker, shown beside the form."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from apps.collection.connection import CannotTest, ask_test, find_test, steps_of
from apps.collection.models import ConnectionTest
from apps.inventory.models import Target
from apps.people.models import User
from apps.web.pages.targets.address_forms import HostForm, InstanceForm
from apps.web.pages.targets.form_page import WHO_IT_IS
from apps.web.rights import planner_required
from worker.tasks import try_at_once

TESTED = "tested"  # the field that names the test the page made last


def ask(
    request: HttpRequest,
    form: InstanceForm | HostForm,
    collector: str,
    target: Target | None = None,
) -> ConnectionTest | None:
    """The test of what was typed, under way; none where it may not be made now, and a message says why."""
    assert isinstance(request.user, User)
    try:
        test = ask_test(
            request.user,
            str(request.session.session_key),
            target=target,
            collector=collector,
            address=form.address,
            username=form.account,
            typed=form.secrets,
        )
    except CannotTest as error:
        messages.warning(request, str(error))
        return form.test
    try_at_once(test.pk)
    test.refresh_from_db()
    return test


def test_made(request: HttpRequest) -> ConnectionTest | None:
    """The test that this page made last, if the same person asked for it in the same session."""
    assert isinstance(request.user, User)
    return find_test(request.user, str(request.session.session_key), request.POST.get(TESTED, ""))


def forget(test: ConnectionTest | None) -> None:
    """What was typed is kept with its target from now on."""
    if test is not None:
        test.delete()


def fetched_key(form: HostForm) -> str:
    """The host key that a test of this page has brought, where nobody gave one."""
    test = form.test
    is_open = test is not None and form.is_testing and not form.data.get("host_key")
    return test.host_key if is_open and test and not test.address.get("host_key") else ""


def shown_test(test: ConnectionTest | None) -> dict[str, Any]:
    """What a page shows of a test: its steps, or that they are waited for."""
    steps = steps_of(test) if test else None
    return {"test": test, "steps": steps, "is_under_way": test is not None and steps is None}


@planner_required
def connection_test(request: HttpRequest, token: str) -> HttpResponse:
    """What came of a test, for the page that waits for it; 204 while it is under way."""
    assert isinstance(request.user, User)
    test = find_test(request.user, str(request.session.session_key), token)
    if test is None:
        raise Http404("This test is not known: it was made more than 15 minutes ago, or by somebody else.")
    shown = shown_test(test)
    if shown["is_under_way"]:
        return HttpResponse(status=204)
    if test.host_key and not test.address.get("host_key"):
        form = HostForm({"host_key": test.host_key, "fetched": test.host_key, "test": "1"})
        shown |= {"host_key_group": host_key_group(form), "fetched": test.host_key}
    return render(request, "pages/targets/connection_test.html", shown | {"can_test": True})


def host_key_group(form: HostForm) -> tuple[str, list[Any]]:
    """The box of the host key, and the question whether it was compared where it came over the network."""
    if form.has_fetched:
        return WHO_IT_IS, [form["host_key"], form["is_compared"]]
    return WHO_IT_IS, [form["host_key"]]
