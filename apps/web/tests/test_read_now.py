"""Pages that ask for readings say so where the broker is away: a real one, killed."""

import shutil
from collections.abc import Iterator
from time import monotonic

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.tests.scripted import instance, prepare
from apps.config.embedded.broker import Broker, connect
from apps.config.embedded.child import Child
from apps.inventory.models import Credential, Target
from apps.people.models import User
from conftest import temporary_folder
from worker.celery import app

pytestmark = pytest.mark.django_db
LONGEST_WAIT = 3  # seconds


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Broker, Child]]:
    """A broker of our own, which the pages put their work into."""
    folder = temporary_folder()
    broker = Broker(folder)
    broker.prepare()
    server = broker.start()
    server.wait_until(broker.is_ready, "The broker", seconds=30)
    monkeypatch.setattr(app.conf, "broker_write_url", broker.url)
    monkeypatch.setattr(app, "_pool", None)
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    yield broker, server
    server.stop()
    shutil.rmtree(folder.root)


@pytest.fixture
def target() -> Target:
    prepare()
    return instance("GISPRD")


def test_a_page_that_asks_for_a_reading_says_so_when_the_broker_was_killed(
    client: Client, target: Target, broker: tuple[Broker, Child]
) -> None:
    client.force_login(User.objects.create_user("planner", may_change=True))
    ask = reverse("target_collect", args=[target.pk])
    before = client.post(ask, follow=True).content.decode()
    with connect(broker[0].url) as queue:
        queued = queue.llen("collect")
    broker[1].process.kill()
    broker[1].wait(10)

    began = monotonic()
    answer = client.post(ask, follow=True)
    took = monotonic() - began

    assert (queued, answer.status_code) == (1, 200)
    assert "GISPRD is being read; the run shows under Collection" in before
    assert (
        "GISPRD is not read at once, because Headroom&#x27;s queue does not answer."
        in answer.content.decode()
    )
    assert took < LONGEST_WAIT


def test_what_was_typed_is_saved_without_the_broker(
    client: Client, target: Target, broker: tuple[Broker, Child]
) -> None:
    client.force_login(User.objects.create_user("planner", may_change=True))
    broker[1].process.kill()
    broker[1].wait(10)

    answer = client.post(
        reverse("target_password", args=[target.pk]), {"username": "READER", "password": "new"}, follow=True
    )

    assert "Nothing is lost: it is read at its next turn" in answer.content.decode()
    assert Credential.objects.get(target=target).username == "READER"
