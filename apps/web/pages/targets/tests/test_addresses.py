"""Registering and re-pointing targets: tested before anything is saved, and bad input answered by a sentence."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from apps.collection.models import ConnectionTest
from apps.inventory.models import Credential, Target
from apps.inventory.register import BadTarget, register_target
from apps.platforms.linux.keys import fingerprint_of, key_line
from apps.platforms.linux.tests.test_ssh import sshd as sshd  # a real one, on loopback
from apps.web import read_now
from testing.oracle_server import Clock, OracleServer, instance

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 2, 17, tzinfo=UTC)
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7c+qVvE1H9gOJlX7V0nCzHlyVKFB3MEr4wGvUPtTtm"


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The targets that were put into the queue to be read."""
    tests: list[int] = []
    monkeypatch.setattr(read_now, "collect_at_once", lambda pk, **how: tests.append(pk))
    return tests


@pytest.fixture
def server() -> Iterator[OracleServer]:
    database = instance("GISPRD", clock=Clock(NOW), started_at=NOW - timedelta(days=9))
    with OracleServer(database, service="GISPRD", users={"HEADROOM": "secret-of-gis"}) as server:
        yield server


def text(response) -> str:
    return str(response.content.decode()).replace("&#x27;", "'").replace("&quot;", '"')


def token_in(page: str) -> str:
    """What the page calls the test it made."""
    match = re.search(r'name="tested"\s+value="([^"]+)"', page)
    assert match, "no test"
    return match[1]


INSTANCE = {
    "name": "PAYPRD", "host": "db01", "port": "1521", "service": "pay", "username": "HR", "password": "tiger",
    "time_zone": "UTC", "protocol": "tcp",
}  # fmt: skip
HOST = {
    "name": "db01", "host": "db01.example.com", "port": "22", "username": "headroom", "password": "lion",
    "time_zone": "UTC", "host_key": KEY,
}  # fmt: skip
LONG = "x" * 90

WRONG_INSTANCES = {
    "no name": ({"name": "  "}, "Name is missing. What people call it; it stands on every page."),
    "a long name": ({"name": LONG}, "Name has 90 characters; at most 80 are possible."),
    "a port in words": ({"port": "oracle"}, "“oracle” is not a whole number from 1 to 65,535."),
    "a port too high": ({"port": "99999"}, "“99999” is not a whole number from 1 to 65,535."),
    "a URL": ({"host": "http://db01/"}, "“http://db01/” is not the name of a host"),
    "host and port in one": ({"host": "db01:1521"}, "“db01:1521” has a port in it; give the host alone"),
    "a blank in the host": ({"host": "db 01"}, "“db 01” is not the name or address of a host"),
    "brackets in the service": ({"service": "pay)(X=y"}, "“pay)(X=y” is not a service"),
    "a SID of two words": ({"service": "", "sid": "PAY PRD"}, "“PAY PRD” is not a SID"),
    "neither service nor SID": ({"service": ""}, "Give the service, or the SID where there is none."),
    "a descriptor without a host": ({"descriptor": "(DESCRIPTION=(X=y))"}, "The descriptor names no host"),
    "a descriptor of nonsense": (
        {"descriptor": "(DESCRIPTION=(ADDRESS=(HOST=a)(PORT=many))(CONNECT_DATA=(SERVICE_NAME=s)))"},
        "The descriptor is not understood",
    ),
    "an unknown protocol": ({"protocol": "ipx"}, "Protocol: “ipx” is not one of those offered"),
    "a wallet somewhere": ({"wallet": "wallet"}, "“wallet” is not a whole path"),
    "a name without a sign": ({"server_dn": "db01"}, "“db01” is not a distinguished name"),
    "no user": ({"username": ""}, "User is missing. An account that may read v$ views and nothing else."),
    "no password": ({"password": ""}, "Password is missing."),
    "a time zone on Mars": ({"time_zone": "Mars/Olympus"}, "“Mars/Olympus” is not a time zone"),
    "no time zone": ({"time_zone": ""}, "Time zone is missing."),
    "a character nobody types": ({"name": "PAY\0PRD"}, "Name has a character in it that nobody can type"),
}  # fmt: skip

