"""What is expected day by day, with its bounds, in the unit of the profile."""

from datetime import date, timedelta

from apps.catalog.metric import Metric
from apps.forecasting.engine.forecasts import Forecasts

ExpectedDay = tuple[date, float, float, float]  # with its 80 % bounds


def list_expected(forecasts: Forecasts, row: int, on: date, metric: Metric) -> list[ExpectedDay]:
    """The days after `on` of one series that may be shown: no more than its history is long."""
    to_display = metric.to_display_unit
    lines = zip(forecasts.mean[row], forecasts.low80[row], forecasts.high80[row], strict=True)
    days = [
        (on + timedelta(days=ahead), to_display(float(mean)), to_display(float(low)), to_display(float(high)))
        for ahead, (mean, low, high) in enumerate(lines, 1)
    ]
    return days[: int(forecasts.reach[row])]
