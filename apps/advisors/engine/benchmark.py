"""
Benchmark runs: repetitions of figures under parameters, read from a table and compared by a parameter (no Django).

The columns left of `repetition` are parameters, those right of it figures. Rows with the same parameters are one run.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Worse
from apps.collection.engine.csv_text import BadCsv, read_number, separator_of
from apps.profiles.engine.periods import ChangeVerdict, Judgement, PeriodStatistics
from apps.profiles.engine.significance import Spread, beyond_noise, spread, welch, welch_margin

REPETITION = "repetition"
MOST_ROWS, MOST_COLUMNS, LONGEST_NAME = 5000, 20, 80
LEAST = 2  # repetitions of a run: one has no spread
LARGEST_TABLE = 500_000  # characters
Values = tuple[str, ...]


class BadRuns(BadCsv):
    """This is no table of runs; the message says which row, and what to give."""


@dataclass(frozen=True)
class BenchmarkRuns:
    """
    Runs by the values of their parameters, each with the repetitions of every figure; `repetitions` has what these are
    called, in the same order.
    """

    parameters: tuple[str, ...]
    figures: tuple[str, ...]
    runs: Mapping[Values, Mapping[str, Sequence[float]]]
    repetitions: Mapping[Values, Sequence[str]]


def parse_runs(text: str) -> BenchmarkRuns:
    """The runs of a table that can be compared, separated by commas, semicolons or tabs. Raises BadRuns."""
    read = read_table(text)
    refuse_what_tells_nothing(read)
    return read


def merge_runs(present: BenchmarkRuns, more: BenchmarkRuns) -> BenchmarkRuns:
    """Runs with more of the same columns; of a repetition that is there already the new figures count. Raises BadRuns."""
    if (present.parameters, present.figures) != (more.parameters, more.figures):
        raise BadRuns(
            f"The heads are {_heads_of(more)}; this benchmark has {_heads_of(present)}, in this order."
        )
    runs = {values: {figure: list(run[figure]) for figure in run} for values, run in present.runs.items()}
    repetitions = {values: list(names) for values, names in present.repetitions.items()}
    for values, names in more.repetitions.items():
        of_run = repetitions.setdefault(values, [])
        figures = runs.setdefault(values, {figure: [] for figure in more.figures})
        for place, name in enumerate(names):
            is_new = name not in of_run
            at = len(of_run) if is_new else of_run.index(name)
            of_run[at : at + 1] = [name]
            for figure in more.figures:
                figures[figure][at : at + 1] = [more.runs[values][figure][place]]
    if (rows := sum(map(len, repetitions.values()))) > MOST_ROWS:
        raise BadRuns(
            f"The benchmark would have {rows:,} repetitions; {MOST_ROWS:,} are taken. Begin another one."
        )
    merged = BenchmarkRuns(present.parameters, present.figures, runs, repetitions)
    refuse_what_tells_nothing(merged)
    return merged


def _heads_of(read: BenchmarkRuns) -> str:
    return ",".join((*read.parameters, REPETITION, *read.figures))


def read_table(text: str) -> BenchmarkRuns:
    """The runs of a table, whatever they tell. Raises BadRuns."""
    if len(text) > LARGEST_TABLE:
        raise BadRuns(f"The table has {len(text):,} characters; give at most {LARGEST_TABLE:,}.")
    rows = [
        row for row in csv.reader(StringIO(text.lstrip("\ufeff")), delimiter=separator_of(text)) if any(row)
    ]
    if len(rows) < 2:
        raise BadRuns("The table has no rows; give a line of heads, and a line for each repetition.")
    parameters, figures = _heads([head.strip() for head in rows[0]])
    runs: dict[Values, dict[str, list[float]]] = {}
    repetitions: dict[Values, list[str]] = {}
    for number, row in enumerate(rows[1 : MOST_ROWS + 2], start=2):
        if number > MOST_ROWS + 1:
            raise BadRuns(f"The table has more than {MOST_ROWS:,} rows; give fewer.")
        if len(row) != len(rows[0]):
            raise BadRuns(f"Row {number} has {len(row)} columns, the heads have {len(rows[0])}.")
        values = tuple(cell.strip()[:LONGEST_NAME] for cell in row[: len(parameters)])
        repetition = row[len(parameters)].strip()[:LONGEST_NAME]
        if repetition in repetitions.setdefault(values, []):
            raise BadRuns(f"Row {number} is repetition {repetition} of {_run_name(values)} a second time.")
        repetitions[values].append(repetition)
        run = runs.setdefault(values, {figure: [] for figure in figures})
        for figure, cell in zip(figures, row[len(parameters) + 1 :], strict=True):
            run[figure].append(_number(cell, figure, number))
    return BenchmarkRuns(parameters, figures, runs, repetitions)


def _heads(heads: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    lowered = [head.casefold() for head in heads]
    if lowered.count(REPETITION) != 1:
        raise BadRuns(
            "One column must be called “repetition”: parameters stand left of it, figures right of it."
        )
    if len(heads) > MOST_COLUMNS:
        raise BadRuns(f"The table has {len(heads)} columns; give at most {MOST_COLUMNS}.")
    if any(not head or len(head) > LONGEST_NAME for head in heads) or len(set(lowered)) < len(heads):
        raise BadRuns(f"Each column needs a name of its own, of at most {LONGEST_NAME} characters.")
    at = lowered.index(REPETITION)
    if at == 0:
        raise BadRuns("No column stands left of “repetition”: give at least one parameter.")
    if at == len(heads) - 1:
        raise BadRuns("No column stands right of “repetition”: give at least one figure.")
    return tuple(heads[:at]), tuple(heads[at + 1 :])


def _number(cell: str, figure: str, row: int) -> float:
    text = cell.strip()
    try:
        return read_number(text)
    except BadCsv:
        raise BadRuns(
            f"Row {row}: “{text[:LONGEST_NAME]}” under “{figure}” is no number; write 9398380.94."
        ) from None


def refuse_what_tells_nothing(read: BenchmarkRuns) -> None:
    """Refuse one run alone, a single repetition and figures that are the same everywhere. Raises BadRuns."""
    if len(read.runs) < LEAST:
        raise BadRuns("All rows have the same parameters: there is nothing to compare with.")
    for values, figures in read.runs.items():
        count = len(figures[read.figures[0]])
        if count < LEAST:
            raise BadRuns(
                f"{_run_name(values)} has one repetition, which has no spread; give at least {LEAST}."
            )
    for figure in read.figures:
        every = {value for run in read.runs.values() for value in run[figure]}
        if len(every) == 1:
            raise BadRuns(
                f"“{figure}” is {every.pop():g} in every repetition: leave it out, it tells nothing."
            )


def _run_name(values: Values) -> str:
    return ", ".join(values)


def judge_runs(
    before: Sequence[Sequence[float]], after: Sequence[Sequence[float]], worse: Sequence[Worse]
) -> list[Judgement]:
    """The verdict on each figure of two runs, from their repetitions; noise is told from change over all together."""
    left, right = spread(np.array(before, dtype=float)), spread(np.array(after, dtype=float))
    difference = welch(left, right)
    beyond = beyond_noise(difference.p)
    judged = []
    for at, way in enumerate(worse):
        sides = [
            PeriodStatistics(
                int(side.count[at]),
                int(side.count[at]),
                float(side.mean[at]),
                float(side.sd[at]),
                int(side.count[at]),
            )
            for side in (left, right)
        ]
        change, mean = float(difference.change[at]), float(left.mean[at])
        percent = 100 * change / abs(mean) if mean else None
        verdict = ChangeVerdict.SAME
        if beyond[at]:
            is_worse = (change > 0) is (way is Worse.HIGHER)
            verdict = ChangeVerdict.WORSE if is_worse else ChangeVerdict.BETTER
        judged.append(Judgement(sides[0], sides[1], percent, float(difference.t[at]), verdict))
    return judged


@dataclass(frozen=True)
class RunComparison:
    """A figure of a run, against the first run that differs in one parameter alone; the first itself has no effect."""

    figure: str
    others: Values  # of the parameters that are the same
    value: str
    count: int
    mean: float
    sd: float
    percent: float | None = None
    margin: float | None = None  # of the percentage, at 95 %
    t: float | None = None
    is_beyond_noise: bool = False


def compare_runs(read: BenchmarkRuns, parameter: str) -> list[RunComparison]:
    """Every figure by a parameter, the others held; noise is told from difference over all of them together."""
    rows, firsts = _group_runs(read, read.parameters.index(parameter))
    each = Spread(
        *(np.array([getattr(row, name) for row in rows], dtype=float) for name in ("count", "mean", "sd"))
    )
    first = Spread(each.count[firsts], each.mean[firsts], each.sd[firsts])
    is_compared = (firsts != np.arange(len(rows))) & (first.mean != 0)
    base = np.where(is_compared, np.abs(first.mean), np.nan)
    difference, margin = welch(first, each), welch_margin(first, each)
    beyond = beyond_noise(np.where(is_compared, difference.p, np.nan))
    return [
        replace(
            row,
            percent=float(100 * difference.change[at] / base[at]),
            margin=float(100 * margin[at] / base[at]),
            t=float(difference.t[at]),
            is_beyond_noise=bool(beyond[at]),
        )
        if is_compared[at]
        else row
        for at, row in enumerate(rows)
    ]


def _group_runs(read: BenchmarkRuns, at: int) -> tuple[list[RunComparison], NDArray[np.intp]]:
    """The runs that differ in one parameter alone, figure by figure, and the place of the first of each group."""
    groups: dict[tuple[str, Values], list[Values]] = {}
    for figure in read.figures:
        for values in read.runs:
            groups.setdefault((figure, values[:at] + values[at + 1 :]), []).append(values)
    rows: list[RunComparison] = []
    firsts: list[int] = []
    for (figure, others), members in groups.items():
        firsts += [len(rows)] * len(members)
        for values in members:
            figures = np.array(read.runs[values][figure], dtype=float)
            mean, sd = float(figures.mean()), float(figures.std(ddof=1))
            rows.append(RunComparison(figure, others, values[at], len(figures), mean, sd))
    return rows, np.array(firsts, dtype=np.intp)
