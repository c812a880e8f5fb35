"""Two runs of benchmarks held against each other: their repetitions are the windows."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from apps.advisors.benchmarks import save_benchmark
from apps.advisors.engine.benchmark import parse_runs
from apps.advisors.engine.outcome import Outcome
from apps.advisors.models import Benchmark, ChangeStudy
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_deeds import StudyDraft, accept_cost, add_aim, close_study, make_study
from apps.collection.tests.scripted import instance
from apps.inventory.models import Target
from apps.reports.study_paper import build_document
from apps.snapshots.models import IDENTITY, Fact
from apps.thresholds.case_steps import Refusal

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
READS = "logical reads/s"


def exactly(mean: float, sd: float, count: int = 40) -> list[float]:
    """Repetitions of exactly this mean and deviation."""
    values = np.linspace(-1, 1, count)
    return [float(value) for value in mean + sd * values / values.std(ddof=1)]


def bring(
    target: Target | None,
    runs: dict[str, dict[str, list[float]]],
    name: str = "huge pages",
    at: datetime = NOW,
) -> Benchmark:
    figures = list(next(iter(runs.values())))
    lines = [f"pages,repetition,{','.join(figures)}"]
    for pages, of_run in runs.items():
        for number in range(len(of_run[figures[0]])):
            cells = [repr(of_run[figure][number]) for figure in figures]
            lines.append(",".join([pages, str(number), *cells]))
    return save_benchmark(name, target, parse_runs("\n".join(lines)), by=None, now=at)


@pytest.fixture
def target() -> Target:
    return instance()


@pytest.fixture
def benchmark(target: Target) -> Benchmark:
    return bring(
        target,
        {
            "4 kB": {READS: exactly(8_865_085.94, 185_926.15), "response ms": exactly(2.0, 0.1)},
            "2 MB": {READS: exactly(9_398_380.94, 263_674.90), "response ms": exactly(2.4, 0.1)},
        },
    )


def make(
    target: Target, before: str, after: str, *, is_of_release: bool = False, less: str = ""
) -> ChangeStudy:
    draft = StudyDraft(
        target=target,
        question="Do huge pages help?",
        change="Huge pages",
        before=(NOW.date(), NOW.date()),
        after=(NOW.date(), NOW.date()),
        is_of_release=is_of_release,
        kind="runs",
        fields={"run_before": before, "run_after": after, "less_is_better": less},
    )
    return make_study(draft, by=None, now=NOW)


def test_STU15_two_runs_are_held_against_each_other_with_effect_and_noise(target, benchmark):
    made = make(target, f"{benchmark.pk}:0", f"{benchmark.pk}:1", less="Response ms")

    result = compare_study(made)

    reads, response = (thing.lead for thing in result.things)
    assert result.is_over
    assert (reads.before, reads.after) == (pytest.approx(8_865_085.94), pytest.approx(9_398_380.94))
    assert reads.effect is not None
    assert reads.effect.percent == pytest.approx(6.0, abs=0.05)
    assert (reads.outcome, response.outcome) == (Outcome.IMPROVED, Outcome.WORSE)
    document = build_document(made)
    assert document["fact"] == "One of two figures came out better"
    assert document["windows"][0] == {"name": "before", "text": "4 kB (huge pages)"}
    assert document["windows"][2] == {"name": "better", "text": "less is better of response ms"}


def test_a_difference_of_less_than_the_noise_is_none(target):
    runs = {"off": {READS: exactly(100.0, 2.0)}, "on": {READS: exactly(100.4, 2.0)}}
    benchmark = bring(target, runs)

    made = make(target, f"{benchmark.pk}:0", f"{benchmark.pk}:1")

    (reads,) = (thing.lead for thing in compare_study(made).things)
    assert reads.outcome is Outcome.SAME
    assert build_document(made)["fact"] == "The runs do not differ beyond noise"


def test_what_got_worse_is_accepted_and_the_study_is_closed(target, benchmark):
    made = make(target, f"{benchmark.pk}:0", f"{benchmark.pk}:1", less="response ms")

    until = NOW.date() + timedelta(days=90)
    accept_cost(made, "response ms", "", reason="Few users.", until=until, by=None, now=NOW)
    with pytest.raises(Refusal, match="shows every figure that both have"):
        add_aim(made, READS, "", "")
    closed = close_study(made, "Huge pages stay.", by=None, now=NOW)

    assert closed.closed_at == NOW
    (worse,) = compare_study(made).worse
    assert worse.verdict == "worse, accepted"


def told_fact(target: Target, name: str, value: str, day: int) -> None:
    Fact.objects.create(target=target, name=name, value=value, since=NOW + timedelta(days=day))


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("the same", "Both runs are the same one"),
        ("gone", "A run is not there any more"),
        ("no number", "A run is not there any more"),
        ("nowhere", "does not say what it ran on"),
        ("another host", "ran on OTHER, not on SCRIPT: what differs may be due to that"),
        ("lengths", r"4 kB \(huge pages\) has 40 repetitions and 2 MB \(short\) has 3"),
        ("one", r"2 MB \(single\) has one repetition, which has no spread"),
        ("figures", "have no figure in common"),
        ("release", "SCRIPT ran 19.22 before and 19.25 after"),
        ("machine", "SCRIPT was database 1 on a before and database 1 on b after"),
        ("no figure", "“speed” is no figure of both runs; they have logical reads/s, response ms."),
    ],
)
def test_runs_that_cannot_be_compared_get_a_sentence_and_nothing_is_stored(target, benchmark, case, sentence):
    of_two = {"4 kB": {READS: [1.0, 2.0, 3.0]}, "2 MB": {READS: [2.0, 3.0, 4.0]}}
    before, after, less = f"{benchmark.pk}:0", f"{benchmark.pk}:1", ""
    later = NOW + timedelta(days=10)
    full = {
        "4 kB": {READS: exactly(1.0, 0.1), "response ms": exactly(2.0, 0.1)},
        "2 MB": {READS: exactly(2.0, 0.1), "response ms": exactly(2.0, 0.2)},
    }
    match case:
        case "the same":
            after = before
        case "gone":
            after = f"{benchmark.pk}:9"
        case "no number":
            after = "x:y"
        case "nowhere":
            after = f"{bring(None, of_two).pk}:1"
        case "another host":
            after = f"{bring(instance('OTHER'), full).pk}:1"
        case "lengths":
            after = f"{bring(target, of_two, 'short').pk}:1"
        case "one":
            single = bring(target, of_two, "single")
            single.runs[1]["figures"], single.runs[1]["repetitions"] = {READS: [1.0]}, ["1"]
            single.save()
            after = f"{single.pk}:1"
        case "figures":
            other = {pages: {"commits": values[READS]} for pages, values in full.items()}
            after = f"{bring(target, other).pk}:1"
        case "release" | "machine":
            after = f"{bring(target, full, at=later).pk}:1"
            facts = ("19.22", "19.25") if case == "release" else ("database 1 on a", "database 1 on b")
            for day, value in zip((-1, 5), facts, strict=True):
                told_fact(target, "version" if case == "release" else IDENTITY, value, day)
        case "no figure":
            less = "speed"

    with pytest.raises(Refusal, match=sentence):
        make(target, before, after, less=less)

    assert not ChangeStudy.objects.exists()


def test_a_new_release_on_one_side_is_taken_where_it_is_the_change(target, benchmark):
    runs = {"4 kB": {READS: exactly(1.0, 0.1)}, "2 MB": {READS: exactly(2.0, 0.1)}}
    later = bring(target, runs, at=NOW + timedelta(days=10))
    for day, release in ((-1, "19.22"), (5, "19.25")):
        told_fact(target, "version", release, day)

    assert make(target, f"{benchmark.pk}:0", f"{later.pk}:1", is_of_release=True).pk
