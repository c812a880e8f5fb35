"""Which figures belong to the whole of their day and to it alone: what may be set beside figures of the same day."""

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.snapshots.ingredients import ingredients
from apps.snapshots.models import Coverage


def is_whole(target: Target, keys: Sequence[tuple[str, str]], days: Sequence[date]) -> NDArray[np.bool_]:
    """
    Which figures belong to the whole of their day and to it alone, shape (s, d).

    What was measured over too little of a day or spans several is not aligned with the figures of that day, and the
    running day is not over.
    """
    covers = {row.day: row for row in Coverage.objects.filter(target=target, day__in=days, is_so_far=False)}
    kinds = [_kind_of(key) for key, _ in keys]
    distinct = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    whole = np.array(
        [[_fits(covers.get(day), *kind) for day in days] for kind in distinct], dtype=bool
    ).reshape(len(distinct), len(days))
    return whole[[distinct[kind] for kind in kinds]] if kinds else np.zeros((0, len(days)), dtype=bool)


def _kind_of(key: str) -> tuple[int, bool]:
    metric = get_metric(key)
    return metric.category, ":" in key or ingredients(get_metric(key.partition(":")[0]))[1]


def _fits(cover: Coverage | None, category: int, is_over_time: bool) -> bool:
    if cover is None:
        return False
    if not is_over_time:
        return not cover.without(category)
    spans = int(cover.categories.get(str(category), {}).get("spans", 1))
    return spans == 1 and not cover.is_partial_in(category)
