"""The scripted platform for the pages, with nothing left of the test before."""

from collections.abc import Iterator

import pytest

from apps.collection.tests import scripted
from apps.snapshots import dictionary


@pytest.fixture(autouse=True)
def _scripted(request: pytest.FixtureRequest) -> Iterator[None]:
    if "browser" in request.keywords:
        yield
        return
    scripted.register()
    dictionary.forget()
    yield
    dictionary.forget()
