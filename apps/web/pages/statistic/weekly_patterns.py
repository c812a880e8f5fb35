"""The patterns of a statistic over the week and the day, in sentences, drawings and rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import numpy as np

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.charts import figures
from apps.charts.reader import style
from apps.charts.rhythm import Slot, rhythm
from apps.inventory.models import Target
from apps.profiles.engine.rhythm import LEAST, Rhythm, SlotSpread, by_hour, by_weekday
from apps.snapshots.engine.days import day_of
from apps.snapshots.measured import days_between, read_series
from apps.snapshots.samples import read_samples
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

WEEKS = 16
HOURLY_DAYS = 14


@dataclass(frozen=True)
class PatternSection:
    """One of the two patterns: its sentence, drawing and rows; `why_not` in their place where there is none."""

    key: str
    title: str
    aside: str
    sentence: str = ""
    drawing: str = ""
    rows: Sequence[dict[str, Any]] = field(default_factory=tuple)
    why_not: str = ""

    def table(self, file_name: str) -> FilledTable[dict[str, Any]]:
        return Table(self.key, f"{self.title}: {self.aside}", SPREADS, title=self.title, css="").fill(
            self.rows, file_name=file_name
        )


SPREADS: Sequence[Column[dict[str, Any]]] = (
    RowHead("when", lambda row: row["name"], css="nowrap"),
    FigureColumn("lower quarter", lambda row: row["low"], lambda row: figures.figure(row["low"])),
    FigureColumn(
        "median",
        lambda row: row["median"],
        lambda row: "too few" if row["few"] else figures.figure(row["median"]),
        css=lambda row: "absent" if row["few"] else "strong",
    ),
    FigureColumn("upper quarter", lambda row: row["high"], lambda row: figures.figure(row["high"])),
    FigureColumn("figures", lambda row: row["count"]),
)


def week_of(target: Target, metric: Metric, component: str, until: date) -> PatternSection:
    """Medians by weekday over the last weeks, of whole days alone; of a size its growth from day to day."""
    first = until - timedelta(days=7 * WEEKS)  # one more than drawn: growth needs the day before
    measured = read_series([target], [(metric.key, component)], first, until)[target.pk]
    levels = np.where(measured.is_alone[0], measured.values[0], np.nan)
    is_growth = metric.piles_up
    values = np.diff(levels) if is_growth else levels[1:]
    days = days_between(first, until)[1:]
    unit = f"{metric.display_unit}/day" if is_growth else metric.display_unit
    medians = by_weekday(
        days, [None if np.isnan(value) else metric.to_display_unit(float(value)) for value in values]
    )
    what = "median growth" if is_growth else "median"
    names = style().names
    sentence = _sentence(medians, _plural(names.weekdays), unit, "weekday")
    return PatternSection(
        "weekdays",
        "By weekday",
        f"{what}, {unit}, {WEEKS} weeks",
        sentence,
        rhythm(
            _slots(medians, names.short_weekdays, unit),
            f"{what} by weekday: {sentence}",
        ),
        _rows(medians, names.weekdays),
        "" if medians.known_spreads else f"A weekday needs {LEAST} whole days; there are not that many yet.",
    )


def day_pattern(target: Target, metric: Metric, component: str, until: date) -> PatternSection:
    """Medians by hour of the target's own day over two weeks of readings, or why there is none."""
    base = get_metric(metric.base)
    title, aside = "By hour", f"median, {base.display_unit}, {HOURLY_DAYS} days, hours of {target.time_zone}"
    if target.interval_minutes > 60:
        every = (
            "once a day" if target.is_daily else f"every {figures.figure(target.interval_minutes / 60)} hours"
        )
        return PatternSection(
            "hours",
            title,
            "",
            why_not=f"{target.name} is read {every}, so its hours cannot be told apart. Read hourly or more often it"
            " would show them from the next day on.",
        )
    since = day_of(until - timedelta(days=HOURLY_DAYS - 1), target.zone).began_at
    moments, values = read_samples(
        target, base, component, since, day_of(until, target.zone).ended_at + timedelta(hours=1)
    )
    medians = by_hour([moment.astimezone(target.zone).hour for moment in moments], base_shown(base, values))
    names = [f"{hour}–{hour + 1} h" for hour in range(24)]
    if not medians.known_spreads:
        return PatternSection(
            "hours",
            title,
            aside,
            why_not="The readings of these days are not kept any more, or do not hold it; its daily figures are.",
        )
    sentence = _sentence(medians, names, base.display_unit, "hour")
    return PatternSection(
        "hours",
        title,
        aside,
        sentence,
        rhythm(
            _slots(medians, [f"{hour}" for hour in range(24)], base.display_unit),
            f"median by hour: {sentence}",
            named_every=3,
        ),
        _rows(medians, names),
    )


def _plural(weekdays: Sequence[str]) -> Sequence[str]:
    """`Mondays`, in English alone."""
    return [f"{name}s" for name in weekdays] if style().language == "en" else weekdays


def base_shown(metric: Metric, values: np.ndarray) -> np.ndarray:
    """Stored figures in the unit of the profile."""
    factor = metric.to_display_unit(1.0) - metric.to_display_unit(0.0)
    return np.asarray(values, dtype=float) * factor + metric.to_display_unit(0.0)


def _sentence(medians: Rhythm, names: Sequence[str], unit: str, what: str) -> str:
    high, low = medians.highest, medians.lowest
    if high is None or low is None:
        return ""
    if not medians.stands_out:
        between = (
            f"{figures.figure(low.median)} and {figures.figure(high.median)} {unit}"
            if low.median != high.median
            else f"at {figures.figure(high.median)} {unit}"
        )
        lie = "lie between" if low.median != high.median else "all lie"
        return f"No {what} stands out beyond the spread: the medians {lie} {between}."
    return (
        f"{names[high.slot]} {'are' if what == 'weekday' else 'is'} highest with {figures.figure(high.median)} {unit},"
        f" {names[low.slot]} lowest with {figures.figure(low.median)}."
    )


def _slots(medians: Rhythm, names: Sequence[str], unit: str) -> list[Slot]:
    return [
        Slot(name, spread.median, spread.low, spread.high, _hover_text(spread, name, unit))
        for spread, name in zip(medians.spreads, names, strict=True)
    ]


def _hover_text(spread: SlotSpread, name: str, unit: str) -> str:
    if spread.median is None:
        return ""
    return (
        f"{name}: {figures.figure(spread.median)} {unit}, half of {spread.count} between {figures.figure(spread.low)}"
        f" and {figures.figure(spread.high)}"
    )


def _rows(medians: Rhythm, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "median": spread.median,
            "low": spread.low,
            "high": spread.high,
            "count": spread.count,
            "few": spread.median is None,
        }
        for spread, name in zip(medians.spreads, names, strict=True)
    ]
