"""What moves with a statistic, of everything read of its target and of the machine or the instances that belong to it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

import numpy as np

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.profiles.engine.correlation import LEAST_DAYS, Correlations, Floats, changes, correlate
from apps.snapshots.measured import read_all

DAYS = 120
LIKELY = 0.05  # of what is told, at most such a share is expected to be coincidence
MOST = 20  # rows
MOST_TARGETS = 4  # instances of one host, or instances of one database, that are looked at

Key = tuple[str, str]  # metric, component


@dataclass(frozen=True)
class RelatedSeries:
    """A series that moves with another: by `rho`, `lag` days before it, over `days` pairs of changes."""

    target: Target
    metric: Metric
    component: str
    rho: float
    lag: int
    days: int
    chance: float  # corrected for all that was tried
    also: int = 0  # further figures of the same readings that move with it too


@dataclass(frozen=True)
class RelatedStatistics:
    """What was found, strongest first, and how much was tried to find it."""

    first: date
    last: date
    known_days: int  # changes of the statistic itself
    movers: Sequence[RelatedSeries] = ()
    series: int = 0
    tried: int = 0  # series times lags
    left_out: int = 0  # figures made of the same readings as the statistic
    elsewhere: Sequence[Target] = ()  # their days are those of another time zone
    beyond_most: int = 0  # related targets beyond MOST_TARGETS

    @property
    def is_enough(self) -> bool:
        return self.known_days >= LEAST_DAYS


@dataclass
class _Block:
    """The figures of one target by day, in stored units; what was measured too briefly is left out."""

    target: Target
    keys: list[Key]
    levels: Floats  # (s, d)
    rows: dict[Key, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = {key: row for row, key in enumerate(self.keys)}


def find_related(
    target: Target, metric: Metric, component: str, until: date, days: int = DAYS
) -> RelatedStatistics:
    """
    The series whose day-to-day changes go with those of one statistic, 0 to 7 days ahead of it.

    Five queries for the target and three for each related one.
    """
    stretch = [until - timedelta(days=back) for back in range(days - 1, -1, -1)]
    own = _read(target, stretch)
    row = own.rows.get((metric.key, component))
    if row is None:
        return RelatedStatistics(stretch[0], until, 0)
    movement = changes(own.levels[row : row + 1])[0]
    known_days = int(np.count_nonzero(~np.isnan(movement)))
    same, elsewhere, beyond_most = _near(target, until)
    if known_days < LEAST_DAYS:
        return RelatedStatistics(stretch[0], until, known_days)
    blocks = [own, *(_read(other, stretch) for other in same)]
    names = [(block.target, *key) for block in blocks for key in block.keys]
    levels = np.concatenate([block.levels for block in blocks])
    indexes, left_out = _choose_series(names, target, metric, component)
    correlations = correlate(movement, changes(levels[indexes]))
    return RelatedStatistics(
        stretch[0],
        until,
        known_days,
        _movers([names[index] for index in indexes], correlations),
        int(np.count_nonzero(~np.isnan(correlations.rho).all(axis=1))),
        correlations.tried,
        left_out,
        elsewhere,
        beyond_most,
    )


def relation_of(
    statistic: tuple[Target, Metric, str], other: tuple[Target, Metric, str], until: date, days: int = DAYS
) -> Correlations:
    """How one series follows another at each lag; nothing is corrected, for only they were asked about."""
    stretch = [until - timedelta(days=back) for back in range(days - 1, -1, -1)]
    blocks = {target.pk: _read(target, stretch) for target, _, _ in (statistic, other)}
    series = []
    for target, metric, component in (statistic, other):
        block = blocks[target.pk]
        row = block.rows.get((metric.key, component))
        series.append(np.full(len(stretch), np.nan) if row is None else block.levels[row])
    moved = changes(np.array(series))
    return correlate(moved[0], moved[1:])


def _read(target: Target, days: Sequence[date]) -> _Block:
    measured = read_all([target], days)[target.pk]
    return _Block(target, list(measured.keys), np.where(measured.is_alone, measured.values, np.nan))


def _near(target: Target, on: date) -> tuple[list[Target], list[Target], int]:
    """Targets whose figures are looked at too, those whose days are others, and how many are too many."""
    near: list[Target] = []
    if target.runs_on is not None:
        near.append(target.runs_on)
    if target.database is not None:
        near.append(target.database)
    members = Target.objects.in_estate().order_by("name")
    if target.kind == Target.Kind.HOST:
        near += members.filter(runs_on=target)
    elif target.kind == Target.Kind.DATABASE:
        near += members.filter(database=target)
    same = [neighbour for neighbour in near if _offset(neighbour, on) == _offset(target, on)]
    return (
        same[:MOST_TARGETS],
        [neighbour for neighbour in near if neighbour not in same],
        max(len(same) - MOST_TARGETS, 0),
    )


def _offset(target: Target, on: date) -> timedelta | None:
    return datetime.combine(on, time(), target.zone).utcoffset()


def _choose_series(
    names: Sequence[tuple[Target, str, str]], target: Target, metric: Metric, component: str
) -> tuple[list[int], int]:
    """Which series are compared, and how many are not because they are made of the same readings as the statistic."""
    own_readings = _readings(metric.key)
    present = set(names)
    indexes, left_out = [], 0
    for index, (owner, key, name) in enumerate(names):
        if not _is_compared(get_metric(key), (owner, name), present):
            continue
        if owner == target and name == component and own_readings & _readings(key):
            left_out += (key, name) != (metric.key, component)
            continue
        indexes.append(index)
    return indexes, left_out


def _is_compared(
    metric: Metric, of: tuple[Target, str], present: Collection[tuple[Target, str, str]]
) -> bool:
    """Settings never move by themselves; of several reductions of a day the one that its profile shows is enough."""
    if metric.kind is Kind.SETTING:
        return False
    profile_reduction = metric.display.reduction
    if profile_reduction and (of[0], metric.shown_key, of[1]) not in present:
        profile_reduction = ""
    return metric.reduction == profile_reduction


def _readings(key: str) -> frozenset[str]:
    """What a figure is computed from."""
    return get_metric(key).ingredients


def _movers(names: Sequence[tuple[Target, str, str]], correlations: Correlations) -> list[RelatedSeries]:
    """The series that chance does not explain, strongest first; of figures made of the same readings the first."""
    best = correlations.best()
    every = np.arange(len(names))
    corrected, rho, days = (
        part[every, best] for part in (correlations.corrected, correlations.rho, correlations.days)
    )
    significant = np.flatnonzero(corrected <= LIKELY)
    movers: list[RelatedSeries] = []

    def strongest(row: int) -> tuple[float, bool, tuple[str, str]]:
        _, key, component = names[row]
        return -round(abs(float(rho[row])), 6), get_metric(key).kind is Kind.RATIO, (key, component)

    for index in sorted(significant.tolist(), key=strongest):
        owner, key, component = names[index]
        twin = next((at for at, mover in enumerate(movers) if _is_twin(mover, owner, key, component)), None)
        if twin is not None:
            movers[twin] = RelatedSeries(**{**vars(movers[twin]), "also": movers[twin].also + 1})
        else:
            movers.append(
                RelatedSeries(
                    owner,
                    get_metric(key),
                    component,
                    float(rho[index]),
                    int(best[index]),
                    int(days[index]),
                    float(corrected[index]),
                )
            )
    return movers[:MOST]


def _is_twin(mover: RelatedSeries, owner: Target, key: str, component: str) -> bool:
    return (
        mover.target == owner
        and mover.component == component
        and bool(_readings(mover.metric.key) & _readings(key))
    )
