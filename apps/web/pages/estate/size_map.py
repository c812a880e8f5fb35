"""The instances by their size, for the treemap of the estate and the table beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone

from apps.catalog.registry import metrics_of
from apps.catalog.units import convert
from apps.inventory.models import Target
from apps.snapshots.dictionary import keys_of
from apps.snapshots.history import read_latest
from apps.snapshots.models import Series
from apps.thresholds.judge import FigureState

LISTED = 100  # rows of the table beside the treemap; its file has all
DAYS = 7  # how old a size may be
MONTH = 30  # days over which growth is told


@dataclass(frozen=True)
class Tile:
    """One target of the treemap: bytes allocated and used, and what the used ones grew by in a month."""

    group: str
    target: str
    url: str
    state: str
    size: float
    used: float
    growth: float | None = None


def tiles(targets: Iterable[Target], states: dict[int, FigureState | None]) -> list[Tile]:
    """The instances by what is allocated to them, with the part that is used; those whose size is known."""
    today = timezone.now().date()
    sizes = _sizes(targets, ("size", "filled"), today)
    before = _sizes(targets, ("filled",), today - timedelta(days=MONTH))
    boxes = [
        Tile(
            target.group.name if target.group else "",
            target.name,
            target.get_absolute_url(),
            states.get(target.pk) or "",
            sizes[target.pk]["size"],
            sizes[target.pk].get("filled", 0.0),
            _growth(sizes[target.pk].get("filled"), before[target.pk].get("filled")),
        )
        for target in targets
        if sizes[target.pk].get("size", 0.0) > 0
    ]
    return sorted(boxes, key=lambda tile: (tile.group, -tile.size))


def _growth(now: float | None, before: float | None) -> float | None:
    return None if now is None or before is None else now - before


def _sizes(targets: Iterable[Target], roles: Sequence[str], until: date) -> dict[int, dict[str, float]]:
    """What is allocated to each target and what of it is used, by role, in bytes, as it was last read by a day."""
    metrics = {
        metric.key: metric
        for platform in {target.platform for target in targets}
        for metric in metrics_of(platform)
        if metric.role in roles
    }
    series = list(Series.objects.filter(metric__in=metrics, component="").values_list("pk", flat=True))
    of_role = {
        pk: (metrics[key].role, convert(1.0, metrics[key].unit, "bytes"))
        for pk, (_, key, _) in zip(series, keys_of(series), strict=True)
    }
    read = read_latest([target.pk for target in targets], series, until - timedelta(days=DAYS), until)
    return {
        target: {of_role[pk][0]: value * of_role[pk][1] for pk, value in values.items()}
        for target, values in read.items()
    }
