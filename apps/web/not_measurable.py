"""What cannot be measured on a host by its files, or by the way it is read, with what would give it."""

from collections.abc import Mapping
from datetime import date

import numpy as np

from apps.catalog.not_measurable import NotMeasurable, not_measurable_on
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.snapshots.measured import read_all
from apps.snapshots.models import Coverage
from apps.snapshots.not_measurable import not_measurable_by_way


def not_measurable_of(target: Target, day: date | None) -> Mapping[str, str]:
    """
    What the tools of a host's system cannot give of a day of files, and what its collector cannot of other days.

    What the day has all the same, by another tool, is left out.
    """
    declared = not_measurable_on(target.platform)
    if declared is None or day is None or target.retired_at is not None:
        return {}
    is_of_file = Coverage.objects.filter(target=target, day=day).exclude(origin="").exists()
    listed = not_measurable_by_way(target, is_of_file=is_of_file)
    measured = _measured(declared, target, day) if listed else set()
    return {what: instead for what, instead in listed.items() if what not in measured}


def _measured(declared: NotMeasurable, target: Target, day: date) -> set[str]:
    keys = {key for statistics in declared.statistics.values() for key in statistics}
    categories = {get_metric(key).category for key in keys}
    figures = read_all([target], [day], categories, keys)[target.pk]
    present = {
        key
        for (key, _), values in zip(figures.keys, figures.values, strict=True)
        if not np.isnan(values).all()
    }
    return {what for what, statistics in declared.statistics.items() if not present.isdisjoint(statistics)}
