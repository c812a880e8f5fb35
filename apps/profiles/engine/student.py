"""Student's distribution: how probable a distance from 0 is by chance (no Django)."""

from math import lgamma

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_STEPS = 200  # of the continued fraction; a dozen are usual
PRECISION = 1e-12
FURTHEST, HALVINGS = 1e3, 60  # where a bound is looked for


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
    """How far from 0 a t is that is this improbable, either way; NaN without freedom."""
    low, high = np.zeros(freedom.shape), np.full(freedom.shape, FURTHEST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_nearer = two_sided(middle, freedom) > chance
        low, high = np.where(is_nearer, middle, low), np.where(is_nearer, high, middle)
    return np.where(freedom > 0, (low + high) / 2, np.nan)


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
