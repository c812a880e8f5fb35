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
from apps.profiles.pattern import Pattern
from apps.profiles.period_patterns import (
    LEAST_DAYS,
    PatternRow,
    Step,
    read_all_patterns,
    read_patterns,
    successive_periods,
)
from apps.profiles.periods import Period
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
