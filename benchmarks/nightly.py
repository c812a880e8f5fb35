"""
N and R10: the nightly review (roll up, judge, forecast, open and close) of targets with a year of history and 30 limits each.

    python -m benchmarks.nightly [--targets 24]

Two processes take the targets in the chunks of the worker, as its two do. A fleet of 1,000 is told on paper from the
fleet that was measured, after two fleets of different size have shown that the cost grows with the targets alone.
"""

import argparse
import resource
import sys
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

DAYS = 400
FORECAST = 500  # series whose forecast is measured beside a loop: as many as one chunk
LOOPED = 10  # of which so many are fitted one by one
FLEET = 1000
WARM = 2  # targets that are reviewed before the clock starts
CORES = 2

Floats = NDArray[np.float64]


def main(arguments: list[str] | None = None) -> int:
    """Fill a scratch database, review, print, and say whether it fits."""
    parser = argparse.ArgumentParser(prog="benchmarks.nightly")
    parser.add_argument("--targets", type=int, default=24)
    options = parser.parse_args(arguments)
    return measured_alone(partial(measure, options.targets))


def measure(targets: int, report: BenchmarkReport) -> None:
    """Review a third of the targets, then the others, in a schema of their own."""
    from benchmarks.fleet import make_nights

    nights = make_nights(WARM + targets, DAYS)
    pks = [target.pk for target in nights.targets]
    warm, small, large = pks[:WARM], pks[WARM : WARM + targets // 3], pks[WARM + targets // 3 :]
    on = nights.last.isoformat()
    _review(warm, on)
    for pk in warm:  # what a process learns once is no cost of a target
        assert _made(pk), "a review has made no forecasts"
    took = {len(some): _together(some, warm, on) for some in (small, large)}
    first, second = (took[len(some)][0] / len(some) for some in (small, large))
    report.add(
        Measurement(
            "N3",
            f"nightly review on two cores: cost of a target among {len(large)} / among {len(small)}",
            second / first,
            most=1.2,
        )
    )
    report.add(Measurement("N4", "... of a target with 30 limits and a year of history", 1000 * second, "ms"))
    words = f"... of {FLEET:,} targets, on paper from {len(large)}"
    report.add(Measurement("N5", words, FLEET * second / 60, "min", most=10))
    report.add(Measurement("N6", "... memory of both processes", took[len(large)][1], "MB", most=2048))
    alone = perf_counter()
    cpu = resource.getrusage(resource.RUSAGE_SELF)
    _review(small, on, again=True)
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime - cpu.ru_utime - cpu.ru_stime
    report.add(Measurement("R9", "... share of Python in it, one process", spent / (perf_counter() - alone)))
    _product(report)


def _product(report: BenchmarkReport) -> None:
    """R10: the forecast of many series at once, beside the straight lines that it fits, one by one."""
    from apps.forecasting.engine.batch import forecast_batch
    from benchmarks.clock import in_turns
    from benchmarks.data import SYSSTAT, readings, shapes

    (shape,) = [shape for shape in shapes() if shape.category == SYSSTAT]
    series = list(readings(1, DAYS, shape).T[:FORECAST])
    timings = in_turns(
        7,
        {
            "product": lambda _: forecast_batch(series),
            "lines": lambda _: [_lines_of(days) for days in series[:LOOPED]],
            "line": lambda _: [_slope(days) for days in series],
        },
    )
    product, lines, line = (
        timings[name] / count
        for name, count in (("product", FORECAST), ("lines", LOOPED), ("line", FORECAST))
    )
    report.add(
        Measurement(
            "R10", "forecast of 500 series as one / a loop of its least squares", product / lines, most=0.25
        )
    )
    report.add(Measurement("R10a", "... / one least-squares line of each series", product / line))
    report.add(Measurement("R10b", "... of a series", 1000 * product, "ms"))


def _lines_of(days: Floats) -> list[float]:
    """The slope of every straight line among the candidates, from each moment that the forecast looks back to."""
    from apps.forecasting.engine.backtest import ORIGINS
    from apps.forecasting.engine.candidates import CANDIDATES, line_slope

    lengths = [candidate.needs for candidate in CANDIDATES if candidate.slope is line_slope]
    ends = [len(days) - origin for origin in (*ORIGINS, 0)]
    return [_slope(days[end - length : end]) for end in ends for length in lengths if end >= length]


def _slope(days: Floats) -> float:
    """Least squares as one would write it for a single series."""
    is_known = np.isfinite(days)
    at = np.column_stack([np.arange(len(days)), np.ones(len(days))])
    (slope, _), *_ = np.linalg.lstsq(at[is_known], days[is_known], rcond=None)
    return float(slope)


def _together(pks: Sequence[int], warm: Sequence[int], on: str) -> tuple[float, float]:
    """Seconds that two processes take for the targets once they are warm, and their memory in MB at its most."""
    from django.db import connections

    from benchmarks.estate import use
    from benchmarks.fleet import NIGHTS

    connections.close_all()
    shares = [(list(pks[number::CORES]), [warm[number]], on) for number in range(CORES)]
    with get_context("fork").Pool(CORES) as pool:
        done = pool.starmap(_share, shares, chunksize=1)
    use(NIGHTS)
    return max(end for _, end, _ in done) - min(begin for begin, _, _ in done), sum(peak for *_, peak in done)


def _share(pks: list[int], warm: list[int], on: str) -> tuple[float, float, float]:
    """In a process of its own: when it began and ended, by the clock that all processes share, and its peak in MB."""
    from benchmarks.estate import use
    from benchmarks.fleet import NIGHTS

    use(NIGHTS)
    _review(warm, on)
    began = perf_counter()
    _review(pks, on)
    return began, perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _review(pks: Sequence[int], on: str, *, again: bool = False) -> None:
    from apps.forecasting.models import Forecast
    from worker.tasks import CHUNK, review

    if again:
        Forecast.objects.filter(target__in=pks).delete()
    for start in range(0, len(pks), CHUNK):
        review.run(list(pks[start : start + CHUNK]), on)


def _made(pk: int) -> int:
    from apps.forecasting.models import Forecast

    return Forecast.objects.filter(target=pk, chance__isnull=False).count()


if __name__ == "__main__":
    sys.exit(main())
