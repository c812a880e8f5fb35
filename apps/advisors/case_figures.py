"""What was measured of a target, of its machine and of what runs on it, told as usual days before a change and now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

import numpy as np

from apps.advisors.engine import windows
from apps.advisors.engine.diagnosis import StatisticChange
from apps.catalog.causes import Cause, Driven, Service, Shared, Stored, cause_of
from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, get_metric, metrics_of
from apps.catalog.subjects import neighbourhood_of, statistics_on
from apps.inventory.models import Target
from apps.snapshots.dictionary import Name
from apps.snapshots.measured import Measured, days_between, read_all, read_series
from apps.thresholds.models import Violation
from apps.thresholds.series import components_of

THINGS_READ = timedelta(days=35)  # sizes of things are read once a week


@dataclass(frozen=True)
class TargetFigures:
    """What was measured of a target, told as usual days before a change and now."""

    measured: Measured
    on: date
    medians: dict[tuple[int, date], tuple[float | None, float | None]] = field(
        default_factory=dict
    )  # when asked for

    def has(self, key: str, component: str = "") -> bool:
        return (key, component) in self.measured.row_of

    def chosen(self, row: int, begin: date) -> windows.Windows:
        return windows.choose_days(self.days, self.usable[row], begin, self.on)

    @cached_property
    def days(self) -> list[date]:
        return [day for day in self.measured.days if day is not None]

    @cached_property
    def usable(self) -> windows.Flags:
        """Where a figure is of a whole usual day and rests on enough: (series, days)."""
        measured = self.measured
        return np.asarray(measured.is_like_others & ~np.isnan(measured.totals) & ~measured.is_thin)

    def change(self, key: str, component: str, begin: date, name: str = "") -> StatisticChange:
        """A statistic before and now, in the unit of the profile."""
        metric = get_metric(key)
        row = self.measured.row_of.get((key, component))
        before = now = None
        if row is not None:
            if (row, begin) not in self.medians:
                values, chosen = self.measured.totals[row], self.chosen(row, begin)
                self.medians[row, begin] = windows.compute_medians(self.days, values, chosen)
            before, now = (
                None if value is None else metric.to_display_unit(value) for value in self.medians[row, begin]
            )
        return StatisticChange(name or metric.label, metric.display_unit, before, now)

    def busiest(self, key: str) -> str | None:
        """The component with the most operations of late; None where there is none."""
        rows = [row for (metric, _), row in self.measured.row_of.items() if metric == key]
        rows = [row for row in rows if self.measured.is_present[row].any()]
        recent = self.measured.weight[:, -windows.NOW_DAYS :]
        most = max(rows, key=lambda row: float(np.nansum(recent[row])), default=None)
        return None if most is None else self.measured.keys[most][1]


@dataclass(frozen=True)
class CaseFigures:
    """A target, the machine it runs on and what runs on it, up to a day."""

    target: Target
    own: TargetFigures
    machine: Target
    of_machine: TargetFigures
    guests: Sequence[Target]
    of_guests: dict[int, TargetFigures]
    things: dict[str, Measured]  # sizes of what is stored, by their key
    on: date

    @classmethod
    def read(
        cls, target: Target, violations: Sequence[Violation], begins: Mapping[int, date], on: date
    ) -> "CaseFigures":
        """The target's figures at one go, those of its machine and of what runs on it where a case asks for them."""
        first = min([*begins.values(), on - timedelta(days=windows.BEFORE_DAYS)]) - windows.BEFORE_REACH
        causes = [cause_behind(violation) for violation in violations]
        machine = target.runs_on or target
        below = {metric.key for violation in violations for metric in averages_below(violation)}
        keys = [key for violation in violations for key in _keys(violation)]
        keys += [*work_keys(target), *_series_of(target, below, on)]
        strains = [(key, "") for key, _ in strains_of(machine)]
        devices = _series_of(machine, below, on) if target.runs_on is not None else []
        shared = [cause for cause in causes if isinstance(cause, Shared)]
        guests = list(Target.objects.in_estate().filter(runs_on=target).order_by("name")) if shared else []
        guest_keys = [key for guest in guests for key in (*share_keys(guest, shared), *work_keys(guest))]
        stored = {cause.things for cause in causes if isinstance(cause, Stored) and cause.things}
        return cls(
            target,
            TargetFigures(read_series([target], keys, first, on)[target.pk], on),
            machine,
            TargetFigures(
                read_series(
                    [machine], [*strains, *devices], first if devices else on - windows.NOW_REACH, on
                )[machine.pk],
                on,
            ),
            guests,
            {
                pk: TargetFigures(measured, on)
                for pk, measured in (read_series(guests, guest_keys, first, on) if guests else {}).items()
            },
            {key: read_things(target, key, on) for key in stored},
            on,
        )


def read_things(target: Target, key: str, on: date) -> Measured:
    """Sizes of what is stored, over weeks: they are read seldom."""
    return read_all([target], days_between(on - THINGS_READ, on), {get_metric(key).category})[target.pk]


def _series_of(target: Target, keys: Collection[str], on: date) -> list[Name]:
    """The series that a target has of some of its metrics."""
    own = {metric.key for metric in metrics_of(target.platform)} & set(keys)
    components = components_of(target, own, on) if own else {}
    return [(key, name) for key, names in sorted(components.items()) for name in names]


def cause_behind(violation: Violation) -> Cause | None:
    return cause_of(violation.target.platform, violation.about, violation.component)


def _keys(violation: Violation) -> list[Name]:
    """The series of the target that speak of one violation."""
    name = violation.component
    keys = [(violation.metric, name)]
    match cause := cause_behind(violation):
        case Stored():
            keys.append((cause.used, name))
        case Driven():
            keys += [(key, "") for key, _ in cause.drivers]
        case Service():
            keys += [(cause.average, name), (cause.count, name)]
    return keys


def work_keys(target: Target) -> list[Name]:
    return [(metric.key, "") for metric in metrics_of(target.platform) if metric.role == "work"]


def share_keys(guest: Target, causes: Iterable[Cause | None]) -> list[Name]:
    subjects = {cause.users for cause in causes if isinstance(cause, Shared)}
    sources = [statistics_on(guest.platform, subject) for subject in subjects]
    return [(key, "") for source in sources if source is not None for key, _ in source.statistics]


def strains_of(machine: Target) -> list[tuple[str, float]]:
    """The statistics that show that a machine runs out, with what it can bear."""
    metrics = [metric for metric in metrics_of(machine.platform) if metric.role == "strain"]
    return [
        (f"{metric.key}:p95" if "p95" in metric.reductions else metric.key, metric.judging.strain)
        for metric in metrics
    ]


def averages_below(violation: Violation) -> list[Metric]:
    """Averages of what a figure waits for: the response of redo writes, of the devices below."""
    target = violation.target
    named = neighbourhood_of(target.platform, violation.metric, violation.component)
    platforms = dict.fromkeys((target.platform, (target.runs_on or target).platform))
    sources = [
        statistics_on(platform, subject)
        for subject in (named.subjects if named else ())
        for platform in platforms
    ]
    keys = dict.fromkeys(key for source in sources if source is not None for key, _ in source.statistics)
    mine = violation.about.ingredients
    return [
        metric
        for key in keys
        if (metric := find_metric(key)) is not None
        and metric.judging.weight
        and not mine & metric.ingredients
    ]
