"""What holds for whatever series comes along."""

from dataclasses import fields
from datetime import date

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.lines import comparison_lines
from apps.forecasting.engine.tests.series import growing, noisy, predict, sure, with_weekends
from apps.thresholds.engine.notation import Form

values = st.one_of(
    st.floats(-1e9, 1e9),
    st.sampled_from([0.0, 1.0, np.nan, np.inf, -1e308, 1e308, 5e-324, 1e-300]),
)
SIDES = [Form.AT_MOST, Form.BELOW, Form.AT_LEAST, Form.ABOVE]
series = st.integers(0, 120).flatmap(lambda days: arrays(np.float64, days, elements=values))


def same(first: Forecasts, second: Forecasts, row: int) -> None:
    """Assert that a batch's row is what the series alone gave, to the last digit."""
    for field in fields(Forecasts):
        left, right = getattr(first, field.name), getattr(second, field.name)
        if field.name != "horizon":
            np.testing.assert_array_equal(left[0], right[row], err_msg=field.name)


@settings(max_examples=60)
@given(
    days=series,
    horizon=st.integers(1, 60),
    limit=values,
    side=st.sampled_from(SIDES),
)
def test_no_series_breaks_it_bounds_are_ordered_and_chances_between_0_and_1(days, horizon, limit, side):
    outlook = forecast_batch([days, growing(60)], horizon=horizon)
    predictions = predict(outlook, [limit, limit], side)

    assert np.isfinite(outlook.mean[1]).all()
    if outlook.reasons[0] is None:
        bounds = [outlook.low95, outlook.low80, outlook.mean, outlook.high80, outlook.high95]
        assert np.isfinite(bounds).all()
        assert (np.diff([each[0] for each in bounds], axis=0) >= 0).all()
        np.testing.assert_allclose(outlook.weights.sum(axis=1), 1)
    for each in predictions:
        assert each.chance is None or 0 <= each.chance <= 1
        assert (each.chance is None) == (each.curve is None)
        assert each.day is None or 1 <= sure(each.soonest) <= each.day <= each.within
        assert each.day is not None or each.reason


@settings(max_examples=15)
@given(batch=st.lists(series, min_size=1, max_size=4))
def test_a_series_gives_the_same_alone_and_in_a_batch_to_the_last_digit(batch):
    together = forecast_batch([growing(300), *batch, noisy(100)], horizon=30)
    predictions = predict(together, [5.0] * len(together))

    for row, days in enumerate(batch, start=1):
        alone = forecast_batch([days], horizon=30)
        same(alone, together, row)
        again = predict(alone, [5.0])[0]
        assert (again.chance, again.day, again.reason) == (
            predictions[row].chance,
            predictions[row].day,
            predictions[row].reason,
        )


def test_the_same_input_gives_the_same_output_to_the_last_digit():
    batch = [growing(days) for days in (20, 45, 120, 500)] + [with_weekends(300), noisy(200)]

    first, second = forecast_batch(batch), forecast_batch(batch)

    for row in range(len(batch)):
        same(forecast_batch([batch[row]]), second, row)
    np.testing.assert_array_equal(first.mean, second.mean)


def test_a_batch_of_more_than_one_chunk_keeps_its_order():
    batch = [growing(30 + place % 5, start=place) for place in range(1003)]

    outlook = forecast_batch(batch, horizon=7)

    assert len(outlook) == 1003
    assert outlook.last.tolist() == [days[-1] for days in batch]
    same(forecast_batch([batch[777]], horizon=7), outlook, 777)


@settings(max_examples=30)
@given(scale=st.sampled_from([2.0**-40, 0.5, 4.0, 2.0**60]))
def test_another_unit_gives_the_same_forecast_in_that_unit(scale):
    first, second = forecast_batch([growing(100)]), forecast_batch([growing(100) * scale])

    np.testing.assert_allclose(second.mean, first.mean * scale, rtol=1e-12)
    assert predict(second, [1600 * scale])[0].day == predict(first, [1600])[0].day


@settings(max_examples=40)
@given(days=series, limit=st.floats(-1e6, 1e6))
def test_comparison_lines_never_fail(days, limit):
    for line in comparison_lines(days, date(2026, 1, 31), limit):
        assert line.days is None or line.days >= 0
