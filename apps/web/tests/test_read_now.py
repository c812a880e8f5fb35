"""Pages that ask for readings say so where the broker is away: a real one, killed or stopped."""

import shutil
import signal
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
from worker.tasks import try_at_once

pytestmark = pytest.mark.django_db
LONGEST_HANG = 60  # seconds, where the broker lives and says nothing; ten where the machine is not busy
LONGEST_WAIT = 20  # seconds; it takes less than one where the machine is not busy


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
    broker[1].wait(60)

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
    broker[1].wait(60)

    answer = client.post(
        reverse("target_password", args=[target.pk]), {"username": "READER", "password": "new"}, follow=True
    )

    assert "Nothing is lost: it is read at its next turn" in answer.content.decode()
    assert Credential.objects.get(target=target).username == "READER"


@pytest.mark.parametrize("has_queued_before", [True, False])
def test_a_page_that_asks_for_a_reading_says_so_when_the_broker_hangs(
    client: Client, target: Target, broker: tuple[Broker, Child], has_queued_before: bool
) -> None:
    client.force_login(User.objects.create_user("planner", may_change=True))
    ask = reverse("target_collect", args=[target.pk])
    if has_queued_before:
        client.post(ask)
    broker[1].process.send_signal(signal.SIGSTOP)

    began = monotonic()
    hanging = client.post(ask, follow=True).content.decode()
    took = monotonic() - began
    broker[1].process.send_signal(signal.SIGCONT)
    after = client.post(ask, follow=True).content.decode()

    assert "GISPRD is not read at once, because Headroom&#x27;s queue does not answer." in hanging
    assert took < LONGEST_HANG
    assert "GISPRD is being read; the run shows under Collection" in after


def test_a_test_of_a_connection_is_not_kept_waiting_by_a_broker_that_hangs(
    broker: tuple[Broker, Child],
) -> None:
    try_at_once(1)
    broker[1].process.send_signal(signal.SIGSTOP)

    began = monotonic()
    try_at_once(2)

    assert monotonic() - began < LONGEST_HANG
    broker[1].process.send_signal(signal.SIGCONT)
