"""
N: the nightly review (roll up, judge, forecast, open and close) of targets with a year of history and 30 limits each.

    python -m benchmarks.nightly [--targets 24]

Two processes take the targets in the chunks of the worker, as its two do. A fleet of 1,000 is told on paper from the
fleet that was measured, after two fleets of different size have shown that the cost grows with the targets alone.
"""

import argparse
import resource
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from time import perf_counter

from benchmarks.report import Figure, Report
from benchmarks.server import scratch_database

DAYS = 400
FLEET = 1000
WARM = 2  # targets that are reviewed before the clock starts
CORES = 2


def main(arguments: list[str] | None = None) -> int:
    """Fill a scratch database, review, print, and say whether it fits."""
    parser = argparse.ArgumentParser(prog="benchmarks.nightly")
    parser.add_argument("--targets", type=int, default=24)
    options = parser.parse_args(arguments)
    report = Report()
    with scratch_database():
        measure(options.targets, report)
    print(f"\n{report.table()}")
    return 1 if report.missed else 0


def measure(targets: int, report: Report) -> None:
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
        Figure(
            "N3",
            f"nightly review on two cores: cost of a target among {len(large)} / among {len(small)}",
            second / first,
            most=1.2,
        )
    )
    report.add(Figure("N4", "... of a target with 30 limits and a year of history", 1000 * second, "ms"))
    words = f"... of {FLEET:,} targets, on paper from {len(large)}"
    report.add(Figure("N5", words, FLEET * second / 60, "min", most=10))
    report.add(Figure("N6", "... memory of both processes", took[len(large)][1], "MB", most=2048))
    alone = perf_counter()
    cpu = resource.getrusage(resource.RUSAGE_SELF)
    _review(small, on, again=True)
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime - cpu.ru_utime - cpu.ru_stime
    report.add(Figure("R9", "... share of Python in it, one process", spent / (perf_counter() - alone)))


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
