"""The shapes of the gallery: what a figure did, what it will do, its limit, and which answer is right."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.engine.histories import WINDOW
from apps.forecasting.engine.series import SeriesKind

Floats = NDArray[np.float64]

ON = date(2026, 5, 20)  # the last day of every history
STOCK, FLOW = SeriesKind.STOCK, SeriesKind.FLOW
AT: Floats = np.arange(
    1 - WINDOW, HORIZON + 1, dtype=np.float64
)  # days from the last one of the history: 0 is that day
CERTAIN, UNLIKELY = (0.95, 1.0), (0.0, 0.07)


@dataclass(frozen=True)
class GalleryShape:
    """
    A figure under an upper limit: `days` are WINDOW of history, NaN before it began, and HORIZON of what comes.

    The right answer is the day on which the limit is broken, off by no more than `within`, and a chance in a range; of a figure
    of which nothing can be told yet there is no range. `missed` says what is wrong where the method does not give it, `remark` what
    is not as it should be though the answer is right.
    """

    name: str
    words: str
    kind: SeriesKind
    unit: str
    limit: float
    days: Floats
    chance: tuple[float, float] | None
    within: int = 0
    cap: float | None = None
    days_shown: int = 180
    missed: str = ""
    remark: str = ""

    @property
    def history(self) -> Floats:
        return self.days[:WINDOW]

    @property
    def future(self) -> Floats:
        """What comes after the history."""
        return self.days[WINDOW:]

    @property
    def breaks_on(self) -> int | None:
        """The first day ahead that is beyond the limit; None where there is none."""
        is_beyond = self.future > self.limit
        return int(is_beyond.argmax()) + 1 if is_beyond.any() else None

    @property
    def file_name(self) -> str:
        return "-".join(re.findall(r"[a-z0-9]+", self.name.lower().replace("'", ""))) + ".svg"


def noise(seed: int, size: float) -> Floats:
    return np.random.default_rng(seed).normal(0, size, len(AT))


def teeth(period: int, phase: int) -> Floats:
    """Purged to 100 each period, 300 before that."""
    return 100 + 200 * ((AT + WINDOW + phase) % period) / (period - 1)


def since(days: Floats, count: int) -> Floats:
    """Return days of which history has only the last `count`."""
    return np.where(-count < AT, days, np.nan)


def month_ends(peak: float, quarter_peak: float) -> Floats:
    """What the last days of months and of quarters are, 0 on all other days."""
    after = [ON + timedelta(days=int(day) + 1) for day in AT]
    peaks = [0 if day.day > 1 else quarter_peak if day.month % 3 == 1 else peak for day in after]
    return np.array(peaks, dtype=np.float64)


def with_peaks(days: Floats, peaks: Floats) -> Floats:
    return np.where(peaks > 0, peaks, 0) + np.where(peaks > 0, days - 100, days)


def weeks(days: Floats, weekend: float) -> Floats:
    """Return days of which weekends have a share."""
    weekday = np.array([(ON + timedelta(days=int(day))).weekday() for day in AT])
    return np.where(weekday >= 5, weekend, 1.0) * days


def added_files() -> Floats:
    """Files of 32 GB, added every 17 to 24 days."""
    gaps = np.random.default_rng(13).integers(17, 25, 40)
    added_on = np.cumsum(gaps) - WINDOW
    return np.asarray(320 + 32.0 * (AT[:, None] >= added_on).sum(axis=1))


def with_gap(days: Floats) -> Floats:
    """Return days without twelve of the last two months, and without the last two."""
    is_missing = ((AT >= -50) & (AT < -38)) | ((AT >= -1) & (AT <= 0))
    return np.where(is_missing, np.nan, days)


SHAPES: Sequence[GalleryShape] = (
    GalleryShape(
        "Straight growth", "A tablespace that fills by 2 GB a day.",
        STOCK, "GB", 700, 600 + 2.0 * AT + noise(1, 3), CERTAIN, within=4,
    ),
    GalleryShape(
        "Growth with weeks", "Redo that grows by half a GB a day, and is half as much at weekends.",
        FLOW, "GB/day", 230, weeks(200 + 0.5 * AT, 0.5) + noise(2, 4), CERTAIN, within=10,
        remark="The soonest day is far too near, and the band of weekends too wide: what weekdays add is taken for the same all the time, and here it grows.",
    ),
    GalleryShape(
        "Purged every 7 days", "A recovery area that is emptied once a week; the limit is above all that it ever was.",
        STOCK, "GB", 330, teeth(7, 3) + noise(3, 2), UNLIKELY,
    ),
    GalleryShape(
        "Purged every 30 days", "The same each month, asked in the middle; the limit is below the highest day of each month.",
        STOCK, "GB", 270, teeth(30, 3) + noise(4, 2), CERTAIN, within=2,
    ),
    GalleryShape(
        "Purged every 60 days", "The same every two months, asked in the middle; the limit is above all that it ever was.",
        STOCK, "GB", 330, teeth(60, 50) + noise(5, 2), UNLIKELY,
    ),
    GalleryShape(
        "Growing teeth", "Purged every 30 days, of which more is left each time.",
        STOCK, "GB", 420, (200 + 0.4 * AT) * (1 + ((AT + WINDOW + 3) % 30) / 29) + noise(6, 2), CERTAIN, within=3,
    ),
    GalleryShape(
        "Month ends over a limit", "Redo of a billing run on the last day of each month: each of them breaks the limit.",
        FLOW, "GB/day", 180, with_peaks(100 + noise(7, 4), month_ends(220, 220)), CERTAIN, days_shown=270,
    ),
    GalleryShape(
        "Quarter ends", "Month ends below the limit, and quarter ends above it: the next month end does not break it.",
        FLOW, "GB/day", 240, with_peaks(100 + noise(8, 4), month_ends(180, 300)), CERTAIN, days_shown=300,
    ),
    GalleryShape(
        "Compounding growth", "Redo that grows by 0.5 % each day, and doubles in 20 weeks.",
        FLOW, "GB/day", 132, 100 * np.exp(0.005 * AT + noise(9, 0.01)), CERTAIN, within=7, days_shown=270,
    ),
    GalleryShape(
        "Last year's shape", "Work with a season: low in spring, high in autumn, and so last year.",
        FLOW, "h/day", 120, 100 + 50 * np.sin(2 * np.pi * (AT - 30) / 365) + noise(10, 2), (0.5, 1.0), within=14, days_shown=345,
    ),
    GalleryShape(
        "Level shift ten days ago", "A job was added; the figure stays where it went.",
        FLOW, "GB/day", 200, np.where(AT > -10, 160, 100) + noise(11, 5), (0.0, 0.2),
        missed="It says rightly that the limit holds, but with too high a chance: a move seen once is taken to come again too readily, and the band bursts after a month.",
    ),
    GalleryShape(
        "Young step of three days", "The same three days ago, of a stock. Whether it goes on nobody knows yet: unlikely, not excluded.",
        STOCK, "GB", 200, np.where(AT > -3, 160, 100) + noise(12, 1), (0.0, 0.35),
        missed="It says rightly that the limit holds, but a chance so high would not take a prediction back, and the band swells and shrinks every two weeks.",
    ),
    GalleryShape(
        "Steps by added files", "Allocated space: a file of 32 GB every 17 to 24 days.",
        STOCK, "GB", 980, added_files(), CERTAIN, within=10,
    ),
    GalleryShape(
        "Saturation at 100 %", "A filesystem that fills by a quarter of a percent a day until it is full, and can be no fuller.",
        STOCK, "%", 95, np.minimum(88 + 0.25 * AT + noise(14, 0.2), 100), CERTAIN, within=3, cap=100,
    ),
    GalleryShape(
        "Growth that stopped", "A tablespace that grew by 3 GB a day and has stood still for ten days. It may have ended or paused: here it ended.",
        STOCK, "GB", 760, 700 + 3.0 * np.minimum(AT + 10, 0) + noise(15, 1), (0.07, 0.5),
        missed="A false alarm. Half of the weight says that growth goes on, and the limit is only 20 days of growth away.",
    ),
    GalleryShape(
        "Constant", "A number that somebody chose.",
        STOCK, "GB", 80, np.full(len(AT), 64.0), UNLIKELY,
    ),
    GalleryShape(
        "Zero", "A wait that does not occur.",
        FLOW, "s/day", 5, np.zeros(len(AT)), UNLIKELY,
    ),
    GalleryShape(
        "Short history of 20 days", "A database that is new: its level is carried on, and no day is named yet.",
        STOCK, "GB", 150, since(100 + 1.0 * AT + noise(18, 1), 20), None,
    ),
    GalleryShape(
        "Exact line of 40 days", "A new figure that grows by exactly 2 GB a day.",
        STOCK, "GB", 251, since(200 + 2.0 * AT, 40), CERTAIN, within=1,
    ),
    GalleryShape(
        "Noisy flow whose peaks pass a limit", "It grows slowly and goes up and down: one of its peaks passes the limit long before the expected line would.",
        FLOW, "GB/day", 140, 100 + 0.15 * AT + noise(20, 16), (0.7, 1.0), within=45,
        remark="The noise it is drawn from gives a chance of 87 % and a day 53 days ahead in the middle; what came is one draw of it.",
    ),
    GalleryShape(
        "Wandering like a price", "Each day goes on from the one before, up or down by chance: nothing in it says where to.",
        STOCK, "GB", 260, 200 + np.cumsum(noise(21, 3)), (0.0, 0.5),
    ),
    GalleryShape(
        "Gap of missing days", "Growth of 2 GB a day, without twelve days while the host was moved, and without the last two.",
        STOCK, "GB", 700, with_gap(600 + 2.0 * AT + noise(22, 3)), CERTAIN, within=4,
    ),
)  # fmt: skip
