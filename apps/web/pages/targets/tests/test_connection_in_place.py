"""Test connection without leaving the page: what was typed stays in the browser, and never comes back from the server."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection import collector
from apps.collection.collector import Account, ConnectionResult, ConnectionStep
from apps.inventory.models import Target
from apps.people.models import User
from apps.web import read_now

pytestmark = pytest.mark.django_db
TYPED = {
    "name": "FINPRD", "host": "dbx-fin01", "port": "1521", "service": "finprd", "username": "HEADROOM",
    "password": "seven lamps", "time_zone": "UTC",
}  # fmt: skip
GRANT = "GRANT READ ON sys.dba_segments TO HEADROOM;"


def answer(*steps: ConnectionStep) -> Any:
    def test(address: Mapping[str, Any], account: Account) -> ConnectionResult:
        return ConnectionResult(steps)

    return test


REACHED = ConnectionStep("Network", True, "dbx-fin01:1521 answers.", 0.1)
READABLE = ConnectionStep("v$sysstat", True, "Readable.", 0.1, is_source=True)
REFUSED = ConnectionStep(
    "dba_segments", False, "HEADROOM may not read it.", 0.1, script=GRANT, is_source=True
)
UNKNOWN = ConnectionStep("Network", False, "Its host name is not known.", 0.1, remedy="Correct it.")


def pressed(client: Client, typed: Mapping[str, str] = TYPED) -> str:
    address = reverse("target_add", args=["instance"])
    return unescape(client.post(address, {**typed, "test": "1"}, headers={"HX-Request": "true"}).text)


def test_a_test_answers_with_the_part_of_the_page_that_changes(planner, monkeypatch):
    monkeypatch.setitem(collector._testers, "oracle", answer(REACHED, READABLE, REFUSED))

    part = pressed(planner)

    assert "<form" not in part
    assert "seven lamps" not in part
    assert (
        "<strong>finprd answers; one grant is missing.</strong> You can save now and add them later." in part
    )
    assert "1 of 2 can be read." in part
    assert f'<pre id="missing-grants" tabindex="0">{GRANT}</pre>' in part
    assert not Target.objects.exists()


def test_advice_is_a_sentence_and_not_a_script(planner, monkeypatch):
    monkeypatch.setitem(collector._testers, "oracle", answer(UNKNOWN))

    part = pressed(planner)

    assert "<strong>Correct it.</strong>" in part
    assert "<pre" not in part
    assert "finprd was not reached." in part


def test_what_is_wrong_is_said_beside_a_form_that_stays(planner):
    part = pressed(planner, TYPED | {"name": "", "port": "99999"})

    assert '<a href="#id_name">Name</a>: Name is missing.' in part
    assert "“99999” is not a whole number from 1 to 65,535." in part
    assert "<form" not in part


def test_what_was_typed_for_the_test_is_saved_without_typing_it_again(planner, monkeypatch):
    monkeypatch.setitem(collector._testers, "oracle", answer(REACHED, READABLE))
    monkeypatch.setattr(read_now, "collect_at_once", lambda pk, **how: None)
    token = re.search(r'name="tested"\s+value="([^"]+)"', pressed(planner))
    assert token

    planner.post(
        reverse("target_add", args=["instance"]), TYPED | {"password": "", "tested": token[1]}, follow=True
    )

    credential = Target.objects.get(name="FINPRD").credentials.get()
    assert credential.peek_at(credential.target.address) == "seven lamps"


def test_group_environment_and_owner_are_chosen_or_added(planner, monkeypatch):
    monkeypatch.setattr(read_now, "collect_at_once", lambda pk, **how: None)
    owner = User.objects.create(username="haddad")
    whose = {"group_name": "Finance", "environment": "production", "owner": str(owner.pk)}

    planner.post(reverse("target_add", args=["instance"]), TYPED | whose)

    target = Target.objects.get(name="FINPRD")
    assert (str(target.group), target.environment, target.owner) == ("Finance", "production", owner)


def test_six_fields_are_open_and_the_rest_is_folded_until_it_is_used(planner):
    address = reverse("target_add", args=["instance"])
    empty = planner.get(address).text
    used = planner.post(address, TYPED | {"name": "", "sid": "FIN"}).text

    assert '<details class="fold more-ways" >' in empty
    assert '<details class="fold more-ways" open>' in used
    first = empty.partition('class="fold more-ways"')[0]
    assert re.findall(r'<label for="id_(\w+)"', first) == [
        "name", "host", "port", "service", "username", "password",
    ]  # fmt: skip


def test_before_a_test_the_script_of_the_account_stands_there_to_be_copied(planner):
    page = planner.get(reverse("target_add", args=["instance"])).text

    assert "CREATE USER HEADROOM" in page
    assert "GRANT READ ON sys.v_$sysstat TO HEADROOM;" in page


def test_a_time_zone_in_other_letters_is_refused_with_its_spelling(planner):
    page = planner.post(reverse("target_add", args=["instance"]), TYPED | {"time_zone": "europe/berlin"}).text

    assert "“europe/berlin” is not a time zone; it is spelled Europe/Berlin." in unescape(page)