WRONG_HOSTS = {
    "no name": ({"name": ""}, "Name is missing."),
    "a long name": ({"name": LONG}, "Name has 90 characters; at most 80 are possible."),
    "no host": ({"host": ""}, "Host is missing. Name or address."),
    "a user in the host": ({"host": "root@db01"}, "“root@db01” is not the name or address of a host"),
    "a port in words": ({"port": "ssh"}, "“ssh” is not a whole number from 1 to 65,535."),
    "port nought": ({"port": "0"}, "“0” is not a whole number from 1 to 65,535."),
    "no user": ({"username": ""}, "User is missing. An ordinary account"),
    "no key of the host": ({"host_key": ""}, "Nobody knows its host key yet; Test connection fetches it"),
    "a cut key": ({"host_key": KEY[:40]}, "is not a host key; give a line such as ssh-ed25519 AAAA…"),
    "a private key": ({"host_key": "-----BEGIN OPENSSH PRIVATE KEY-----"}, "is not a host key"),
    "no way in": ({"password": ""}, "Give the path of a private key, or a password below."),
    "a key somewhere": ({"key": "id_ed25519"}, "“id_ed25519” is not a whole path"),
    "a time zone on Mars": ({"time_zone": "Mars/Olympus"}, "“Mars/Olympus” is not a time zone"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "sentence"), WRONG_INSTANCES.values(), ids=WRONG_INSTANCES)
def test_what_cannot_be_an_instance_gets_a_sentence_and_is_shown_again(planner, queued, fields, sentence):
    page = text(planner.post(reverse("target_add", args=["instance"]), INSTANCE | fields))

    assert sentence in page
    assert not Target.objects.exists()
    assert "tiger" not in page
    typed = INSTANCE | fields
    assert f'value="{typed["environment"] if "environment" in typed else typed["port"]}"' in page


@pytest.mark.parametrize(("fields", "sentence"), WRONG_HOSTS.values(), ids=WRONG_HOSTS)
def test_what_cannot_be_a_host_gets_a_sentence(planner, queued, fields, sentence):
    page = text(planner.post(reverse("target_add", args=["host"]), HOST | fields))

    assert sentence in page
    assert not Target.objects.exists()
    assert "lion" not in page


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Name is missing."),
        ({"name": "hrprd"}, "There is a target named HRPRD already; choose another name."),
        ({"name": LONG}, "Name has 90 characters; at most 80 are possible."),
        ({"collect_at": "noon"}, "“noon” is not a time of day; give one such as 00:05."),
        ({"collect_at": "25:00"}, "“25:00” is not a time of day"),
        ({"interval_minutes": "often"}, "“often” is not a whole number"),
        ({"interval_minutes": "-5"}, "“-5” is not a whole number"),
        ({"interval_minutes": "7"}, "7 does not divide a day; give 1440, or for example 5, 15 or 60."),
        ({"time_zone": "Nowhere"}, "“Nowhere” is not a time zone"),
        ({"owner": "4711"}, "Owner: “4711” is not one of those offered"),
        ({"runs_on": "4711"}, "Runs on host: “4711” is not one of those offered"),
    ],
)
def test_what_cannot_be_said_of_a_target_gets_a_sentence(planner, queued, fields, sentence):
    target = registered("PAYPRD")
    registered("HRPRD")
    sound = {"name": "PAYPRD", "time_zone": "UTC", "collect_at": "00:05", "interval_minutes": "1440"}

    page = text(planner.post(reverse("target_edit", args=[target.pk]), sound | fields))

    assert sentence in page
    target.refresh_from_db()
    assert (target.name, target.interval_minutes) == ("PAYPRD", 1440)


def registered(name: str, **more) -> Target:
    fields: dict[str, Any] = {
        "kind": "instance", "platform": "oracle", "collector": "oracle", "address": {}, "now": NOW,
    } | more  # fmt: skip
    return register_target(name, **fields)


