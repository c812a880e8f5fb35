"""Drivers: what is learned of them, when they are adopted, and what their days ahead do to a forecast."""

from datetime import date

import numpy as np
import pytest

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.driver_outlook import DriverHistory, Way, prepare_drivers
from apps.forecasting.engine.driver_plan import DriverPlan, lay_out
from apps.forecasting.engine.driver_trials import LEAST_TOGETHER, try_drivers
from apps.forecasting.engine.drivers import adopt_drivers, choose_drivers
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.series import Floats
from apps.forecasting.engine.tests.series import wobble

TODAY = date(2026, 11, 1)
LENGTH = 300
NO_PLAN = DriverPlan()
WEEK = np.array([60.0, 60, 60, 60, 60, -120, -180])


def orders(days: int = LENGTH, seed: int = 0) -> Floats:
    """Orders a day: weeks, noise, and levels that move without warning."""
    level = 1000 + np.repeat(300 * wobble(days // 30 + 1, seed), 30)[:days]
    return level + np.resize(WEEK, days) + 20 * wobble(days, seed + 1)


def adopted(figure: Floats, driver: Floats, plan: DriverPlan = NO_PLAN) -> tuple[Forecasts, Forecasts, str]:
    """The forecast without the driver, with it, and in which way it drives; none where it is not adopted."""
    outlooks = prepare_drivers([DriverHistory(driver, plan)], np.array([0]), TODAY)
    plain = forecast_batch([figure], last_on=[TODAY])
    choices = choose_drivers(try_drivers([figure], [None], TODAY, outlooks))
    if not choices:
        return plain, plain, ""
    return plain, adopt_drivers(plain, [figure], choices, outlooks, last_on=[TODAY]), choices[0].way


def test_a_figure_that_follows_a_planned_driver_goes_where_the_plan_goes():
    driver = orders()
    figure = 50 + 0.4 * driver + 5 * wobble(LENGTH, 7)

    plain, driven, way = adopted(figure, driver, DriverPlan(dict.fromkeys(range(30, 91, 7), 2000.0)))

    assert way is Way.LEVEL
    assert driven.mean[0, 40:].mean() == pytest.approx(50 + 0.4 * 2000, rel=0.03)
    assert plain.mean[0, 40:].mean() < 650
    assert (driven.low80[0] <= driven.mean[0]).all()
    assert (driven.mean[0] <= driven.high80[0]).all()


def test_a_stock_gains_by_what_the_driver_brings():
    driver = orders()
    figure = 500 + np.cumsum(0.02 * driver + wobble(LENGTH, 7))

    _, driven, way = adopted(figure, driver, DriverPlan({1: 2000.0, 90: 2000.0}))

    assert way is Way.GROWTH
    assert driven.mean[0, 89] - figure[-1] == pytest.approx(90 * 0.02 * 2000, rel=0.05)


@pytest.mark.parametrize("seed", range(6))
def test_what_has_nothing_to_do_with_a_figure_is_not_adopted(seed):
    figure = (
        500 + np.cumsum(5 * wobble(LENGTH, seed + 20)) + np.cumsum(3 * wobble(LENGTH // 2, seed).repeat(2))
    )

    plain, driven, way = adopted(figure, orders(seed=seed))

    assert (way, driven) == ("", plain)


def test_a_driver_that_never_changes_or_is_short_or_has_stopped_is_not_tried():
    figure = 50 + 0.4 * orders()
    short, stopped = orders(), orders()
    short[: -LEAST_TOGETHER + 1], stopped[-7:] = np.nan, np.nan

    for driver in (np.full(LENGTH, 1000.0), short, stopped):
        outlooks = prepare_drivers([DriverHistory(driver, DriverPlan())], np.array([0]), TODAY)
        assert try_drivers([figure], [None], TODAY, outlooks) == [[]]


def test_what_a_driver_is_tried_by_is_learned_before_the_days_on_which_it_is_tried():
    driver = orders()
    figure = 300 + 5 * wobble(LENGTH, 7)
    figure[-90:] += 0.4 * (driver[-90:] - driver[-90:].mean())

    assert not adopted(figure, driver)[2]


def test_gaps_of_a_driver_are_bridged():
    driver = orders()
    figure = 50 + 0.4 * driver + 5 * wobble(LENGTH, 7)
    driver[100:104] = driver[-2:] = np.nan
    plan = DriverPlan({1: 1500.0, 90: 1500.0})

    _, driven, way = adopted(figure, driver, plan)

    assert way is Way.LEVEL
    assert driven.mean[0, 40:].mean() == pytest.approx(650, rel=0.05)


def test_without_a_plan_the_errors_of_the_drivers_own_forecast_count():
    driver = 1000 + np.cumsum(10 * wobble(LENGTH, 3)) + np.cumsum(8 * wobble(LENGTH // 2, 5).repeat(2))
    figure = 0.4 * driver + 30 * wobble(LENGTH, 7)
    histories = [DriverHistory(driver, plan) for plan in (DriverPlan(), DriverPlan({1: 1000.0, 90: 1000.0}))]

    outlooks = prepare_drivers(histories, np.array([0]), TODAY)
    (trials,) = try_drivers([figure], [None], TODAY, outlooks)

    own, planned = (min(trial.error for trial in trials if trial.driver == place) for place in (0, 1))
    assert planned < own


def test_forecasts_of_other_rows_stay_as_they_were():
    driver, other = orders(), 100 + 5 * wobble(LENGTH, 9)
    figures = [other, 50 + 0.4 * driver + 5 * wobble(LENGTH, 7)]
    outlooks = prepare_drivers([DriverHistory(driver, DriverPlan({1: 1500.0}))], np.array([0, 0]), TODAY)
    plain = forecast_batch(figures)
    choices = choose_drivers(try_drivers(figures, [None, None], TODAY, outlooks))

    driven = adopt_drivers(plain, figures, choices, outlooks)

    assert list(choices) == [1]
    assert (driven.mean[0] == plain.mean[0]).all()
    assert (driven.high80[0] == plain.high80[0]).all()
    assert (driven.mean[1] != plain.mean[1]).any()


def test_planned_figures_of_some_days_are_those_of_a_usual_day():
    own, week = np.full(28, 1000.0), WEEK

    ahead = lay_out(DriverPlan({8: 2000.0, 22: 3000.0}), own, week)

    assert ahead[:7].tolist() == [1000.0] * 7
    assert ahead[7] == 2000 + WEEK[0]
    assert ahead[14] == 2500 + WEEK[0]
    assert ahead[27] == 3000 + WEEK[6]


def test_figures_planned_day_by_day_are_taken_as_they_are():
    ahead = lay_out(DriverPlan({day: 100.0 * day for day in range(1, 15)}), np.full(28, 1000.0), WEEK)

    assert ahead[:14].tolist() == [100.0 * day for day in range(1, 15)]


def test_a_growth_takes_the_place_of_the_own_one_and_leaves_weeks_and_month_ends():
    own: Floats = np.asarray(1000.0 + 3 * np.arange(90) + np.resize(WEEK, 90))
    own[60:63] += 400

    ahead = lay_out(DriverPlan(growth=0.1, grows_from=1), own, WEEK)

    factor = 1.1 ** (np.arange(1, 91) / 30.4375)
    assert ahead[20:70] / factor[20:70] == pytest.approx((own - 3 * np.arange(90))[20:70] + 42, abs=50)


def test_a_growth_begins_on_its_day_and_compounds():
    ahead = lay_out(DriverPlan(growth=0.1, grows_from=11), np.full(90, 1000.0), np.zeros(7))

    assert ahead[9] == 1000
    assert ahead[10] == pytest.approx(1000 * 1.1 ** (1 / 30.4375))
    assert ahead[89] == pytest.approx(1000 * 1.1 ** (80 / 30.4375))
