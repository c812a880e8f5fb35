"""Limits proposed from a steady period."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.catalog.metric import Worse
from apps.thresholds.engine.notation import parse_notation
from apps.thresholds.engine.proposed_limit import propose_limit

NAN = float("nan")


def test_COL7_the_limit_lies_fifteen_percent_beyond_the_95th_percentile_with_the_figures_it_follows_from():
    proposed = propose_limit(np.linspace(35.6, 46.8, 100), Worse.HIGHER)

    assert proposed.notation == "<=54"
    assert proposed.why == "15 % above the 95th percentile"
    assert (proposed.days, proposed.typical, proposed.low, proposed.high) == (
        100, pytest.approx(41.2), pytest.approx(36.16), pytest.approx(46.24),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("values", "worse", "is_share", "notation", "why"),
    [
        ([100.0] * 30, Worse.HIGHER, False, "<=120", "15 % above"),
        ([100.0] * 30, Worse.LOWER, False, ">=85", "15 % below"),
        ([100.0] * 30, Worse.NEITHER, False, "<=120", "neither way is worse in itself"),
        ([0.0] * 30, Worse.HIGHER, False, "0", "did not occur on any of 30 days"),
        ([0.0] * 30, Worse.LOWER, False, "", "no figure lies below"),
        ([0.0] * 30, Worse.NEITHER, False, "", "zero on all days"),
        ([*[0.0] * 29, 7.0], Worse.HIGHER, False, "", "on too few days"),
        ([-100.0] * 30, Worse.HIGHER, False, "<=-85", "15 % above"),
        ([50.0] * 30, Worse.HIGHER, True, "<=58", "15 % above"),
        ([92.0] * 30, Worse.HIGHER, True, "<=96", "half of what the 95th percentile leaves"),
        ([100.0] * 30, Worse.HIGHER, True, "", "stood at its ceiling"),
        ([98.0] * 30, Worse.LOWER, True, ">=96", "twice as far from 100 %"),
        ([0.00037] * 30, Worse.HIGHER, False, "<=0.00043", "15 %"),
        ([1.23e12] * 30, Worse.HIGHER, False, "<=1.50e+12", "15 %"),
        ([5.0], Worse.HIGHER, False, "", "only 1 of its days has a figure; 5 are needed"),
        ([5.0, 5.0, NAN, NAN, NAN, NAN], Worse.HIGHER, False, "", "only 2 of its days have a figure"),
        ([NAN] * 30, Worse.HIGHER, False, "", "only 0 of its days have a figure"),
        ([], Worse.HIGHER, False, "", "5 are needed"),
        ([5.0, float("inf"), 5, 5, 5, 5], Worse.HIGHER, False, "<=5.8", "15 %"),
    ],
)
def test_every_shape_of_a_period_has_a_limit_or_a_reason(values, worse, is_share, notation, why):
    proposed = propose_limit(values, worse, is_share=is_share)

    assert proposed.notation == notation
    assert why in proposed.why


@given(
    some.lists(some.floats(1e-6, 1e9), min_size=5, max_size=60),
    some.sampled_from(Worse),
)
def test_what_is_proposed_is_a_limit_that_most_of_the_period_keeps(values, worse):
    proposed = propose_limit(values, worse)

    assert proposed.notation
    (limit,) = parse_notation(proposed.notation, "GB")
    assert sum(limit.is_beyond(value) for value in values) <= max(1, 0.1 * len(values))


@given(some.lists(some.floats(0, 100) | some.just(NAN), max_size=60), some.sampled_from(Worse))
def test_a_limit_on_a_share_lies_between_zero_and_a_hundred(values, worse):
    proposed = propose_limit(values, worse, is_share=True)

    for limit in parse_notation(proposed.notation, "%") if proposed.notation else []:
        edge = limit.high if limit.high is not None else limit.low
        assert edge is not None
        assert 0 <= edge <= 100 or worse is Worse.LOWER
