"""Two runs of benchmarks that were brought: their repetitions are the windows."""

from collections.abc import Sequence

from apps.advisors.benchmarks import runs_of
from apps.advisors.engine.benchmark import LEAST, judge_runs
from apps.advisors.models import Benchmark
from apps.advisors.study_registry import Fields, KindField, StudyKind
from apps.advisors.study_releases import refuse_other_release
from apps.catalog.metric import Kind, Metric, Worse
from apps.catalog.section import Section
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow, Comparison, DaysUsed
from apps.profiles.engine.periods import Period
from apps.thresholds.case_steps import Refusal

MOST_OFFERED = 500
FIGURES = Section("Figures of the runs")
TEST = (
    "Means of the repetitions. Effects with 95 % intervals by Welch. Of all figures together one in ten that are told as changed"
    " may be noise (Benjamini and Hochberg)."
)

Repetitions = dict[str, Sequence[float]]  # by figure


def _offer_runs() -> list[tuple[str, str]]:
    """Every run that was brought, newest benchmarks first."""
    runs = [
        (f"{benchmark.pk}:{number}", f"{benchmark.name}: {', '.join(run['parameters'])}")
        for benchmark in Benchmark.objects.all()
        for number, run in enumerate(benchmark.runs)
    ]
    return runs[:MOST_OFFERED]


def _find_run(key: str) -> tuple[Benchmark, Repetitions, str]:
    """The benchmark of a run, its figures, and what it is called. Raises Refusal."""
    pk, _, number = key.partition(":")
    benchmark = (
        Benchmark.objects.select_related("target").filter(pk=int(pk)).first() if pk.isdecimal() else None
    )
    read = runs_of(benchmark) if benchmark is not None else None
    if benchmark is None or read is None or not number.isdecimal() or int(number) >= len(read.runs):
        raise Refusal("A run is not there any more; choose another one.")
    values = list(read.runs)[int(number)]
    figures = {figure: read.runs[values][figure] for figure in read.figures}
    return benchmark, figures, f"{', '.join(values)} ({benchmark.name})"


def _read_fields(target: Target, fields: Fields) -> Fields:
    """The runs that were chosen. Raises Refusal for what does not let one be held against the other."""
    if fields["run_before"] == fields["run_after"]:
        raise Refusal("Both runs are the same one; choose the run after the change.")
    before, after = _find_run(fields["run_before"]), _find_run(fields["run_after"])
    for benchmark, figures, name in (before, after):
        if benchmark.target is None:
            raise Refusal(f"{name} does not say what it ran on; bring it again with its target.")
        if benchmark.target != target:
            raise Refusal(
                f"{name} ran on {benchmark.target.name}, not on {target.name}: what differs may be due to that."
            )
        if _length(figures) < LEAST:
            raise Refusal(f"{name} has one repetition, which has no spread; {LEAST} are needed.")
    if _length(before[1]) != _length(after[1]):
        raise Refusal(
            f"{before[2]} has {_length(before[1])} repetitions and {after[2]} has {_length(after[1])}; choose runs of the same length."
        )
    if not before[1].keys() & after[1].keys():
        raise Refusal(
            f"{before[2]} and {after[2]} have no figure in common; choose runs of the same figures."
        )
    days = [benchmark.made_at.astimezone(target.zone).date() for benchmark, _, _ in (before, after)]
    if not fields.get("is_of_release"):
        refuse_other_release(target, *days)
    better = _less_is_better(fields.get("less_is_better", ""), before[1].keys() & after[1].keys())
    return {
        "run_before": fields["run_before"],
        "run_after": fields["run_after"],
        "before": before[2],
        "after": after[2],
        "less_is_better": better,
    }


def _length(figures: Repetitions) -> int:
    return min(map(len, figures.values()))


def _less_is_better(text: str, figures: "set[str]") -> str:
    """The names of figures that are typed, as they are spelt in the runs. Raises Refusal."""
    spelt = {figure.casefold(): figure for figure in figures}
    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := next((name for name in names if name.casefold() not in spelt), ""):
        raise Refusal(f"“{unknown[:60]}” is no figure of both runs; they have {', '.join(sorted(figures))}.")
    return ",".join(spelt[name.casefold()] for name in names)


def _compare(target: Target, fields: Fields) -> Comparison:
    """The figures that both runs have. Raises Refusal where a run is not there any more."""
    before, after = _find_run(fields["run_before"]), _find_run(fields["run_after"])
    smaller = set(fields["less_is_better"].split(","))
    metrics = [
        _metric_of(figure, Worse.HIGHER if figure in smaller else Worse.LOWER)
        for figure in before[1]
        if figure in after[1]
    ]
    judged = judge_runs(
        [before[1][metric.key] for metric in metrics],
        [after[1][metric.key] for metric in metrics],
        [metric.worse for metric in metrics],
    )
    days = [benchmark.made_at.astimezone(target.zone).date() for benchmark, _, _ in (before, after)]
    first, second = (DaysUsed(target, Period(day, day), (), (), ()) for day in days)
    rows = [ComparedRow(metric, "", "", verdict) for metric, verdict in zip(metrics, judged, strict=True)]
    return Comparison(first, second, rows)


def _metric_of(figure: str, worse: Worse) -> Metric:
    """A figure of a run, as a statistic of its own: no catalogue has it."""
    return Metric(
        key=figure,
        label=figure,
        unit="",
        kind=Kind.GAUGE,
        worse=worse,
        section=FIGURES,
        source="",
        category=0,
    )


RUNS = StudyKind(
    key="runs",
    title="Runs of a benchmark",
    question="Did huge pages make logical reads faster?",
    template="pages/studies/kinds/runs.html",
    fields=(
        KindField(
            "run_before", "run before", "Its repetitions are what is compared with.", choices=_offer_runs
        ),
        KindField(
            "run_after", "run after", "As many repetitions, with the same figures.", choices=_offer_runs
        ),
        KindField(
            "less_is_better",
            "less is better of",
            "Figures of which less is better, such as response; of all others more is.",
            400,
            is_optional=True,
        ),
    ),
    read_fields=_read_fields,
    compare=_compare,
    windows=lambda fields: (fields["before"], fields["after"]),
    describe=lambda fields: (
        f"less is better of {fields['less_is_better']}" if fields["less_is_better"] else ""
    ),
    test=TEST,
)
