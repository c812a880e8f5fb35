"""An estate in which nothing was registered yet."""

import pytest
from django.urls import reverse

from apps.web.tests.addresses import OF_A_TEST, POSTS
from apps.web.tests.scenes import signed_in
from apps.web.tests.test_pages import ADMINISTRATORS
from apps.web.urls import urlpatterns

pytestmark = pytest.mark.django_db


def test_a_new_estate_has_pages_too():
    client = signed_in(is_planner=True)
    plain = {
        name: pattern for pattern in urlpatterns if not pattern.pattern.converters for name in [pattern.name]
    }

    for name in plain.keys() - POSTS - OF_A_TEST - ADMINISTRATORS - {"sign_in"}:
        assert client.get(reverse(name)).status_code == 200, name
