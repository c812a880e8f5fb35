"""Scripted targets, and people who look at them."""

import pytest
from django.test import Client

from apps.collection.tests.scripted import scripted_platform as scripted_platform
from apps.web.tests.scenes import signed_in


@pytest.fixture
def reader() -> Client:
    """A browser in which somebody is signed in."""
    return signed_in()
