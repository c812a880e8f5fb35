"""What rules are tried on: figures of a target, of its machine and of what else runs there, texts, and limits."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property

import numpy as np

from apps.advisors.engine.finding_rules import FindingRule
from apps.advisors.engine.rule_inputs import (
    DeviceInput,
    FactInput,
    FigureInput,
    GrowthInput,
    LimitInput,
    RuleInput,
    Whose,
    leaves_of,
)
from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric
from apps.inventory.models import Target
from apps.profiles.engine.growth import DAYS
from apps.snapshots.dictionary import Name, classes_of, series_ids
from apps.snapshots.engine.days import day_of
from apps.snapshots.measured import Measured, days_between, read_series
from apps.snapshots.models import Fact
from apps.thresholds.calendars import ExcludedDays
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.models import Threshold
from apps.thresholds.series import components_of

FURTHEST_BACK, NEAREST_BACK = timedelta(days=97), timedelta(days=83)
FactHistory = Mapping[
    tuple[int, str], tuple[Sequence[datetime], Sequence[str]]
]  # by target and name, oldest first


@dataclass(frozen=True)
class RuleReadings:
    """
    What the rules of a target ask for on a stretch of days: its own figures, those of its machine, and of all instances there.

    `before` are days long ago for medians, `growing` the days before that growth is told from.
    """

    target: Target
    instances: Sequence[Target]
    own: Measured
    around: Mapping[int, Measured]
    before: Measured | None
    growing: Measured | None
    facts: FactHistory
    thresholds: Sequence[Threshold]
    excluded: ExcludedDays  # what calendars leave out of judging

    @classmethod
    def read(
        cls,
        target: Target,
        rules: Iterable[FindingRule],
        first: date,
        last: date,
        limits: LimitReader | None = None,
    ) -> "RuleReadings":
        """
        Everything that these rules ask for, in a dozen queries however many days there are.

        A reader of `limits` that ends on the last day, as a review has one, is asked for them instead.
        """
        leaves = _leaves(rules)
        host = target.runs_on
        facts = _read_facts([target, *([host] if host else [])], leaves)
        names = _Names.of(target, host, _with_known_devices(leaves, facts), last)
        instances = _instances_on(host, target) if names.of_instances else []
        neighbours = [*([host] if host else []), *instances]
        limits = limits or LimitReader(target, last, (last - first).days + 1)
        limited = {leaf.metric for leaf in leaves if isinstance(leaf, LimitInput)}
        thresholds = [each for each in limits.thresholds if each.metric in limited] if limited else []
        others = [*names.of_host, *names.of_instances]
        return cls(
            target,
            instances,
            read_series([target], names.own, first - timedelta(days=1), last)[target.pk],
            read_series(neighbours, others, first, last) if neighbours and others else {},
            _read(target, names.back, first - FURTHEST_BACK, last - NEAREST_BACK),
            _read(target, names.growing, first - timedelta(days=DAYS), last),
            facts,
            thresholds,
            limits.excluded_days if thresholds else ExcludedDays(),
        )

    def of(self, whose: Whose) -> Measured | None:
        """The figures of the target or of its machine; None without a machine."""
        return self.own if whose is Whose.TARGET else self.around.get(self.target.runs_on_id or 0)

    def text(self, whose: Whose, name: str, day: date) -> str:
        """What a fact said when the day was over; empty where it is not known."""
        owner = self.target.pk if whose is Whose.TARGET else self.target.runs_on_id
        moments, texts = self.facts.get((owner or 0, name), ((), ()))
        place = bisect_right(moments, self._end_of(day))
        return texts[place - 1] if place else ""

    def days_read(self, first: date, last: date) -> list[date]:
        """The days of a stretch on which the target was read."""
        return [day for day in days_between(first, last) if day in self.own.coverage]

    def names_of_facts(self, head: str) -> list[str]:
        """The components of a fact of the machine that has several."""
        names = [name for owner, name in self.facts if owner == self.target.runs_on_id]
        return [name.removeprefix(f"{head}/") for name in names if name.startswith(f"{head}/")]

    def _end_of(self, day: date) -> datetime:
        """Half a day after it was over: by then both the target and its machine were read."""
        return day_of(day, self.target.zone).ended_at + timedelta(hours=12)

    @cached_property
    def components(self) -> Mapping[str, list[str]]:
        """The components of each statistic that was read of the target and its machine, without what rankings leave out."""
        named: dict[str, dict[str, None]] = {}
        for measured in (self.own, *self.around.values()):
            for metric, component in measured.keys:
                named.setdefault(metric, {})[component] = None
        return {key: _ranked(key, list(names)) for key, names in named.items()}


def _ranked(key: str, components: Sequence[str]) -> list[str]:
    """The components that a ranking of the statistic would have: no idle events among the waits."""
    metric = find_metric(key)
    if metric is None or metric.ranking.hides is None:
        return list(components)
    read = (
        find_metric(metric.ranking.by) or metric
    )  # what was read has classes; what was computed of it has none
    classes = classes_of(np.array(series_ids([(read.category, read.key, name) for name in components])))
    return [name for name in components if not metric.ranking.hides(name, classes.get(name, ""))]


def _leaves(rules: Iterable[FindingRule]) -> list[RuleInput]:
    inputs = [declared for rule in rules for declared in (*rule.inputs, *rule.optional_inputs)]
    return list({leaf.key: leaf for declared in inputs for leaf in leaves_of(declared)}.values())


@dataclass
class _Names:
    """The series that inputs are made of, by whose they are and which days of them are asked for."""

    own: list[Name] = field(default_factory=list)
    of_host: list[Name] = field(default_factory=list)
    of_instances: list[Name] = field(default_factory=list)
    back: list[Name] = field(default_factory=list)
    growing: list[Name] = field(default_factory=list)

    @classmethod
    def of(cls, target: Target, host: Target | None, leaves: Iterable[RuleInput], on: date) -> "_Names":
        names = cls()
        each: dict[Whose, set[str]] = {Whose.TARGET: set(), Whose.HOST: set()}
        for leaf in leaves:
            match leaf:
                case FigureInput(whose=Whose.INSTANCES):
                    names.of_instances.append((leaf.metric, ""))
                case FigureInput(is_each=False, back=None):
                    names._add(leaf.whose, with_ingredients(leaf.metric, leaf.component))
                case FigureInput() if leaf.back is None:
                    each[leaf.whose].update(key for key, _ in with_ingredients(leaf.metric, ""))
                case FigureInput() | GrowthInput() | LimitInput():
                    each[Whose.TARGET].add(leaf.metric)
                case DeviceInput():
                    each[Whose.HOST].add(leaf.metric)
                case _:
                    continue
        for whose, owner in ((Whose.TARGET, target), (Whose.HOST, host)):
            if owner is not None and each[whose]:
                components = components_of(owner, each[whose], on)
                names._add(whose, [(metric, name) for metric, named in components.items() for name in named])
        backs = {leaf.metric for leaf in leaves if isinstance(leaf, FigureInput) and leaf.back}
        growths = {leaf.metric for leaf in leaves if isinstance(leaf, GrowthInput)}
        names.back = [name for name in names.own if name[0] in backs]
        names.growing = [name for name in names.own if name[0] in growths]
        return names

    def _add(self, whose: Whose, names: Iterable[Name]) -> None:
        (self.own if whose is Whose.TARGET else self.of_host).extend(names)


def with_ingredients(key: str, component: str) -> list[Name]:
    """A series with those that its formula takes and that have figures of their own: they say whether it can have a value."""
    metric = find_metric(key)
    if metric is None:
        return []
    return [(key, component), *((part, component) for part in figures_of_formula(metric))]


def figures_of_formula(metric: Metric) -> list[str]:
    """The ingredients of a formula; none where one of them has no figures."""
    if metric.formula is None or metric.reduction:
        return []
    parts = [find_metric(key) for key in sorted(metric.ingredients)]
    has_figures = all(part is not None and part.is_figure for part in parts)
    return [part.key for part in parts if part is not None] if has_figures else []


def _instances_on(host: Target | None, target: Target) -> list[Target]:
    if host is None:
        return []
    return list(Target.objects.watched().filter(runs_on=host, platform=target.platform).order_by("name"))


def _read(target: Target, names: Sequence[Name], first: date, last: date) -> Measured | None:
    return read_series([target], names, first, last)[target.pk] if names else None


def _read_facts(targets: Sequence[Target], leaves: Iterable[RuleInput]) -> FactHistory:
    """The texts of facts as they changed; those with a component stand under name/component."""
    names = {name for leaf in leaves if isinstance(leaf, FactInput) for _, name in leaf.facts}
    for leaf in leaves:
        if isinstance(leaf, DeviceInput):
            names |= {leaf.places, leaf.device_of}
    if not names:
        return {}
    heads = {name.partition("/")[0] for name in names}
    rows = Fact.objects.filter(target__in=targets, name__in=heads).order_by("since")
    history: dict[tuple[int, str], tuple[list[datetime], list[str]]] = {}
    for owner, name, component, since, value in rows.values_list(
        "target_id", "name", "component", "since", "value"
    ):
        full = f"{name}/{component}" if component else name
        if full in names or name in names:
            moments, texts = history.setdefault((owner, full), ([], []))
            moments.append(since)
            texts.append(value)
    return history


def _with_known_devices(leaves: Iterable[RuleInput], facts: FactHistory) -> list[RuleInput]:
    """The inputs without those of devices where the machine never said which device lies below what."""
    known_heads = {name.partition("/")[0] for _, name in facts}
    return [leaf for leaf in leaves if not isinstance(leaf, DeviceInput) or leaf.device_of in known_heads]
