"""The demo on the pages: offered where there is nothing of one's own, marked, and gone by one button."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from apps.demo.load import set_up_demo
from apps.inventory.example import get_example
from apps.inventory.models import Target
from apps.snapshots.retention import ensure_partitions
from apps.web.management.commands.first_start import is_example_due, register_this_machine
from worker import tasks

OFFER = "Open the demo estate"
pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was put into the queue, which no worker reads here."""
    queue: list[str] = []
    monkeypatch.setattr(tasks.load_example, "delay", lambda: queue.append("load"))
    return queue


def estate(client: Client) -> str:
    return str(client.get(reverse("estate")).content.decode())


def register_own() -> Target:
    address = {"host": "db01", "port": 1521, "service": "pay"}
    return Target.objects.create(
        name="OWNPRD", kind="instance", platform="oracle", collector="oracle", address=address,
        registered_at=datetime.now(UTC),
    )  # fmt: skip


def set_up() -> None:
    now = datetime.now(UTC)
    ensure_partitions([now.date()])
    set_up_demo(2, now)


def test_an_empty_estate_offers_it_to_those_who_may_change(planner, reader):
    assert OFFER in estate(planner)
    assert OFFER not in estate(reader)

    register_this_machine()  # as every first start does; it is nobody's own

    assert OFFER in estate(planner)
    assert OFFER not in estate(reader)


def test_a_target_of_ones_own_ends_the_offer(planner):
    register_own()

    assert OFFER not in estate(planner)
    assert OFFER in planner.get(reverse("demo")).content.decode()


def test_the_button_has_the_worker_load_it(planner, queued):
    answer = planner.post(reverse("demo_open"), follow=True)

    assert queued == ["load"]
    assert "The demo estate is being loaded." in answer.content.decode()


def test_a_reader_loads_and_removes_nothing(reader, queued):
    set_up()
    before = Target.objects.count()

    assert reader.post(reverse("demo_open")).status_code == 403
    assert reader.post(reverse("demo")).status_code == 403
    assert queued == []
    assert Target.objects.count() == before > 0


def test_without_a_broker_the_button_says_so(planner, monkeypatch):
    def refuse() -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.load_example, "delay", refuse)

    answer = planner.post(reverse("demo_open"), follow=True)

    assert "The broker does not answer" in answer.content.decode()


def test_beside_a_target_of_ones_own_the_first_page_says_how_to_remove_it(planner, reader):
    set_up()
    assert "demo-may-go" not in estate(planner)
    assert OFFER not in estate(planner)

    own = register_own()

    assert "Targets of your own stand beside those of the demo" in estate(planner)
    assert "demo-may-go" not in estate(reader)
    planner.post(reverse("demo"))
    assert list(Target.objects.all()) == [own]
    assert "demo-may-go" not in estate(planner)


@pytest.mark.parametrize(("is_wanted", "is_first", "is_due"), [(True, True, True), (True, False, False), (False, True, False)])  # fmt: skip
def test_the_first_start_alone_loads_it_by_itself(settings, is_wanted, is_first, is_due):
    settings.HEADROOM_DEMO = is_wanted

    assert is_example_due(is_first=is_first) is is_due


def test_a_later_start_goes_on_with_what_was_begun(settings):
    settings.HEADROOM_DEMO = False
    set_up()

    assert is_example_due(is_first=False)


def test_the_page_says_what_is_not_served_of_it(planner, settings):
    set_up()
    settings.HEADROOM_DEMO = False
    example = get_example()

    assert example is not None
    assert list(example.programs()) == []
    assert "two live instances are not served" in planner.get(reverse("demo")).content.decode()

    settings.HEADROOM_DEMO = True
    assert [program.name for program in example.programs()] == ["demo-oracle"]
    assert "not served" not in planner.get(reverse("demo")).content.decode()
