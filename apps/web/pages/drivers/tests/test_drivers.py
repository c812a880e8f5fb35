"""The pages of drivers: what people type and give as files, and what programs send."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.sender_tokens import MOST_AN_HOUR
from apps.forecasting.driver import Driver, DriverDay, DriverToken
from apps.forecasting.driver_register import renew_driver_token
from apps.forecasting.models import PlannedChange, Scenario
from apps.people.models import User
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()
CSV = f"day,value,planned\n{TODAY - timedelta(days=1)},1200,\n{TODAY},1250,\n{TODAY + timedelta(days=30)},,1500\n"


@pytest.fixture
def planner() -> Client:
    return signed_in(is_planner=True)


@pytest.fixture
def driver() -> Driver:
    return Driver.objects.create(name="orders a day", unit="orders", set_at=timezone.now())


def save(planner: Client, driver: Driver | None = None, **fields: object) -> str:
    address = reverse("driver", args=[driver.pk]) if driver else reverse("driver_add")
    answer = planner.post(address, {"name": "orders a day", "unit": "orders", **fields}, follow=True)
    return answer.content.decode()


def test_an_empty_list_says_what_a_driver_is(planner):
    page = planner.get(reverse("drivers")).content.decode()

    assert "Nothing that your business counts is known here" in page
    assert reverse("driver_add") in page


def test_a_driver_is_added_with_days_that_are_typed(planner):
    page = save(planner, days=CSV)

    driver = Driver.objects.get()
    assert driver.set_by is not None
    assert driver.days.count() == 3
    assert "Saved. 2 days and 1 planned stored." in page
    assert "Orders a day: two days" in page
    assert "It has 2 days; forecasts try it from 88 on." in page
    assert "One driver may drive figures" in planner.get(reverse("drivers")).content.decode()


def test_days_are_given_as_a_file_and_replace_those_that_are_there(planner, driver):
    DriverDay.objects.create(driver=driver, day=TODAY, value=7)
    file = SimpleUploadedFile("orders.csv", CSV.encode())

    save(planner, driver, file=file)

    assert [day.value for day in driver.days.filter(is_planned=False)] == [1200, 1250]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"days": f"{CSV}{TODAY},3,\n"}, "is there twice"),
        ({"days": CSV, "file": SimpleUploadedFile("orders.csv", CSV.encode())}, "not both"),
        ({"growth": "3"}, "A growth needs both its percentage and its first day."),
        ({"growth": "300", "grows_from": "2027-01-01"}, "300 % a month is not a plan; give -50 to 100 %."),
        ({"name": ""}, "Name is missing"),
        ({"target": "999"}, "not one of those offered"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_of_it_is_stored(planner, fields, sentence):
    page = save(planner, **fields)

    assert sentence in page
    assert not Driver.objects.exists()
    assert not DriverDay.objects.exists()


def test_a_name_is_given_once(planner, driver):
    assert "already exists" in save(planner) or "there" in save(planner)
    assert Driver.objects.count() == 1


def plan(planner: Client, driver: Driver, change: str) -> str:
    scenario = Scenario.objects.create(name="sale", created_at=timezone.now())
    fields = {"driver": driver.pk, "change": change, "on": TODAY + timedelta(days=31)}
    return planner.post(scenario.get_absolute_url(), fields, follow=True).content.decode()


def test_a_change_of_a_driver_is_planned_in_a_scenario(planner, driver):
    page = plan(planner, driver, "+30 %")

    change = PlannedChange.objects.get()
    assert (change.driver, change.metric, change.scope) == (driver, "", "all targets")
    assert "orders a day" in page
    assert "no limited figure moves" in page


def test_what_a_driver_cannot_change_by_is_said(planner, driver):
    page = plan(planner, driver, "4 -> 8 cores")

    assert "is not a change of orders a day; expected +30 %, -10 % or +500." in page
    assert not PlannedChange.objects.exists()


def test_a_driver_is_removed_after_a_page_that_says_what_is_lost(planner, driver):
    DriverDay.objects.create(driver=driver, day=TODAY, value=7)
    address = reverse("driver_remove", args=[driver.pk])

    assert "1 days of it" in planner.get(address).content.decode()
    planner.post(address)

    assert not Driver.objects.exists()


def test_who_may_not_change_sees_the_list_alone(driver):
    reader = signed_in()

    assert driver.name in reader.get(reverse("drivers")).content.decode()
    assert reader.get(reverse("driver", args=[driver.pk])).status_code == 403


def test_a_token_is_shown_once(planner, driver):
    address = reverse("driver", args=[driver.pk])
    made = planner.post(address, {"token": "1"}).content.decode()
    later = planner.get(address).content.decode()

    assert "Authorization: Bearer " in made
    assert "http://testserver/push/driver" in later
    assert "Authorization: Bearer " not in later


@pytest.fixture
def token(driver: Driver) -> str:
    return renew_driver_token(driver, User.objects.create(username="maker"), timezone.now())


def send(token: str, content: str) -> tuple[int, dict[str, object]]:
    client = Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = client.post(reverse("driver_push"), content, content_type="text/csv", headers=headers)
    return answer.status_code, answer.json()


def test_a_program_sends_days(driver, token):
    assert send(token, CSV) == (200, {"days": 2, "planned": 1})
    assert send(token, f'[{{"day": "{TODAY}", "value": 1300}}]') == (200, {"days": 1, "planned": 0})
    assert driver.days.get(day=TODAY).value == 1300
    assert DriverToken.objects.get().outcome == "1 day stored."


def test_what_a_program_sends_wrongly_is_refused_with_a_sentence(driver, token):
    status, answer = send(token, f"{CSV}{TODAY},3,\n")

    assert status == 400
    assert "is there twice" in str(answer["error"])
    assert DriverToken.objects.get().outcome.startswith("Refused: Line 5")
    assert not driver.days.exists()
    assert send("wrong", CSV)[0] == send("", CSV)[0] == 401
    DriverToken.objects.update(counted_since=timezone.now(), sendings=MOST_AN_HOUR)
    assert send(token, CSV)[0] == 429
