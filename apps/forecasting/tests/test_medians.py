"""Medians of many rows, equal to numpy's to the last digit."""

import warnings

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from apps.forecasting.engine.medians import median, median_of_known

SHAPES = array_shapes(min_dims=2, max_dims=3, max_side=9)
NUMBERS = st.floats(-1e12, 1e12)


@given(arrays(float, SHAPES, elements=NUMBERS))
def test_a_median_is_numpys(values):
    assert np.array_equal(median(values), np.median(values, axis=-1))


@given(arrays(float, SHAPES, elements=NUMBERS | st.just(np.nan)))
def test_a_median_leaves_out_what_is_missing_as_numpys_does(values):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of rows without any
        expected = np.nanmedian(values, axis=-1)

    assert np.array_equal(median_of_known(values), expected, equal_nan=True)
