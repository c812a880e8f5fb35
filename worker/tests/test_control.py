"""S8: connections are tested by a real worker behind real pages, and nobody else waits for a listener that is silent."""

import os
import re
import socket
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from celery import Celery
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.utils import timezone

from apps.collection.connection import MOST_IN_ALL, ask_test
from apps.collection.models import CollectionRun, ConnectionTest
from apps.collection.tests.scripted import committed, instance, prepare, register
from apps.config.embedded.child import Child
from apps.config.embedded.supervisor import GUNICORN
from apps.people.models import User
from apps.platforms.oracle.preflight import ANSWER_SECONDS
from apps.snapshots import dictionary
from worker.tests.test_killed_worker import ROOT, Start, start, wait_until

__all__ = ["start"]
LISTENERS = 20
CSRF = "x" * 32


def worker(start: Start, concurrency: int = 4) -> Child:
    return start("worker", "-Q", "collect", "-n", "test@%h", "--pool", "threads", "--concurrency", f"{concurrency}",
                 "--without-gossip", "--without-mingle")  # fmt: skip


@pytest.fixture
def silent() -> Iterator[list[int]]:
    """Ports at which every connection is taken and nothing is ever said."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=16)).getsockname()[1]
            for _ in range(LISTENERS)
        ]


@pytest.fixture
def site(broker: str, tmp_path: Path, transactional_db: None) -> Iterator[int]:
    """The port of the pages, served as in production."""
    address = urlsplit(os.environ["HEADROOM_DATABASE_URL"])
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        port = listener.getsockname()[1]
        child = Child(
            [sys.executable, "-m", *GUNICORN, "--bind", f"fd://{listener.fileno()}"],
            log=tmp_path / "web.log",
            environment={
                **os.environ,
                "HEADROOM_DATABASE_URL": address._replace(
                    path=f"/{connection.settings_dict['NAME']}"
                ).geturl(),
                "HEADROOM_BROKER_URL": broker,
            },
            descriptors=[listener.fileno()],
            working_directory=ROOT,
        )
        try:
            child.wait_until(lambda: answers(port), "The web server", seconds=120)
            yield port
        finally:
            child.kill_group()


def answers(port: int) -> bool:
    with suppress(OSError):
        return ask(port, "/sign-in")[0] == 200
    return False


def ask(port: int, path: str, session: str = "", form: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and text of a page, as a browser asks for it."""
    client = HTTPConnection("127.0.0.1", port, timeout=60)
    cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={CSRF}"
    headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode(form | {"csrfmiddlewaretoken": CSRF}) if form else None
    client.request("POST" if form else "GET", path, body, headers)
    response = client.getresponse()
    text = response.read().decode()
    client.close()
    return response.status, text


def session_of(name: str) -> str:
    """The session of a planner who has signed in."""
    person = User.objects.create(username=name, may_change=True)
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def form_of(port: int) -> dict[str, str]:
    return {
        "name": f"S{port}", "host": "127.0.0.1", "port": f"{port}", "service": "s", "username": "HR", "password": "tiger",
        "time_zone": "UTC", "protocol": "tcp", "test": "1",
    }  # fmt: skip


def p95_of_sign_in(port: int, times: int = 40) -> float:
    """Seconds of the sign-in page, which nobody is to wait for."""
    took = []
    for _ in range(times):
        began = time.monotonic()
        assert ask(port, "/sign-in")[0] == 200
        took.append(time.monotonic() - began)
    return statistics.quantiles(took, n=20)[-1]


def result_of(port: int, session: str, page: str) -> tuple[float, str]:
    """Seconds until a test has a result, and the result."""
    match = re.search(r'hx-get="(/connection-tests/[^"]+)"', page)
    assert match, page[-2000:]
    began = time.monotonic()
    while True:
        status, text = ask(port, match[1], session)
        if status == 200:
            return time.monotonic() - began, text
        assert status == 204
        time.sleep(0.25)


@committed
def test_silent_listeners_slow_nobody_and_are_told_within_seconds(start, site, silent):
    sessions = [session_of(f"planner{number}") for number in range(LISTENERS)]
    child = worker(start)
    wait_until(lambda: "ready" in child.last_words(50), "the worker", child)
    p95_of_sign_in(site, 10)
    before = p95_of_sign_in(site)

    with ThreadPoolExecutor(LISTENERS) as pool:
        began = time.monotonic()
        answers = list(
            pool.map(
                lambda session, port: ask(site, "/targets/add/instance", session, form_of(port)),
                sessions,
                silent,
            )
        )
        asking = time.monotonic() - began
        during = p95_of_sign_in(site)
        under_way = [
            (session, page)
            for session, (_, page) in zip(sessions, answers, strict=True)
            if 'hx-get="/conn' in page
        ]
        results = list(pool.map(lambda pair: result_of(site, *pair), under_way))

    refused = [page for _, page in answers if "Many connections are being tested just now" in page]
    print(f"sign-in p95 {before * 1000:.0f} ms before, {during * 1000:.0f} ms during; asking took {asking:.1f} s;"
          f" results after {max(seconds for seconds, _ in results):.1f} s at most")  # fmt: skip
    assert len(under_way) + len(refused) == LISTENERS
    assert len(under_way) == MOST_IN_ALL or asking > 5  # then the first had ended when the last was asked for
    assert during < ANSWER_SECONDS / 2  # whoever signs in waits for no listener
    assert [text for _, text in results if "did not answer" not in text] == []
    assert max(seconds for seconds, _ in results) < 4 * ANSWER_SECONDS, "they waited for each other"
    assert "tiger" not in "".join([page for _, page in answers] + [text for _, text in results])


@committed
def test_a_connection_is_tested_while_every_thread_of_the_worker_waits_for_targets(
    start, broker, tmp_path, silent
):
    register()
    dictionary.forget()
    now = timezone.now()
    prepare(now.date())
    target = instance(collector="patient", registered_at=now - timedelta(hours=1))
    child = worker(start, concurrency=1)
    wait_until(lambda: "ready" in child.last_words(50), "the worker", child)
    dana = User.objects.create(username="dana")
    far = Celery("far", broker=broker, set_as_current=False)
    far.send_task("worker.tasks.collect", (target.pk, now.isoformat()), queue="collect")
    wait_until((tmp_path / "began-1").exists, "the collection", child)

    test = ask_test(
        dana, "a session", target=None, collector="oracle", address={"host": "127.0.0.1", "port": silent[0], "service": "s"},
        username="HR", typed={"password": "tiger"},
    )  # fmt: skip
    far.control.broadcast("try_connection", arguments={"test_id": test.pk})
    wait_until(lambda: ConnectionTest.objects.get().state == "done", "the test", child)

    assert CollectionRun.objects.get().state == "running"
    assert "did not answer" in ConnectionTest.objects.get().steps[-1]["sentence"]
    assert "tiger" not in Path(child.log).read_text()
