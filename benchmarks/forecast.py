"""
Measure the forecast on daily series with a known future, beside the methods of other tools, and what a night of it costs.

    python -m benchmarks.forecast [--data FOLDER] [--series 30000]

The folder holds wide CSV files (a column a series, a row a day) and kinds.csv, whose column `file` names them. A task is a
series cut 90, 180 and 270 days before its end. Scores are the mean over five groups of files, so that no large file decides
alone. A score that is missed makes the exit status 1; without data there is nothing to measure, which is said, and the
status is 0.
"""

import argparse
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import Prediction, predict_crossings
from apps.forecasting.engine.edges import build_edges, find_first_days
from apps.forecasting.engine.forecasts import Forecasts
from apps.thresholds.engine.notation import Form
from benchmarks.forecast_peers import PEERS, Floats

DATA = Path(__file__).resolve().parents[1] / "../shared/samples/forecasting/daily"
HORIZON = 90
ORIGINS = 3
HISTORIES = (1000, 365, 120, 45)
GROUPS = ("git_stock_a.csv", "git_flow_a.csv", "hospital_it.csv", "synth_dev.csv")  # the others are the fifth
DISTANCES = (0.1, 0.25, 0.5, 1.0, 2.0)  # of limits, in spreads above the highest of the last 14 days
LEAST_SPREAD = 0.005  # of the level, for a series that stood still
MOST_MASE = 50.0  # a task counts no more: one standstill before a step must not decide
SECONDS, MEGABYTES = 300.0, 600.0


@dataclass(frozen=True)
class Tasks:
    """Histories with their groups, what came after, and five limits each with the day they were crossed."""

    names: list[str]
    histories: list[Floats]
    group: NDArray[np.intp]
    future: Floats
    naive: Floats  # mean change over 7 days in the history: the unit of MASE
    limits: Floats
    crossed: Floats  # tasks x limits, infinite = not within the horizon

    def chosen(self, where: NDArray[np.bool_]) -> "Tasks":
        """Return some of the tasks."""
        rows = np.flatnonzero(where)
        return Tasks(
            [self.names[row] for row in rows],
            [self.histories[row] for row in rows],
            self.group[rows],
            self.future[rows],
            self.naive[rows],
            self.limits[rows],
            self.crossed[rows],
        )


@dataclass(frozen=True)
class Answers:
    """What a method says of tasks: mean and bounds by day; day, soonest and latest by limit; the chance, if it gives one."""

    mean: Floats
    low: Floats
    high: Floats
    day: Floats
    soonest: Floats
    latest: Floats
    chance: Floats | None = None


def read_tasks(folder: Path) -> Tasks:
    """Read every task of the folder."""
    files = sorted(set(pd.read_csv(folder / "kinds.csv")["file"]))
    names: list[str] = []
    histories: list[Floats] = []
    futures: list[Floats] = []
    groups: list[int] = []
    for file in files:
        table = pd.read_csv(folder / file, index_col="day")
        for name in table.columns:
            days = table[name].to_numpy(dtype=np.float64)
            known_days = np.flatnonzero(np.isfinite(days))
            days = days[known_days[0] : known_days[-1] + 1]
            for origin in range(ORIGINS):
                end = len(days) - HORIZON * (origin + 1)
                length = HISTORIES[(zlib.crc32(name.encode()) + origin) % len(HISTORIES)]
                if end < min(HISTORIES):
                    continue
                names.append(f"{file}/{name}")
                histories.append(days[max(0, end - length) : end])
                futures.append(days[end : end + HORIZON])
                groups.append(GROUPS.index(file) if file in GROUPS else len(GROUPS))
    naive = np.array([np.nanmean(np.abs(days[7:] - days[:-7])) for days in histories])
    limits = np.array([limits_of(days) for days in histories])
    future = np.array(futures)
    crossed = find_first_days(future[:, None, :] >= limits[:, :, None])
    return Tasks(names, histories, np.array(groups), future, naive, limits, crossed)


def limits_of(days: Floats) -> Floats:
    """Return five limits above the highest of the last 14 days, at shares of the last 90 days' spread."""
    low, high = np.nanpercentile(days[-90:], (5, 95))
    spread = max(high - low, LEAST_SPREAD * float(np.nanmean(np.abs(days))))
    return np.asarray(np.nanmax(days[-14:]) + np.array(DISTANCES) * spread)


