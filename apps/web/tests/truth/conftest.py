"""An estate of its own in this very process, so that pages, files and commands are asked without a network."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from apps.people.models import User
from apps.snapshots import dictionary
from apps.web.tests.browser.estate import PLANNER
from apps.web.tests.estate_database import estate_copy
from apps.web.tests.truth.fresh import change_limits, mark_steady, try_all_rules
from apps.web.tests.truth.product import Product, target_names


@pytest.fixture(scope="module")
def product(django_db_blocker: DjangoDbBlocker) -> Iterator[Product]:
    """Everything of the estate, between two reviews, opened by somebody who may see all of it."""
    name = connection.settings_dict["NAME"]
    with estate_copy("truth") as address, django_db_blocker.unblock():
        connection.close()
        connection.settings_dict["NAME"] = urlsplit(address).path.lstrip("/")
        dictionary.forget()
        target_names.cache_clear()
        change_limits(timezone.now())
        mark_steady(timezone.now())
        try_all_rules()
        client = Client()
        client.force_login(User.objects.get(username=PLANNER))
        yield Product(client)
        connection.close()
        connection.settings_dict["NAME"] = name
        dictionary.forget()
