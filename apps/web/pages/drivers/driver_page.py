"""Drivers as pages show them: their list, the days of one with what is planned, drawn and as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from apps.charts import figures
from apps.charts.history import history
from apps.collection.today import last_closed_day
from apps.forecasting.driver import Driver
from apps.forecasting.driver_followers import Follower, find_followers
from apps.forecasting.engine.driver_outlook import Way
from apps.forecasting.models import forecast_url
from apps.thresholds.limits import with_unit
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
        return f"{figures.delta(driver.growth)}{figures.SPACE}% a month from {figures.long_day(driver.grows_from)}"
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


def follower_rows(driver: Driver, now: datetime) -> list[Follower] | None:
    """The figures that go by a driver of one target; None of a driver of several, of which it would take long."""
    if driver.target is None or driver.target.retired_at is not None:
        return None
    on = driver.target.reviewed_through or last_closed_day(driver.target, now)
    return find_followers(driver, driver.target, on)


def _name(follower: Follower) -> str:
    return follower.figure.threshold.about.called(follower.figure.component)


def _url(follower: Follower, target: int) -> str:
    return forecast_url(target, follower.figure.threshold.metric, follower.figure.component)


def followers_table(driver: Driver) -> Table[Follower]:
    """The figures that go by a driver, each with its forecast."""
    target = driver.target_id or 0
    ways = {Way.LEVEL: "rises and falls with it", Way.GROWTH: "gains by it"}
    return Table(
        "followers",
        "Figures that follow the driver",
        (
            RowHead("figure", _name, lambda row: link(_url(row, target), _name(row))),
            Column("limit", lambda row: with_unit(row.figure.threshold)),
            Column("how", lambda row: ways[row.trial.way]),
            FigureColumn(
                "error with it",
                lambda row: row.trial.error,
                lambda row: figures.fixed(row.trial.error, 2),
            ),
            FigureColumn(
                "without",
                lambda row: row.trial.error_without,
                lambda row: figures.fixed(row.trial.error_without, 2),
            ),
        ),
        title="What follows it",
    )


DRIVERS: Table[Mapping[str, Any]] = Table(
    "drivers",
    "Drivers",
    (
        RowHead("driver", lambda row: row["driver"].name, lambda row: link(row["url"], row["driver"].name)),
        Column("unit", lambda row: row["driver"].unit),
        Column("may drive figures of", lambda row: row["driver"].scope),
        FigureColumn("days", lambda row: row["days"]),
        FigureColumn(
            "last",
            lambda row: row["last"],
            lambda row: figures.short_day(row["last"]) if row["last"] else "none",
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
        FigureColumn("value", lambda row: row.value, lambda row: _write(row.value)),
        FigureColumn("planned", lambda row: row.planned, lambda row: _write(row.planned)),
    ),
    title="Days",
)
