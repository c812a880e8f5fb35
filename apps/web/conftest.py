"""The scripted platform for the pages, with nothing left of the test before, and who looks at them."""

from collections.abc import Iterator

import pytest
from django.test import Client

from apps.collection.connection import run_test
from apps.collection.tests import scripted
from apps.collection.tests.scripted import module_db as module_db
from apps.inventory.models import Target
from apps.snapshots import dictionary
from apps.web.pages.targets import connection_test_views
from apps.web.tests.estate_database import database as database
from apps.web.tests.scenes import measured_target, signed_in


@pytest.fixture(autouse=True)
def _scripted(request: pytest.FixtureRequest) -> Iterator[None]:
    if "browser" in request.keywords:
        yield
        return
    scripted.register()
    dictionary.forget()
    yield
    dictionary.forget()


@pytest.fixture(autouse=True)
def _tests_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is idle and quick: a connection is tested before the page that asked is shown."""
    monkeypatch.setattr(connection_test_views, "try_at_once", run_test)


@pytest.fixture
def reader(db: None) -> Client:
    return signed_in()


@pytest.fixture
def planner(db: None) -> Client:
    return signed_in(is_planner=True)


@pytest.fixture(scope="module")
def measured_pk(module_db: None) -> int:
    return measured_target().pk


@pytest.fixture
def measured(measured_pk: int, db: None) -> Target:
    """The nasty target, which the tests of a module share."""
    return Target.objects.get(pk=measured_pk)
