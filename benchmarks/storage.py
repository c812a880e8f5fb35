"""Measure the storage: what it takes on disk, how fast it is written, what it costs to read."""

from benchmarks import reading, sizes, writing
from benchmarks.estate import fill, make_estate
from benchmarks.report import BenchmarkReport
from benchmarks.size import WORKERS, Size


def measure(size: Size, report: BenchmarkReport) -> None:
    """All figures of the storage, in one run."""
    short = make_estate("short", max(size.targets, WORKERS), size.short)
    fill(short, size.targets, also_narrow=True)
    sizes.check(short, report)
    sizes.measure(short, size, report)
    long = make_estate("long", size.long_targets, size.long)
    fill(long, size.long_targets)
    reading.measure(short, long, size, report)
    sizes.rolled_up(make_estate("rolled", 3, 30), report)
    short.use()
    writing.measure(short, size, report)
