"""Which series a review reads: the components of limited metrics, and how many days back."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from django.db import connection

from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.snapshots.dictionary import keys_of, layout_series
from apps.snapshots.history import HORIZONS
from apps.thresholds.models import HORIZON_OF, Threshold
from apps.thresholds.rule import DAYS_BACK


def components_of(target: Target, metrics: Iterable[str], on: date) -> dict[str, list[str]]:
    """The components each metric has on a target around a day: those of the layouts its recent rows name."""
    keys = set(metrics)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT layout_id FROM figure WHERE target_id = %s AND day BETWEEN %s AND %s",
            [target.pk, on - timedelta(days=7), on],
        )
        layouts = [pk for (pk,) in cursor.fetchall()]
    ids = {int(pk) for members in layout_series(layouts).values() for pk in members}
    components: dict[str, set[str]] = {}
    for _, metric, component in keys_of(sorted(ids)):
        if metric in keys:
            components.setdefault(metric, set()).add(component)
    return {metric: sorted(names) for metric, names in components.items()}


def components_on(targets: Sequence[Target], metric: str, until: date) -> dict[int, list[str]]:
    """The components a metric has on each of many targets in the week up to a day; two queries and no target without."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT target_id, layout_id FROM figure"
            " WHERE target_id = ANY(%s) AND day BETWEEN %s AND %s AND category = %s",
            [
                [target.pk for target in targets],
                until - timedelta(days=7),
                until,
                get_metric(metric).category,
            ],
        )
        rows = cursor.fetchall()
    layouts = layout_series({layout for _, layout in rows})
    ids = sorted({int(pk) for members in layouts.values() for pk in members})
    named = {pk: name for pk, (_, key, name) in zip(ids, keys_of(ids), strict=True) if key == metric}
    components: dict[int, set[str]] = {}
    for target, layout in rows:
        names = {named[pk] for pk in layouts[layout].tolist() if pk in named}
        if names:
            components.setdefault(target, set()).update(names)
    return {target: sorted(names) for target, names in components.items()}


def count_days_needed(thresholds: Iterable[Threshold]) -> int:
    """How many days back the figures of these thresholds reach: a change needs the day it is compared with."""
    horizons = {HORIZON_OF[threshold.figure] for threshold in thresholds if threshold.figure in HORIZON_OF}
    return DAYS_BACK + max((horizon + HORIZONS[horizon] for horizon in horizons), default=0)


def add_second_conditions(
    pairs: Iterable[tuple[str, str]], thresholds: Iterable[Threshold]
) -> list[tuple[str, str]]:
    """The pairs, and those of the second conditions of limits on them."""
    seconds = {
        (threshold.metric, threshold.second_metric) for threshold in thresholds if threshold.second_metric
    }
    complete_pairs = set(pairs)
    complete_pairs |= {(second, name) for metric, second in seconds for of, name in pairs if of == metric}
    return sorted(complete_pairs)
