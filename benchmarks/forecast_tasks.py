"""Tasks for the forecast: daily series cut before their end, what they are, what came after, and limits above them."""

import zlib
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.forecasting.engine.series import SeriesKind

Floats = NDArray[np.float64]
Task = tuple[str, str, int, np.datetime64, Floats, Floats]  # name, what, group, last day, history, future
HORIZON = 90
ORIGINS = 3
HISTORIES = (1000, 365, 120, 45)
GROUPS = ("git_stock_a.csv", "git_flow_a.csv", "hospital_it.csv", "synth_dev.csv")  # the others are the fifth
DISTANCES = (0.1, 0.25, 0.5, 1.0, 2.0)  # of limits, in spreads above the highest of the last 14 days
LEAST_SPREAD = 0.005  # of the level, for a series that stood still
FLOWS = ("flow", "flow_weekly", "flow_monthend", "flow_restarts", "spiky_wait", "flat_noise")
OPEN = (
    "occupancy",
    "walk",
)  # what is in use, and a price: the catalogue does not say whether such are stocks


@dataclass(frozen=True)
class Tasks:
    """Histories with their groups and what they are, what came after, and five limits each."""

    names: NDArray[np.str_]
    what: NDArray[np.str_]  # "stock", "flow", "sawtooth"
    group: NDArray[np.intp]
    ends_on: NDArray[np.datetime64]  # the last day of each history
    histories: NDArray[np.object_]  # of arrays, a value a day
    future: Floats
    naive: Floats  # mean change over 7 days in the history: the unit of MASE
    limits: Floats

    def __len__(self) -> int:
        return len(self.names)

    def chosen(self, where: NDArray[np.bool_]) -> "Tasks":
        """Return some of the tasks."""
        return Tasks(*(getattr(self, field.name)[where] for field in fields(self)))

    def as_before(self, nights: int) -> "Tasks":
        """Return the tasks as they stood so many nights earlier, with the same limits and what came after the last."""
        histories = np.empty(len(self), dtype=object)
        histories[:] = [days[:-nights] for days in self.histories]
        return replace(self, histories=histories, ends_on=self.ends_on - np.timedelta64(nights, "D"))

    @property
    def kinds(self) -> list[SeriesKind | None]:
        """What a catalogue would say that they are."""
        return [kind_of(what) for what in self.what]


def kind_of(what: str) -> SeriesKind | None:
    """The kind that a catalogue would give."""
    if what in OPEN:
        return None
    return SeriesKind.FLOW if what in FLOWS else SeriesKind.STOCK


def read_tasks(folder: Path) -> Tasks:
    """Read every task of the folder: each series cut 90, 180 and 270 days before its end."""
    listed = pd.read_csv(folder / "kinds.csv")
    what_of = dict(zip(zip(listed["file"], listed["id"], strict=True), listed["kind"], strict=True))
    tasks: list[Task] = []
    for file in sorted(set(listed["file"])):
        table = pd.read_csv(folder / file, index_col="day")
        group = GROUPS.index(file) if file in GROUPS else len(GROUPS)
        for name in table.columns:
            days = table[name].to_numpy(dtype=np.float64)
            measured = np.flatnonzero(np.isfinite(days))
            first_on = np.datetime64(str(table.index[measured[0]]))
            days = days[measured[0] : measured[-1] + 1]
            for origin in range(ORIGINS):
                end = len(days) - HORIZON * (origin + 1)
                length = HISTORIES[(zlib.crc32(name.encode()) + origin) % len(HISTORIES)]
                if end >= min(HISTORIES):
                    history, future = days[max(0, end - length) : end], days[end : end + HORIZON]
                    what, last_on = what_of[file, name], first_on + end - 1
                    tasks.append((f"{file}/{name}", what, group, last_on, history, future))
    return make_tasks(tasks)


def make_tasks(tasks: list[Task]) -> Tasks:
    """Return tasks with their limits."""
    names, what, group, ends_on, histories, future = zip(*tasks, strict=True)
    days = np.empty(len(tasks), dtype=object)
    days[:] = histories
    return Tasks(
        np.array(names),
        np.array(what),
        np.array(group),
        np.array(ends_on),
        days,
        np.array(future),
        np.array([np.nanmean(np.abs(each[7:] - each[:-7])) for each in histories]),
        np.array([limits_of(each) for each in histories]),
    )


def limits_of(days: Floats) -> Floats:
    """Return five limits above the highest of the last 14 days, at shares of the last 90 days' spread."""
    low, high = np.nanpercentile(days[-90:], (5, 95))
    spread = max(high - low, LEAST_SPREAD * float(np.nanmean(np.abs(days))))
    return np.asarray(np.nanmax(days[-14:]) + np.array(DISTANCES) * spread)
