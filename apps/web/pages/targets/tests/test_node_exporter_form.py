"""A host is registered by the page of its node_exporter: tested before it is saved, and bad input answered by a sentence."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.collection.collect import collect_target
from apps.inventory.models import Credential, Deed, Target
from apps.platforms.linux.tests.exporter_server import PAGE, answer, exporter, make_certificate, public_part
from apps.web.pages.targets.tests.test_addresses import queued, registered, text, token_in

__all__ = ["queued"]

pytestmark = pytest.mark.django_db
ADD = "host-by-node-exporter"
TYPED = {
    "name": "db01", "host": "127.0.0.1", "port": "9100", "path": "/metrics", "protocol": "http", "certificate": "",
    "username": "", "password": "", "time_zone": "UTC",
}  # fmt: skip
SECURE = {"protocol": "https", "username": "prom", "password": "lion of prom"}

WRONG = {
    "no host": ({"host": ""}, "Host is missing. Name or address."),
    "a URL": ({"host": "http://db01/"}, "“http://db01/” is not the name of a host"),
    "a port in words": ({"port": "metrics"}, "“metrics” is not a whole number from 1 to 65,535."),
    "a path without a slash": ({"path": "metrics"}, "“metrics” is not the path of a page"),
    "a path with a blank": ({"path": "/a b"}, "“/a b” is not the path of a page"),
    "a password in the open": (SECURE | {"protocol": "http"}, "A password is sent over HTTPS alone; choose it."),
    "a password of nobody": (SECURE | {"username": ""}, "Give the user whose password it is."),
    "a user without a password": (SECURE | {"password": ""}, "Password is missing."),
    "no certificate": ({"protocol": "https", "certificate": "lion"}, "That is no certificate in PEM"),
    "a certificate in letters of nobody": ({"protocol": "https", "certificate": "löwe"}, "That is no certificate"),
    "a user with a colon": (SECURE | {"username": "a:b"}, "A user has no colon in its name"),
    "another protocol": ({"protocol": "gopher"}, "“gopher” is not one of those offered"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "sentence"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_gets_a_sentence_and_is_shown_again(planner, queued, fields, sentence):
    page = text(planner.post(reverse("target_add", args=[ADD]), TYPED | fields))

    assert sentence in page
    assert "lion of prom" not in page
    assert not Target.objects.exists()


def test_a_host_is_tested_saved_and_read_at_once(planner, queued):
    with exporter(answer()) as server:
        typed = TYPED | {"port": str(server.port)}
        tested = text(planner.post(reverse("target_add", args=[ADD]), typed | {"test": "1"}))
        response = planner.post(reverse("target_add", args=[ADD]), typed | {"tested": token_in(tested)})

    assert f"127.0.0.1:{server.port} answers." in tested
    assert "It tells of a Linux host." in tested
    assert response.status_code == 302
    target = Target.objects.get()
    assert (target.collector, target.interval_minutes) == ("linux-node-exporter", 5)
    assert queued == [target.pk]
    assert not Credential.objects.exists()
    record = text(planner.get(reverse("target_address", args=[target.pk])))
    assert f"http://127.0.0.1:{server.port}/metrics" in record


def test_what_is_no_node_exporter_is_said_before_anything_is_saved(planner, queued):
    with exporter(answer("mysql_up 1\n")) as server:
        page = text(
            planner.post(reverse("target_add", args=[ADD]), TYPED | {"port": str(server.port), "test": "1"})
        )

    assert "none of its series begins with node_" in page
    assert not Target.objects.exists()


def test_a_password_is_kept_for_one_place_and_sent_to_no_other(planner, queued, tmp_path):
    certificate = make_certificate(tmp_path)
    with exporter(answer(), certificate) as server, exporter(answer(), certificate) as other:
        typed = TYPED | SECURE | {"port": str(server.port), "certificate": public_part(certificate)}
        planner.post(reverse("target_add", args=[ADD]), typed)
        target = Target.objects.get()
        address = reverse("target_address", args=[target.pk])
        moved = {name: typed[name] for name in ("host", "path", "protocol", "certificate")}
        refused = text(planner.post(address, moved | {"port": str(other.port), "test": "1"}))
        same = text(planner.post(address, moved | {"port": str(server.port), "test": "1"}))

    assert "The password was saved for another address; type it again." in refused
    assert other.requests == []
    assert "It is that of a node_exporter." in same
    assert "Authorization: Basic " in server.requests[-1]
    assert Credential.objects.get().peek_at(target.address) == "lion of prom"


def test_a_host_without_a_password_gets_another_address(planner, queued):
    target = registered(
        "db01", kind="host", platform="linux", collector="linux-node-exporter", username="", password="",
        address={"host": "old", "port": 9100, "path": "/metrics", "protocol": "http", "certificate": "", "user": ""},
    )  # fmt: skip
    address = reverse("target_address", args=[target.pk])

    with exporter(answer()) as server:
        typed = {"host": "127.0.0.1", "port": str(server.port), "path": "/metrics", "protocol": "http"}
        tested = text(planner.post(address, typed | {"test": "1"}))
        response = planner.post(address, typed | {"tested": token_in(tested)})

    assert "It tells of a Linux host." in tested
    assert response.status_code == 302
    target.refresh_from_db()
    assert target.address["port"] == server.port
    assert Deed.objects.filter(target=target, kind=Deed.Kind.CONNECTION_TESTED).exists()


def test_a_host_that_had_no_password_gets_one_with_its_address(planner, queued, tmp_path):
    target = registered(
        "db01", kind="host", platform="linux", collector="linux-node-exporter", username="", password="",
        address={"host": "127.0.0.1", "port": 9100, "path": "/metrics", "protocol": "http", "certificate": "", "user": ""},
    )  # fmt: skip
    address, certificate = reverse("target_address", args=[target.pk]), make_certificate(tmp_path)
    with exporter(answer(), certificate) as server:
        typed = {
            "host": "127.0.0.1",
            "port": str(server.port),
            "path": "/metrics",
            "certificate": public_part(certificate),
        }
        in_the_open = text(planner.post(address, typed | SECURE | {"protocol": "http", "certificate": ""}))
        without = text(planner.post(address, typed | SECURE | {"password": ""}))
        nobody = text(planner.post(address, typed | SECURE | {"username": ""}))
        assert not Credential.objects.exists()
        tested = text(planner.post(address, typed | SECURE | {"test": "1"}))
        again = {name: value for name, value in SECURE.items() if name != "password"}
        response = planner.post(address, typed | again | {"tested": token_in(tested)})

    assert "A password is sent over HTTPS alone; choose it." in in_the_open
    assert "Password is missing." in without
    assert "Give the user whose password it is." in nobody
    assert "It tells of a Linux host." in tested
    assert "lion of prom" not in tested
    assert response.status_code == 302
    target.refresh_from_db()
    credential = Credential.objects.get(target=target)
    assert (credential.username, credential.peek_at(target.address)) == ("prom", "lion of prom")
    assert target.address["user"] == "prom"
    assert 'name="username"' not in text(planner.get(address))  # its account stays from now on


def test_hst13_what_a_page_does_not_tell_is_listed_with_what_would(planner):
    now = timezone.now().replace(second=0, microsecond=0)
    target = registered(
        "db01", kind="host", platform="linux", collector="linux-node-exporter", username="", password=""
    )
    for back in (10, 0):
        moment = now - timedelta(minutes=back)
        with exporter(answer(PAGE.replace("1.7000036005e+09", str(moment.timestamp())))) as server:
            target.address = {"host": "127.0.0.1", "port": server.port, "user": ""}
            assert collect_target(target, moment, now).state == "complete"

    profile = text(planner.get(target.get_absolute_url()))

    assert "Not measurable here" in profile
    assert "A page has none; a host that is read over SSH shows them." in profile
    assert "Linux keeps no count for the host as a whole." in profile
