"""The scripted platform, with nothing left of the test before."""

from collections.abc import Iterator

import pytest

from apps.collection.tests import scripted
from apps.snapshots import dictionary


@pytest.fixture(autouse=True)
def _scripted() -> Iterator[None]:
    scripted.register()
    scripted.SCRIPT.answers.clear()
    scripted.SCRIPT.asked.clear()
    dictionary.forget()
    yield
    dictionary.forget()
