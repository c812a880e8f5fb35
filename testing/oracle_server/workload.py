"""
How busy an instance is: curves of work done since a moment, from which counters are drawn.

A curve only rises, has its hours and its weekdays, a little noise of its own for each day, and grows from day to day.
"""

import random
from datetime import datetime, timedelta
from itertools import accumulate

DAY_SECONDS = 86400
HOUR_SECONDS = 3600
HISTORY_DAYS = 1500

# Shares of a day's work by hour: people come at eight and leave at six; batch runs in the night; some never rests.
ONLINE = [2, 1, 1, 1, 1, 2, 4, 9, 17, 22, 24, 22, 16, 18, 23, 24, 21, 16, 10, 6, 4, 3, 3, 2]
BATCH = [20, 24, 26, 22, 12, 5, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 8, 16, 20]
STEADY = [1] * 24

WEEKDAYS = {
    "online": [1.05, 1.1, 1.05, 1.0, 0.95, 0.3, 0.25],
    "batch": [1.0, 1.0, 1.0, 1.0, 1.1, 1.2, 0.6],
    "steady": [1.0] * 7,
}
# Statistics that are parts of one another are of one mixture, so that they add up at any moment.
FAMILIES = {
    "gets": (
        "session logical reads", "consistent gets", "consistent gets from cache", "consistent gets direct",
        "db block gets", "db block gets from cache", "db block gets direct",
        "physical reads", "physical reads cache", "physical reads direct", "physical reads direct temporary tablespace",
        "physical read bytes", "physical read IO requests", "physical read total bytes",
        "physical read total IO requests", "physical read total multi block requests",
    ),
    "writes": (
        "physical writes", "physical writes from cache", "physical writes direct",
        "physical writes direct temporary tablespace", "physical write bytes", "physical write IO requests",
        "physical write total bytes", "physical write total IO requests", "physical write total multi block requests",
    ),
    "redo": ("redo size", "redo wastage", "redo blocks written", "redo writes", "log file parallel write"),
    "time of the log writer": ("redo write time", "redo write time (usec)", "log file parallel write time"),
    "commits": ("user commits", "user rollbacks", "redo synch writes", "log file sync"),
    "time of commits": ("redo synch time", "redo synch time (usec)", "log file sync time"),
}  # fmt: skip
FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names}

HOURS = {"online": ONLINE, "batch": BATCH, "steady": STEADY}


class Curve:
    """
    Work done up to a moment, in seconds of average work.

    At `anchor` an average second of work takes a second; `daily_growth` is the share by which a day adds to that.
    """

    def __init__(self, kind: str, anchor: datetime, *, seed: int, daily_growth: float, noise: float) -> None:
        self._kind = kind
        self._offset = anchor.utcoffset() or timedelta()
        self._anchor_day = self._day(anchor)[0]
        self._seed = seed
        self._growth = daily_growth
        self._noise = noise if kind != "steady" else 0.0
        hours = HOURS[kind]
        mean = sum(hours)
        self._hours = [0.0, *accumulate(hour / mean * DAY_SECONDS for hour in hours)]
        mean_day = sum(WEEKDAYS[kind]) / 7
        self._weekdays = [day / mean_day for day in WEEKDAYS[kind]]
        self._first_day = self._anchor_day - HISTORY_DAYS
        self._days = [0.0]
        self._factors: dict[int, float] = {}

    def work(self, moment: datetime) -> float:
        """Return the work done up to `moment`; it never falls as time goes on."""
        day, seconds = self._day(moment)
        position = max(day - self._first_day, 0)
        while len(self._days) <= position:
            self._days.append(
                self._days[-1] + DAY_SECONDS * self._factor(self._first_day + len(self._days) - 1)
            )
        hour, rest = divmod(seconds, HOUR_SECONDS)
        hours = self._hours
        done = hours[int(hour)] + (hours[int(hour) + 1] - hours[int(hour)]) * rest / HOUR_SECONDS
        return self._days[position] + done * self._factor(day)

    def level(self, moment: datetime) -> float:
        """Return how much is going on at `moment`; 1 is the average."""
        return (self.work(moment + timedelta(minutes=5)) - self.work(moment - timedelta(minutes=5))) / 600

    def _factor(self, day: int) -> float:
        """Return how much more or less is done on a day than on an average one."""
        if day not in self._factors:
            self._factors[day] = self._find_factor(day)
        return self._factors[day]

    def _find_factor(self, day: int) -> float:
        growth = max(1 + self._growth * (day - self._anchor_day), 0.05)
        weekday = (day + 6) % 7
        noise = random.Random(f"{self._seed}/{self._kind}/{day}").uniform(-self._noise, self._noise)
        return growth * self._weekdays[weekday] * (1 + noise)

    def _day(self, moment: datetime) -> tuple[int, float]:
        # Daylight saving would send work back in time, so the curve keeps the offset of its anchor.
        local = (moment + self._offset).replace(tzinfo=None) - (moment.utcoffset() or timedelta())
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        return local.toordinal(), (local - midnight).total_seconds()


class Workload:
    """The work of one instance: what its people, its nightly jobs and its background processes do."""

    def __init__(
        self, anchor: datetime, *, seed: int = 1, daily_growth: float = 0.0008, noise: float = 0.08
    ) -> None:
        self.curves = {
            kind: Curve(kind, anchor, seed=seed, daily_growth=daily_growth, noise=noise) for kind in HOURS
        }
        self._seed = seed
        self._mixes: dict[str, tuple[float, float]] = {}

    def done(self, since: datetime, until: datetime) -> dict[str, float]:
        """Return the work done between two moments, by kind."""
        return {kind: curve.work(until) - curve.work(since) for kind, curve in self.curves.items()}

    def count(self, name: str, rate: float, done: dict[str, float]) -> int:
        """Return a counter that rises by `rate` in an average second; each has its own share of the kinds."""
        online, batch = self._mix(name)
        steady = 1 - online - batch
        return int(rate * (online * done["online"] + batch * done["batch"] + steady * done["steady"]))

    def level(self, moment: datetime) -> float:
        """Return how much is going on at `moment`; 1 is the average."""
        levels = {kind: curve.level(moment) for kind, curve in self.curves.items()}
        return 0.6 * levels["online"] + 0.2 * levels["batch"] + 0.2

    def _mix(self, name: str) -> tuple[float, float]:
        name = FAMILY_OF.get(name, name)
        if name not in self._mixes:
            shares = random.Random(f"{self._seed}/{name}")
            self._mixes[name] = shares.uniform(0.5, 0.7), shares.uniform(0.15, 0.25)
        return self._mixes[name]
