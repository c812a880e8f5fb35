"""Units convert within their dimension, bytes by 1024 and counts by 1000."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.catalog.units import UnknownUnit, convert, parse_unit, readable_unit


def test_THR3_rates_of_bytes_convert_between_seconds_and_days():
    assert round(convert(9.45, "MB/s", "GB/day")) == 797
    assert round(convert(9.45, "MB/s", "GB/day") / 50, 1) == 15.9
    assert round(convert(50, "GB/day", "MB/s"), 3) == 0.593


@pytest.mark.parametrize(
    ("value", "unit", "other", "expected"),
    [
        (1, "KB", "bytes", 1024),
        (1, "TB", "GB", 1024),
        (1, "GiB", "MB", 1024),
        (1, "k executions", "executions", 1000),
        (19, "M", "count", 19_000_000),
        (1, "M reads/day", "reads/day", 1_000_000),
        (60, "calls/min", "calls/s", 1),
        (1, "per second", "per day", 86400),
        (1, "waits per second", "waits/hour", 3600),
        (2, "ms", "cs", 0.2),
        (1, "cs", "ms", 10),
        (250, "µs", "ms", 0.25),
        (86400, "s/day", "hours/day", 24),
        (40, "%", "percent", 40),
        (40, "% of cores", "%", 40),
    ],
)
def test_a_value_converts_to_another_unit_of_its_dimension(value, unit, other, expected):
    assert convert(value, unit, other) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("unit", "other"), [("GB", "GB/day"), ("ms", "MB"), ("%", "count"), ("MB/s", "ms/s")]
)
def test_a_value_does_not_convert_into_another_dimension(unit, other):
    with pytest.raises(UnknownUnit, match="cannot be turned into"):
        convert(1, unit, other)


@pytest.mark.parametrize(
    "text", ["parsecs", "GB/parsec", "kk reads", "reads executions", "/", "per", "MB/s/s", "K B"]
)
def test_what_is_not_a_unit_is_named(text):
    with pytest.raises(UnknownUnit, match="is not a unit"):
        parse_unit(text)


@given(
    some.floats(1e-6, 1e12),
    some.sampled_from(["bytes", "KB", "MB", "GB", "TB"]),
    some.sampled_from(["s", "min", "hour", "day"]),
)
def test_there_and_back_is_the_same_value(value, size, stretch):
    per_day = convert(value, f"{size}/{stretch}", "GB/day")

    assert convert(per_day, "GB/day", f"{size}/{stretch}") == pytest.approx(value)


@pytest.mark.parametrize(
    ("unit", "peak", "expected"),
    [
        ("MB", 1_701_888, "GB"),
        ("MB", 9_999, "MB"),
        ("GB/day", 20_000, "TB/day"),
        ("k/day", 44_900, "M/day"),
        ("per day", 62_483_931_314, "G/day"),
        ("blocks/day", 62_483_931_314, "G blocks/day"),
        ("count", 20_000, "k"),
        ("%", 20_000, "%"),
        ("hours/day", 20_000, "hours/day"),
        ("waits/day", 12, "waits/day"),
    ],
)
def test_large_figures_are_written_in_a_larger_unit(unit, peak, expected):
    assert readable_unit(unit, peak) == expected
    convert(peak, unit, expected)
