"""The arithmetic behind a figure, written out: it is the formula, and it gives the figure."""

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.metric import Kind, Metric
from apps.snapshots.engine.workings import CannotFollowError, Term, workings

LABELS = {"reads": "reads", "ms": "read time", "idle": "idle", "averaged": "average"}
VALUES = {"reads": 200.0, "ms": 1500.0, "idle": 25.0, "averaged": np.nan}


class Whole:
    """A day as a window: one interval, one component."""

    seconds = np.array([[86400.0]])

    def delta(self, key: str) -> Any:
        return np.array([[VALUES[key]]])

    level = delta


def work_out(formula: Any) -> Any:
    metric = Metric(key="x", label="x", unit="ms", kind=Kind.RATIO, source="x", category=1, formula=formula)
    metrics = {
        key: Metric(key=key, label=label, unit="count", kind=Kind.COUNTER, source="x", category=1)
        for key, label in LABELS.items()
    }
    return workings(metric, "", Whole(), {}, metrics.get, lambda value: f"{value:g}")


@pytest.mark.parametrize(
    ("formula", "words", "digits", "value"),
    [
        (lambda w: w.delta("ms") / w.delta("reads"), "growth of read time ÷ growth of reads", "1500 ÷ 200", 7.5),
        (
            lambda w: 100 * (w.delta("ms") - w.delta("reads")) / w.delta("ms"),
            "100 × (growth of read time − growth of reads) ÷ growth of read time",
            "100 × (1500 − 200) ÷ 1500",
            100 * 1300 / 1500,
        ),
        (
            lambda w: w.delta("ms") / (w.delta("reads") / w.seconds),
            "growth of read time ÷ (growth of reads ÷ seconds elapsed)",
            "1500 ÷ (200 ÷ 86400 s)",
            1500 / (200 / 86400),
        ),
        (
            lambda w: 1.0 - (w.level("idle") - (w.level("idle") - 5)),
            "1 − (idle − (idle − 5))",
            "1 − (25 − (25 − 5))",
            -4,
        ),
        (lambda w: np.minimum(w.level("idle") * 8, 100.0), "100", "100", 100),
        (
            lambda w: np.where(np.isnan(w.level("averaged")), w.level("idle"), w.level("averaged")),
            "idle",
            "25",
            25,
        ),
        (
            lambda w: w.level("idle") / np.where(w.delta("reads") > 0, w.delta("reads"), np.nan),
            "idle ÷ growth of reads",
            "25 ÷ 200",
            0.125,
        ),
    ],
)  # fmt: skip
def test_a_formula_is_written_as_it_is_computed(formula, words, digits, value):
    result = work_out(formula)

    assert (result.words, result.digits) == (words, digits)
    assert result.value == pytest.approx(value)


def test_what_cannot_be_followed_is_told_by_its_ingredients():
    result = work_out(lambda w: np.fmax.reduce(w.delta("ms"), axis=1, keepdims=True))

    assert (result.words, result.digits) == ("", "")
    assert result.value == 1500
    assert result.ingredients == {"ms": 1500.0}


def test_a_component_that_was_not_read_has_no_figure():
    metric = Metric(
        key="x", label="x", unit="ms", kind=Kind.GAUGE, source="x", category=1, component_kind="file"
    )

    assert np.isnan(workings(metric, "gone", Whole(), {"file": ["a"]}, lambda key: None, str).value)


numbers = st.floats(-1e6, 1e6).filter(lambda value: abs(value) > 1e-3)


@given(
    st.lists(numbers, min_size=4, max_size=4),
    st.lists(st.sampled_from("+-*/"), min_size=3, max_size=3),
    st.booleans(),
)
def test_the_digits_give_the_value_whatever_the_formula(values, signs, from_the_right):
    """Read as people read it: products before sums, from the left."""
    terms = [Term(value, "x", repr(value) if value > 0 else f"({value!r})") for value in values]
    apply = {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    }  # fmt: skip
    exact = [Fraction(value) for value in values]  # so that the order of rounding does not matter
    last = -1 if from_the_right else 0
    result, expected = terms.pop(last), exact.pop(last)
    try:
        for sign in signs:
            parts, numbers_of_parts = (terms.pop(last), result), (exact.pop(last), expected)
            if not from_the_right:
                parts, numbers_of_parts = parts[::-1], numbers_of_parts[::-1]
            result, expected = apply[sign](*parts), apply[sign](*numbers_of_parts)
    except ZeroDivisionError:
        return

    written = result.digits.replace("−", "-").replace("×", "*").replace("÷", "/")

    assert eval(re.sub(r"[\d.]+(?:e[+-]?\d+)?", r"Fraction(float('\g<0>'))", written)) == expected


def test_what_terms_do_not_know_is_refused():
    with pytest.raises(CannotFollowError):
        np.sqrt(Term(4.0, "x", "4"))  # type: ignore[call-overload]
