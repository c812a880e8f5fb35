"""The instances by their size, for the treemap of the estate and the table beside it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

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


@dataclass(frozen=True)
class Tile:
    """One target of the treemap: bytes allocated and used."""

    group: str
    target: str
    url: str
    state: str
    size: float
    used: float


def tiles(targets: Iterable[Target], states: dict[int, FigureState | None]) -> list[Tile]:
    """The instances by what is allocated to them, with the part that is used; those whose size is known."""
    sizes = _sizes(targets)
    boxes = [
        Tile(
            target.group.name if target.group else "",
            target.name,
            target.get_absolute_url(),
            states.get(target.pk) or "",
            sizes[target.pk]["size"],
            sizes[target.pk].get("filled", 0.0),
        )
        for target in targets
        if sizes[target.pk].get("size", 0.0) > 0
    ]
    return sorted(boxes, key=lambda tile: (tile.group, -tile.size))


def _sizes(targets: Iterable[Target]) -> dict[int, dict[str, float]]:
    """What is allocated to each target and what of it is used, by role, in bytes, as it was read last."""
    metrics = {
        metric.key: metric
        for platform in {target.platform for target in targets}
        for metric in metrics_of(platform)
        if metric.role in ("size", "filled")
    }
    series = list(Series.objects.filter(metric__in=metrics, component="").values_list("pk", flat=True))
    of_role = {
        pk: (metrics[key].role, convert(1.0, metrics[key].unit, "bytes"))
        for pk, (_, key, _) in zip(series, keys_of(series), strict=True)
    }
    until = timezone.now().date()
    read = read_latest([target.pk for target in targets], series, until - timedelta(days=DAYS), until)
    return {
        target: {of_role[pk][0]: value * of_role[pk][1] for pk, value in values.items()}
        for target, values in read.items()
    }
