"""Reads and writes are found by what platforms declare, not by how they are spelt."""

from apps.catalog.registry import get_metric, is_metric
from apps.catalog.splits import part_of
from apps.catalog.units import parse_unit
from apps.collection.tests import scripted
from apps.platforms.linux.splits import SPLITS as OF_HOSTS
from apps.platforms.oracle.splits import SPLITS as OF_INSTANCES

scripted.register()


def test_a_part_is_found_from_any_other_by_its_name_or_how_that_begins():
    assert part_of("x_read_ms", "Writes") == "x_write_ms"
    assert part_of("x_write_ms", "r") == "x_read_ms"


def test_of_a_reduction_the_part_is_reduced_too():
    assert part_of("host_disk_read_await_ms:p95", "W") == "host_disk_write_await_ms:p95"


def test_what_no_part_is_called_has_none():
    assert (part_of("x_read_ms", "commits"), part_of("x_read_ms", ""), part_of("x_redo", "R")) == (
        None,
        None,
        None,
    )


def test_every_part_that_platforms_declare_is_a_statistic_of_one_unit():
    for split in (*OF_HOSTS, *OF_INSTANCES):
        assert all(is_metric(key) for key in split.values()), split
        assert len({parse_unit(get_metric(key).display_unit) for key in split.values()}) == 1, split
