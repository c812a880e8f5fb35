"""A new installation leads to its first instance, and shows this machine meanwhile."""

from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.collection.collect import collect_target, timetable_of
from apps.collection.tests.scripted import instance
from apps.inventory.models import Target
from apps.snapshots.retention import ensure_partitions
from apps.web.management.commands.first_start import register_this_machine

pytestmark = pytest.mark.django_db


def page(client) -> str:
    return unescape(client.get(reverse("estate")).text)


@pytest.fixture
def machine() -> Target:
    target = register_this_machine()
    assert target is not None
    return target


def test_three_steps_lead_to_the_first_instance(planner, machine):
    text = page(planner)

    assert "No target has been registered yet." in text
    for head in ("A read-only account", "Where the instance is", "The first reading"):
        assert head in text
    assert "CREATE USER HEADROOM" in text
    assert f'href="{reverse("target_add", args=["instance"])}"' in text
    assert f"{machine.name}, read every 5 minutes" in text
    assert "Its first figures come with its second reading, within 5 minutes." in text


def test_who_may_not_add_targets_is_told_who_can_give_the_right(reader, machine):
    text = page(reader)

    assert "an administrator can give it to you" in text
    assert "Open the demo estate" not in text


def test_this_machine_shows_its_figures_once_they_are_read(planner, machine):
    now = timezone.now()
    ensure_partitions([now.date() - timedelta(days=1), now.date()])
    slot = timetable_of(machine).last_slot(now)
    for due in (slot - timedelta(minutes=5), slot):
        collect_target(machine, due, now)

    text = page(planner)

    assert "Real figures of the machine that Headroom runs on." in text
    assert 'id="this-machine"' in text


def test_the_first_target_of_ones_own_ends_the_lead_in(planner, machine):
    instance("DWPRD")

    assert "No target has been registered yet." not in page(planner)
