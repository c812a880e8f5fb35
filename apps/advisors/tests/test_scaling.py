"""What an average would be at more work, and when that cannot be said."""

import numpy as np
import pytest

from apps.advisors.engine.scaling import scale_figure

WORK = np.array([80.0, 90.0, 100.0, 110.0, 120.0])


def test_an_average_that_goes_with_the_work_holds_its_line():
    scaled = scale_figure(WORK, 1 + WORK / 100)

    assert scaled.value == pytest.approx(1 + 150 / 100)
    assert scaled.low == pytest.approx(scaled.value)
    assert scaled.high == pytest.approx(scaled.value)


def test_noise_about_the_line_widens_the_range():
    scaled = scale_figure(WORK, 1 + WORK / 100 + np.array([0.02, -0.02, 0.0, 0.02, -0.02]))

    assert scaled.value is not None
    assert scaled.low is not None
    assert scaled.high is not None
    assert scaled.low < scaled.value < scaled.high
    assert scaled.value == pytest.approx(2.5, abs=0.1)


@pytest.mark.parametrize(
    ("work", "figures", "reason"),
    [
        ([80, 120, 100, 90], [1, 2, 1.5, 1.2], "4 days count, 5 are needed"),
        ([80, np.nan, 100, 110, 120], [1, 2, 1.5, 1.2, 3], "4 days count, 5 are needed"),
        ([100, 101, 102, 103, 104], [1, 2, 3, 4, 5], "the work of its days was too much alike"),
        ([0, 90, 100, 110, 120], [1, 2, 3, 4, 5], "the work of its days was too much alike"),
        ([80, 90, 100, 110, 120], [2, 1, 2, 1, 2], "it did not go with the work"),
        ([80, 90, 100, 110, 120], [2, 2, 2, 2, 2], "it did not go with the work"),
    ],
)
def test_days_that_carry_no_line_say_why(work, figures, reason):
    scaled = scale_figure(np.array(work, dtype=float), np.array(figures, dtype=float))

    assert (scaled.value, scaled.reason) == (None, reason)
