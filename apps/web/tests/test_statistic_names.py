"""Statistics by any of their names."""

import pytest
from django.urls import reverse

from apps.collection.tests.scripted import BOOT, TODAY, Story, instance, prepare
from apps.inventory.models import Target
from apps.web.statistic_names import UnknownStatistic, find_statistic, search_statistics, write_name

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    prepare()
    target = instance("SCRIPT", registered_at=BOOT)
    Story(target).day(TODAY, redo=5, used={"DATA": 90}, waits={"log file sync": (1000, 5.0)})
    return target


@pytest.fixture
def oracle() -> Target:
    return Target.objects.create(
        name="HRPRD", kind="instance", platform="oracle", collector="oracle", registered_at=BOOT
    )


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("redo_size", "redo_size"),
        ("redo size", "redo_size"),
        ("  Redo   SIZE ", "redo_size"),
        ("redo\0size", "redo_size"),
        ("redo size (redo_size)", "redo_size"),
        ("host_cpu_busy_pct:9-17", "host_cpu_busy_pct:9-17"),
    ],
)
def test_a_statistic_is_found_by_key_label_or_own_name(oracle, words, key):
    assert find_statistic(words, oracle).metric.key == key


def test_the_name_of_a_component_is_enough(target):
    sync = find_statistic("Log File Sync", target)

    assert (sync.metric.component_kind, sync.component) == ("event", "log file sync")
    assert find_statistic("DATA", target).component == "DATA"


def test_what_nothing_is_called_names_the_nearest(oracle):
    with pytest.raises(
        UnknownStatistic, match=r"No statistic is called “redo sizes”\. The nearest are .*redo size"
    ):
        find_statistic("redo sizes", oracle)


def test_a_name_that_is_written_is_found_again(oracle):
    for statistic in search_statistics("redo", oracle):
        assert (
            find_statistic(write_name(statistic.metric.key, oracle), oracle).metric.key
            == statistic.metric.key
        )


def test_what_is_offered_has_its_own_name_and_its_key(reader, target):
    html = reader.get(reverse("statistic_options"), {"q": "log file", "target": target.pk}).content.decode()

    assert 'data-component="log file sync"' in html
    assert "x_" in html
    assert "Nothing is called" in reader.get(reverse("statistic_options"), {"q": "zzz"}).content.decode()
