"""The page of the weekly report and its files."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests import scripted
from apps.inventory.models import Group
from apps.people.models import User
from apps.reports.engine.week import Week, last_complete_week
from apps.reports.formats import FORMATS
from apps.reports.models import WeeklyReport
from apps.reports.tests.scenes import MONDAY, NEXT_MORNING, limit, opened
from apps.reports.weekly_report import compose_weekly_report
from apps.snapshots import dictionary

pytestmark = pytest.mark.django_db

PAGE = "/weekly-report?week=2026-W26"


@pytest.fixture(autouse=True)
def _scripted() -> None:
    scripted.register()
    dictionary.forget()


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(User.objects.create(username="reader"))
    return client


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create(username="planner", may_change=True))
    return client


def report(group: Group | None = None) -> WeeklyReport:
    opened(limit(scripted.instance("<b>DWPRD</b>", group=group)), MONDAY)
    return compose_weekly_report(Week(MONDAY), NEXT_MORNING, group)


def test_the_page_opens_with_the_conclusion_and_offers_the_files(reader: Client):
    report()

    page = reader.get(PAGE).content.decode()

    assert "One limit is broken, new this week." in page
    assert "&lt;b&gt;DWPRD" in page
    assert "<b>DWPRD" not in page
    assert all(reverse("weekly_report_file", args=[form]) in page for form in ("pdf", "xlsx", "text", "json"))


@pytest.mark.parametrize("form", FORMATS)
def test_each_file_is_downloaded_under_its_name(reader: Client, form: str):
    report()

    answer = reader.get(f"/weekly-report/{form}?week=2026-W26")

    assert answer.status_code == 200
    assert answer["Content-Type"] == FORMATS[form].content_type
    assert answer["Content-Disposition"] == f'attachment; filename="headroom-2026-W26.{FORMATS[form].suffix}"'


@pytest.mark.parametrize(
    "address",
    [
        "/weekly-report/docx?week=2026-W26",
        "/weekly-report/pdf?week=2026-W25",
        "/weekly-report/pdf?week=soon",
        "/weekly-report?week=2026-W99",
        "/weekly-report?group=999",
        "/weekly-report?group=²",
        "/weekly-report?week=2026-W26&report=999",
    ],
)
def test_what_is_not_there_is_not_found(reader: Client, address: str):
    assert reader.get(address).status_code == 404


def test_until_a_week_is_reported_the_page_shows_the_newest_that_was_and_leads_on(reader: Client):
    report()
    newest = last_complete_week(timezone.now())

    page = reader.get("/weekly-report").content.decode()

    assert "One limit is broken, new this week." in page
    assert f"Week {newest.name} is over and was not reported yet." in page
    assert f'href="?week={newest.name}"' in page
    assert reader.get("/weekly-report/json").json()["week"] == "2026-W26"


def test_a_group_has_its_own_page(planner: Client):
    group = Group.objects.create(name="payments")
    scripted.instance(group=group)

    answer = planner.post(f"{PAGE}&group={group.pk}", follow=True)

    assert (
        "group payments, 1 target" in WeeklyReport.objects.get().content["group"]
        or "payments" in answer.content.decode()
    )
    assert WeeklyReport.objects.get().group == group


def test_a_week_in_the_future_is_refused_with_a_sentence(planner: Client):
    page = planner.post("/weekly-report?week=2999-W01", follow=True).content.decode()

    assert "Week 2999-W01 is not over yet" in page
    assert not WeeklyReport.objects.exists()


def test_readers_compose_nothing(reader: Client):
    assert reader.post(PAGE).status_code == 403


def test_what_was_sent_can_be_opened_beside_what_was_composed_later(reader: Client):
    sent = report()
    sent.sent_at = NEXT_MORNING
    sent.save()
    compose_weekly_report(Week(MONDAY), NEXT_MORNING)

    page = reader.get(PAGE).content.decode()

    assert f"report={sent.pk}" in page
    assert ", as sent" in page
    assert "Sent" in reader.get(f"{PAGE}&report={sent.pk}").content.decode()
