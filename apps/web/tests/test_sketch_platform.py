"""A technology is one folder: a made-up one is plugged in, and people register, read, limit and download it."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.catalog import registry
from apps.collection import collector
from apps.collection.collect import collect_target, timetable_of
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.platforms import registration
from apps.platforms.tests.sketch.platform import PLATFORM
from apps.thresholds.models import Threshold
from apps.web import read_now

pytestmark = pytest.mark.django_db
TYPED = {"name": "SHOP", "host": "shop.example.com", "port": "8443", "time_zone": "UTC"}
LETTERS = len(TYPED["host"])


@pytest.fixture(autouse=True)
def _plugged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sketch among the platforms for the time of a test."""
    for module, name in (
        (registry, "_metrics"), (registry, "_categories"), (registry, "_labels"), (collector, "_places"), (collector, "_collectors"),
        (collector, "_tester_places"), (registration, "_registrations"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, dict(getattr(module, name)))
    monkeypatch.setattr(read_now, "collect_at_once", lambda pk, **how: None)
    PLATFORM.register()
    yield
    registry.find_metric.cache_clear()


@pytest.fixture
def shop(planner: Client) -> Target:
    """A target that was registered through the form and read once, by its own collector."""
    planner.post(reverse("target_add", args=["web-server"]), TYPED)
    target = Target.objects.get(name="SHOP")
    now = timezone.now()
    run = collect_target(target, timetable_of(target).last_slot(now), now)
    assert run.state == CollectionRun.State.COMPLETE, run.reason
    return target


def text(planner: Client, address: str) -> str:
    response = planner.get(address)
    assert response.status_code == 200, address
    return str(response.content.decode())


def test_its_form_is_offered_and_shown(planner):
    address = reverse("target_add", args=["web-server"])
    page = text(planner, address)

    assert address in text(planner, reverse("targets"))
    assert "Add a web server" in text(planner, reverse("estate"))
    assert "Add a web server" in page
    assert "Headroom reads its status page." in page
    assert "Where it answers" in page
    assert "The name that browsers use." in page


def test_its_connection_is_tested_and_nothing_saved(planner):
    page = planner.post(reverse("target_add", args=["web-server"]), TYPED | {"test": "1"}).content.decode()

    assert "shop.example.com answers." in page
    assert not Target.objects.exists()


def test_its_address_is_changed_and_told_in_its_words(planner, shop):
    address = reverse("target_address", args=[shop.pk])
    before = text(planner, address)
    planner.post(address, {"host": "web.example.com", "port": "443"})

    shop.refresh_from_db()
    assert "https://shop.example.com:8443/" in before
    assert shop.address == {"host": "web.example.com", "port": 443}


def test_its_statistic_is_read_and_stands_on_the_pages_and_in_the_file(planner, shop):
    page = text(planner, shop.get_absolute_url())
    file = text(planner, reverse("target_csv", args=[shop.pk]))

    assert "Traffic" in page
    assert "open connections" in page
    assert "open connections" in text(planner, reverse("statistic", args=[shop.pk, "sketch_connections"]))
    row = next(line for line in file.splitlines() if "sketch_connections" in line)
    assert str(LETTERS) in row


def test_its_statistic_is_limited_and_stands_over_its_limit(planner, shop):
    planner.post(
        reverse("threshold_add"),
        {"target": shop.pk, "metric": "sketch_connections", "notation": f"<={LETTERS - 1}"},
    )

    assert Threshold.objects.get().metric == "sketch_connections"
    assert "open connections" in text(planner, reverse("thresholds"))
    assert f"≤{LETTERS - 1}" in text(planner, shop.get_absolute_url())
