"""When limits will be crossed: the edges of thresholds asked of the forecasts of a target's figures."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apps.catalog.registry import get_metric
from apps.forecasting.engine.chance import Prediction, earlier_prediction, predict_crossings
from apps.forecasting.engine.edges import Edge, Edges, build_edges
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.limited_figures import LimitedFigure
from apps.forecasting.target_forecast import TargetForecast

FigureEdge = tuple[LimitedFigure, Edge]


def predict_limits(
    forecast: TargetForecast, figures: Sequence[LimitedFigure], forecasts: Forecasts | None = None
) -> list[Prediction]:
    """
    Predict for each limit when it will be crossed, all at once.

    By the forecasts with what is decided, or by others of the same series.
    """
    predictions: dict[LimitedFigure, Prediction] = {}
    single = [(figure, edge) for figure in figures if len(figure.keys) == 1 for edge in figure.edges]
    standing = [pair for pair in single if not pair[0].is_change]
    moving = [pair for pair in single if pair[0].is_change]
    double = [(figure, figure.edges[0]) for figure in figures if len(figure.keys) == 2]
    has_days_out = forecast.out.maintenance or forecast.out.peaks
    for pairs, edges, others in (
        (standing, _standing_edges(forecast, standing), None),
        (double, _standing_edges(forecast, double), _second_edges(forecast, double)),
        (moving, _moving_edges(forecast, moving), None),
    ):
        judged = (
            np.stack([forecast.judged(figure) for figure, _ in pairs]) if has_days_out and pairs else None
        )
        crossings = predict_crossings(forecasts or forecast.forecasts, edges, others, judged)
        for (figure, _), prediction in zip(pairs, crossings, strict=True):
            first = predictions.get(figure)
            predictions[figure] = earlier_prediction(first, prediction) if first else prediction
    return [predictions[figure] for figure in figures]


def _standing_edges(forecast: TargetForecast, pairs: Sequence[FigureEdge]) -> Edges:
    return build_edges(
        [forecast.row(figure) for figure, _ in pairs],
        [figure.threshold.about.to_stored_unit(limit) for figure, (limit, _) in pairs],
        [side for _, (_, side) in pairs],
        [figure.opening for figure, _ in pairs],
    )


def _moving_edges(forecast: TargetForecast, pairs: Sequence[FigureEdge]) -> Edges:
    now = build_edges(
        [forecast.row(figure) for figure, _ in pairs],
        [forecast.earlier[figure].limit_now(limit) for figure, (limit, _) in pairs],
        [side for _, (_, side) in pairs],
        [figure.opening for figure, _ in pairs],
    )
    if not pairs:
        return now
    return replace(
        now, limit=np.stack([forecast.earlier[figure].limit(limit) for figure, (limit, _) in pairs])
    )


def _second_edges(forecast: TargetForecast, pairs: Sequence[FigureEdge]) -> Edges:
    rows, limits, sides, names = [], [], [], []
    for figure, _ in pairs:
        key, edge = figure.keys[1], figure.second_edge
        assert edge is not None
        rows.append(forecast.row(figure, key))
        limits.append(get_metric(key[1]).to_stored_unit(edge[0]))
        sides.append(edge[1])
        names.append(f"“{figure.threshold.second_word}”")
    return replace(build_edges(rows, limits, sides), names=names)
