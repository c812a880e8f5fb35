"""The treemap of the estate, from what was read of an instance to its tile."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.utils import timezone

from apps.catalog.registry import get_metric
from apps.inventory.models import Group, Target
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.judge import FigureState
from apps.web.pages.estate.size_map import DAYS, MONTH, Tile, tiles

pytestmark = pytest.mark.django_db
GB = 1024.0**3
TODAY = timezone.now().date()


def instance(name: str, group: Group | None = None) -> Target:
    return Target.objects.create(
        name=name, kind=Target.Kind.INSTANCE, platform="oracle", collector="oracle", group=group,
        registered_at=timezone.now() - timedelta(days=90),
    )  # fmt: skip


def tell(target: Target, ago: int, files: float, used: float, logs: float | None = 2) -> None:
    """What an instance had so many days ago, in GB, read at both ends of the day."""
    day = TODAY - timedelta(days=ago)
    read = {
        ("ts_size_mb", "DATA"): files * GB,
        ("ts_used_mb", "DATA"): used * GB,
        ("db_used_gb", ""): used * GB,
    }
    if logs is not None:
        read["redo_log_total_bytes", ""] = logs * GB
    by_category: dict[int, dict[tuple[str, str], float]] = {}
    for key, value in read.items():
        by_category.setdefault(get_metric(key[0]).category, {})[key] = value
    ends = (day, day + timedelta(days=1))
    ensure_partitions(ends)
    for end in ends:
        at = datetime.combine(end, time(), UTC)
        sources = [ReadSource(category=category, values=values) for category, values in by_category.items()]
        record_snapshot(target, sources, slot=at, captured_at=at, started_at=at - timedelta(days=30))
    roll_up_day(target, day, timezone.now())


def test_the_share_of_a_tile_divides_like_by_like():
    """W12: temp, undo and logs were in what is allocated, and not in what is used."""
    target = instance("SALES")
    tell(target, 1, files=100, used=100)  # full to the last block, with logs of 2 GB

    (tile,) = tiles(Target.objects.all(), {})

    assert tile.used / tile.size == 1


def test_a_tile_is_the_size_of_the_database_as_it_was_read_last():
    target = instance("SALES", Group.objects.create(name="Sales"))
    tell(target, MONTH + 2, files=90, used=45)
    tell(target, 3, files=90, used=60)
    tell(target, 1, files=100, used=70)

    (tile,) = tiles(Target.objects.all(), {target.pk: FigureState.AT_RISK})

    assert tile == Tile(
        "Sales",
        "SALES",
        target.get_absolute_url(),
        FigureState.AT_RISK,
        size=102 * GB,
        used=72 * GB,
        growth=25 * GB,
    )


def test_a_size_that_is_not_known_is_no_tile_of_nothing():
    tell(instance("OLD"), DAYS + 1, files=100, used=70)
    tell(instance("LOGS UNKNOWN"), 1, files=100, used=70, logs=None)
    instance("NEVER READ")

    assert tiles(Target.objects.all(), {}) == []


def test_tiles_are_in_groups_and_largest_first():
    for name, size in (("SMALL", 10), ("LARGE", 30)):
        tell(instance(name), 1, files=size, used=5)
    tell(instance("GROUPED", Group.objects.create(name="A")), 1, files=20, used=5)

    assert [tile.target for tile in tiles(Target.objects.all(), {})] == ["LARGE", "SMALL", "GROUPED"]
