"""Benchmark runs as they are stored."""

from datetime import datetime

from apps.advisors.engine.benchmark import BenchmarkRuns
from apps.advisors.models import Benchmark
from apps.inventory.models import Target
from apps.people.models import User


def save_benchmark(
    name: str, target: Target | None, read: BenchmarkRuns, *, by: User | None, now: datetime
) -> Benchmark:
    """A new benchmark with runs that were read."""
    return Benchmark.objects.create(
        name=name.strip(),
        target=target,
        parameters=list(read.parameters),
        figures=list(read.figures),
        runs=[
            {"parameters": list(values), "figures": {figure: list(run[figure]) for figure in read.figures}}
            for values, run in read.runs.items()
        ],
        made_by=by,
        made_at=now,
    )


def runs_of(benchmark: Benchmark) -> BenchmarkRuns:
    """The runs of a benchmark, to be compared."""
    runs = {tuple(run["parameters"]): run["figures"] for run in benchmark.runs}
    return BenchmarkRuns(tuple(benchmark.parameters), tuple(benchmark.figures), runs)
