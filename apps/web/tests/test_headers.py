"""S14: what answers say to browsers; test_pages.py looks at those of every page."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["sign_in", "risks"])
def test_no_answer_stays_in_a_cache_or_uses_a_device(client: Client, address: str):
    response = client.get(reverse(address))

    assert "no-store" in response["Cache-Control"]
    assert "microphone=()" in response["Permissions-Policy"]


def test_static_files_may_be_kept_and_are_for_our_pages_alone(client: Client):
    response = client.get("/static/js/keys.js")

    assert (response.status_code, response["Cache-Control"]) == (200, "max-age=60, public")
    assert "Last-Modified" in response
    assert "Access-Control-Allow-Origin" not in response
    unchanged = client.get("/static/js/keys.js", headers={"If-Modified-Since": response["Last-Modified"]})
    assert unchanged.status_code == 304