@pytest.mark.parametrize("name", ["PAYPRD", "payprd", " PayPrd ", "pay prd"])
def test_names_are_unique_whatever_their_case(name):
    registered("PAYPRD" if " " not in name.strip() else "PAY PRD")

    with pytest.raises(BadTarget, match=r"There is a target named PAY ?PRD already; choose another name"):
        registered(name)
    with pytest.raises(IntegrityError), transaction.atomic():
        Target.objects.create(name=name.strip(), kind="host", registered_at=NOW)


def test_of_older_names_that_differ_in_case_alone_the_later_one_gets_a_number():
    migration = import_module("apps.inventory.migrations.0005_target_names_in_any_case")
    [constraint] = [
        constraint for constraint in Target._meta.constraints if constraint.name == "target_names_in_any_case"
    ]
    with connection.schema_editor() as editor:
        editor.remove_constraint(Target, constraint)
    for name in ("PAYPRD", "payprd", "payprd (2)", "PayPrd", LONG[:80], LONG[:80].upper()):
        Target.objects.create(name=name, kind="host", registered_at=NOW)

    migration.tell_apart(apps, None)

    names = list(Target.objects.order_by("pk").values_list("name", flat=True))
    assert names == [
        "PAYPRD", "payprd (2)", "payprd (2) (2)", "PayPrd (3)", LONG[:80], f"{LONG[:76].upper()} (2)",
    ]  # fmt: skip


def test_a_target_may_be_renamed_in_its_own_letters(planner, queued):
    target = registered("PAYPRD")
    form = {"name": "PayPrd", "time_zone": "UTC", "collect_at": "00:05", "interval_minutes": "1440"}

    planner.post(reverse("target_edit", args=[target.pk]), form)

    target.refresh_from_db()
    assert target.name == "PayPrd"


def test_a_host_is_tested_its_key_compared_and_then_saved(planner, queued, sshd):
    form = {
        "name": "here", "host": "127.0.0.1", "port": str(sshd.port), "username": sshd.user, "key": sshd.key_file,
        "time_zone": "UTC",
    }  # fmt: skip
    fingerprint = fingerprint_of(sshd.host_key)
    address = reverse("target_add", args=["host"])

    first = text(planner.post(address, form | {"test": "1"}))
    host_keys = {"host_key": key_line(sshd.host_key), "fetched": key_line(sshd.host_key)}
    unsaid = text(planner.post(address, form | host_keys))
    second = text(planner.post(address, form | host_keys | {"test": "1", "is_compared": "on"}))
    assert not Target.objects.exists()
    response = planner.post(address, form | host_keys | {"is_compared": "on"})

    assert f"It presents an ssh-ed25519 key with the fingerprint {fingerprint}." in first
    assert "ssh-keygen -lf" in first
    assert "may sign in" not in first
    assert f"The host itself says {fingerprint}" in first
    assert key_line(sshd.host_key) in first
    assert "Compare the fingerprint with the host's own, and say so here." in unsaid
    assert f"It presents the key that was given, {fingerprint}." in second
    assert f"{sshd.user} may sign in." in second
    assert re.search(r"\d+ of \d+ can be read\.", second)
    assert response.status_code == 302
    target = Target.objects.get()
    assert fingerprint_of(target.address["host_key"]) == fingerprint
    assert target.address["key_file"] == sshd.key_file
    assert queued == [target.pk]


def test_a_host_with_another_key_than_the_one_given_is_not_signed_in_to(planner, queued, sshd):
    form = {
        "name": "here", "host": "127.0.0.1", "port": str(sshd.port), "username": sshd.user, "password": "lion",
        "time_zone": "UTC", "host_key": KEY, "test": "1",
    }  # fmt: skip

    page = text(planner.post(reverse("target_add", args=["host"]), form))

    assert f"It presents another key ({fingerprint_of(sshd.host_key)}) than the one given" in page
    assert "may sign in" not in page


def test_a_line_of_known_hosts_will_do_as_a_host_key(planner, queued):
    form = HOST | {"host_key": f"# db01:22 SSH-2.0-OpenSSH_9.2\ndb01 {KEY} root@db01"}

    planner.post(reverse("target_add", args=["host"]), form)

    assert Target.objects.get().address["host_key"] == KEY


