"""What targets said last of themselves."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.collection.tests.scripted import host, instance
from apps.snapshots.models import Fact
from apps.snapshots.newest_facts import read_facts, read_newest_facts

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_the_newest_of_each_fact_is_read_in_whatever_order_they_came():
    machine, other = host("hosta"), instance("other")
    for hours, name, component, value in (
        (2, "version", "", "19.24"), (0, "version", "", "19.22"), (1, "parameter", "sga_target", "4G"),
        (1, "version", "client", "12.1"),
    ):  # fmt: skip
        Fact.objects.create(
            target=machine, name=name, component=component, since=AT + timedelta(hours=hours), value=value
        )
    Fact.objects.create(target=other, name="version", since=AT, value="23.4")

    assert read_facts(machine, "version", "kernel") == {"version": "19.24"}
    assert read_facts(machine, "version", until=AT) == {"version": "19.22"}
    assert read_facts(machine, "version", until=AT - timedelta(seconds=1)) == {}
    assert read_newest_facts([machine, other], ["version"], component="") == {
        (machine.pk, "version", ""): "19.24", (other.pk, "version", ""): "23.4",
    }  # fmt: skip
    assert read_newest_facts([machine]) == {
        (machine.pk, "version", ""): "19.24", (machine.pk, "version", "client"): "12.1",
        (machine.pk, "parameter", "sga_target"): "4G",
    }  # fmt: skip
