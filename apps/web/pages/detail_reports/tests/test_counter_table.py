"""The statistics of a tab as rows: their changes, and the columns in the place of rows for mean, p95 and maximum."""

from dataclasses import replace

import numpy as np
import pytest

from apps.catalog.metric import Kind, Metric
from apps.charts.figures import MISSING, SPACE
from apps.web.pages.detail_reports.counter_table import CounterRow

METRIC = Metric(key="x", label="x", unit="per day", kind=Kind.GAUGE, source="p", category=1)


def row(metric: Metric, value: float | None, then: float | None) -> CounterRow:
    return CounterRow(metric, metric.unit, "", value, {7: then}, {}, np.array([1.0]), None, None)


@pytest.mark.parametrize(
    ("unit", "value", "then", "change"),
    [
        ("per day", 110.0, 100.0, "+10.0"),
        ("per day", 5.0, 0.0, "new"),
        ("per day", 0.0, 0.0, "0"),
        ("per day", 5.0, None, MISSING),
        ("per day", None, 5.0, MISSING),
        ("%", 80.0, 90.0, f"−10.0{SPACE}pt"),
    ],
)
def test_a_change_is_in_percent_and_of_percent_in_points(unit, value, then, change):
    assert row(replace(METRIC, unit=unit), value, then).change(7) == change


def test_a_statistic_that_is_read_within_the_day_stands_with_those_a_decision_needs():
    plain = row(METRIC, 1.0, 1.0)

    assert not plain.is_chosen
    assert replace(plain, reductions={"p95": 2.0}).is_chosen
