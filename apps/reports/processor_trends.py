"""The course of a host's processors over three months: month by month, and from the first to the last."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from apps.catalog.registry import get_metric
from apps.catalog.trend_statistics import TrendStatistic, trend_statistics_of
from apps.charts import figures
from apps.charts.words import capital
from apps.inventory.models import Group, Target
from apps.reports.engine.week import Week
from apps.reports.sheets import Cell, Sheet, as_csv
from apps.snapshots.measured import Measured, read_series

MONTHS, LENGTH = 3, 30  # of so many days each, the last ends with the week
ENOUGH = LENGTH // 2  # days of a month that have a figure; fewer are no mean of it


@dataclass(frozen=True)
class Month:
    """The mean of one month, its highest day, and how many days they are of."""

    first: str
    last: str
    days: int
    mean: float | None
    most: float | None
    most_on: str | None


@dataclass(frozen=True)
class Trend:
    """One statistic of a host over the months; `change` is from the first month to the last, in percent."""

    host: str
    key: str
    statistic: str
    unit: str
    months: Sequence[Month]
    change: float | None
    why: str = ""  # why there is nothing to tell


def find_trends(week: Week, now: datetime, group: Group | None) -> Mapping[str, object]:
    """What the report says, for all hosts or those of a group; two queries."""
    last = week.last_day
    first = last - timedelta(days=MONTHS * LENGTH - 1)
    hosts = Target.objects.in_estate().filter(kind=Target.Kind.HOST).order_by("name")
    if group is not None:
        hosts = hosts.filter(group=group)
    trends = [trend for host in _by_platform(list(hosts), first, last) for trend in host]
    return {
        "week": week.name,
        "first": first.isoformat(),
        "last": last.isoformat(),
        "sentence": _sentence(trends),
        "trends": [asdict(trend) for trend in trends],
    }


def _by_platform(hosts: Sequence[Target], first: date, last: date) -> list[list[Trend]]:
    """The trends of each host, read together for those of one platform."""
    of_host: list[list[Trend]] = []
    for platform in dict.fromkeys(host.platform for host in hosts):
        statistics = trend_statistics_of(platform)
        mine = [host for host in hosts if host.platform == platform]
        if statistics:
            keys = [(statistic.metric, "") for statistic in statistics if statistic.metric]
            measured = read_series(mine, keys, first, last)
            of_host += [[_trend(measured[host.pk], statistic) for statistic in statistics] for host in mine]
    return of_host


def _trend(measured: Measured, statistic: TrendStatistic) -> Trend:
    if not statistic.metric:
        return Trend(measured.target.name, "", statistic.label, "", [], None, statistic.missing)
    metric = get_metric(statistic.metric)
    row = measured.row_of[statistic.metric, ""]
    values = np.where(measured.counts[row], measured.values[row], np.nan)
    months = [_month(measured, metric.to_display_unit(1.0) * values, number) for number in range(MONTHS)]
    before, after = months[0].mean, months[-1].mean
    change = 100 * (after - before) / before if before and after is not None else None
    has_any = any(month.mean is not None for month in months)
    why = "" if has_any else statistic.missing or f"fewer than {ENOUGH} days of a month were measured"
    return Trend(measured.target.name, metric.key, metric.label, metric.display_unit, months, change, why)


def _month(measured: Measured, values: NDArray[np.float64], number: int) -> Month:
    days = measured.days[number * LENGTH : (number + 1) * LENGTH]
    own = values[number * LENGTH : (number + 1) * LENGTH]
    measured_at = np.flatnonzero(~np.isnan(own))
    first, last = (day.isoformat() for day in (days[0], days[-1]) if day is not None)
    if len(measured_at) < ENOUGH:
        return Month(first, last, len(measured_at), None, None, None)
    highest = int(measured_at[np.argmax(own[measured_at])])
    most_on = days[highest]
    assert most_on is not None
    return Month(
        first,
        last,
        len(measured_at),
        float(own[measured_at].mean()),
        float(own[highest]),
        most_on.isoformat(),
    )


def _sentence(trends: Sequence[Trend]) -> str:
    rising = [trend for trend in trends if trend.change is not None]
    if not rising:
        return "No host has three months of figures yet."
    most = max(rising, key=lambda trend: trend.change or 0.0)
    if (most.change or 0.0) <= 0:
        return "Nothing rose over these three months."
    return (
        f"{capital(most.statistic)} of {most.host} rose most, by {figures.figure(most.change)}{figures.SPACE}% from the"
        " first month to the last."
    )


# ── as a file ─────────────────────────────────────────────────────────────────────────────────────────────────────────

HEADS = ("host", "statistic", "key", "unit", "month from", "to", "days", "mean", "highest day", "on", "note")


def trends_as_csv(facts: Mapping[str, object]) -> bytes:
    """A row a month of each statistic, exact."""
    return as_csv(Sheet("processors", HEADS, iter(_lines(facts)))).encode()


def _lines(facts: Mapping[str, object]) -> list[Sequence[Cell]]:
    trends = facts["trends"]
    assert isinstance(trends, list)
    return [
        [
            trend["host"], trend["statistic"], trend["key"], trend["unit"], month["first"], month["last"], month["days"],
            month["mean"], month["most"], month["most_on"], trend["why"],
        ]
        for trend in trends
        for month in trend["months"] or [dict.fromkeys(("first", "last", "days", "mean", "most", "most_on"))]
    ]  # fmt: skip
