"""
What the tests run against: PostgreSQL for all of them, a broker for those that ask for it.

The environment is set while this file is imported, not by pytest-django's own setting: Django reads the database's
address only once, and conftest.py files further down may import models.
"""

import atexit
import os
import random
import shutil
import socket
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import django
import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, settings

from apps.config.embedded.broker import Broker
from apps.config.embedded.child import Child
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile(
    "any machine", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def temporary_folder() -> Folder:
    """A data folder with a short path, which PostgreSQL can enter when root runs the tests."""
    folder = Folder(tempfile.mkdtemp(prefix="headroom-test-"))
    folder.root.chmod(0o711)
    folder.make()
    return folder


def free_port() -> int:
    """A port at which nobody listens, from below those that the kernel gives to whoever asks for any."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("none of a hundred ports is free")


def _set_up() -> Postgres | None:
    folder = temporary_folder()
    atexit.register(shutil.rmtree, folder.root, ignore_errors=True)
    for name in [name for name in os.environ if name.startswith("HEADROOM_")]:
        if name != "HEADROOM_DATABASE_URL" and not name.startswith("HEADROOM_TEST_"):
            del os.environ[name]  # tests are about the defaults
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "apps.config.settings",
        "HEADROOM_DATA": str(folder.root),
        "HEADROOM_SECRET_KEY": "for tests alone",
        "HEADROOM_SECRET_KEYS": urlsafe_b64encode(b"for tests alone, 32 bytes long..").decode(),
        "HEADROOM_BROKER_URL": "memory://",
    }
    if os.environ.get("HEADROOM_DATABASE_URL"):
        return None
    postgres = Postgres(folder, is_durable=False)
    postgres.prepare()
    os.environ["HEADROOM_DATABASE_URL"] = postgres.url
    return postgres


_is_first_process = "PYTEST_XDIST_WORKER" not in os.environ  # the others inherit the environment
_postgres = _set_up() if _is_first_process else None
_server: Child | None = None
django.setup()
django_settings.PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher"
]  # half a second less each


def pytest_configure(config: pytest.Config) -> None:
    global _server
    if _postgres and not config.option.collectonly and not config.option.help:
        _server = _postgres.start()
        _server.wait_until(_postgres.is_ready, "PostgreSQL", seconds=60)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes comes first, so that nobody waits for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_unconfigure() -> None:
    if _server:
        _server.stop()


@contextmanager
def running_broker() -> Iterator[str]:
    """The address of a real broker with empty queues."""
    folder = temporary_folder()
    redis = Broker(folder)
    redis.prepare()
    server = redis.start()
    try:
        server.wait_until(redis.is_ready, "The broker", seconds=60)
        yield redis.url
    finally:
        server.stop()
        shutil.rmtree(folder.root, ignore_errors=True)


@pytest.fixture
def broker() -> Iterator[str]:
    """A broker of the test's own: what another test left in its queues is nobody's."""
    with running_broker() as address:
        yield address


@pytest.fixture(scope="session")
def site_broker() -> Iterator[str]:
    """The broker of the site that tests open in a browser."""
    with running_broker() as address:
        yield address
