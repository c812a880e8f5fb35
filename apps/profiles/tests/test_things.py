"""Which statistics are one thing."""

from dataclasses import dataclass

import pytest

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.profiles.things import group_things


@dataclass(frozen=True)
class Row:
    """A row about a statistic."""

    metric: Metric
    component: str = ""


def rows(*names: tuple[str, str]) -> list[Row]:
    return [Row(get_metric(key), component) for key, component in names]


@pytest.mark.parametrize(
    ("names", "things"),
    [
        ([("wait_avg_ms", "log file sync"), ("wait_count", "log file sync"), ("wait_time", "log file sync")], 1),
        ([("wait_avg_ms", "log file sync"), ("wait_avg_ms", "log buffer space")], 2),
        ([("parse_count_hard", ""), ("hard_parses_per_s", "")], 1),  # a count and its rate
        ([("io_read_requests", ""), ("io_read_requests:p95", ""), ("io_read_requests:max", "")], 1),
        ([("host_disk_queue", "sda"), ("host_disk_queue:max", "sda"), ("host_disk_util_pct", "sda")], 1),
        ([("user_commits", ""), ("transactions_per_s", "")], 2),  # commits and rollbacks
        ([("redo_synch_time", ""), ("redo_synch_time_usec", "")], 1),  # centiseconds and microseconds
        ([("redo_write_time", ""), ("redo_synch_time_usec", "")], 2),
    ],
)  # fmt: skip
def test_a_component_a_count_with_its_rate_and_a_statistic_with_its_extremes_are_one_thing(names, things):
    assert len(group_things(rows(*names))) == things


def test_the_first_row_leads_its_thing():
    first, other, second = rows(("wait_time", "x"), ("wait_time", "y"), ("wait_count", "x"))

    assert [(thing.lead, thing.rows) for thing in group_things([first, other, second])] == [
        (first, [first, second]),
        (other, [other]),
    ]
