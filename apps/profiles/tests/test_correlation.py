"""Which statistics move together: properties that hold for all series, and figures from the literature."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from apps.profiles.engine.correlation import (
    LEAST_DAYS,
    benjamini_hochberg,
    chance_of,
    changes,
    correlate,
    midranks,
)

DAYS = 60
# few distinct numbers, so that there are ties, and gaps
levels = arrays(
    np.float64, (4, DAYS), elements=st.one_of(st.integers(-5, 5).map(float), st.just(float("nan")))
)


@settings(max_examples=30)
@given(levels)
def test_it_is_the_spearman_correlation_of_the_changes_of_the_days_that_both_know(series):
    moved = changes(series)

    result = correlate(moved[0], moved, lags=3)

    for lag in range(3):
        for other in range(4):
            pair = pd.DataFrame({"one": moved[0][lag:], "other": moved[other][: DAYS - lag]}).dropna()
            expected = (
                pair.rank().corr(min_periods=LEAST_DAYS).loc["one", "other"]
                if (pair.nunique() > 1).all()
                else np.nan
            )
            assert result.days[other, lag] == len(pair)
            assert result.rho[other, lag] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@settings(max_examples=30)
@given(levels, st.floats(0.1, 10), st.floats(-50, 50))
def test_neither_a_unit_nor_a_steady_growth_changes_a_correlation(series, factor, pace):
    grown = series * factor + pace * np.arange(DAYS)

    before, after = (
        correlate(changes(series)[0], changes(series)),
        correlate(changes(series)[0], changes(grown)),
    )

    assert after.rho == pytest.approx(before.rho, abs=1e-6, nan_ok=True)


@settings(max_examples=30)
@given(levels)
def test_a_series_that_is_turned_over_has_the_opposite_correlation_and_the_same_chance(series):
    moved = changes(series)

    result, turned = correlate(moved[0], moved), correlate(moved[0], -moved)

    assert turned.rho == pytest.approx(-result.rho, abs=1e-9, nan_ok=True)
    assert turned.chance == pytest.approx(result.chance, abs=1e-9)


@settings(max_examples=30)
@given(levels)
def test_a_chance_is_a_chance_and_paying_for_many_comparisons_never_lowers_it(series):
    result = correlate(changes(series)[0], changes(series))

    assert np.all((result.chance >= 0) & (result.corrected <= 1))
    assert np.all(result.corrected >= result.chance - 1e-12)
    assert np.all(result.chance[np.isnan(result.rho)] == 1)


@settings(max_examples=30)
@given(arrays(np.float64, (3, 15), elements=st.integers(0, 4).map(float)))
def test_ties_share_the_mean_of_their_ranks(values):
    is_known = np.ones(values.shape, dtype=bool)

    assert midranks(values, is_known) == pytest.approx(pd.DataFrame(values).rank(axis=1).to_numpy())


def test_two_series_that_grow_do_not_correlate_by_growing():
    noise = np.random.default_rng(7).normal(size=(2, 120))
    grown = 1000 + 50 * np.arange(120) + noise

    result = correlate(changes(grown)[0], changes(grown)[1:], lags=1)

    assert pd.DataFrame(grown.T).rank().corr().iloc[0, 1] > 0.99
    assert abs(result.rho[0, 0]) < 0.3
    assert result.chance[0, 0] > 0.01


def test_a_steady_pace_is_all_ties_and_says_nothing():
    steady = np.array([0.1 * np.arange(50), np.random.default_rng(1).normal(size=50)])

    result = correlate(changes(steady)[0], changes(steady)[1:])

    assert np.isnan(result.rho).all()
    assert result.tried == 0


def test_what_follows_two_days_later_is_found_at_lag_two():
    work = np.random.default_rng(3).normal(size=(1, 100)).cumsum(axis=1)
    growth = np.full(100, np.nan)
    growth[2:] = np.exp(
        work[0, :-2]
    )  # by ranks: no straight line is needed, but changes must go the same way
    growth = changes(np.log(growth)[None, :])[0]

    result = correlate(growth, changes(work))

    assert result.best()[0] == 2
    assert result.rho[0, 2] == pytest.approx(1.0)
    assert result.corrected[0, 2] < 1e-9


def test_fewer_than_twenty_pairs_are_not_told():
    series = np.random.default_rng(5).normal(size=(1, 21))

    result = correlate(changes(series)[0], changes(series))

    assert result.days[0, :2].tolist() == [20, 19]
    assert result.rho[0, 0] == pytest.approx(1.0)
    assert np.isnan(result.rho[0, 1:]).all()


def wavering(draw: np.random.Generator, count: int) -> np.ndarray:
    """Levels of unrelated noise: their changes undo each other."""
    return draw.normal(size=(count, 120))


def weekly(draw: np.random.Generator, count: int) -> np.ndarray:
    """Unrelated rhythms of the week."""
    return 2 * np.tile(draw.normal(size=(count, 7)), 18)[:, :120] + draw.normal(size=(count, 120))


def walking(draw: np.random.Generator, count: int) -> np.ndarray:
    return draw.normal(size=(count, 120)).cumsum(axis=1)


@pytest.mark.parametrize("kind", [wavering, weekly, walking])
def test_of_unrelated_series_one_in_a_hundred_looks_like_one_in_a_hundred(kind):
    """Without counting days by what they tell it would be 3 of wavering levels and 50 of weekly rhythms."""
    draw = np.random.default_rng(11)
    shares = [
        np.mean(correlate(changes(kind(draw, 1))[0], changes(kind(draw, 200)), lags=2).chance < 0.01)
        for _ in range(30)
    ]

    assert 0.002 < np.mean(shares) < 0.02


def test_among_thousands_of_unrelated_series_hardly_one_is_told():
    draw = np.random.default_rng(13)

    result = correlate(changes(wavering(draw, 1))[0], changes(wavering(draw, 1000)))

    assert result.tried == 8000
    assert (result.chance < 0.05).sum() > 100
    assert (result.corrected < 0.05).sum() == 0


@pytest.mark.parametrize(
    ("t", "freedom", "chance"),
    [(12.706, 1, 0.05), (4.303, 2, 0.05), (2.228, 10, 0.05), (2.021, 40, 0.05), (3.373, 100, 0.00106)],
)
def test_the_chance_is_that_of_the_tables_of_students_t(t, freedom, chance):
    rho = t / np.sqrt(freedom + t**2)

    assert chance_of(np.array([rho]), np.array([freedom]))[0] == pytest.approx(chance, rel=2e-3)


def test_the_chance_of_the_textbook_example():
    """Ten people's IQ and hours of television: ρ = −29/165, chance 0.627188."""
    iq = np.array([[106, 100, 86, 101, 99, 103, 97, 113, 112, 110.0]])
    hours = np.array([[7, 27, 2, 50, 28, 29, 20, 12, 6, 17.0]])
    is_known = np.ones((1, 10), dtype=bool)

    rho = np.corrcoef(midranks(iq, is_known)[0], midranks(hours, is_known)[0])[0, 1]

    assert rho == pytest.approx(-29 / 165)
    assert chance_of(np.array([rho]), np.array([8]))[0] == pytest.approx(0.627188, abs=1e-6)


def test_the_correction_tells_the_four_of_fifteen_of_its_paper():
    chances = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]  # fmt: skip

    corrected = benjamini_hochberg(np.array(chances))

    assert (corrected <= 0.05).sum() == 4
    assert corrected[3] == pytest.approx(0.0095 * 15 / 4)


def test_thousands_of_series_are_compared_at_once():
    series = np.random.default_rng(17).normal(size=(2500, 120))
    series[np.random.default_rng(18).random(series.shape) < 0.02] = np.nan

    began = time.process_time()  # of the processor: others may use it too
    result = correlate(changes(series[:1])[0], changes(series))
    took = time.process_time() - began

    assert result.tried == 20_000
    assert took < 20  # a third of a second; minutes where it goes series by series
