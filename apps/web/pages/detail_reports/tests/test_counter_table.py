"""The statistics of a tab as rows: their changes, and the columns in the place of rows for mean, p95 and maximum."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from apps.catalog.metric import Kind, Metric
from apps.charts.figures import MISSING, SPACE
from apps.profiles.build import ProfileCell
from apps.snapshots.presence import Presence
from apps.web.pages.detail_reports.counter_table import CounterRow

METRIC = Metric(key="x", label="x", unit="per day", kind=Kind.GAUGE, source="p", category=1)
THEN = ProfileCell(Presence.PRESENT, 100.0, date(2026, 11, 1))


def row(metric: Metric, then: ProfileCell) -> CounterRow:
    return CounterRow(metric, metric.unit, "", 110.0, {7: then}, {}, np.array([1.0]), None, None)


@pytest.mark.parametrize(
    ("unit", "then", "change"),
    [
        ("per day", replace(THEN, delta=10.0), "+10.0"),
        ("per day", replace(THEN, change="new"), "new"),
        ("per day", replace(THEN, delta=0.0), "0"),
        ("per day", ProfileCell(Presence.NO_DATA, None, None), MISSING),
        ("per day", THEN, MISSING),
        ("%", replace(THEN, delta=-10.0), f"−10.0{SPACE}pt"),
    ],
)
def test_a_change_is_in_percent_and_of_percent_in_points(unit, then, change):
    assert row(replace(METRIC, unit=unit), then).change(7) == change


def test_a_statistic_that_is_read_within_the_day_stands_with_those_a_decision_needs():
    plain = row(METRIC, THEN)

    assert not plain.is_chosen
    assert replace(plain, reductions={"p95": 2.0}).is_chosen
