"""The evidence of a walk: figures of a host and of the instances on it, of a day and of 30 days before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.advisors.engine.walks import AnsweredStep, Walk, WalkFigure, answer_steps
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.catalog.subjects import statistics_on
from apps.inventory.models import Target
from apps.snapshots.measured import Measured, read_series
from apps.snapshots.window_coverage import read_window_coverage

BEFORE, REACH = 30, 7  # days back, and how much earlier a day may stand in for that one
LEAST_COMMON = 0.8  # of the day that host and instance must have been measured over


@dataclass(frozen=True)
class WalkEvidence:
    """One figure of one target; None where it was not measured."""

    figure: WalkFigure
    target: Target
    metric: Metric
    now: float | None
    before: float | None
    why: str


@dataclass(frozen=True)
class WalkedSteps:
    """A walk of a day with its evidence by the key of the figure; `common` is the least share of the day that host and an instance have."""

    steps: Sequence[AnsweredStep]
    evidence: Mapping[str, Sequence[WalkEvidence]]
    common: float

    @property
    def may_start(self) -> bool:
        return self.common >= LEAST_COMMON


def walk_day(walk: Walk, host: Target, instances: Sequence[Target], day: date) -> WalkedSteps:
    """The steps of a walk answered by the figures of a day; a read of the host, one of the instances."""
    figures = {figure.key: figure for step in walk.steps for figure in step.figures}
    evidence = _read_evidence(list(figures.values()), host, instances, day)
    now = _added_up(evidence, lambda part: part.now)
    before = _added_up(evidence, lambda part: part.before)
    return WalkedSteps(answer_steps(walk, now, before), evidence, _common_share(host, instances, day))


def _added_up(
    evidence: Mapping[str, Sequence[WalkEvidence]], take: Callable[[WalkEvidence], float | None]
) -> dict[str, float]:
    """The sum of each figure over its targets; one that lacks a part is not there."""
    sums = {}
    for key, parts in evidence.items():
        values = [take(part) for part in parts]
        if values and None not in values:
            sums[key] = sum(value or 0.0 for value in values)
    return sums


def _read_evidence(
    figures: Sequence[WalkFigure], host: Target, instances: Sequence[Target], day: date
) -> dict[str, list[WalkEvidence]]:
    names = {
        (figure.key, target.pk): metric
        for figure in figures
        for target in ([host] if figure.metric else instances)
        if (metric := figure.metric or _metric_on(target, figure.subject))
    }
    first = day - timedelta(days=BEFORE + REACH)
    measured: dict[int, Measured] = {}
    for targets in ([host], list(instances)):
        keys = {(metric, "") for (_, pk), metric in names.items() if pk in {target.pk for target in targets}}
        measured |= read_series(targets, sorted(keys), first, day) if targets else {}
    return {
        figure.key: [
            _evidence(figure, measured[target.pk], names[figure.key, target.pk])
            for target in (host, *instances)
            if (figure.key, target.pk) in names
        ]
        for figure in figures
    }


def _metric_on(target: Target, subject: str) -> str:
    source = statistics_on(target.platform, subject)
    return source.statistics[0][0] if source is not None and source.statistics else ""


def _evidence(figure: WalkFigure, measured: Measured, key: str) -> WalkEvidence:
    row, last = measured.row_of[key, ""], len(measured.days) - 1
    earlier = (measured.value(row, column) for column in range(REACH, -1, -1))
    before = next((value for value in earlier if value is not None), None)
    return WalkEvidence(
        figure,
        measured.target,
        get_metric(key),
        measured.value(row, last),
        before,
        measured.reason(row, last),
    )


def _common_share(host: Target, instances: Sequence[Target], day: date) -> float:
    own, *others = read_window_coverage([host, *instances], [day])
    return min([own.share, *(own.common_hours(other) / own.whole for other in others)])
