"""What a size grew a day."""

import pytest

from apps.profiles.engine.growth import DAYS, growth_a_day


@pytest.mark.parametrize(
    ("values", "growth"),
    [
        ([10.0, 12.0, 14.0], 2.0),
        ([None, 10.0, None, None, 16.0, None], 2.0),
        ([10.0, 7.0], -3.0),
        ([10.0], None),
        ([None, None], None),
        ([1000.0, *range(DAYS + 1)], 1.0),
    ],
)
def test_growth_goes_from_the_first_day_with_a_figure_to_the_last_of_thirty(values, growth):
    assert growth_a_day(values) == growth
