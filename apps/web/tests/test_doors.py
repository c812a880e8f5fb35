"""S4, S11, S14: what is typed or sent to break a page is answered by a sentence, and nothing is saved."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import prepare
from apps.inventory.models import Target
from apps.platforms.oracle.target_list import MOST
from apps.thresholds.models import Threshold
from apps.web import read_now
from apps.web.tests.addresses import POSTS
from worker.schedule import install_schedule

LIST = "name,host,port,service,user,password\nPAYPRD,db01,1521,pay,HR,tiger\n"


@pytest.fixture
def planner(planner: Client) -> Client:
    planner.raise_request_exception = False
    return planner


def text(response) -> str:
    return str(response.content.decode()).replace("&#x27;", "'").replace("&quot;", '"').replace("&amp;", "&")


@pytest.mark.parametrize("job", ["x", "", "9" * 5000, "-1", "\0"])
def test_a_job_that_is_none_is_not_found(planner, job):
    install_schedule()

    answer = planner.post(reverse("schedules"), {"job": job, "hour": "1", "minute": "1"})

    assert answer.status_code == 404
    assert "There is no such page." in text(answer)


@pytest.mark.parametrize(
    ("pack", "sentence"),
    [
        ("limits: " + "1" * 5000, "A pack has a list named limits"),
        ("limits: 2026-99-99", "A pack has a list named limits"),
        ("limits: !!int 'z'", "There is a tag (tag:yaml.org,2002:int) at line 1"),
        ("limits: !!float 'z'", "There is a tag (tag:yaml.org,2002:float) at line 1"),
        ("limits: 0x_", "A pack has a list named limits"),
        ("limits: 0b_", "A pack has a list named limits"),
        ("limits: 2026-01-01T00:00:00+99:99", "A pack has a list named limits"),
        ("limits: " + "[" * 5000, "The file nests too deep at line 1"),
        ("a: &a [x]\nlimits: [*a, *a]", "There is an anchor or an alias (& or *) at line 1"),
    ],
)
@pytest.mark.parametrize("as_file", [True, False])
def test_a_pack_that_cannot_be_read_gets_a_sentence(planner, pack, sentence, as_file):
    prepare()
    fields = {"file": SimpleUploadedFile("x.yaml", pack.encode())} if as_file else {"text": pack}

    for name in ("pack", "pack_apply"):
        answer = planner.post(reverse(name), {**fields, "take": "0"})
        if as_file:
            fields["file"].seek(0)

        assert answer.status_code == 200
        assert sentence in text(answer)
    assert not Threshold.objects.exists()


def test_a_list_with_a_port_of_five_thousand_digits_says_so(planner):
    answer = planner.post(
        reverse("targets_import"), {"text": LIST.replace("1521", "1" * 5000), "time_zone": "UTC"}
    )

    assert answer.status_code == 200
    assert "“11111111111111111111” is not a port; give a number from 1 to 65535." in text(answer)


def sealed_in(page: str) -> str:
    (sealed,) = re.findall(r'name="sealed" value="([^"]+)"', page)
    return str(sealed)


def test_a_list_that_was_looked_at_for_too_long_is_uploaded_again(planner, monkeypatch):
    sealed = sealed_in(text(planner.post(reverse("targets_import"), {"text": LIST, "time_zone": "UTC"})))
    later = timezone.now() + timedelta(minutes=61)
    monkeypatch.setattr(timezone, "now", lambda: later)

    answer = planner.post(reverse("targets_import"), {"sealed": sealed, "take": "PAYPRD"}, follow=True)

    assert "given more than an hour ago; upload it again. Nothing was registered." in text(answer)
    assert not Target.objects.exists()


def test_each_row_of_the_longest_list_can_be_ticked(planner, monkeypatch):
    monkeypatch.setattr(read_now, "collect_at_once", lambda pk, **how: None)
    sealed = sealed_in(text(planner.post(reverse("targets_import"), {"text": LIST, "time_zone": "UTC"})))

    ticked = ["PAYPRD", *(f"PAY{number}" for number in range(MOST - 1))]
    answer = planner.post(reverse("targets_import"), {"sealed": sealed, "take": ticked})

    assert answer.status_code == 302
    assert Target.objects.get().name == "PAYPRD"


@pytest.mark.parametrize(
    "name", sorted(name for name in POSTS if name in ("thresholds_bulk", "sign_out", "targets_change"))
)
def test_an_address_of_a_form_that_is_opened_says_so_in_our_layout(planner, name):
    answer = planner.get(reverse(name))

    assert answer.status_code == 405
    assert answer["Allow"]
    assert "This address takes what a form sends and shows no page." in text(answer)


def test_a_form_with_more_fields_than_anybody_fills_in_gets_a_page_of_ours(planner):
    answer = planner.post(reverse("thresholds_bulk"), {f"x{number}": "" for number in range(20_000)})

    assert answer.status_code == 400
    assert "What the browser sent could not be read." in text(answer)


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
@pytest.mark.parametrize("address", ["/no-such-page", "/targets/999999999", "/thresholds/bulk", "/risks/"])
def test_a_mistyped_address_is_answered_by_a_page_of_ours_whatever_the_method(planner, method, address):
    answer = getattr(planner, method)(address)

    assert answer.status_code in (302, 403, 404, 405)
    assert answer.status_code == 302 or b"Headroom" in answer.content
    assert answer.status_code == 302 or b"<h1>" in answer.content
