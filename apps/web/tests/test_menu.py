"""The pages by their titles: each has the title it is found by, and nobody is offered what they may not open."""

import re

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from apps.people.models import User
from apps.web.menu import pages_called
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator() -> User:
    return User.objects.create(username="admin", is_staff=True, may_change=True)


def find_as(user: User, words: str) -> list[str]:
    request = RequestFactory().get("/find")
    request.user = user
    return [item.title for item in pages_called(words, request)]


def client_of(user: User) -> Client:
    return signed_in(user.username)


def test_every_page_has_the_title_by_which_it_is_found(administrator: User):
    request = RequestFactory().get("/find")
    request.user = administrator
    client = client_of(administrator)

    pages = {item for letter in "aeiou" for item in pages_called(letter, request)}
    titles = {item.title: _title_of(client.get(item.url).text) for item in pages}

    assert len(titles) > 20
    assert [title for title, head in titles.items() if not head.startswith(title)] == []


def _title_of(html: str) -> str:
    title = re.search(r"<title>\s*(.*?)\s*·", html, re.DOTALL)
    return title[1] if title else ""


def test_titles_that_begin_with_the_words_come_first(administrator: User):
    assert find_as(administrator, "thresh") == ["Thresholds", "Threshold packs", "Set a threshold"]
    assert find_as(administrator, "REPORT week") == ["Weekly report"]
    assert find_as(administrator, " ") == []


def test_nobody_is_offered_what_they_may_not_open():
    reader = User.objects.create(username="reader")

    assert find_as(reader, "people") == []
    assert find_as(reader, "set a threshold") == []
    assert find_as(reader, "thresholds") == ["Thresholds"]


def test_a_page_is_answered_while_somebody_types_and_on_the_page_of_the_search(reader: Client):
    typing = {"HX-Request": "true", "HX-Target": "quick-answers"}

    quick = reader.get(reverse("find"), {"q": "notic"}, headers=typing).text
    page = reader.get(reverse("find"), {"q": "notic"}).text

    assert f'<a href="{reverse("notices")}">' in quick
    assert re.search(rf'<li><a href="{reverse("notices")}">Notices</a></li>', page)
    assert "1 thing has “notic” in the name" in page
