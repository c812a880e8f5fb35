"""Benchmark runs: read from a table, compared by a parameter."""

import time

import numpy as np
import pytest

from apps.advisors.engine.benchmark import BadRuns, RunComparison, compare_runs, parse_runs

HEADS = "pages,repetition,reads"


def table(*rows: str, heads: str = HEADS) -> str:
    return "\n".join((heads, *rows))


def with_spread(mean: float, sd: float, count: int) -> list[float]:
    """So many figures with exactly this mean and standard deviation."""
    values = np.random.default_rng(7).normal(size=count)
    values = (values - values.mean()) / values.std(ddof=1)
    return [float(value) for value in mean + sd * values]


def compared(text: str, by: str = "pages") -> dict[str, RunComparison]:
    return {row.value: row for row in compare_runs(parse_runs(text), by)}


def test_STU15_huge_pages_gain_six_percent_beyond_noise():
    runs = {"4 kB": (8865085.94, 185926.15), "2 MB": (9398380.94, 263674.90)}
    rows = [
        f"{pages},{number},{value}"
        for pages, (mean, sd) in runs.items()
        for number, value in enumerate(with_spread(mean, sd, 40))
    ]

    small, huge = compared(table(*rows)).values()

    assert (small.count, small.percent, small.is_beyond_noise) == (40, None, False)
    assert (small.mean, small.sd) == (pytest.approx(8865085.94), pytest.approx(185926.15))
    assert huge.percent is not None
    assert huge.t is not None
    assert (round(huge.percent, 1), round(huge.t, 1)) == (6.0, 10.5)
    assert huge.is_beyond_noise
    assert huge.margin is not None
    assert 0 < huge.margin < huge.percent


def test_STU15_a_difference_of_less_than_a_percent_is_none():
    rows = [
        f"{pages},{number},{value}"
        for pages, mean in (("4 kB", 9000000.0), ("2 MB", 9036000.0))
        for number, value in enumerate(with_spread(mean, 179000, 40))
    ]

    huge = compared(table(*rows))["2 MB"]

    assert huge.percent is not None
    assert huge.t is not None
    assert (round(huge.percent, 1), round(huge.t, 1)) == (0.4, 0.9)
    assert not huge.is_beyond_noise


def test_STU9_page_sizes_of_the_work_area_by_time_and_memory():
    heads = "page size,repetition,seconds,MB"
    rows = [
        *(f"64K,{number},{seconds},1102.92" for number, seconds in enumerate((30, 31, 32))),
        *(f"512K,{number},{seconds},1103.73" for number, seconds in enumerate((24, 26, 28))),
        *(f"4M,{number},{seconds},1112.2" for number, seconds in enumerate((24, 25.5, 27))),
    ]

    result = compare_runs(parse_runs(table(*rows, heads=heads)), "page size")

    memory = {row.value: row for row in result if row.figure == "MB"}
    assert memory["4M"].percent == pytest.approx(0.84, abs=0.005)
    time = {row.value: row for row in result if row.figure == "seconds"}
    assert time["512K"].is_beyond_noise
    assert time["4M"].percent == pytest.approx(100 * -5.5 / 31)


def test_other_parameters_are_held():
    rows = [
        f"{pages},{pre},{number},{value}"
        for pages, pre, base in (
            ("4 kB", "yes", 10),
            ("2 MB", "yes", 20),
            ("4 kB", "no", 100),
            ("2 MB", "no", 100),
        )
        for number, value in enumerate((base - 0.1, base, base + 0.1))
    ]
    text = table(*rows, heads="pages,pre page,repetition,reads")

    rows_by = {(row.others, row.value): row for row in compare_runs(parse_runs(text), "pages")}

    assert rows_by[("yes",), "2 MB"].percent == pytest.approx(100)
    assert rows_by[("no",), "2 MB"].percent == pytest.approx(0)
    assert not rows_by[("no",), "2 MB"].is_beyond_noise


def test_runs_of_different_lengths_and_other_separators_are_read():
    read = parse_runs("pages;repetition;reads\n4 kB;1;10\n4 kB;2;11\n4 kB;3;12\n2 MB;1;20\n2 MB;2;21\n")

    assert {values: len(run["reads"]) for values, run in read.runs.items()} == {("4 kB",): 3, ("2 MB",): 2}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The table has no rows"),
        (HEADS, "The table has no rows"),
        (table("a,1", heads="pages,reads"), "One column must be called “repetition”"),
        (table("1,5", heads="repetition,reads"), "give at least one parameter"),
        (table("a,1", heads="pages,repetition"), "give at least one figure"),
        (table("a,1,5", heads="pages,repetition,"), "Each column needs a name of its own"),
        (table("a,1,5,6", heads="pages,repetition,reads,Reads"), "Each column needs a name of its own"),
        (table("a,1,5,6"), "Row 2 has 4 columns, the heads have 3."),
        (table("a,1,5", "a,2,fast"), "Row 3: “fast” under “reads” is no number"),
        (table("a,1,5", "a,2,nan"), "Row 3: “nan” under “reads” is no number"),
        (table("a,1,5", "a,1,6"), "Row 3 is repetition 1 of a a second time."),
        (table("a,1,5", "a,2,6"), "All rows have the same parameters"),
        (table("a,1,5", "a,2,6", "b,1,7"), "b has one repetition, which has no spread; give at least 2."),
        (table("a,1,5", "a,2,5", "b,1,5", "b,2,5"), "“reads” is 5 in every repetition"),
        (table("a,1,5" * 200_000), "give at most 500,000"),
        (table(*(f"a,{number},5" for number in range(5001))), "more than 5,000 rows"),
    ],
)
def test_a_table_of_the_wrong_shape_gets_a_sentence(text, sentence):
    with pytest.raises(BadRuns) as refused:
        parse_runs(text)

    assert sentence in str(refused.value)


def test_STU8_reads_are_of_the_same_size_on_file_systems_of_two_block_sizes():
    """16 KB of single blocks and 64 KB of scans, on blocks of 1 KB and of 8 KB."""
    sizes = {"single blocks": 16, "scans": 64}
    rows = [
        f"{blocks},{reads},{repetition},{size}"
        for blocks in ("1 KB", "8 KB")
        for reads, size in sizes.items()
        for repetition in range(3)
    ]

    heads = "block size,reads,repetition,KB"
    by_blocks = compare_runs(parse_runs(table(*rows, heads=heads)), "block size")

    of_kb = {(row.others[0], row.value): row for row in by_blocks if row.figure == "KB"}
    assert {reads: of_kb[reads, "1 KB"].mean for reads in sizes} == sizes
    for row in (of_kb[reads, "8 KB"] for reads in sizes):
        assert (row.percent, row.is_beyond_noise) == (0, False)


def test_as_many_runs_as_a_table_may_have_are_compared_at_once():
    rows = [
        f"{size},{repetition},{100 + size + repetition}" for size in range(2500) for repetition in range(2)
    ]

    began = time.process_time()
    last = compare_runs(parse_runs(table(*rows)), "pages")[-1]

    assert time.process_time() - began < 5
    assert last.percent == pytest.approx(100 * 2499 / 100.5)
