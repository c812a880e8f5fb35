"""Readings may come late: whatever order they come in, the figures are those of the right order."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from apps.inventory.models import Target
from apps.snapshots.models import Coverage, Figure
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_around

pytestmark = pytest.mark.django_db(transaction=True)

BOOT = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = datetime(2026, 2, 10, 0, 5, tzinfo=UTC)
HOURS = 9 * 24


def figures_after(order: list[int], *, is_clock_real: bool) -> dict[tuple[date, int], tuple[object, ...]]:
    """The figures once the readings of these hours came in this order, by day and category."""
    ensure_partitions([FIRST.date() - timedelta(days=30), FIRST.date(), FIRST.date() + timedelta(days=30)])
    target = Target.objects.create(
        name="LATE", kind="instance", platform="small", collector="none", registered_at=BOOT
    )
    for hour in order:
        at = FIRST + timedelta(hours=hour)
        values = {("t_redo", ""): 1e9 * hour**1.5, ("t_entries", ""): 100.0 * hour}
        record_snapshot(
            target, [ReadSource(category=901, values=values)], slot=at, captured_at=at, started_at=BOOT
        )
        now = FIRST + timedelta(hours=HOURS) if is_clock_real else at
        roll_up_around(target, at, now)
    covers = {cover.day: (cover.hours, cover.spans_days) for cover in Coverage.objects.filter(target=target)}
    figures: dict[tuple[date, int], tuple[object, ...]] = {
        (figure.day, figure.category): (*np.nan_to_num(figure.values, nan=-1.0).round(9), *covers[figure.day])
        for figure in Figure.objects.filter(target=target)
    }
    target.delete()
    return figures


@settings(max_examples=15)
@given(some.lists(some.integers(0, HOURS), unique=True, min_size=2, max_size=6), some.randoms())
def test_O3_any_order_of_arrival_gives_the_same_figures(hours, random):
    shuffled = random.sample(hours, len(hours))

    assert figures_after(shuffled, is_clock_real=True) == figures_after(sorted(hours), is_clock_real=True)


@pytest.mark.parametrize("order", [[0, 48, 24], [0, 47, 36], [0, 24, 120, 72], [96, 0, 24]])
def test_O3_a_reading_that_is_typed_in_for_a_moment_gone_by_mends_the_days_after_it(order):
    late = figures_after(order, is_clock_real=False)

    assert late == figures_after(sorted(order), is_clock_real=False)
    assert late
