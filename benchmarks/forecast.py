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
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import IN_A_ROW, Prediction, predict_crossings
from apps.forecasting.engine.edges import AT_ONCE, Opening, build_edges, find_first_days
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.histories import WINDOW
from apps.thresholds.engine.notation import Form
from benchmarks.forecast_peers import PEERS
from benchmarks.forecast_scores import Answers, group_scores, print_reliability, print_scores, scores
from benchmarks.forecast_shapes import SHAPES, generate_tasks
from benchmarks.forecast_tasks import DISTANCES, HORIZON, Floats, Tasks, read_tasks

DATA = Path(__file__).resolve().parents[1] / "../shared/samples/forecasting/daily"
SECONDS, MEGABYTES = 60.0, 600.0  # of 30,000 series: 2 s each 1,000
LASTING: Opening = (2, 3)  # the rule that methods are compared by: two of three days


def ask_engine(tasks: Tasks) -> Answers:
    """Ask the method alone, of short histories for the whole horizon too; what the series are it tells from the days."""
    forecasts = forecast_batch(list(tasks.histories), horizon=HORIZON)
    forecasts = replace(forecasts, reach=np.full(len(forecasts), HORIZON))
    return answer(tasks, forecasts, LASTING)


def ask_as_review(tasks: Tasks) -> Answers:
    """
    Ask as the nightly review does: its window, what the catalogue says, the limit's own rule, and what is worth an alert.

    An alert takes a chance that was high enough on so many reviews in a row, of which the history ends with the last.
    """
    answers = ask_night(tasks)
    before = [ask_night(tasks.as_before(nights)) for nights in range(1, IN_A_ROW)]
    is_alert = np.all([np.isfinite(night.day) for night in (answers, *before)], axis=0)
    return replace(answers, day=np.where(is_alert, answers.day, np.inf))


def ask_night(tasks: Tasks) -> Answers:
    """Ask as one review does."""
    histories = [days[-WINDOW:] for days in tasks.histories]
    forecasts = forecast_batch(histories, kinds=tasks.kinds, last_on=tasks.ends_on.tolist(), horizon=HORIZON)
    return answer(tasks, forecasts, AT_ONCE)


def answer(tasks: Tasks, forecasts: Forecasts, opening: Opening) -> Answers:
    """Read the answers off forecasts; a day counts only where its chance is worth an alert."""
    rows = np.repeat(np.arange(len(tasks)), len(DISTANCES))
    crossed, within = find_crossings(tasks.future, tasks.limits, opening), forecasts.reach[:, None]
    predictions = predict(forecasts, rows.tolist(), tasks.limits.ravel().tolist(), opening)

    def table(value: Callable[[Prediction], float | None]) -> Floats:
        values = [value(each) for each in predictions]
        return np.array([np.inf if each is None else each for each in values]).reshape(-1, len(DISTANCES))

    return Answers(
        forecasts.mean,
        forecasts.low80,
        forecasts.high80,
        table(lambda each: each.day if each.is_likely else None),
        table(lambda each: each.soonest),
        table(lambda each: each.latest),
        np.where(crossed <= within, crossed, np.inf),
        table(lambda each: each.chance or 0.0),
    )


def find_crossings(paths: Floats, limits: Floats, opening: Opening) -> Floats:
    """Return the days on which paths (tasks x days) open a violation of limits, tasks x limits."""
    is_beyond = paths[:, None, :] > limits[:, :, None]
    return find_first_days(is_beyond, [opening] * len(paths))


def predict(
    forecasts: Forecasts, rows: Sequence[int], limits: Sequence[float], opening: Opening
) -> list[Prediction]:
    """Ask when limits on these series will be crossed."""
    sides, openings = [Form.AT_MOST] * len(limits), [opening] * len(limits)
    return predict_crossings(forecasts, build_edges(rows, limits, sides, openings))


def ask_peer(name: str, tasks: Tasks) -> Answers:
    """Ask another tool's method, which reads the day off its curve and the range off its band."""
    mean, low, high = PEERS[name](list(tasks.histories), HORIZON)
    day, soonest, latest, crossed = (
        find_crossings(curve, tasks.limits, LASTING) for curve in (mean, high, low, tasks.future)
    )
    return Answers(mean, low, high, day, soonest, latest, crossed)


def print_cost(tasks: Tasks, count: int) -> bool:
    """Forecast so many series of a year, 500 at a time with a limit each, in this one process; return whether in time."""
    year = [days[-WINDOW:] for days in tasks.histories if len(days) >= 365]
    on, before = date(2026, 7, 1), peak_megabytes()
    began = time.process_time()
    for first in range(0, count, 500):
        series = [year[place % len(year)] for place in range(first, min(first + 500, count))]
        limits = [1.1 * float(np.nanmax(days)) for days in series]
        predict(forecast_batch(series, last_on=[on] * len(series)), range(len(series)), limits, AT_ONCE)
    seconds, peak = time.process_time() - began, peak_megabytes()
    print(f"\ncost: {count} series in {seconds:.1f} s of processor, must <= {SECONDS * count / 30000:.0f} s")
    print(f"      peak {peak:.0f} MB (before: {before:.0f} MB), must <= {MEGABYTES:.0f} MB")
    return seconds <= SECONDS * count / 30000 and peak <= MEGABYTES


def print_shapes() -> None:
    """Print the scores of each generated shape, as the review asks."""
    tasks = generate_tasks()
    answers = ask_as_review(tasks)
    columns = {name: group_scores(tasks, answers, tasks.group == group) for group, name in enumerate(SHAPES)}
    print(f"\n{len(tasks)} generated tasks, what users get, by shape; none of them was scored above")
    print_scores(columns, marks=False)


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

    answers = ask_as_review(tasks)
    columns = {"what users get": scores(tasks, answers), "the method alone": scores(tasks, ask_engine(tasks))}
    columns |= {name: scores(tasks, ask_peer(name, tasks)) for name in PEERS}
    print(f"\n{len(tasks)} tasks, mean of {len(set(tasks.group.tolist()))} groups")
    print(
        "Users get the review's call: 400 days, the kind, one day beyond, alerts after three reviews. All others: two days of three beyond."
    )
    is_good = print_scores(columns)
    is_honest = print_reliability(tasks, answers)

    half = np.array([zlib.crc32(f"split {name}".encode()) % 2 == 0 for name in tasks.names])
    halves = {"first half": tasks.chosen(half), "second half": tasks.chosen(~half)}
    print("\nthe same in two halves, by hash of the series' name; the scores above decide")
    print_scores({name: scores(part, ask_as_review(part)) for name, part in halves.items()}, marks=False)
    print_shapes()
    is_met = is_cheap and is_good and is_honest
    print("\nevery score met" if is_met else "\nMISSED at least one score, see above")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
