"""Figures made of two categories, one of which was read some minutes after the other."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from apps.catalog.metric import Kind, Metric
from apps.snapshots.engine.day_readings import window_of
from apps.snapshots.engine.days import day_of
from apps.snapshots.engine.figures import day_figures
from apps.snapshots.engine.readings import Shot

READS = Metric(key="reads", label="reads", unit="count", kind=Kind.COUNTER, source="x", category=1)
WAITED = Metric(key="waited", label="waited", unit="s", kind=Kind.COUNTER, source="x", category=2)
AVERAGE = Metric(
    key="average", label="average", unit="s", kind=Kind.RATIO, source="derived", category=2,
    formula=lambda w: w.delta("waited") / w.delta("reads"),
)  # fmt: skip
SHARE = Metric(
    key="share", label="share", unit="ratio", kind=Kind.RATIO, source="derived", category=2,
    formula=lambda w: (w.delta("waited") + 0 * w.delta("reads")) / w.seconds,
)  # fmt: skip
METRICS = {metric.key: metric for metric in (READS, WAITED, AVERAGE, SHARE)}
FIRST = datetime(2026, 3, 3, 0, 5, tzinfo=UTC)
DAY = timedelta(days=1)


def shot(at: datetime, key: str, value: float) -> Shot:
    return Shot(at, FIRST - 10 * DAY, [(key, "")], np.array([value]))


@pytest.mark.parametrize("minutes_later", [0, 45])
def test_O6_each_part_of_a_ratio_counts_over_its_own_interval_where_one_was_completed_later(minutes_later):
    later = timedelta(minutes=minutes_later)
    seconds = (DAY + later).total_seconds()
    shots = {
        1: {FIRST: shot(FIRST, "reads", 0), FIRST + DAY: shot(FIRST + DAY, "reads", 2 * 86400)},
        # waits half a second in every second, also in the minutes until it was read
        2: {FIRST: shot(FIRST, "waited", 0), FIRST + DAY: shot(FIRST + DAY + later, "waited", seconds / 2)},
    }

    made = day_figures(
        shots, day_of(FIRST.date(), ZoneInfo("UTC")), [AVERAGE, SHARE], METRICS.get, slot_seconds=86400
    )

    part = made.parts[2]
    values = dict(zip([key for key, _ in part.keys], part.values, strict=True))
    assert values == pytest.approx({"average": 0.25, "share": 0.5})


def test_what_was_read_over_a_longer_time_says_over_which():
    later = timedelta(minutes=45)
    shots = {
        1: {FIRST: shot(FIRST, "reads", 0), FIRST + DAY: shot(FIRST + DAY, "reads", 10)},
        2: {FIRST: shot(FIRST, "waited", 0), FIRST + DAY: shot(FIRST + DAY + later, "waited", 10)},
    }

    measured = window_of(
        shots, AVERAGE, day_of(FIRST.date(), ZoneInfo("UTC")), METRICS.get, slot_seconds=86400
    )

    assert measured is not None
    window, _ = measured
    assert window.carried_over("reads") is None
    assert window.carried_over("waited") == (86400.0 + 2700.0, 86400.0)
