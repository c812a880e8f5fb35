"""Resources that are larger than what has been used of them for three months."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.db.models import QuerySet

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.catalog.units import convert
from apps.charts.figures import bytes_text, figure
from apps.charts.words import capital
from apps.inventory.models import Target
from apps.reports.daily_figures import find_series, read_daily_figures
from apps.reports.engine.week import Week
from apps.reports.facts import Oversized
from apps.snapshots.history import read_histories
from apps.snapshots.models import Series

DAYS = 90
LEAST_DAYS = 60  # of them that have a figure
IDLE = 20.0  # percent of a strain that its 95th percentile never reached
USED = 0.5  # of what is allocated
MOST = 8
CANDIDATES = 40  # looked at over the whole time
CHUNK = 100
TERABYTE = 1024**4


@dataclass(frozen=True)
class _Waste:
    """How much is spare, to compare candidates of one kind."""

    target: Target
    spare: float


def find_oversized(targets: QuerySet[Target], week: Week) -> list[Oversized]:
    """Hosts whose processors were idle, and targets whose space was not used, on every day of three months."""
    listed = list(targets)
    return [*_idle_hosts(listed, week), *_unused_space(listed, week)][:MOST]


def _idle_hosts(targets: Sequence[Target], week: Week) -> list[Oversized]:
    resources = []
    for platform in sorted({target.platform for target in targets}):
        members = [target for target in targets if target.platform == platform]
        for metric in (metric for metric in metrics_of(platform) if metric.role == "strain"):
            key = f"{metric.key}:p95" if "p95" in metric.reductions else metric.key
            resources += _idle_in(members, get_metric(key), week)
    return resources


def _idle_in(targets: Sequence[Target], metric: Metric, week: Week) -> list[Oversized]:
    name = (metric.key, "")
    series = find_series([name])
    if not series:
        return []
    candidates = []
    histories = read_histories(
        [target.pk for target in targets], list(series.values()), week.first_day, week.last_day
    )
    for target in targets:
        figures = histories.values[target.pk][:, 0]
        figures = figures[~np.isnan(figures)]
        if len(figures) and metric.to_display_unit(float(figures.max())) < IDLE:
            candidates.append(_Waste(target, -float(figures.max())))
    resources = []
    for candidate in sorted(candidates, key=lambda candidate: -candidate.spare)[:CANDIDATES]:
        history = read_daily_figures(
            candidate.target.pk, [name], week.last_day - timedelta(days=DAYS - 1), week.last_day
        )
        values = [value for value in history.get(name, []) if value is not None]
        if len(values) >= LEAST_DAYS and max(values) < IDLE:
            text = f"{capital(metric.label)} was {figure(max(values))} {metric.display_unit} at most in {DAYS} days."
            resources.append(Oversized(candidate.target.name, text))
    return resources


def _unused_space(targets: Sequence[Target], week: Week) -> list[Oversized]:
    candidates: list[_Waste] = []
    for platform in sorted({target.platform for target in targets}):
        members = [target for target in targets if target.platform == platform]
        sizes = {
            metric.key: metric for metric in metrics_of(platform) if metric.role in ("allocated", "used")
        }
        rows = list(Series.objects.filter(metric__in=sizes))
        if {sizes[row.metric].role for row in rows} != {"allocated", "used"}:
            continue
        for start in range(0, len(members), CHUNK):
            candidates += _spare(members[start : start + CHUNK], rows, sizes, week)
    resources = []
    for candidate in sorted(candidates, key=lambda candidate: -candidate.spare)[:CANDIDATES]:
        text = _never_used(candidate.target, week)
        if text:
            resources.append(Oversized(candidate.target.name, text))
    return resources


def _spare(
    targets: Sequence[Target], rows: Sequence[Series], sizes: dict[str, Metric], week: Week
) -> list[_Waste]:
    """Targets that use less than half of what they have on the last day of the week."""
    histories = read_histories(
        [target.pk for target in targets], [row.pk for row in rows], week.last_day, week.last_day
    )
    factors = np.array([convert(1.0, sizes[row.metric].unit, "bytes") for row in rows])
    is_used = np.array([sizes[row.metric].role == "used" for row in rows])
    candidates = []
    for target in targets:
        sums = np.nan_to_num(histories.values[target.pk][0]) * factors
        used, allocated = float(sums[is_used].sum()), float(sums[~is_used].sum())
        if 0 < used < USED * allocated and allocated - used > TERABYTE / 10:
            candidates.append(_Waste(target, allocated - used))
    return candidates


def _never_used(target: Target, week: Week) -> str:
    """What a target never used, as a sentence; empty where that is less than half, or known for too short a time."""
    sizes = {
        metric.key: metric for metric in metrics_of(target.platform) if metric.role in ("allocated", "used")
    }
    names = list(Series.objects.filter(metric__in=sizes).values_list("metric", "component"))
    history = read_daily_figures(target.pk, names, week.last_day - timedelta(days=DAYS - 1), week.last_day)
    sums = {
        role: np.array(
            [
                [
                    np.nan if value is None else convert(value, sizes[name[0]].display_unit, "bytes")
                    for value in row
                ]
                for name, row in history.items()
                if sizes[name[0]].role == role
            ]
        )
        for role in ("allocated", "used")
    }
    if not all(part.size for part in sums.values()):
        return ""
    has_figure = ~np.isnan(sums["used"]).all(axis=0)
    if has_figure.sum() < LEAST_DAYS:
        return ""
    most = float(np.nansum(sums["used"], axis=0)[has_figure].max())
    allocated = float(np.nansum(sums["allocated"], axis=0)[-1])
    if not 0 < most < USED * allocated:
        return ""
    return f"{bytes_text(allocated - most)} of {bytes_text(allocated)} were not used in {DAYS} days."
