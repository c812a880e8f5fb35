"""A violation of a full tablespace, and who works on it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from apps.collection.tests.scripted import BOOT, days_before, instance, levels, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.review.nightly import review_targets
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold


@pytest.fixture(scope="module")
def target_pk(module_db: None) -> int:
    now = datetime.now(UTC)
    today = now.date() - timedelta(days=1)
    prepare(*days_before(today, 9), now.date())
    made = instance(registered_at=BOOT)
    add_threshold("x_used", "10", now=BOOT, target=made, component="DATA", plan="Add a file. Ask for a disk.")
    for on in levels(made, [9, 11, 12], last=today):
        review_targets([made], on, now)
    return made.pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    """The target of a full tablespace, which the tests of a module share."""
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def violation(target: Target) -> Violation:
    return Violation.objects.get()


@pytest.fixture
def other() -> User:
    return User.objects.create(username="other", first_name="R.", last_name="Lindqvist", may_change=True)


@pytest.fixture
def planner(client: Client) -> Client:
    user = User.objects.create(username="planner", first_name="T.", last_name="Okafor", may_change=True)
    client.force_login(user)
    return client