def ours(tasks: Tasks) -> Answers:
    """Ask the forecast itself, of short histories for the whole horizon too."""
    forecasts = forecast_batch(tasks.histories, horizon=HORIZON)
    forecasts = replace(forecasts, reach=np.full(len(forecasts), HORIZON))
    rows = np.repeat(np.arange(len(tasks.names)), len(DISTANCES))
    predictions = predict(forecasts, rows.tolist(), tasks.limits.ravel().tolist(), Form.BELOW)

    def table(value: Callable[[Prediction], float | None]) -> Floats:
        values = [value(each) for each in predictions]
        return np.array([np.inf if each is None else each for each in values]).reshape(-1, len(DISTANCES))

    return Answers(
        forecasts.mean,
        forecasts.low80,
        forecasts.high80,
        table(lambda each: each.day),
        table(lambda each: each.soonest),
        table(lambda each: each.latest),
        table(lambda each: each.chance or 0.0),
    )


def predict(
    forecasts: Forecasts, rows: Sequence[int], limits: Sequence[float], side: Form
) -> list[Prediction]:
    """Ask when limits on these series will be crossed."""
    return predict_crossings(forecasts, build_edges(rows, limits, [side] * len(limits)))


def theirs(name: str, tasks: Tasks) -> Answers:
    """Ask another tool's method, which reads the day off its curve and the range off its band."""
    mean, low, high = PEERS[name](tasks.histories, HORIZON)
    days = [find_first_days(curve[:, None, :] >= tasks.limits[:, :, None]) for curve in (mean, high, low)]
    return Answers(mean, low, high, *days)


def scores(tasks: Tasks, answers: Answers) -> dict[str, float]:
    """Return every score, as the mean over the groups."""
    by_group = [
        group_scores(tasks, answers, tasks.group == group) for group in sorted(set(tasks.group.tolist()))
    ]
    return {name: float(np.mean([each[name] for each in by_group])) for name in by_group[0]}


def group_scores(tasks: Tasks, answers: Answers, here: NDArray[np.bool_]) -> dict[str, float]:
    """Return the scores of the tasks of one group."""
    future, naive = tasks.future[here], tasks.naive[here]
    error = np.abs(future - answers.mean[here])
    slack = 1e-9 * np.abs(future)
    is_inside = (future >= answers.low[here] - slack) & (future <= answers.high[here] + slack)
    inside = np.where(np.isfinite(future), is_inside, np.nan)
    result = {}
    for days in (7, 30, 90):
        is_scored = np.asarray(naive > 0) & np.isfinite(error[:, :days]).any(axis=1)
        mase = np.nanmean(error[is_scored, :days], axis=1) / naive[is_scored]
        result[f"MASE {days}"] = float(np.minimum(mase, MOST_MASE).mean())
    for days in (30, 90):
        is_scored = np.asarray(np.isfinite(inside[:, :days]).any(axis=1))
        result[f"inside 80 % at {days}"] = float(np.nanmean(inside[is_scored, :days], axis=1).mean())

    crossed, day = tasks.crossed[here], answers.day[here]
    is_predicted, is_crossed = np.isfinite(day), np.isfinite(crossed)
    both = int((is_predicted & is_crossed).sum())
    result["precision"] = both / max(int(is_predicted.sum()), 1)
    result["recall"] = both / max(int(is_crossed.sum()), 1)
    result["F1"] = 2 * both / max(int(is_predicted.sum() + is_crossed.sum()), 1)
    soon, is_crossed_soon = day <= 30, crossed <= 30
    result["F1 in 30 d"] = (
        2 * int((soon & is_crossed_soon).sum()) / max(int(soon.sum() + is_crossed_soon.sum()), 1)
    )
    result["days off"] = float(np.abs(np.where(is_predicted, day, HORIZON + 1) - crossed)[is_crossed].mean())
    held = (answers.soonest[here] <= crossed) & (crossed <= answers.latest[here])
    result["inside soonest-latest"] = float(held[is_crossed].mean())
    result["false alarms"] = 100 * int((is_predicted & ~is_crossed).sum()) / is_predicted.size
    return result


# A score, the least and the most it must be, and what is aimed at.
MUST = {
    "MASE 7": (0.0, 0.90, 0.80),
    "MASE 30": (0.0, 1.60, 1.45),
    "MASE 90": (0.0, 3.35, 3.05),
    "inside 80 % at 30": (0.77, 0.90, 0.85),
    "inside 80 % at 90": (0.77, 0.90, 0.85),
    "precision": (0.70, 1.0, 0.75),
    "recall": (0.0, 1.0, 0.0),
    "F1": (0.60, 1.0, 0.66),
    "F1 in 30 d": (0.50, 1.0, 0.58),
    "days off": (0.0, 30.5, 27.0),
    "inside soonest-latest": (0.74, 1.0, 0.80),
    "false alarms": (0.0, 6.5, 5.0),
}
CHANCE_BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)  # an edge belongs to the bin above it
MOST_BIASED = 0.12  # of the chance, in every bin above 20 %


