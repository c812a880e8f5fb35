"""What the forecast makes of a limit that nobody has set yet."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, timedelta

from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.expected_days import ExpectedDay, list_expected
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import FORECAST_FORMS, LimitedFigure
from apps.forecasting.target_forecast import forecast_target
from apps.inventory.models import Target
from apps.thresholds.models import Threshold

UNSAVED = -1  # stands in for the key of a limit that has none


@dataclass(frozen=True)
class LimitTrial:
    """
    The days after `on` with what is expected and its 80 % bounds, in the unit of the limit, and when it is crossed.

    There is no prediction of a limit that has no day on which it is crossed.
    """

    on: date
    expected: Sequence[ExpectedDay]
    prediction: Prediction | None

    @property
    def likely_on(self) -> date | None:
        prediction = self.prediction
        return (
            None if prediction is None or prediction.day is None else self.on + timedelta(days=prediction.day)
        )


def try_limit(draft: Threshold, target: Target, component: str, on: date) -> LimitTrial | None:
    """The forecast of one component of a target under a limit, saved or not; None where nothing can be forecast."""
    draft = copy(draft)
    draft.pk = draft.pk or UNSAVED
    figure = LimitedFigure(draft, component)
    if figure.is_change:
        return None
    metric, is_forecast = draft.about, draft.form in FORECAST_FORMS
    figures = [figure] if is_forecast else []
    also = [((metric.category, metric.key, component), draft.leaves_out_peaks)]
    batch = forecast_target(target, figures, on, horizon=HORIZON, also=also)
    if batch.forecasts.reasons[0]:
        return None
    prediction = predict_limits(batch, figures)[0] if is_forecast else None
    return LimitTrial(on, list_expected(batch.forecasts, 0, on, metric), prediction)
