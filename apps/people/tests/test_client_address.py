"""Where a request comes from: only trusted proxies are believed, and only as far as they wrote it themselves."""

from ipaddress import ip_network

import pytest
from django.test import RequestFactory

from apps.people.client_address import client_address, client_network

PROXIES = [ip_network("10.0.0.0/24"), ip_network("127.0.0.1")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # not a proxy of ours: it may say what it likes
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),  # the client made up the first one
        ("127.0.0.1", "198.51.100.1, 10.0.0.7", "198.51.100.1"),  # two proxies of ours
        ("127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("127.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("127.0.0.1", "198.51.100.1, nonsense", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("", "198.51.100.1", "0.0.0.0"),
    ],
)
def test_the_client_is_whom_the_last_trusted_proxy_saw(settings, peer, forwarded, client):
    settings.HEADROOM_TRUSTED_PROXIES = PROXIES
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}

    request = RequestFactory().get("/", REMOTE_ADDR=peer, **headers)

    assert str(client_address(request)) == client


def test_without_a_setting_no_proxy_is_believed():
    request = RequestFactory().get("/", REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.1")

    assert str(client_address(request)) == "127.0.0.1"


def test_one_customer_of_ipv6_is_one_place():
    first, second = (
        client_network(RequestFactory().get("/", REMOTE_ADDR=address))
        for address in ("2001:db8:1:2::7", "2001:db8:1:2:ffff::8")
    )

    assert first == second == "2001:db8:1:2::"
