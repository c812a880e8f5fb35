"""The pattern report: what rises, falls, appeared or went over successive months or quarters."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from urllib.parse import urlencode

from django.db.models import Max, Q
from django.urls import reverse

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.inventory.models import Target
from apps.profiles.pattern import Pattern
from apps.profiles.period_patterns import (
    LEAST_DAYS,
    PatternRow,
    PeriodStretch,
    Step,
    read_all_patterns,
    read_patterns,
    successive_periods,
)
from apps.profiles.periods import Period
from apps.reports.sheets import Cell
from apps.snapshots.models import Coverage
from apps.web.sentences import Part, count

CHANGED, ALL = "changed", "all"
COUNTS = {"month": (3, 4, 6, 12), "quarter": (2, 4, 8)}
DEFAULT = 4
MOST = 200  # rows on a page; files have all
MOST_TARGETS = 30  # of a group, on one page
ORDER = (Pattern.RISING, Pattern.FALLING, Pattern.APPEARED, Pattern.GONE, Pattern.FLAT, None)


@dataclass(frozen=True)
class Asked:
    """What the address asks for."""

    step: Step
    count: int
    pattern: str
    section: str

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Asked":
        step = cast(Step, given.get("by") if given.get("by") in COUNTS else "month")
        text = given.get("count", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else DEFAULT
        number = number if number in COUNTS[step] else DEFAULT
        return cls(step, number, given.get("pattern") or CHANGED, given.get("section", ""))

    def wants(self, row: PatternRow) -> bool:
        words: set[Pattern | None] = {
            CHANGED: set(ORDER) - {Pattern.FLAT, None},
            ALL: set(ORDER),
            "worse": set(ORDER),
        }.get(self.pattern) or {one for one in Pattern if one.value == self.pattern}
        if self.pattern == "worse" and not row.is_worse:
            return False
        return row.pattern in words and self.section in ("", row.metric.section.title)


@dataclass(frozen=True)
class ShownPattern:
    target: str
    target_url: str
    pattern: str
    is_worse: bool
    section: str
    statistic: str
    component: str
    url: str
    unit: str
    cells: Sequence[tuple[str, str, str, float | None]]  # period, text, title, number
    spark: str
    change: str
    change_order: float | None


def steps(asked: Asked, given: Mapping[str, str]) -> list[dict[str, Any]]:
    """Months and quarters, and how many, each one click away."""
    kept = {name: given[name] for name in ("group", "on", "pattern", "section") if given.get(name)}
    return [
        {
            "label": f"{number} {step}s",
            "url": f"?{urlencode(kept | {'by': step, 'count': number})}",
            "active": (step, number) == (asked.step, asked.count),
        }
        for step, numbers in COUNTS.items()
        for number in numbers
    ]


def periods_until(day: date, asked: Asked) -> list[Period]:
    return successive_periods(day, asked.count, asked.step)


def labels(periods: Sequence[Period], asked: Asked) -> list[str]:
    """`Aug`, `Sep` ..., with the year where it begins; `Q3 2026`."""
    if asked.step == "quarter":
        return [f"Q{(period.first.month + 2) // 3} {period.first.year}" for period in periods]
    return [figures.month(period.first, has_year=not number) for number, period in enumerate(periods)]


def of_target(target: Target, day: date, asked: Asked) -> list[PatternRow]:
    return read_patterns(target, periods_until(day, asked))


def of_targets(targets: Sequence[Target], asked: Asked) -> tuple[list[PatternRow], list[Period]]:
    """What the profiles of these targets show, over the same periods; they end with the newest day of any."""
    covered = Coverage.objects.filter(target__in=targets)
    last = covered.aggregate(closed=Max("day", filter=Q(is_so_far=False)), any=Max("day"))
    if last["any"] is None:
        return [], []
    periods = periods_until(last["closed"] or last["any"], asked)
    profiled = {
        platform: [metric for metric in metrics_of(platform) if metric.display.rows]
        for platform in {target.platform for target in targets}
    }
    wanted = {platform: {_profiled(one).key for one in found} for platform, found in profiled.items()}
    categories = {one.category for found in profiled.values() for one in found}
    rows = read_all_patterns(targets, periods, categories)
    return [row for row in rows if row.metric.key in wanted[row.target.platform]], periods


def _profiled(metric: Metric) -> Metric:
    return get_metric(metric.shown_key)


def chosen(rows: Sequence[PatternRow], asked: Asked) -> list[PatternRow]:
    """What is asked for; worse first, then by pattern and the size of the change."""

    def place(row: PatternRow) -> tuple[bool, int, float, str, str]:
        size = float("inf") if row.percent is None else abs(row.percent)
        return not row.is_worse, ORDER.index(row.pattern), -size, row.metric.label, row.component

    return sorted((row for row in rows if asked.wants(row)), key=place)


def options(rows: Sequence[PatternRow], asked: Asked) -> list[tuple[str, int]]:
    """What can be filtered by, with how many rows each has."""
    rows = [row for row in rows if asked.section in ("", row.metric.section.title)]
    counted = Counter(row.pattern for row in rows)
    known = [(str(one), counted[one]) for one in ORDER if one is not None and counted[one]]
    changed = sum(number for one, number in counted.items() if one not in (Pattern.FLAT, None))
    return [(CHANGED, changed), ("worse", sum(row.is_worse for row in rows)), *known, (ALL, len(rows))]


def sentence(rows: Sequence[PatternRow], asked: Asked, whose: str) -> list[Part]:
    """How many rise, fall, appeared, are gone; the rest is flat."""
    counted = Counter(row.pattern for row in rows)
    known = sum(number for one, number in counted.items() if one is not None)
    over = f"over {count(asked.count, asked.step)}"
    if not known:
        return [
            Part("Nothing can be said yet", True),
            Part(f": two {asked.step}s with at least {count(LEAST_DAYS, 'day')} of figures each are needed."),
        ]
    words = [
        (Pattern.RISING, "rises", "rise"), (Pattern.FALLING, "falls", "fall"),
        (Pattern.APPEARED, "appeared", "appeared"), (Pattern.GONE, "is gone", "are gone"),
    ]  # fmt: skip
    told = [
        f"{figures.whole(counted[one])} {single if counted[one] == 1 else several}"
        for one, single, several in words
        if counted[one]
    ]
    if not told:
        return [
            Part(f"Nothing of {whose} rises or falls", True),
            Part(f" {over}: {figures.whole(known)} statistics are flat."),
        ]
    worse = sum(row.is_worse for row in rows)
    parts = [
        Part(f"Of {figures.whole(known)} statistics of {whose}, "),
        Part(", ".join(told), True),
        Part(f" {over}"),
    ]
    if worse:
        parts.append(Part(f", {figures.whole(worse)} of them for the worse"))
    return [
        *parts,
        Part(
            f"; {figures.whole(counted[Pattern.FLAT])} {'is' if counted[Pattern.FLAT] == 1 else 'are'} flat."
        ),
    ]


def show(row: PatternRow, names: Sequence[str], on: date) -> ShownPattern:
    metric = row.metric
    query = {"component": row.component, "on": on.isoformat()} if row.component else {"on": on.isoformat()}
    means = [
        None if one.mean is None or not one.is_known else metric.shown(one.mean) for one in row.stretches
    ]
    absent = [place for place, one in enumerate(row.stretches) if one.is_known and one.mean is None]
    name = f"{row.component or metric.label}, {len(names)} periods"
    change, order = _change(row)
    return ShownPattern(
        target=row.target.name,
        target_url=row.target.get_absolute_url(),
        pattern=str(row.pattern or "too few days"),
        is_worse=row.is_worse,
        section=metric.section.title,
        statistic=metric.label,
        component=row.component,
        url=f"{reverse('statistic', args=[row.target.pk, metric.key])}?{urlencode(query)}",
        unit=metric.display_unit,
        cells=[(label, *_cell(one, metric)) for label, one in zip(names, row.stretches, strict=True)],
        spark=sparkline(means, label=name, absent=absent, width=84),
        change=change,
        change_order=order,
    )


def _cell(stretch: PeriodStretch, metric: Metric) -> tuple[str, str, float | None]:
    days = f"{stretch.days} days"
    if not stretch.is_known:
        return "No data", f"{days} that count, needs {LEAST_DAYS}", None
    if stretch.mean is None:
        return "Not present", days, None
    mean = metric.shown(stretch.mean)
    spread = "" if stretch.sd is None else f" ± {figures.figure(metric.shown(stretch.sd))}"
    return figures.figure(mean), f"{figures.exact(mean, metric.display_unit)}{spread}, {days}", mean


def _change(row: PatternRow) -> tuple[str, float | None]:
    known = [row.metric.shown(one.mean) for one in row.stretches if one.is_known and one.mean is not None]
    if row.pattern in (Pattern.APPEARED, Pattern.GONE):
        return ("new", 1e9) if row.pattern is Pattern.APPEARED else ("gone", -1e9)
    if len(known) < 2:
        return "–", None
    if row.metric.is_percent:
        return f"{figures.delta(known[-1] - known[0])}{figures.SPACE}pt", known[-1] - known[0]
    if row.percent is None:
        return ("new", 1e9) if known[-1] else ("0", 0.0)
    return figures.delta(row.percent), row.percent


def heads(names: Sequence[str]) -> list[str]:
    return [
        "target",
        "pattern",
        "for the worse",
        "section",
        "statistic",
        "component",
        "unit",
        *names,
        "change, %",
        "change, pt",
    ]


def cells(rows: Sequence[PatternRow]) -> Iterator[Sequence[Cell]]:
    """The rows of the file: the mean of each period, exact."""
    for row in rows:
        yield (
            row.target.name, str(row.pattern or "too few days"), "yes" if row.is_worse else "", row.metric.section.title,
            row.metric.label, row.component, row.metric.display_unit,
            *(_exact(one, row.metric) for one in row.stretches), *_exact_change(row),
        )  # fmt: skip


def _exact_change(row: PatternRow) -> tuple[Cell, Cell]:
    """The change in percent, or in points of what is a percentage itself."""
    if not row.metric.is_percent:
        return row.percent, ""
    known = [row.metric.shown(one.mean) for one in row.stretches if one.is_known and one.mean is not None]
    return "", known[-1] - known[0] if len(known) > 1 else ""


def _exact(stretch: PeriodStretch, metric: Metric) -> Cell:
    if not stretch.is_known:
        return "no data"
    return "not present" if stretch.mean is None else metric.shown(stretch.mean)
