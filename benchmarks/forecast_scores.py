"""Scores of what a method says of tasks, what they must be, and how they are printed."""

import warnings
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.forecast_tasks import HORIZON, Floats, Tasks

MOST_MASE = 50.0  # a task counts no more: one standstill before a step must not decide


@dataclass(frozen=True)
class Answers:
    """What a method says of tasks: mean and bounds by day; day, soonest and latest by limit; the chance, if it gives one."""

    mean: Floats
    low: Floats
    high: Floats
    day: Floats
    soonest: Floats
    latest: Floats
    crossed: Floats  # tasks x limits: when they were, by the rule that was asked for; infinite = not within the horizon
    chance: Floats | None = None


def scores(tasks: Tasks, answers: Answers) -> dict[str, float]:
    """Return every score, as the mean over the groups."""
    by_group = [
        group_scores(tasks, answers, tasks.group == group) for group in sorted(set(tasks.group.tolist()))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a score that no group has
        means = {name: float(np.nanmean([each[name] for each in by_group])) for name in by_group[0]}
    return means | {"days off of all": middle_off(answers.day, answers.crossed)}


def middle_off(day: Floats, crossed: Floats) -> float:
    """Return how far days that were said and came were off, in the middle."""
    both = np.isfinite(day) & np.isfinite(crossed)
    return float(np.median(np.abs(day[both] - crossed[both]))) if both.any() else np.nan


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
        result[f"MASE {days}"] = float(np.minimum(mase, MOST_MASE).mean()) if len(mase) else np.nan
    for days in (30, 90):
        is_scored = np.asarray(np.isfinite(inside[:, :days]).any(axis=1))
        result[f"inside 80 % at {days}"] = float(np.nanmean(inside[is_scored, :days], axis=1).mean())

    crossed, day = answers.crossed[here], answers.day[here]
    is_predicted, is_crossed = np.isfinite(day), np.isfinite(crossed)
    both = int((is_predicted & is_crossed).sum())
    result["precision"] = both / max(int(is_predicted.sum()), 1)
    result["recall"] = both / max(int(is_crossed.sum()), 1)
    result["F1"] = 2 * both / max(int(is_predicted.sum() + is_crossed.sum()), 1)
    soon, is_crossed_soon = day <= 30, crossed <= 30
    result["F1 in 30 d"] = (
        2 * int((soon & is_crossed_soon).sum()) / max(int(soon.sum() + is_crossed_soon.sum()), 1)
    )
    late = np.abs(np.where(is_predicted, day, HORIZON + 1)[is_crossed] - crossed[is_crossed])
    held = (answers.soonest[here] <= crossed) & (crossed <= answers.latest[here])
    result["days off"] = float(late.mean()) if len(late) else np.nan
    result["days off in the middle"] = middle_off(day, crossed)
    result["inside soonest-latest"] = float(held[is_crossed].mean()) if is_crossed.any() else np.nan
    result["false alarms"] = 100 * int((is_predicted & ~is_crossed).sum()) / is_predicted.size
    result["chance off"] = np.nan if answers.chance is None else chance_off(answers.chance[here], is_crossed)
    return result


def chance_off(chance: Floats, is_crossed: NDArray[np.bool_]) -> float:
    """Return by how much the chances said differ from what happened, in the mean over the bins, each by its cases."""
    bins = np.digitize(chance, CHANCE_BINS[1:-1])
    parts = [bins == number for number in range(len(CHANCE_BINS) - 1)]
    off = [part.mean() * abs(chance[part].mean() - is_crossed[part].mean()) for part in parts if part.any()]
    return float(np.sum(off))


# A score, the least and the most it must be, and what is aimed at.
MUST = {
    "MASE 7": (0.0, 0.77, 0.77),
    "MASE 30": (0.0, 1.42, 1.42),
    "MASE 90": (0.0, 3.05, 3.05),
    "inside 80 % at 30": (0.78, 0.85, 0.85),
    "inside 80 % at 90": (0.78, 0.85, 0.85),
    "precision": (0.75, 1.0, 0.80),
    "recall": (0.0, 1.0, 0.0),
    "F1": (0.66, 1.0, 0.72),
    "F1 in 30 d": (0.50, 1.0, 0.58),
    "days off": (0.0, 35.0, 27.0),
    "days off in the middle": (0.0, 14.0, 7.0),
    "days off of all": (0.0, 7.0, 7.0),
    "inside soonest-latest": (0.74, 1.0, 0.80),
    "false alarms": (0.0, 5.5, 5.0),
    "chance off": (0.0, 0.10, 0.05),
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
        if not any(name in each for each in columns.values()):
            continue
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


def print_reliability(tasks: Tasks, answers: Answers) -> bool:
    """Print the chances said against what happened, every group with the same weight; return whether they may be believed."""
    if answers.chance is None:
        return True
    print("\nchance said        cases   said   happened")
    is_met = True
    chance, is_crossed = answers.chance, np.isfinite(answers.crossed)
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
