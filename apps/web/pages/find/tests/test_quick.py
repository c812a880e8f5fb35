"""Answers while somebody types: no redirect, no more than a few, and the page itself without scripts."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.tests.scripted import instance

pytestmark = pytest.mark.django_db
TYPING = {"HX-Request": "true", "HX-Target": "quick-answers"}


def answers(client: Client, words: str) -> str:
    return client.get(reverse("find"), {"q": words}, headers=TYPING).text


def test_targets_are_answered_with_their_pages_and_the_rest_is_a_link_away(reader):
    targets = [instance(f"PAY{number}") for number in range(9)]

    text = answers(reader, "pay")

    assert text.count("<li>") == 5
    assert f'href="{targets[0].get_absolute_url()}"' in text
    assert f'<a class="quick-all" href="{reverse("find")}?q=pay">All 9</a>' in text
    assert "<html" not in text


def test_a_whole_name_is_answered_too_while_enter_leads_to_its_page(reader):
    target = instance("DWPRD")

    assert target.get_absolute_url() in answers(reader, "dwprd")
    assert reader.get(reverse("find"), {"q": "dwprd"})["Location"] == target.get_absolute_url()


@pytest.mark.parametrize(("words", "text"), [("", ""), ("   ", ""), ("zzz", "Nothing is called “zzz”.")])
def test_nothing_typed_has_no_answer_and_nothing_found_says_so(reader, words, text):
    part = answers(reader, words).strip()

    assert text in part
    assert bool(part) == bool(text)


def test_the_page_follows_what_is_typed_and_stays_where_a_name_is_whole(reader):
    instance("DWPRD")

    page = reader.get(reverse("find"), {"q": "dwprd"}, headers={"HX-Request": "true", "HX-Target": "results"})

    assert page.status_code == 200
    assert '<h1 id="finding">' in page.text
    assert 'id="results"' in page.text