def test_an_instance_is_pointed_somewhere_else_after_a_test_with_its_password_typed_once(
    planner, queued, server
):
    target = registered(
        "GISPRD",
        address={"host": "old", "port": 1521, "service": "OLD"},
        username="HEADROOM",
        password="secret-of-gis",
    )
    Target.objects.filter(pk=target.pk).update(blocked_because="Its address is wrong.")
    address = reverse("target_address", args=[target.pk])
    form = {"host": "127.0.0.1", "port": str(server.port), "service": "GISPRD", "protocol": "tcp"}

    before = text(planner.get(address))
    tested = text(planner.post(address, form | {"password": "secret-of-gis", "test": "1"}))
    target.refresh_from_db()
    assert target.address["host"] == "old"
    response = planner.post(address, form | {"tested": token_in(tested)})

    assert 'value="old"' in before
    assert "HEADROOM may sign in." in tested
    assert "secret-of-gis" not in tested
    assert response.status_code == 302
    target.refresh_from_db()
    assert target.address == {"host": "127.0.0.1", "port": server.port, "service": "GISPRD"}
    assert not target.is_blocked
    credential = Credential.objects.get(target=target)
    assert (credential.username, credential.peek_at(target.address)) == ("HEADROOM", "secret-of-gis")
    assert not ConnectionTest.objects.exists()
    assert queued == [target.pk]


def test_processes_of_a_host_are_read_when_they_are_chosen_and_the_password_stays(planner, queued):
    planner.post(reverse("target_add", args=["host"]), HOST | {"host_key": KEY, "password": "lion of db01"})
    target = Target.objects.get()
    assert "processes" not in target.address
    form = {name: str(target.address[name]) for name in ("host", "port", "host_key")}
    form["key"] = target.address["key_file"]

    planner.post(reverse("target_address", args=[target.pk]), form | {"processes": "on"})

    target.refresh_from_db()
    assert target.address["processes"] is True
    assert "with processes" in text(planner.get(reverse("target_address", args=[target.pk])))
    assert Credential.objects.get(target=target).peek_at(target.address) == "lion of db01"
    planner.post(reverse("target_address", args=[target.pk]), form)
    target.refresh_from_db()
    assert "processes" not in target.address


def test_a_host_whose_key_changed_gets_another_after_a_look_at_it(planner, queued, sshd):
    target = registered(
        "here", kind="host", platform="linux", collector="linux-ssh", username=sshd.user, password="",
        address={"host": "127.0.0.1", "port": sshd.port, "user": sshd.user, "key_file": sshd.key_file, "host_key": KEY},
    )  # fmt: skip
    address = reverse("target_address", args=[target.pk])
    form = {"host": "127.0.0.1", "port": str(sshd.port), "key": sshd.key_file, "host_key": ""}

    first = text(planner.post(address, form | {"test": "1"}))
    host_keys = {"host_key": key_line(sshd.host_key), "fetched": key_line(sshd.host_key), "is_compared": "on"}
    planner.post(address, form | host_keys)

    assert fingerprint_of(sshd.host_key) in first
    target.refresh_from_db()
    assert target.address["host_key"] == key_line(sshd.host_key)
    assert target.address["user"] == sshd.user


def test_an_address_that_cannot_be_is_not_saved(planner, queued):
    target = registered("GISPRD", address={"host": "old", "port": 1521, "service": "OLD"})

    page = text(
        planner.post(
            reverse("target_address", args=[target.pk]), {"host": "a b", "port": "x", "service": "s"}
        )
    )

    assert "“a b” is not the name or address of a host" in page
    target.refresh_from_db()
    assert target.address["host"] == "old"


def test_what_is_not_read_over_a_network_has_no_address(planner, queued):
    target = registered("this machine", kind="host", platform="linux", collector="linux")

    response = planner.get(reverse("target_address", args=[target.pk]))

    assert "this machine has no address of its own" in text(response)
