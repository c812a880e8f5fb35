"""Past days of peak hours that are put under a limit, rolled up behind the pages."""

import pytest
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from apps.collection.tests.scripted import TODAY, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Threshold
from apps.thresholds.tests.test_peak_hours import NOW, day
from worker import tasks

pytestmark = pytest.mark.django_db


@pytest.fixture
def hourly() -> Target:
    prepare()
    return instance("HOURLY", interval_minutes=60)


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """What was put into the queue."""
    chunks: list[list[int]] = []
    monkeypatch.setattr(tasks.make_up_hours, "delay", chunks.append)
    return chunks


def test_past_days_are_rolled_up_behind_the_page_that_sets_the_limit(planner, hourly, queued):
    day(hourly, TODAY, lambda hour: 3.0)
    fields = {"target": hourly.pk, "metric": "x_redo", "hours": "9-17", "notation": "<=48"}

    page = planner.post(reverse("threshold_add"), fields, follow=True).content.decode()
    tasks.make_up_hours(*queued)

    assert "Past days of these hours of HOURLY are being rolled up from their readings" in page
    (violation,) = check_thresholds(hourly, TODAY, NOW).opened
    assert violation.value == pytest.approx(72)


def test_nothing_is_rolled_up_again_for_what_has_no_hours_or_is_watched_already(planner, hourly, queued):
    fields = {"target": hourly.pk, "metric": "x_redo", "notation": "<=48"}
    planner.post(reverse("threshold_add"), fields)
    assert queued == []

    planner.post(reverse("threshold_add"), fields | {"hours": "9-17"})
    made = Threshold.objects.get(metric="x_redo:9-17")
    planner.post(made.get_absolute_url(), fields | {"hours": "9-17", "notation": "<=40"})
    assert queued == [[hourly.pk]]

    planner.post(made.get_absolute_url(), fields | {"hours": "8-18", "notation": "<=40"})
    assert queued == [[hourly.pk]] * 2


def test_a_template_has_the_targets_made_up_for_one_at_a_time_and_only_those_read_often(
    planner, hourly, queued
):
    instance("DAILY")
    other = instance("ALSO", interval_minutes=5)

    page = planner.post(
        reverse("threshold_add"), {"metric": "x_redo", "hours": "9-17", "notation": "<=48"}, follow=True
    ).content.decode()
    tasks.make_up_hours(*queued)

    assert "Past days of these hours of two targets are being rolled up" in page
    assert queued == [[other.pk, hourly.pk], [hourly.pk]]


def test_without_a_queue_the_limit_is_saved_and_the_way_on_is_said(planner, hourly, monkeypatch):
    def refuse(_: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.make_up_hours, "delay", refuse)
    fields = {"target": hourly.pk, "metric": "x_redo", "hours": "9-17", "notation": "<=48"}

    page = planner.post(reverse("threshold_add"), fields, follow=True).content.decode()

    assert "The queue does not answer (no broker)" in page
    assert Threshold.objects.get().metric == "x_redo:9-17"