def in_words(name: str) -> str:
    """Return what a score must be."""
    least, most, _ = MUST[name]
    if least > 0 and most < 1:
        return f"{least:g}-{most:g}"
    return f">= {least:g}" if least > 0 else f"<= {most:g}" if most != 1 else "-"


def print_scores(columns: dict[str, dict[str, float]], *, marks: bool = True) -> bool:
    """Print a row per score: must, aim, a column per method, the first being ours; return whether ours meets all."""
    width = max(len(name) for name in MUST) + 2
    print(f"{'':{width}}{'must':>10}{'aim':>7}" + "".join(f"{name[:17]:>18}" for name in columns))
    is_met = True
    for name, (least, most, aim) in MUST.items():
        got = next(iter(columns.values()))[name]
        is_met &= least <= got <= most
        mark = "" if least <= got <= most or not marks else "  MISSED"
        aimed = f"{aim:g}" if aim else "-"
        print(
            f"{name:{width}}{in_words(name):>10}{aimed:>7}"
            + "".join(f"{each[name]:>18.3f}" for each in columns.values())
            + mark
        )
    return is_met


def print_reliability(tasks: Tasks, chance: Floats) -> bool:
    """Print the chances said against what happened, every group with the same weight; return whether they may be believed."""
    print("\nchance said        cases   said   happened")
    is_met = True
    is_crossed = np.isfinite(tasks.crossed)
    groups = sorted(set(tasks.group.tolist()))
    weight = np.zeros(chance.shape)
    for group in groups:
        weight[tasks.group == group] = 1 / (tasks.group == group).sum()
    for low, high in pairwise(CHANCE_BINS):
        here = (chance >= low) & ((chance < high) | (high == 1))
        if not here.any():
            continue
        predicted, happened = (
            float(np.average(each[here], weights=weight[here])) for each in (chance, is_crossed)
        )
        is_off = low >= 0.2 and abs(predicted - happened) > MOST_BIASED
        is_met &= not is_off
        print(
            f"{low:4.0%} to {high:4.0%} {int(here.sum()):10d} {predicted:6.2f} {happened:10.2f}{'  MISSED' if is_off else ''}"
        )
    return is_met


def print_cost(tasks: Tasks, count: int) -> bool:
    """Forecast so many series of a year, 500 at a time with a limit each, in this one process; return whether in time."""
    year = [days[-365:] for days in tasks.histories if len(days) >= 365]
    began, before = time.perf_counter(), peak_megabytes()
    for first in range(0, count, 500):
        series = [year[place % len(year)] for place in range(first, min(first + 500, count))]
        limits = [1.1 * float(np.nanmax(days)) for days in series]
        predict(forecast_batch(series), range(len(series)), limits, Form.AT_MOST)
    seconds, peak = time.perf_counter() - began, peak_megabytes()
    print(f"\ncost: {count} series in {seconds:.1f} s on one core, must <= {SECONDS * count / 30000:.0f} s")
    print(f"      peak {peak:.0f} MB (before: {before:.0f} MB), must <= {MEGABYTES:.0f} MB")
    return seconds <= SECONDS * count / 30000 and peak <= MEGABYTES


def peak_megabytes() -> float:
    """Return the most memory this program has held: the high-water mark of Linux, in KB; `getrusage` counts its parent's too."""
    (kilobytes,) = (
        line.split()[1]
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmHWM:")
    )
    return int(kilobytes) / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.forecast", description="Scores and cost of the forecast."
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of daily series")
    parser.add_argument(
        "--series", type=int, default=30000, help="how many series the cost is measured with; 0 = none"
    )
    options = parser.parse_args(arguments)
    if not (options.data / "kinds.csv").is_file():
        print(
            f"SKIPPED: no daily series in {options.data}, so the forecast was NOT measured (name a folder with --data)"
        )
        return 0
    tasks = read_tasks(options.data)
    is_cheap = print_cost(tasks, options.series) if options.series else True

    answers = ours(tasks)
    columns = {"Headroom": scores(tasks, answers)} | {
        name: scores(tasks, theirs(name, tasks)) for name in PEERS
    }
    print(f"\n{len(tasks.names)} tasks, mean of {len(set(tasks.group.tolist()))} groups")
    is_good = print_scores(columns)
    is_honest = print_reliability(tasks, answers.chance) if answers.chance is not None else True

    half = np.array([zlib.crc32(f"split {name}".encode()) % 2 == 0 for name in tasks.names])
    halves = {"first half": tasks.chosen(half), "second half": tasks.chosen(~half)}
    print("\nthe same in two halves, by hash of the series' name; the scores above decide")
    print_scores({name: scores(part, ours(part)) for name, part in halves.items()}, marks=False)
    is_met = is_cheap and is_good and is_honest
    print("\nevery score met" if is_met else "\nMISSED at least one score, see above")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
