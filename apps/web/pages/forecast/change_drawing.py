"""The forecasts of two nights in one drawing: what was expected then, what came, and what is expected now."""

from datetime import timedelta

from django.utils.safestring import SafeString, mark_safe

from apps.charts.before_after import Course, before_after
from apps.forecasting.figure_forecast import FigureForecast, LimitForecast
from apps.forecasting.forecast_change import ForecastChange
from apps.web.pages.forecast.forecast_page import fan_of

BACK = 30  # days measured before the earlier night that are drawn


def draw_change(forecast: FigureForecast, change: ForecastChange) -> SafeString:
    """What was measured, and the forecasts of both nights with the limit of today."""
    answer = next(limit for limit in forecast.limits if not limit.figure.is_change)
    before, convert = change.before, forecast.metric.to_display_unit
    last = forecast.values[-(forecast.on - before.made_on).days - BACK :]
    days = [forecast.on - timedelta(days=len(last) - 1 - back) for back in range(len(last))]
    edges = answer.figure.edges
    return mark_safe(
        before_after(
            days,
            [None if value != value else convert(float(value)) for value in last],
            _earlier(change),
            _newest(forecast, answer),
            change_on=before.made_on,
            change_text="forecast then",
            limit=edges[0][0] if edges else None,
            unit=forecast.metric.display_unit,
            label=f"Forecasts of {before.made_on} and {forecast.on}",
        )
    )


def _earlier(change: ForecastChange) -> Course:
    """What was expected on the earlier night, from the figure of that night on."""
    before = change.before
    start = [] if before.value is None else [(before.made_on, before.value, before.value, before.value)]
    return Course("then", [*start, *before.fan], before.soonest_on, before.likely_on, before.latest_on)


def _newest(forecast: FigureForecast, answer: LimitForecast) -> Course:
    prediction = answer.prediction
    points = [point[:4] for point in fan_of(forecast)]
    return Course(
        "now", points, answer.day(prediction.soonest), answer.likely_on, answer.day(prediction.latest)
    )
