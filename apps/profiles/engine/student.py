"""Student's distribution: how probable a distance from 0 is by chance (no Django)."""

from math import lgamma
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_STEPS = 200  # of the continued fraction; a dozen are usual
PRECISION = 1e-12
MOST_CORRECTIONS = 60  # of a bound; five are usual
ALMOST = 1e-7  # a correction so small, as a share, makes a bound exact: the next would be its square
FURTHEST = 1e3  # that a bound is told


def two_sided(t: Floats, freedom: Floats) -> Floats:
    """
    How probable a t at least so far from 0 is, either way, element by element.

    Freedom may be broken; NaN where t is not known, or where t says something and there is no freedom.
    """
    with np.errstate(all="ignore"):
        chance = _incomplete_beta(freedom / 2, freedom / (freedom + t**2))
    chance = np.where(freedom > 0, chance, np.nan)
    chance = np.where(t == 0, 1.0, np.where(np.isinf(t), 0.0, chance))
    return np.where(np.isnan(t), np.nan, chance)


def bound(freedom: Floats, chance: float = 0.05) -> Floats:
    """
    How far from 0 a t is that is this improbable, either way, FURTHEST at most; NaN without freedom.

    By Newton's method in logarithms, in which the tail is nearly a straight line, from the normal's bound: that is nearer.
    """
    t = np.full(freedom.shape, NormalDist().inv_cdf(1 - chance / 2))
    with np.errstate(all="ignore"):
        scale = 2 * np.exp(-_log_beta_with_half(freedom / 2)) / np.sqrt(freedom)
        for _ in range(MOST_CORRECTIONS):
            probable = two_sided(t, freedom)
            slope = scale * t * (1 + t**2 / freedom) ** (-(freedom + 1) / 2)
            correction = np.log(probable / chance) * probable / slope
            before, t = t, np.minimum(t * np.exp(correction), FURTHEST)
            if not (np.abs(t / before - 1) > ALMOST).any():
                break
    return np.where(freedom > 0, t, np.nan)


def _incomplete_beta(a: Floats, x: Floats) -> Floats:
    """The regularized incomplete beta function with b = ½ (Abramowitz and Stegun 26.5.8, by Lentz's method)."""
    b = np.full(a.shape, 0.5)
    turned = x > (a + 1) / (a + b + 2)  # there the fraction of 1 − x is the faster one
    front = x**a * (1 - x) ** b / np.exp(_log_beta_with_half(a))
    left, right, part = np.where(turned, b, a), np.where(turned, a, b), np.where(turned, 1 - x, x)
    beta: Floats = front / left * _fraction(left, right, part)
    beta[turned] = 1 - beta[turned]
    return beta


def _log_beta_with_half(a: Floats) -> Floats:
    each, which = np.unique(a, return_inverse=True)
    logs = [
        lgamma(value) + lgamma(0.5) - lgamma(value + 0.5) if 0 < value < np.inf else np.nan
        for value in each.tolist()
    ]
    return np.array(logs, dtype=float)[which].reshape(a.shape)


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    c = np.ones(a.shape)
    d = 1 / _not_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, MOST_STEPS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + numerator * d)
            c = _not_zero(1 + numerator / c)
            fraction = fraction * c * d
        if not (np.abs(c * d - 1) > PRECISION).any():
            break
    return fraction


def _not_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) > 1e-300, values, 1e-300)
