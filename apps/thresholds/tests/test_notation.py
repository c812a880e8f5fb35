"""What people type for a limit, and when a value is beyond it."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.thresholds.engine.notation import BadNotation, Form, Limit, parse_notation


def parse_single(text: str, unit: str = "cs") -> Limit:
    (limit,) = parse_notation(text, unit)
    return limit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", Limit(Form.AT_MOST, high=2)),
        ("<=2", Limit(Form.AT_MOST, high=2)),
        ("≤ 2", Limit(Form.AT_MOST, high=2)),
        ("<1.5", Limit(Form.BELOW, high=1.5)),
        (" < 1.5 ", Limit(Form.BELOW, high=1.5)),
        (">=95", Limit(Form.AT_LEAST, low=95)),
        ("≥95", Limit(Form.AT_LEAST, low=95)),
        (">90", Limit(Form.ABOVE, low=90)),
        ("0", Limit(Form.ELIMINATE, high=0)),
        ("0.0", Limit(Form.ELIMINATE, high=0)),
        ("Eliminate", Limit(Form.ELIMINATE, high=0)),
        ("10..20", Limit(Form.WITHIN, 10, 20)),
        ("10 .. 20", Limit(Form.WITHIN, 10, 20)),
        ("0.5..1.5", Limit(Form.WITHIN, 0.5, 1.5)),
        ("-3..-1", Limit(Form.WITHIN, -3, -1)),
        ("No Change", Limit(Form.NO_CHANGE)),
        ("no  change", Limit(Form.NO_CHANGE)),
        ("?", Limit(Form.UNDECIDED)),
        ("-5", Limit(Form.AT_MOST, high=-5)),
        (">-5", Limit(Form.ABOVE, low=-5)),
        ("1e3", Limit(Form.AT_MOST, high=1000)),
        ("1,234", Limit(Form.AT_MOST, high=1234)),
    ],
)
def test_THR2_every_form_of_the_slides_is_read(text, expected):
    assert parse_single(text) == expected


def test_THR2_a_split_limit_makes_two():
    reads, writes = parse_notation("10ms (Reads) 2ms (Write)", "ms")

    assert reads == Limit(Form.AT_MOST, high=10, qualifier="Reads")
    assert writes == Limit(Form.AT_MOST, high=2, qualifier="Write")


@pytest.mark.parametrize(
    ("text", "unit", "high"),
    [
        ("50 GB/day", "MB/s", 0.5926),
        ("2 ms", "cs", 0.2),
        ("<2ms", "cs", 0.2),
        ("1 GB", "MB", 1024),
        ("19 M", "reads/day", 19_000_000),
        ("5 k", "k executions/s", 5),
        ("3600 per hour", "waits/s", 1),
        ("90 %", "%", 90),
        ("1 TB", "GB", 1024),
    ],
)
def test_THR3_units_are_converted_into_that_of_the_profile(text, unit, high):
    assert parse_single(text, unit).high == pytest.approx(high, rel=1e-4)


def test_a_range_may_name_its_unit_once():
    limit = parse_single("1..2 GB", "MB")

    assert (limit.low, limit.high) == (1024, 2048)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "1..", "..2", "<", ">=", "1,5", "<1,5", "two", "2 parsecs", "2 GB", "20..10", "2..", "1 2", "<<2", "2 (Reads", "() 2", "(Reads) 2", "nan", "inf", "1e", "--2", "0x10", "<script>", "1..2..3"],
)  # fmt: skip
def test_what_is_not_a_limit_gets_a_sentence_that_says_what_is_expected(text):
    with pytest.raises(BadNotation) as refused:
        parse_notation(text, "cs", of="average wait")

    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert text.strip().split(" (")[0].replace(" ", "")[:4] in sentence.replace(" ", "")
    assert any(word in sentence for word in ("Give", "give", "write", "written"))


@pytest.mark.parametrize("text", ["1e999", "<1e400", "1..1e999"])
def test_a_number_too_large_for_anything_is_refused(text):
    with pytest.raises(BadNotation):
        parse_notation(text, "cs")


def test_a_wrong_unit_names_the_unit_that_is_expected():
    with pytest.raises(BadNotation, match=r"2 parsecs” is not a unit of average wait\. Give it in cs"):
        parse_notation("2 parsecs", "cs", of="average wait")


@pytest.mark.parametrize(
    ("text", "value", "is_beyond"),
    [
        ("2", 2, False),
        ("2", 2.0000000001, False),
        ("2", 2.00000001, True),
        ("<1", 1, True),
        ("<1", 0.99999999999, True),
        ("<1", 0.99999999, False),
        (">=95", 95, False),
        (">=95", 94.99999999999, False),
        (">90", 90, True),
        ("0", 0, False),
        ("0", 1e-12, True),
        ("0", None, False),
        ("10..20", 10, False),
        ("10..20", 20, False),
        ("10..20", 9.9, True),
        ("10..20", 20.1, True),
        ("-5", -5, False),
        ("-5", -4, True),
        ("?", 1e9, False),
        ("no change", 1e9, False),
    ],
)
def test_at_the_limit_both_sides_are_rounded_to_nine_digits(text, value, is_beyond):
    assert parse_single(text).is_beyond(value) is is_beyond


@pytest.mark.parametrize(
    ("text", "gap", "value", "is_recovered"),
    [("100", 0.05, 96, False), ("100", 0.05, 95, True), (">=90", 0.1, 98, False), (">=90", 0.1, 99, True), ("-100", 0.05, -104, False), ("-100", 0.05, -105, True)],
)  # fmt: skip
def test_the_recovery_gap_lies_inside_the_limit(text, gap, value, is_recovered):
    assert parse_single(text).is_beyond(value, gap=gap) is not is_recovered


@given(some.floats(1e-6, 1e12), some.sampled_from(["", "<", ">", "<=", ">="]))
def test_a_number_is_read_as_it_was_typed(number, sign):
    limit = parse_single(f"{sign}{number:f}")

    assert (limit.high if limit.high is not None else limit.low) == pytest.approx(float(f"{number:f}"))


@given(some.text(max_size=12))
def test_any_text_is_a_limit_or_gets_a_sentence(text):
    try:
        limits, sentence = parse_notation(text, "GB/day"), ""
    except BadNotation as refused:
        limits, sentence = [], str(refused)

    assert bool(limits) != sentence.endswith(".")
