"""What holds between futures, band, day and chance: there is one set of futures."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import predict_crossings
from apps.forecasting.engine.edges import build_edges
from apps.forecasting.engine.futures import simulate_futures
from apps.forecasting.engine.series import Floats
from apps.forecasting.engine.tests.series import growing, noisy, predict, sure
from apps.thresholds.engine.notation import Form

ROWS = np.array([0])
histories = st.builds(
    lambda days, slope, steps: 1000 + slope * np.arange(days) + np.cumsum(steps[:days]),
    st.integers(60, 300),
    st.floats(-2, 4),
    arrays(np.float64, 300, elements=st.floats(-10, 10)),
)
openings = st.sampled_from([(1, 1), (2, 3), (3, 3), (5, 7)])


def opens_on(beyond: Floats, least: int, within: int) -> float:
    """The first day on which N of the last M were beyond, this one among them: counted one by one."""
    for day in range(len(beyond)):
        if beyond[day] and sum(beyond[max(day - within + 1, 0) : day + 1]) >= least:
            return day + 1
    return np.inf


@settings(max_examples=40)
@given(days=histories, above=st.floats(1, 300), opening=openings)
def test_the_chance_at_a_day_is_the_share_of_futures_that_have_opened_a_violation_by_then(
    days, above, opening
):
    forecasts, limit = forecast_batch([days], horizon=40), float(days[-30:].max() + above)
    (prediction,) = predict_crossings(forecasts, build_edges([0], [limit], [Form.AT_MOST], [opening]))

    futures = simulate_futures(forecasts, ROWS)
    first = np.array([opens_on(path > limit, *opening) for path in futures.paths[0]])
    weights = futures.weights[0] / futures.weights[0].sum()
    chances = [sure(prediction.curve)[day - 1] for day in (1, 10, 40)]
    np.testing.assert_allclose(chances, [weights[first <= day].sum() for day in (1, 10, 40)], atol=1e-9)


@settings(max_examples=40)
@given(days=histories, above=st.floats(1, 300), more=st.floats(0, 200))
def test_raising_a_limit_never_brings_the_breach_nearer(days, above, more):
    forecasts, limit = forecast_batch([days]), float(days[-1] + above)

    low, high = predict(forecasts, [limit, limit + more], of=[0, 0])

    assert (sure(low.curve) >= sure(high.curve)).all()
    assert high.day is None or sure(low.day) <= high.day


@settings(max_examples=40)
@given(days=histories, above=st.floats(1, 300))
def test_soonest_is_before_likely_and_likely_before_latest(days, above):
    (prediction,) = predict(forecast_batch([days]), [float(days[-1] + above)])

    days_said = [day for day in (prediction.soonest, prediction.day, prediction.latest) if day is not None]
    assert days_said == sorted(days_said)


@settings(max_examples=30)
@given(days=histories, scale=st.sampled_from([0.25, 2.0, 1024.0]), shift=st.sampled_from([0.0, 4096.0]))
def test_another_scale_and_another_zero_give_the_same_forecast_there(days, scale, shift):
    days = days + 4096  # far from zero, below which nothing goes

    plain, moved = forecast_batch([days]), forecast_batch([days * scale + shift])

    np.testing.assert_allclose(moved.mean, plain.mean * scale + shift, rtol=2e-2)


@settings(max_examples=20)
@given(day=st.integers(3, 190))
def test_a_missing_day_changes_little(day):
    days = growing(200)
    whole, missing = forecast_batch([days]), days.copy()
    missing[-day] = np.nan

    less = forecast_batch([missing])

    np.testing.assert_allclose(less.mean, whole.mean, rtol=0.01)
    assert abs(sure(predict(less, [2200])[0].day) - sure(predict(whole, [2200])[0].day)) <= 2


def test_the_band_holds_what_the_futures_hold():
    forecasts = forecast_batch([noisy(400), growing(300)])
    futures = simulate_futures(forecasts, np.array([0, 1]))

    inside = (futures.paths >= forecasts.low80[:, None]) & (futures.paths <= forecasts.high80[:, None])
    share = (inside.mean(axis=2) * futures.weights).sum(axis=1) / futures.weights.sum(axis=1)

    assert (np.abs(share - 0.8) < 0.1).all()
