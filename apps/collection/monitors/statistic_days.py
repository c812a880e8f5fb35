"""Statistics of a monitoring server as readings of days, as the core reduces those of a collector."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import numpy as np

from apps.collection.monitors.item_statistics import StatisticValues
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.engine.rates import Floats
from apps.snapshots.engine.readings import Shot
from apps.snapshots.imported_days import INTERVAL, DayOfFile

Moments = Mapping[int, Mapping[int, float]]  # number of a series: its values by when their intervals began


def days_of(series: Sequence[StatisticValues], zone: ZoneInfo, now: datetime) -> list[DayOfFile]:
    """The days that series of one length of interval cover, oldest first; an interval is of the day in which its middle lies."""
    seconds = series[0].seconds
    by_day: dict[date, dict[int, dict[int, float]]] = {}
    for number, own in enumerate(series):
        for began, value in own.values.items():
            on = datetime.fromtimestamp(began + seconds / 2, UTC).astimezone(zone).date()
            by_day.setdefault(on, {}).setdefault(number, {})[began] = value
    return [_DayReadings(series, by_day[on], seconds).day(day_of(on, zone, now)) for on in sorted(by_day)]


class _DayReadings:
    """The readings of one day: levels as they were, what was counted added up, stretches without values apart."""

    def __init__(self, series: Sequence[StatisticValues], values: Moments, seconds: int) -> None:
        self._series, self._values, self._seconds = series, values, seconds
        self._is_coarse = seconds > INTERVAL

    def day(self, day: Day) -> DayOfFile:
        began = self._began(self._values)
        numbers: dict[int, list[int]] = {}
        for number in self._values:
            numbers.setdefault(self._series[number].statistic.category, []).append(number)
        return DayOfFile(
            day,
            Day(day.on, _utc(began[0]), _utc(began[-1] + self._seconds)),
            {category: self._shots(own) for category, own in numbers.items()},
            min(len(began) * self._seconds / 3600, day.hours),
            float("inf") if self._is_coarse else INTERVAL,
        )

    def _began(self, numbers: Iterable[int]) -> list[int]:
        return sorted({moment for number in numbers for moment in self._values[number]})

    def _shots(self, numbers: Sequence[int]) -> dict[datetime, Shot]:
        """The readings of a category: one at the begin of each stretch, and one at the end of each of its intervals."""
        series = [self._series[number] for number in numbers]
        keys = [(own.statistic.statistic, own.component) for own in series]
        is_rate = np.array([own.statistic.is_rate for own in series])
        counted, shots = np.zeros(len(numbers)), {}
        for stretch, intervals in enumerate(self._stretches(numbers)):
            begin = _utc(intervals[0][0])
            shots[begin] = Shot(begin, None, keys, np.where(is_rate, counted, np.nan), str(stretch))
            for began, ended, means in intervals:
                counted = counted + means * (ended - began)
                end = _utc(ended)
                shots[end] = Shot(end, None, keys, np.where(is_rate, counted, means), str(stretch))
        return shots

    def _stretches(self, numbers: Sequence[int]) -> list[list[tuple[int, int, Floats]]]:
        """Begin, end and means of intervals that follow each other; of coarse ones the whole day is one."""
        began = self._began(numbers)
        rows = {moment: self._row(numbers, moment) for moment in began}
        if self._is_coarse:
            mean = np.nanmean(list(rows.values()), axis=0)
            return [[(began[0], began[-1] + self._seconds, mean)]]
        return [
            [(moment, moment + self._seconds, rows[moment]) for moment in run]
            for run in _runs(began, self._seconds)
        ]

    def _row(self, numbers: Iterable[int], began: int) -> Floats:
        return np.array([self._values[number].get(began, np.nan) for number in numbers], dtype=np.float64)


def _runs(began: Sequence[int], seconds: int) -> list[list[int]]:
    """Intervals that follow each other, apart from those before and after a gap."""
    runs: list[list[int]] = []
    for moment in began:
        if runs and moment - runs[-1][-1] == seconds:
            runs[-1].append(moment)
        else:
            runs.append([moment])
    return runs


def _utc(moment: int) -> datetime:
    return datetime.fromtimestamp(moment, UTC)
