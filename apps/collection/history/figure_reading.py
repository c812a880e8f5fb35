"""Lines of a CSV as figures of our targets: what was understood, and what not with its line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from apps.catalog.metric import Metric
from apps.collection.engine.csv_text import BadCsv, read_number
from apps.collection.engine.figure_names import StatisticNames, check_component, factor_of, plain
from apps.collection.engine.figure_rows import (
    COMPONENT,
    DAY,
    STATISTIC,
    TARGET,
    UNIT,
    VALUE,
    BadFigures,
    FigureColumns,
    FigureLines,
    read_day,
    tell_dates,
)
from apps.inventory.models import Target
from apps.snapshots.imported_days import oldest_kept

MOST_PROBLEMS = 200  # sentences that differ
DaysOfTarget = dict[date, dict[int, dict[tuple[str, str], float]]]


@dataclass
class Understood:
    """One name of a statistic as a file has it, and what was made of it."""

    name: str
    metric: Metric
    unit: str
    figures: int = 0
    first: date = date.max
    last: date = date.min
    targets: set[str] = field(default_factory=set)
    example: tuple[float, float] = (0.0, 0.0)  # as it is in the file, and in the unit of the profile

    def add(self, target: Target, day: date) -> None:
        self.figures += 1
        self.first, self.last = min(self.first, day), max(self.last, day)
        self.targets.add(target.name)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "key": self.metric.key,
            "label": self.metric.label,
            "unit": self.unit,
            "into": self.metric.display_unit,
            "figures": self.figures,
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "targets": len(self.targets),
            "example": list(self.example),
        }


@dataclass
class Problem:
    """Why lines are left out, the first of them, and how many."""

    text: str
    line: int
    lines: int = 1


@dataclass
class FigureNames:
    """What people say that names of a file mean: statistics by key, targets by our name."""

    statistics: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)


class FigureReader:
    """Reads lines one by one into days of targets."""

    def __init__(self, columns: FigureColumns, names: FigureNames, now: datetime) -> None:
        self.columns, self.now = columns, now
        self.days: dict[int, DaysOfTarget] = {}
        self.targets: dict[int, Target] = {}
        self.understood: dict[tuple[str, str, str], Understood] = {}
        self.problems: dict[str, Problem] = {}
        self.unknown_statistics: dict[str, int] = {}
        self.unknown_targets: dict[str, int] = {}
        self.empty = 0  # lines without a value
        self.left_out = 0  # lines that could not be taken
        self._oldest = oldest_kept(now)
        self._names = StatisticNames(names.statistics)
        ours = {target.name.casefold(): target for target in Target.objects.in_estate()}
        chosen = {name.casefold(): target.casefold() for name, target in names.targets.items()}
        self._targets = ours | {name: ours[target] for name, target in chosen.items() if target in ours}
        self._lines_of: dict[tuple[int, date, str, str], int] = {}

    def read(self, lines: FigureLines) -> None:
        """Take every line that can be taken. Raises BadFigures where no day can be read at all."""
        way = self.columns.dates or tell_dates(lines, self.columns)
        for number, fields in lines.fields_of(self.columns):
            try:
                self._take(number, fields, way, has_comma=lines.has_comma)
            except BadCsv as problem:
                self._note(str(problem), number)

    def _take(self, number: int, fields: Mapping[str, str], way: str, *, has_comma: bool) -> None:
        name, component = fields[STATISTIC], fields[COMPONENT]
        target = self._target(fields[TARGET])
        metric = self._metric(name, target, component)
        check_component(metric, component)
        day = self._day(fields[DAY], way, target)
        if not fields[VALUE]:
            self.empty += 1
            return
        unit = fields[UNIT] or metric.display_unit
        factor, value = factor_of(unit, metric), read_number(fields[VALUE], has_comma=has_comma)
        about = (target.pk, day, metric.key, component)
        if self._lines_of.setdefault(about, number) != number:
            raise BadFigures(
                f"{metric.label} of {target.name} is there more than once for a day; give one figure a day."
            )
        by_category = self.days.setdefault(target.pk, {}).setdefault(day, {})
        by_category.setdefault(metric.category, {})[metric.key, component] = value * factor
        self.targets[target.pk] = target
        self._understood(name, metric, unit, value * factor, value).add(target, day)

    def _understood(self, name: str, metric: Metric, unit: str, figure: float, value: float) -> Understood:
        about = (plain(name), metric.key, unit)
        if about not in self.understood:
            example = (value, metric.to_display_unit(figure))
            self.understood[about] = Understood(name, metric, unit, example=example)
        return self.understood[about]

    def _target(self, name: str) -> Target:
        target = self._targets.get(name.casefold())
        if target is None:
            self.unknown_targets[name] = self.unknown_targets.get(name, 0) + 1
            raise BadFigures(
                f"No target is called “{name[:60]}”; choose one for it." if name else "The target is missing."
            )
        if target.is_demo:
            raise BadFigures(f"{target.name} is an example, whose figures are made up.")
        return target

    def _metric(self, name: str, target: Target, component: str) -> Metric:
        if not name:
            raise BadFigures("The statistic is missing.")
        try:
            return self._names.metric(name, target.platform, component)
        except BadFigures:
            self.unknown_statistics[name] = self.unknown_statistics.get(name, 0) + 1
            raise

    def _day(self, text: str, way: str, target: Target) -> date:
        day = read_day(text, way)
        if day < self._oldest:
            raise BadFigures(f"{day} lies before what is kept: figures are kept since {self._oldest}.")
        if day >= self.now.astimezone(target.zone).date():
            raise BadFigures(f"{day} is not over; a figure is of a whole day.")
        return day

    def _note(self, text: str, number: int) -> None:
        self.left_out += 1
        if text in self.problems:
            self.problems[text].lines += 1
        elif len(self.problems) < MOST_PROBLEMS:
            self.problems[text] = Problem(text, number)
