"""Benchmark runs: a table of them is read, and compared by a parameter."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.advisors.benchmarks import renew_benchmark_token, runs_of, save_benchmark
from apps.advisors.engine.benchmark import BenchmarkRuns, RunComparison, compare_runs
from apps.advisors.models import Benchmark, BenchmarkToken
from apps.charts import figures
from apps.people.models import User
from apps.web.cells import link, marked
from apps.web.pages.benchmarks.forms import BenchmarkForm
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, FigureColumn, RowGroup, RowHead, Table, page_or_file

HEADER_FILE = "/etc/headroom-benchmark"  # a command line would show the token to everybody there
BENCHMARKS: Table[Benchmark] = Table(
    "benchmarks",
    "Benchmarks, newest first",
    (
        RowHead("benchmark", lambda row: row.name, lambda row: link(row.get_absolute_url(), row.name)),
        Column("ran on", lambda row: row.target.name if row.target else "", css="quiet-text"),
        Column("parameters", lambda row: ", ".join(row.parameters)),
        Column("figures", lambda row: ", ".join(row.figures)),
        FigureColumn("runs", lambda row: float(len(row.runs))),
        Column("by", lambda row: str(row.made_by or "somebody who has left"), css="quiet-text"),
        FigureColumn("on", lambda row: row.made_at, lambda row: figures.short_day(row.made_at.date())),
    ),
    title="Benchmarks",
)


def benchmarks(request: HttpRequest) -> HttpResponse:
    """Every benchmark, newest first."""
    listed = list(Benchmark.objects.select_related("target", "made_by"))
    sentence = [
        Part("No benchmark was read yet", True),
        Part(": a table of repetitions, compared by a parameter."),
    ]
    if listed:
        sentence = [Part(capital(count(len(listed), "benchmark")), True), Part(".")]
    context = {"benchmarks": BENCHMARKS.fill(listed), "sentence": sentence, "can_change": may_change(request)}
    return page_or_file(request, "pages/benchmarks/benchmarks.html", context)


@planner_required
def add(request: HttpRequest) -> HttpResponse:
    """Read a table of runs."""
    form = BenchmarkForm(request.POST or None, request.FILES or None)
    if form.is_valid() and form.runs is not None:
        by = request.user if isinstance(request.user, User) else None
        typed = form.cleaned_data
        made = save_benchmark(typed["name"], typed["target"], form.runs, by=by, now=timezone.now())
        messages.success(request, f"{capital(count(len(form.runs.runs), 'run'))} read.")
        return redirect(made)
    return render(request, "pages/benchmarks/add.html", {"form": form})


def benchmark(request: HttpRequest, pk: int) -> HttpResponse:
    """The runs of a benchmark, compared by the parameter that the address names, or the first; and the token by which programs send more."""
    chosen = get_object_or_404(Benchmark.objects.select_related("target", "made_by"), pk=pk)
    token = _renew_token(request, chosen) if "token" in request.POST else ""
    runs = runs_of(chosen)
    by = request.GET.get("by", "")
    parameter = by if by in runs.parameters else runs.parameters[0]
    rows = compare_runs(runs, parameter)
    context = {
        "benchmark": chosen,
        "parameter": parameter,
        "parameters": runs.parameters,
        "runs": _table(parameter).fill(groups=_groups(rows, _others(runs, parameter))),
        "sentence": _sentence(rows, parameter),
        "token": token,
        "sender": BenchmarkToken.objects.filter(benchmark=chosen).first(),
        "header_file": HEADER_FILE,
        "send_script": f"curl -sSf -H @{HEADER_FILE} --data-binary @runs.csv {request.build_absolute_uri(reverse('run_push'))}",
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/benchmarks/benchmark.html", context)


def _renew_token(request: HttpRequest, of: Benchmark) -> str:
    """A new token, for those who may change things."""
    if not isinstance(request.user, User) or not may_change(request):
        raise PermissionDenied(LACKS_RIGHT)
    return renew_benchmark_token(of, request.user, timezone.now())


def _others(runs: BenchmarkRuns, parameter: str) -> list[str]:
    return [name for name in runs.parameters if name != parameter]


def _groups(rows: Sequence[RunComparison], others: Sequence[str]) -> list[RowGroup[RunComparison]]:
    groups: dict[str, list[RunComparison]] = {}
    for row in rows:
        held = ", ".join(f"{name} {value}" for name, value in zip(others, row.others, strict=True))
        groups.setdefault(f"{row.figure}, {held}" if held else row.figure, []).append(row)
    return [RowGroup(name, members) for name, members in groups.items()]


def _sentence(rows: Sequence[RunComparison], parameter: str) -> list[Part]:
    sure = [row for row in rows if row.is_beyond_noise]
    compared = sum(row.percent is not None for row in rows)
    if not sure:
        return [Part(f"{capital(parameter)} makes no difference beyond noise", True), Part(".")]
    most = max(sure, key=lambda row: abs(row.percent or 0.0))
    change = f"{figures.delta(most.percent)}{figures.SPACE}%"
    fact = f"{capital(parameter)} {most.value}: {most.figure} {change}"
    return [Part(fact, True), Part(f"; {len(sure)} of {count(compared, 'difference')} are beyond noise.")]


def _interval(row: RunComparison) -> str:
    if row.percent is None or row.margin is None:
        return ""
    low, high = row.percent - row.margin, row.percent + row.margin
    return f"{figures.delta(low)} to {figures.delta(high)}{figures.SPACE}%"


def _verdict(row: RunComparison) -> str:
    return "" if row.percent is None else "beyond noise" if row.is_beyond_noise else "within noise"


def _table(parameter: str) -> Table[RunComparison]:
    return Table(
        "runs",
        f"Each figure by {parameter}, against the first",
        (
            RowHead(parameter, lambda row: row.value),
            FigureColumn("repetitions", lambda row: float(row.count)),
            FigureColumn("mean", lambda row: row.mean, lambda row: figures.figure(row.mean), css="strong"),
            FigureColumn("deviation", lambda row: row.sd, lambda row: figures.figure(row.sd)),
            FigureColumn(
                "effect",
                lambda row: row.percent,
                lambda row: (
                    "first" if row.percent is None else f"{figures.delta(row.percent)}{figures.SPACE}%"
                ),
                file_head="effect, %",
            ),
            FigureColumn("interval", lambda row: row.margin, _interval, file_head="interval, ± %"),
            FigureColumn("t", lambda row: row.t, lambda row: "" if row.t is None else figures.figure(row.t)),
            Column(
                "verdict",
                _verdict,
                lambda row: marked("strong" if row.is_beyond_noise else "", _verdict(row)),
            ),
        ),
        title="Runs",
    )
