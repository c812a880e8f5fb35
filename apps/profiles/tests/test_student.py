"""Student's distribution against its tables."""

import numpy as np
import pytest

from apps.profiles.engine.student import FURTHEST, bound, two_sided


def chance(t: float, freedom: float) -> float:
    return float(two_sided(np.array([t]), np.array([freedom], dtype=float))[0])


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [
        (2.228138852, 10, 0.05), (12.7062047, 1, 0.05), (4.032142984, 5, 0.01), (1.959963985, 1e7, 0.05),
        (0.0, 5, 1.0), (-2.228138852, 10, 0.05), (3.707428021, 6, 0.01), (np.inf, 3, 0.0), (5.958816179, 6, 0.001),
    ],
)  # fmt: skip
def test_students_distribution_is_that_of_its_tables(t, freedom, p):
    assert chance(t, freedom) == pytest.approx(p, rel=1e-6, abs=1e-12)


def test_what_cannot_be_said_is_not_a_number():
    assert np.isnan(chance(np.nan, 5))
    assert np.isnan(chance(2.0, 0))


def test_far_out_the_chance_is_small_and_not_nothing():
    """Of one degree of freedom it is 1 − 2 ÷ π · arctan t, of two 1 − t ÷ √(2 + t²): closed forms, here as their tails."""
    t = np.array([1e6, 1e6])

    chances = two_sided(t, np.array([1.0, 2.0]))

    assert chances == pytest.approx([2 / np.pi / 1e6, 1 / 1e12], rel=1e-6)


def test_each_of_many_is_told_as_it_is_alone():
    draw = np.random.default_rng(5)
    t, freedom = draw.normal(size=200) * 3, draw.uniform(0.5, 300, size=200)

    alone = [chance(*pair) for pair in zip(t, freedom, strict=True)]

    assert two_sided(t, freedom) == pytest.approx(alone, rel=1e-10)


@pytest.mark.parametrize("p", [0.2, 0.05, 0.01, 1e-6])
def test_a_bound_is_where_the_chance_is_what_was_asked_for(p):
    freedom = np.concatenate([np.random.default_rng(7).uniform(0.5, 300, 200), [1, 2, 1e3, 1e7]])

    bounds = bound(freedom, p)

    near = bounds < FURTHEST
    assert near.sum() > 150
    assert two_sided(bounds[near], freedom[near]) == pytest.approx(np.full(near.sum(), p), rel=1e-7)
    assert (two_sided(bounds[~near], freedom[~near]) >= p).all()


def test_a_bound_is_that_of_the_tables_and_unknown_without_freedom():
    freedom = np.array([10.0, 1.0, 5.0, 0.0, np.nan, 0.01])

    bounds = bound(freedom)

    assert bounds[:3] == pytest.approx([2.228138852, 12.7062047, 2.570581836])
    assert np.isnan(bounds[3:5]).all()
    assert bounds[5] == FURTHEST
