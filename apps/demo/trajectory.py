"""Course: how a figure goes from day to day."""

from dataclasses import dataclass

import numpy as np

from apps.demo.rhythm import GROWTH, Days, Floats, drift, noise

Knots = tuple[tuple[int, float], ...]

# ages around which the story needs a plain month: a month end that falls here is left out
CALM = ((-16, -10), (-4, 2))


@dataclass(frozen=True, kw_only=True)
class Trajectory:
    """
    A figure by day: a line through knots (age, value), a weekly rhythm and noise around it.

    Where it `is_exact`, the figure at a knot is the knot's value to the last digit, whatever the weekday. Before the
    first and after the last knot it changes by `growth` a day, as a share of the value. `bumps` multiply the line on
    single days. A course that `is_stock` (space, rows) grows by the work of the days between its knots, and is
    relieved by `relief` (first age, every so many days, amount): a purge, an archive run.
    """

    knots: Knots
    growth: float = 0.0004
    noise: float = 0.035
    week: tuple[float, ...] = ()
    month_end: float = 1.0
    month_end_days: int = 3
    bumps: Knots = ()
    is_exact: bool = True
    is_stock: bool = False
    relief: tuple[int, int, float] | None = None

    def by_day(self, name: str, days: Days) -> Floats:
        """The figure on each day. `name` tells its noise from that of others."""
        line = self._line(days)
        if self.is_stock:
            line = line * (1.0 + self.noise * noise([name], days.ages)[0])
        else:
            jitter = 0.75 * noise([name], days.ages)[0] + 0.6 * drift(name, days.ages)
            line = line * np.maximum(0.2, 1.0 + self.noise * jitter)
            line = line * (days.weigh(self.week) if self.week else 1.0)
            calm = np.any([(days.ages >= first) & (days.ages <= last) for first, last in CALM], axis=0)
            line = line * np.where((days.left_in_month < self.month_end_days) & ~calm, self.month_end, 1.0)
            for age, factor in self.bumps:
                line = np.where(days.ages == age, self._line(days) * factor, line)
        for age, value in self.knots if self.is_exact else ():
            line = np.where(days.ages == age, value, line)
        if self.relief is not None:
            first, every, amount = self.relief
            line = line - amount * np.maximum(0, (days.ages - first) // every + 1)
        return np.maximum(line, 0.0)

    def _line(self, days: Days) -> Floats:
        """Through the knots, and on from the outer ones at the rate of growth."""
        (first, first_value), (last, last_value) = self.knots[0], self.knots[-1]
        if self.is_stock:
            inner = self._through_work(days)
        else:
            inner = np.interp(days.ages, [age for age, _ in self.knots], [value for _, value in self.knots])
        inner = np.where(days.ages < first, first_value * (1 + self.growth * (days.ages - first)), inner)
        inner = np.where(days.ages > last, last_value * (1 + self.growth * (days.ages - last)), inner)
        return np.maximum(inner, 0.0)

    def _through_work(self, days: Days) -> Floats:
        first, last = min(self.knots[0][0], days.ages[0]), max(self.knots[-1][0], days.ages[-1])
        weekday = days.weekdays[0] - (days.ages[0] - first)
        ages = np.arange(first, last + 1)
        whole = Days(ages, (weekday + np.arange(len(ages))) % 7, np.full(len(ages), 99))
        work = whole.work_done(GROWTH)
        at_knots = work[[age - first for age, _ in self.knots]]
        line: Floats = np.interp(work, at_knots, [value for _, value in self.knots])
        return line[days.ages[0] - first : days.ages[-1] - first + 1]


def flow(
    amount: float, growth: float = 0.0004, noise: float = 0.035, week: tuple[float, ...] = ()
) -> Trajectory:
    """An amount of each day, about so much on a working day when the estate is loaded."""
    return Trajectory(knots=((0, amount),), growth=growth, noise=noise, week=week, is_exact=False)


def through(
    *knots: tuple[int, float],
    noise: float = 0.035,
    week: tuple[float, ...] = (),
    month_end: float = 1.0,
    month_end_days: int = 3,
    bumps: Knots = (),
    growth: float = 0.0,
) -> Trajectory:
    """A figure that is exactly this on the days of its knots."""
    return Trajectory(
        knots=knots,
        noise=noise,
        week=week,
        month_end=month_end,
        month_end_days=month_end_days,
        bumps=bumps,
        growth=growth,
    )


def stock(
    *knots: tuple[int, float], noise: float = 0.0004, relief: tuple[int, int, float] | None = None
) -> Trajectory:
    """A level that grows with the work done, through its knots."""
    return Trajectory(knots=knots, noise=noise, is_stock=True, relief=relief)
