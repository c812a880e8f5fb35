"""Drivers as pages show them: their list, the days of one with what is planned, drawn and as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from apps.charts import figures
from apps.charts.history import history
from apps.forecasting.driver import Driver
from apps.web.cells import link
from apps.web.sentences import Part, capital, count, day_in_words
from apps.web.tables import Column, FigureColumn, RowHead, Table

MOST_DRAWN = 730  # days
IS_MEASURED, IS_PLANNED = Q(days__is_planned=False), Q(days__is_planned=True)


@dataclass(frozen=True)
class DriverRow:
    """A day of a driver: what came, what was planned."""

    day: date
    value: float | None
    planned: float | None


def with_counts(drivers: QuerySet[Driver]) -> QuerySet[Driver]:
    """Drivers with how many days they have, the last of them, and how many are planned from a day on."""
    return drivers.annotate(
        measured=Count("days", filter=IS_MEASURED),
        last=Max("days__day", filter=IS_MEASURED),
        planned_until=Max("days__day", filter=IS_PLANNED),
    )


def list_row(driver: Any, today: date, *, can_change: bool) -> dict[str, Any]:
    return {
        "driver": driver,
        "url": driver.get_absolute_url() if can_change else "",
        "days": driver.measured,
        "last": driver.last,
        "plan": _plan_of(driver, driver.planned_until, today),
    }


def _plan_of(driver: Driver, until: date | None, today: date) -> str:
    """What is planned of a driver, in words."""
    if until is not None and until > today:
        return f"what is given until {figures.long_day(until)}"
    if driver.growth is not None and driver.grows_from is not None:
        return f"{driver.growth:+g} % a month from {figures.long_day(driver.grows_from)}"
    return "nothing, so it goes on as its own forecast"


def sentence_of_list(rows: Sequence[Mapping[str, Any]]) -> list[Part]:
    if not rows:
        return [Part("Nothing that your business counts is known here", True), Part(".")]
    return [
        Part(f"{capital(count(len(rows), 'driver'))} may drive figures", True),
        Part("; a forecast takes up those with which past ones would have been nearer."),
    ]


def day_rows(driver: Driver) -> list[DriverRow]:
    """The days of a driver, the newest first."""
    values: dict[date, dict[bool, float]] = {}
    for day, is_planned, value in driver.days.values_list("day", "is_planned", "value"):
        values.setdefault(day, {})[is_planned] = value
    return [
        DriverRow(day, pair.get(False), pair.get(True)) for day, pair in sorted(values.items(), reverse=True)
    ]


def sentence_of(driver: Driver, rows: Sequence[DriverRow]) -> list[Part]:
    """How many days a driver has, and up to when."""
    measured = [row.day for row in rows if row.value is not None]
    if not measured:
        return [Part(f"{capital(driver.name)}: no days yet", True), Part(".")]
    planned = max((row.day for row in rows if row.planned is not None), default=None)
    plan = _plan_of(driver, planned, measured[0])
    return [
        Part(f"{capital(driver.name)}: {count(len(measured), 'day')}", True),
        Part(f", the last of {day_in_words(measured[0])}; planned: {plan}."),
    ]


def chart_of(driver: Driver, rows: Sequence[DriverRow]) -> dict[str, Any] | None:
    """The days that came, and those that are planned as a dotted line; nothing without two days."""
    newest = rows[:MOST_DRAWN]
    if len(newest) < 2:
        return None
    first, last = newest[-1].day, newest[0].day
    of_day = {row.day: row for row in newest}
    days = [first + timedelta(days=offset) for offset in range(min((last - first).days + 1, 3 * MOST_DRAWN))]
    values = [of_day[day].value if day in of_day else None for day in days]
    planned = [(row.day.isoformat(), row.planned) for row in reversed(newest) if row.planned is not None]
    chart = history(
        days,
        values,
        unit=driver.unit,
        is_rate=True,
        others=[value for _, value in planned if value is not None],
    )
    if planned:
        unit = driver.unit
        chart["data"].append(
            {
                "type": "scatter", "mode": "lines+markers", "x": [day for day, _ in planned], "y": [value for _, value in planned],
                "text": [f"planned: {figures.figure(value)} {unit}".rstrip() for _, value in planned],
                "hovertemplate": "%{text}<extra></extra>",
                "line": {"color": "var(--s2)", "width": 1.5, "dash": "dot"}, "marker": {"color": "var(--s2)", "size": 4},
            }
        )  # fmt: skip
    return chart


def _write(value: float | None) -> str:
    return "" if value is None else figures.figure(value)


DRIVERS: Table[Mapping[str, Any]] = Table(
    "drivers",
    "Drivers",
    (
        RowHead("driver", lambda row: row["driver"].name, lambda row: link(row["url"], row["driver"].name)),
        Column("unit", lambda row: row["driver"].unit),
        Column("may drive figures of", lambda row: row["driver"].scope),
        FigureColumn("days", lambda row: row["days"], label="days"),
        FigureColumn(
            "last",
            lambda row: row["last"],
            lambda row: figures.short_day(row["last"]) if row["last"] else "none",
            label="last",
        ),
        Column("planned", lambda row: row["plan"], css="quiet-text"),
    ),
    title="Drivers",
    css="folds two-facts",
)
DAYS: Table[DriverRow] = Table(
    "days",
    "Days of the driver",
    (
        RowHead("day", lambda row: row.day, lambda row: figures.full_day(row.day)),
        FigureColumn("value", lambda row: row.value, lambda row: _write(row.value), label="value"),
        FigureColumn("planned", lambda row: row.planned, lambda row: _write(row.planned), label="planned"),
    ),
    title="Days",
)
