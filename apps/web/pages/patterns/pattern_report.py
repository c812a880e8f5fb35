"""The pattern report: what rises, falls, appeared or went over successive months or quarters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from urllib.parse import urlencode

from django.db.models import Max, Q

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.engine.pattern import Pattern
from apps.profiles.engine.periods import Period
from apps.profiles.period_patterns import (
    LEAST_DAYS,
    PatternRow,
    Step,
    read_all_patterns,
    read_patterns,
    successive_periods,
)
from apps.snapshots.models import Coverage
from apps.web.sentences import Part, count

CHANGED, ALL = "changed", "all"
COUNTS = {"month": (3, 4, 6, 12), "quarter": (2, 4, 8)}
DEFAULT = 4
MOST = 100  # rows on a page; files have all
MOST_TARGETS = 30  # of a group, on one page
ORDER = (Pattern.RISING, Pattern.FALLING, Pattern.APPEARED, Pattern.GONE, Pattern.FLAT, None)


@dataclass(frozen=True)
class PatternQuery:
    """What the address asks for."""

    step: Step
    count: int
    pattern: str
    section: str

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> "PatternQuery":
        step = cast(Step, parameters.get("by") if parameters.get("by") in COUNTS else "month")
        text = parameters.get("count", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else DEFAULT
        number = number if number in COUNTS[step] else DEFAULT
        return cls(step, number, parameters.get("pattern") or CHANGED, parameters.get("section", ""))

    def wants(self, row: PatternRow) -> bool:
        words: set[Pattern | None] = {
            CHANGED: set(ORDER) - {Pattern.FLAT, None},
            ALL: set(ORDER),
            "worse": set(ORDER),
        }.get(self.pattern) or {member for member in Pattern if member.value == self.pattern}
        if self.pattern == "worse" and not row.is_worse:
            return False
        return row.pattern in words and self.section in ("", row.metric.section.title)


def offer_steps(query: PatternQuery, parameters: Mapping[str, str]) -> list[dict[str, Any]]:
    """Months and quarters, and how many, each one click away."""
    others = {
        name: parameters[name] for name in ("group", "on", "pattern", "section") if parameters.get(name)
    }
    return [
        {
            "label": f"{number} {step}s",
            "url": f"?{urlencode(others | {'by': step, 'count': number})}",
            "active": (step, number) == (query.step, query.count),
        }
        for step, numbers in COUNTS.items()
        for number in numbers
    ]


def periods_until(day: date, query: PatternQuery) -> list[Period]:
    return successive_periods(day, query.count, query.step)


def label_periods(periods: Sequence[Period], query: PatternQuery) -> list[str]:
    """`Aug`, `Sep` ..., with the year where it begins; `Q3 2026`."""
    if query.step == "quarter":
        return [f"Q{(period.first.month + 2) // 3} {period.first.year}" for period in periods]
    return [figures.month(period.first, has_year=not number) for number, period in enumerate(periods)]


def read_target(target: Target, day: date, query: PatternQuery) -> list[PatternRow]:
    return read_patterns(target, periods_until(day, query))


def read_targets(targets: Sequence[Target], query: PatternQuery) -> tuple[list[PatternRow], list[Period]]:
    """What the profiles of these targets show, over the same periods; they end with the newest day of any."""
    covered = Coverage.objects.filter(target__in=targets)
    last = covered.aggregate(closed=Max("day", filter=Q(is_so_far=False)), any=Max("day"))
    if last["any"] is None:
        return [], []
    periods = periods_until(last["closed"] or last["any"], query)
    profiled = [
        metric
        for platform in {target.platform for target in targets}
        for metric in metrics_of(platform)
        if metric.display.rows
    ]
    categories = {metric.category for metric in profiled}
    return read_all_patterns(
        targets, periods, categories, {_profiled(metric).key for metric in profiled}
    ), periods


def _profiled(metric: Metric) -> Metric:
    return get_metric(metric.shown_key)


def filter_rows(rows: Sequence[PatternRow], query: PatternQuery) -> list[PatternRow]:
    """The rows of a query; worse first, then by pattern and the size of the change."""

    def place(row: PatternRow) -> tuple[bool, int, float, str, str]:
        size = float("inf") if row.percent is None else abs(row.percent)
        return not row.is_worse, ORDER.index(row.pattern), -size, row.metric.label, row.component

    return sorted((row for row in rows if query.wants(row)), key=place)


def count_options(rows: Sequence[PatternRow], query: PatternQuery) -> list[tuple[str, int]]:
    """What can be filtered by, with how many rows each has."""
    rows = [row for row in rows if query.section in ("", row.metric.section.title)]
    counted = Counter(row.pattern for row in rows)
    counts = [
        (str(pattern), counted[pattern]) for pattern in ORDER if pattern is not None and counted[pattern]
    ]
    changed = sum(number for pattern, number in counted.items() if pattern not in (Pattern.FLAT, None))
    return [(CHANGED, changed), ("worse", sum(row.is_worse for row in rows)), *counts, (ALL, len(rows))]


def write_sentence(rows: Sequence[PatternRow], query: PatternQuery, whose: str) -> list[Part]:
    """How many rise, fall, appeared, are gone; the rest is flat."""
    counted = Counter(row.pattern for row in rows)
    judged = sum(number for pattern, number in counted.items() if pattern is not None)
    over = f"over {count(query.count, query.step)}"
    if not judged:
        return [
            Part("Nothing can be said yet", True),
            Part(f": two {query.step}s with at least {count(LEAST_DAYS, 'day')} of figures each are needed."),
        ]
    words = [
        (Pattern.RISING, "rises", "rise"), (Pattern.FALLING, "falls", "fall"),
        (Pattern.APPEARED, "appeared", "appeared"), (Pattern.GONE, "is gone", "are gone"),
    ]  # fmt: skip
    statements = [
        f"{figures.whole(counted[pattern])} {single if counted[pattern] == 1 else several}"
        for pattern, single, several in words
        if counted[pattern]
    ]
    if not statements:
        return [
            Part(f"Nothing of {whose} rises or falls", True),
            Part(f" {over}: {figures.whole(judged)} statistics are flat."),
        ]
    worse = sum(row.is_worse for row in rows)
    parts = [
        Part(f"Of {figures.whole(judged)} statistics of {whose}, "),
        Part(", ".join(statements), True),
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
