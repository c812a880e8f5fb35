"""Limited figures that scenarios move: a row each, the baseline and every scenario side by side."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from apps.charts import figures
from apps.collection.unread_targets import unread_targets
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.scenarios import MovedFigure
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import outlooks_of
from apps.thresholds.judge import FigureState
from apps.thresholds.limits import with_unit

OutlookOf = Callable[[MovedFigure], Outlook | None]


def find_outlooks(moved: Sequence[MovedFigure], now: datetime) -> OutlookOf:
    """What tells how a figure stands that scenarios move; a constant number of queries."""
    targets = Target.objects.filter(pk__in={one.target.pk for one in moved})
    outlooks = outlooks_of(targets, now, unread_targets(targets, now), is_whole=True) if moved else []
    by_limit = {
        (outlook.target.pk, outlook.threshold.pk, outlook.component): outlook
        for outlook in outlooks
        if outlook.threshold is not None
    }
    return lambda one: by_limit.get((one.target.pk, one.threshold.pk, one.component))


def moved_rows(
    moved: Sequence[MovedFigure], names: Sequence[str], outlook_of: OutlookOf
) -> list[dict[str, Any]]:
    """A row for each figure: the baseline and each scenario, by name; of what is over, closing or not read that alone."""
    labels = ["decided", *(f"with {name}" for name in names)]
    rows = []
    for one in moved:
        metric, unit, outlook = one.threshold.about, one.threshold.unit, outlook_of(one)
        rows.append(
            {
                "target": one.target.name,
                "target_url": one.target.get_absolute_url(),
                "what": f"{one.component}, {metric.label}" if one.component else metric.label,
                "url": one.threshold.get_absolute_url(),
                "now": f"{figures.figure(one.value)} {unit}".rstrip(),
                "limit": with_unit(one.threshold),
                "cells": [
                    _cell(one, told, outlook) | {"label": label}
                    for label, told in zip(labels, (one.baseline, *one.outcomes), strict=True)
                ],
            }
        )
    return rows


def _cell(one: MovedFigure, told: Prediction, outlook: Outlook | None) -> dict[str, str]:
    is_over = told.is_violated if outlook is None else outlook.state is FigureState.VIOLATED
    if is_over or (outlook is not None and outlook.has_no_days):
        note = "over already" if is_over or outlook is None else outlook.note
        return {"day": note, "chance": "", "slack": "", "kind": "over" if is_over else "far"}
    if told.chance is None:
        return {"day": told.reason or "no forecast", "chance": "", "slack": "", "kind": "far"}
    likely, slack = one.likely_on(told), one.slack(told)
    return {
        "day": figures.short_day(likely, one.on) if likely else f"none within {told.within} d",
        "chance": figures.chance(told.chance, told.least_chance),
        "slack": figures.slack(slack) if slack is not None else "",
        "kind": _kind(one, told, outlook),
    }


def _kind(one: MovedFigure, told: Prediction, outlook: Outlook | None) -> str:
    """How a cell is coloured: as what is violated where it is too late to act, as what is at risk where that is, or would be, said."""
    slack = one.slack(told)
    if slack is None or slack < 0:
        return "far" if slack is None else "over"
    is_decided = outlook is not None and told is one.baseline
    is_at_risk = (
        outlook.state is FigureState.AT_RISK if is_decided and outlook else told.is_likely_within(HORIZON)
    )
    return "risk" if is_at_risk else "far"
