"""How far one forecast is to be followed: from the review to the chance, by the functions that other modules are asked for."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from types import FrameType
from typing import Any

from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import limited_figures
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.forecasting.target_forecast import forecast_target
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.register import add_threshold

PACKAGE = "apps.forecasting."
LIKE_NUMPY = "apps.forecasting.engine.medians"  # says what numpy says: nobody follows it there


@contextmanager
def followed() -> Iterator[set[str]]:
    """Collect the functions of the package that are entered from another module."""
    entered: set[str] = set()

    def enter(frame: FrameType, event: str, _: Any) -> None:
        module, caller = frame.f_globals["__name__"], frame.f_back
        is_ours = module.startswith(PACKAGE) and ".tests" not in module
        if event != "call" or not is_ours or module == LIKE_NUMPY or frame.f_code.co_name.startswith("<"):
            return
        if caller is not None and caller.f_globals["__name__"] != module:
            entered.add(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(enter)
    try:
        yield entered
    finally:
        sys.setprofile(before)


def facts() -> set[str]:
    """The names of what objects of the package say of themselves: properties, and what Python asks them."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PACKAGE)]
    classes = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    return {
        name
        for each in classes
        for name, value in vars(each).items()
        if isinstance(value, property | cached_property) or name.startswith("__")
    }


def test_from_the_review_to_a_chance_there_are_no_more_than_20_calls(db):
    prepare()
    target = instance()
    levels(target, [100.0 + day + day * 7 % 5 for day in range(88)])
    add_threshold("x_used", "<=230", now=BOOT, target=target, component="DATA")
    predict_violations(target, TODAY, datetime(2026, 7, 1, 6, tzinfo=UTC))

    reader = LimitReader(target, TODAY, HISTORY, HORIZON)
    with followed() as entered:
        figures = limited_figures(reader)
        (prediction,) = predict_limits(forecast_target(target, figures, TODAY, reader=reader), figures)

    assert prediction.chance == Forecast.objects.get().chance
    calls = entered - facts()
    assert len(calls) <= 20, ", ".join(sorted(calls))
