"""S7: wrong passwords are limited by name, address and browser, before they cost anything."""

import threading
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.people.models import User
from apps.people.sign_in_limits import MOST_OF_ADDRESS, MOST_OF_NAME_ANYWHERE, turn_of
from apps.people.tests.hashers import COUNTED, Counted

pytestmark = pytest.mark.django_db

PASSWORD = "seven lamps under water"
HERE, ELSEWHERE = "203.0.113.5", "198.51.100.7"


@pytest.fixture(autouse=True)
def owner(settings: Any) -> User:
    settings.PASSWORD_HASHERS = COUNTED
    return User.objects.create_user("rita", password=PASSWORD)


def try_in(
    name: str = "rita",
    password: str = "wrong",
    *,
    address: str = HERE,
    browser: Client | None = None,
    **meta: Any,
) -> Any:
    fields = {"username": name, "password": password}
    return (browser or Client()).post(reverse("sign_in"), fields, REMOTE_ADDR=address, **meta)


def sentences_of(response: Any) -> str:
    return str(response.content.decode())


def test_the_page_says_how_many_tries_are_left_whether_or_not_there_is_such_a_name():
    registered, unknown = ([sentences_of(try_in(name)) for _ in range(5)] for name in ("rita", "nobody"))

    for pages in (registered, unknown):
        assert "The user name or the password is not right. Four more tries, then" in pages[0]
        assert "One more try, then" in pages[3]
        assert "Too many wrong tries. Sign-in opens again in 15 minutes, at " in pages[4]


def test_a_closed_name_opens_again_after_its_time():
    for _ in range(5):
        last = try_in()
    assert (last.status_code, 890 <= int(last["Retry-After"]) <= 900) == (429, True)
    assert try_in(password=PASSWORD).status_code == 429

    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=15, seconds=1))

    assert try_in(password=PASSWORD).status_code == 302


def test_names_tried_in_a_row_close_their_address_and_cost_nothing_from_then_on():
    for number in range(MOST_OF_ADDRESS):
        try_in(f"name-{number}", HTTP_USER_AGENT=f"browser {number}")
    checked = Counted.times
    rows = AccessAttempt.objects.count()

    refused = [try_in(f"other-{number}") for number in range(5)]

    assert {response.status_code for response in refused} == {429}
    assert (Counted.times, AccessAttempt.objects.count()) == (checked, rows)
    assert try_in(password=PASSWORD, address=ELSEWHERE).status_code == 302


def test_a_refused_try_does_not_prolong_its_lock():
    for _ in range(5):
        try_in()
    before = AccessAttempt.objects.get()

    try_in()

    after = AccessAttempt.objects.get()
    assert (after.attempt_time, after.failures_since_start) == (before.attempt_time, 5)


def test_behind_a_trusted_proxy_an_attacker_closes_only_their_own_address(settings: Any):
    settings.HEADROOM_TRUSTED_PROXIES = [ip_network("127.0.0.1")]
    for number in range(MOST_OF_ADDRESS + 1):
        try_in(f"name-{number}", address="127.0.0.1", HTTP_X_FORWARDED_FOR=f"9.9.9.{number}, {ELSEWHERE}")
    attacker = try_in(password=PASSWORD, address="127.0.0.1", HTTP_X_FORWARDED_FOR=ELSEWHERE)

    owner = try_in(password=PASSWORD, address="127.0.0.1", HTTP_X_FORWARDED_FOR=HERE)

    assert (attacker.status_code, owner.status_code) == (429, 302)


def test_an_owner_gets_in_with_a_browser_that_was_used_before_though_others_attack_from_the_same_address():
    browser = Client()
    try_in(password=PASSWORD, browser=browser)
    browser.post(reverse("sign_out"))
    for number in range(MOST_OF_ADDRESS):
        try_in("rita" if number < 5 else f"name-{number}")
    assert try_in(password=PASSWORD).status_code == 429

    assert try_in(password=PASSWORD, browser=browser).status_code == 302


def test_a_browser_that_was_used_before_has_no_more_tries_than_others_and_only_for_its_name():
    browser = Client()
    try_in(password=PASSWORD, browser=browser)
    browser.post(reverse("sign_out"))

    answers = [try_in(browser=browser, address=f"203.0.113.{number}") for number in range(6)]
    for number in range(MOST_OF_ADDRESS):
        try_in(f"name-{number}")

    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429, 429]
    assert try_in("anybody", browser=browser).status_code == 429


def test_a_made_up_cookie_makes_no_browser_known():
    browser = Client()
    browser.cookies["headroom_browser"] = "eyJuYW1lIjoicml0YSIsImJyb3dzZXIiOiJ4In0:forged:signature"

    for _ in range(5):
        try_in(browser=browser)

    assert try_in().status_code == 429


def test_a_name_tried_from_everywhere_is_slowed_down_but_never_closed():
    for number in range(MOST_OF_NAME_ANYWHERE):
        assert try_in(address=f"203.0.113.{number}").status_code in (200, 429)
    refused = try_in(password=PASSWORD, address=ELSEWHERE)
    assert refused.status_code == 429
    assert "seconds, at" in sentences_of(refused)

    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(seconds=31))

    assert try_in(password=PASSWORD, address=ELSEWHERE).status_code == 302


def test_one_place_keeps_no_more_than_two_threads_busy(rf: Any):
    begun, may_end = threading.Barrier(3), threading.Event()
    request = rf.post("/sign-in", REMOTE_ADDR=HERE)

    def check() -> None:
        with turn_of(request, "rita") as has_turn:
            assert has_turn
            begun.wait(60)
            may_end.wait(60)

    threads = [threading.Thread(target=check) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun.wait(60)
    checked = Counted.times
    busy = try_in(password=PASSWORD)
    may_end.set()
    for thread in threads:
        thread.join(60)

    assert "Others are signing in from the same place; try again in a moment." in sentences_of(busy)
    assert Counted.times == checked
    assert try_in(password=PASSWORD).status_code == 302
