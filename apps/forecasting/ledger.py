"""The ledger of promises: kept on the nights that people read of, and settled by what came."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta

import numpy as np
from django.db.models import Q

from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.engine.lines import find_line_day
from apps.forecasting.limit_predictions import predict_limits
from apps.forecasting.limited_figures import LimitedFigure, limited_figures
from apps.forecasting.promise import Promise
from apps.forecasting.target_forecast import TargetForecast, forecast_target
from apps.inventory.models import Target
from apps.snapshots.models import Coverage
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.models import Threshold

SUNDAY = 6  # the last day of a week, of which the weekly report tells
ENOUGH = 0.8  # of the days of a promise must have a figure

Crossing = tuple[Threshold, str]  # a limit and the component that crossed it


def is_night_of_promises(on: date) -> bool:
    """Whether all that a review of this day says is kept: on the night that ends a week."""
    return on.weekday() == SUNDAY


def note_crossings(target: Target, on: date, crossings: Iterable[Crossing]) -> None:
    """
    Settle the promises of the limits that were crossed on a day by their own rule; nothing is asked where none was.

    Of several days the first counts, in whatever order they are reviewed.
    """
    components: dict[Threshold, list[str]] = {}
    for threshold, component in crossings:
        components.setdefault(threshold, []).append(component)
    limits = Q()
    for threshold, names in components.items():
        limits |= Q(
            threshold=threshold,
            metric=threshold.metric,
            component__in=names,
            notation=threshold.notation,
            opens_after=threshold.opens_after,
            opens_within=threshold.opens_within,
        )
    if limits:
        running = Promise.objects.filter(limits, target=target, made_on__lt=on, due_on__gte=on)
        running.filter(Q(happened_on=None) | Q(happened_on__gt=on)).update(
            outcome=Promise.Outcome.CAME, reason="", happened_on=on
        )


def settle_due_promises(batch: TargetForecast, figures: Sequence[LimitedFigure]) -> None:
    """Settle the promises of a target whose days are over and whose limit was not crossed; one query where there is none."""
    due = list(Promise.objects.waiting().filter(target=batch.target, due_on__lte=batch.on))
    if not due:
        return
    limits = {promise.threshold_id for promise in due if promise.threshold_id is not None}
    in_force = set(Threshold.objects.in_force().filter(pk__in=limits).values_list("pk", flat=True))
    figure_of = {(figure.threshold.pk, figure.component): figure for figure in figures}
    promises: dict[str, list[int]] = {}
    for promise in due:
        figure = figure_of.get((promise.threshold_id or 0, promise.component))
        if figure is None:
            is_gone = promise.threshold_id in in_force
            reason: str = Promise.Reason.GONE if is_gone else Promise.Reason.LIMIT
        else:
            reason = _find_reason_against(promise, figure, batch)
        promises.setdefault(reason, []).append(promise.pk)
    for reason, keys in promises.items():
        outcome = Promise.Outcome.WITHDRAWN if reason else Promise.Outcome.MISSED
        Promise.objects.filter(pk__in=keys).update(outcome=outcome, reason=reason)


def _find_reason_against(promise: Promise, figure: LimitedFigure, batch: TargetForecast) -> str:
    """Why a promise does not count; empty where it does."""
    opening = promise.opens_after, promise.opens_within
    if figure.threshold.notation != promise.notation or figure.opening != opening:
        return Promise.Reason.LIMIT
    length = (promise.due_on - promise.made_on).days
    since = len(batch.values[0]) - (batch.on - promise.made_on).days
    rows = [batch.row(figure, key) for key in figure.keys]
    measured = np.logical_and.reduce(
        [np.isfinite(batch.values[row][max(since, 0) : since + length]) for row in rows]
    )
    return "" if measured.sum() >= ENOUGH * length else Promise.Reason.DAYS


def keep_promises(
    batch: TargetForecast,
    predictions: Mapping[LimitedFigure, Prediction],
    notices: Collection[LimitedFigure] = (),
) -> None:
    """Keep what is said of figures on a night, where there is a chance; what was kept of it before stays."""
    is_imported = Coverage.objects.filter(target=batch.target, day=batch.on).exclude(origin="").exists()
    promises = [
        _promise(batch, figure, prediction, is_notice=figure in notices, is_imported=is_imported)
        for figure, prediction in predictions.items()
        if prediction.chance is not None and not prediction.is_violated
    ]
    Promise.objects.bulk_create(promises, ignore_conflicts=True)


def _promise(
    batch: TargetForecast,
    figure: LimitedFigure,
    prediction: Prediction,
    *,
    is_notice: bool,
    is_imported: bool,
) -> Promise:
    threshold = figure.threshold

    def day(ahead: int | None) -> date | None:
        return None if ahead is None else batch.on + timedelta(days=ahead)

    assert prediction.chance is not None
    return Promise(
        target=batch.target,
        **figure.fields,
        opens_after=threshold.opens_after,
        opens_within=threshold.opens_within,
        made_on=batch.on,
        due_on=batch.on + timedelta(days=prediction.within),
        is_notice=is_notice,
        is_imported=is_imported,
        chance=prediction.chance,
        likely_on=day(prediction.day),
        soonest_on=day(prediction.soonest),
        latest_on=day(prediction.latest),
        width=_width(batch, figure),
        line_on=day(_line_day(batch, figure, prediction.within)),
    )


def _width(batch: TargetForecast, figure: LimitedFigure) -> float:
    record = batch.records[batch.row(figure)]
    return 1.0 if record is None else record.width_on(batch.on)


def _line_day(batch: TargetForecast, figure: LimitedFigure, within: int) -> int | None:
    """When a straight line crosses the limit, in days ahead; None beyond the days of the promise, and of a limit on a change."""
    if figure.is_change:
        return None
    series = [batch.values[batch.row(figure, key)] for key in figure.keys]
    day = find_line_day(series, figure.conditions)
    return day if day is not None and day <= within else None


def promise_limits(target: Target, on: date) -> None:
    """Keep and settle promises as the review of a day does, without its forecasts and violations: for days loaded in bulk."""
    reader = LimitReader(target, on, HISTORY, HORIZON)
    figures = limited_figures(reader)
    if not figures:
        return
    batch = forecast_target(target, figures, on, reader=reader)
    settle_due_promises(batch, figures)
    keep_promises(batch, dict(zip(figures, predict_limits(batch, figures), strict=True)))
