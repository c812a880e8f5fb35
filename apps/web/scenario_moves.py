"""Limited figures that scenarios move: a row each, the baseline and every scenario side by side."""

from collections.abc import Sequence
from typing import Any

from apps.charts import figures
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.scenarios import MovedFigure
from apps.thresholds.limits import with_unit


def moved_rows(moved: Sequence[MovedFigure], names: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each figure: the baseline and each scenario, by name."""
    labels = ["decided", *(f"with {name}" for name in names)]
    rows = []
    for one in moved:
        metric, unit = one.threshold.about, one.threshold.unit
        rows.append(
            {
                "target": one.target.name,
                "target_url": one.target.get_absolute_url(),
                "what": f"{one.component}, {metric.label}" if one.component else metric.label,
                "url": one.threshold.get_absolute_url(),
                "now": f"{figures.figure(one.value)} {unit}".rstrip(),
                "limit": with_unit(one.threshold),
                "cells": [
                    _cell(one, told) | {"label": label}
                    for label, told in zip(labels, (one.baseline, *one.outcomes), strict=True)
                ],
            }
        )
    return rows


def _cell(one: MovedFigure, told: Prediction) -> dict[str, str]:
    slack = one.slack(told)
    if told.is_violated:
        return {"day": "over already", "chance": "", "slack": "", "kind": "over"}
    if told.chance is None:
        return {"day": told.reason or "no forecast", "chance": "", "slack": "", "kind": "far"}
    likely = one.likely_on(told)
    return {
        "day": figures.short_day(likely, one.on) if likely else f"none within {told.within} d",
        "chance": told.chance_in_words,
        "slack": figures.slack(slack) if slack is not None else "",
        "kind": "far" if slack is None else "over" if slack < 0 else "risk",
    }
