"""By how much a difference may be off, and how far from 0 a t is improbable."""

import numpy as np
import pytest

from apps.profiles.engine.significance import Spread, welch, welch_margin
from apps.profiles.engine.student import bound


def spread(count: float, mean: float, sd: float) -> Spread:
    return Spread(np.array([count]), np.array([mean]), np.array([sd]))


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.7062), (2, 4.30265), (12, 2.17881), (30, 2.04227), (1e6, 1.95996)]
)
def test_the_bound_is_that_of_the_tables(freedom, expected):
    assert bound(np.array([float(freedom)]))[0] == pytest.approx(expected, rel=1e-5)


def test_STU15_reads_of_a_second_grew_by_six_percent_beyond_noise():
    before, after = spread(40, 8865085.94, 185926.15), spread(40, 9398380.94, 263674.90)

    difference = welch(before, after)
    margin = welch_margin(before, after)[0]

    percent = 100 * difference.change[0] / 8865085.94
    assert round(percent, 1) == 6.0
    assert round(float(difference.t[0]), 1) == 10.5
    assert difference.p[0] < 1e-12
    assert 0 < margin < difference.change[0]


def test_a_single_repetition_has_no_margin_and_constant_ones_none_to_speak_of():
    assert np.isnan(welch_margin(spread(1, 10, np.nan), spread(5, 12, 1))[0])
    assert welch_margin(spread(5, 10, 0), spread(5, 12, 0))[0] == 0
