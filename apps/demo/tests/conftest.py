"""Nights of the estate through the real path."""

from collections.abc import Iterator

import pytest

from apps.snapshots import dictionary


@pytest.fixture(autouse=True)
def _fresh_dictionary(request: pytest.FixtureRequest) -> Iterator[None]:
    """Rows of a test that was taken back are not to be remembered by the next."""
    if "django_db" not in request.keywords:
        yield
        return
    dictionary.forget()
    yield
    dictionary.forget()
