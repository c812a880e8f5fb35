"""Benchmark runs as they are stored, read from a table or sent by a program."""

from datetime import datetime
from typing import Any

from django.db import transaction

from apps.advisors.engine.benchmark import BadRuns, BenchmarkRuns, merge_runs, read_table
from apps.advisors.models import Benchmark, BenchmarkToken
from apps.charts.words import capital, count
from apps.collection.engine.csv_text import BadCsv, decode_text
from apps.collection.sender_tokens import count_sending, issue_token, note_outcome
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
        runs=_as_rows(read),
        made_by=by,
        made_at=now,
    )


def _as_rows(read: BenchmarkRuns) -> list[dict[str, Any]]:
    return [
        {
            "parameters": list(values),
            "repetitions": list(read.repetitions[values]),
            "figures": {figure: list(run[figure]) for figure in read.figures},
        }
        for values, run in read.runs.items()
    ]


def runs_of(benchmark: Benchmark) -> BenchmarkRuns:
    """The runs of a benchmark, to be compared."""
    runs = {tuple(run["parameters"]): run["figures"] for run in benchmark.runs}
    names = {tuple(run["parameters"]): run.get("repetitions") for run in benchmark.runs}
    repetitions = {
        values: names[values] or [str(number + 1) for number in range(len(run[benchmark.figures[0]]))]
        for values, run in runs.items()
    }
    return BenchmarkRuns(tuple(benchmark.parameters), tuple(benchmark.figures), runs, repetitions)


def renew_benchmark_token(benchmark: Benchmark, person: User, now: datetime) -> str:
    """A new token of a benchmark, shown once; the one before is good for nothing from now on."""
    BenchmarkToken.objects.filter(benchmark=benchmark).delete()
    return issue_token(BenchmarkToken(benchmark=benchmark), person, now)


def receive_runs(token: str, content: bytes, now: datetime) -> BenchmarkRuns:
    """Add the runs that a program sends with a token. Raises UnknownToken, TooOften and BadRuns."""
    sender = count_sending(BenchmarkToken.objects.all(), token, now, page="benchmark")
    try:
        sent = read_table(decode_text(content))
        _add_runs(sender.benchmark_id, sent)
    except BadCsv as error:
        note_outcome(sender, now, f"Refused: {error}")
        raise BadRuns(str(error)) from None
    note_outcome(sender, now, f"{capital(count(len(sent.runs), 'run'))} stored.")
    return sent


def _add_runs(pk: int, sent: BenchmarkRuns) -> None:
    """All of them or none; two programs that send at once wait for each other."""
    with transaction.atomic():
        benchmark = Benchmark.objects.select_for_update(of=("self",)).get(pk=pk)
        benchmark.runs = _as_rows(merge_runs(runs_of(benchmark), sent))
        benchmark.save(update_fields=["runs"])
