"""A session on a full disk: PostgreSQL itself refuses to write it, by a trigger with the error that it then gives."""

import pytest
from django.db import connection
from django.test import Client

from apps.people.models import User

pytestmark = pytest.mark.django_db

FULL = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON django_session FOR EACH ROW EXECUTE FUNCTION refuse();
"""


@pytest.fixture
def browser() -> Client:
    browser = Client(raise_request_exception=False)
    browser.force_login(User.objects.create_user("rita", password="a password of Rita's"))
    session = browser.session
    session["something"] = "before"
    session.save()
    with connection.cursor() as cursor:
        cursor.execute(FULL)
    return browser


def test_a_session_that_cannot_be_saved_is_still_good_for_its_page(browser):  # S2
    session = browser.session
    session["something"] = "a page wants to remember"
    session.save()

    assert browser.get("/targets").status_code == 200
    assert browser.session["something"] == "before"


def test_a_sign_in_that_cannot_be_saved_gets_a_sentence(browser):  # S2
    answer = Client(raise_request_exception=False).post(
        "/sign-in", {"username": "rita", "password": "a password of Rita's"}
    )

    assert answer.status_code == 503
    assert "the disk that holds Headroom’s data is full" in answer.content.decode()
