"""The last 30 days of many rows, by one query."""

import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import numpy as np

from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.thresholds.judge import JudgedRow

DAYS = 30


def sparks(target: Target, day: date, rows: Sequence[JudgedRow]) -> Mapping[tuple[str, str], str]:
    """The sparkline of each row by (metric, component), as SVG, in the unit the row is shown in."""
    if not rows:
        return {}
    ids = series_ids([(row.row.metric.category, *row.row.key) for row in rows])
    histories = read_histories([target.pk], list(dict.fromkeys(ids)), day - timedelta(days=DAYS - 1), day)
    column = {pk: index for index, pk in enumerate(histories.series)}
    values = histories.values[target.pk]
    return {row.row.key: _spark(row, values[:, column[pk]]) for row, pk in zip(rows, ids, strict=True)}


def _spark(judged: JudgedRow, values: "np.ndarray") -> str:
    metric = judged.row.metric
    in_display_unit = (values * metric.to_display_unit(1.0)).tolist()
    figures_by_day = [None if math.isnan(value) else value for value in in_display_unit]
    limit = None
    beyond = "above"
    if judged.limit is not None and judged.threshold is not None and judged.threshold.figure == "value":
        limit = judged.limit.edge
        beyond = judged.limit.beyond
    present = [value for value in figures_by_day if value is not None]
    name = metric.called(judged.row.component)
    span = (
        f"{figures.figure(min(present))} to {figures.figure(max(present))} {judged.row.unit}"
        if present
        else "no figures"
    )
    label = f"{name}, {DAYS} days, {span}" + (f", limit {figures.figure(limit)}" if limit is not None else "")
    return sparkline(figures_by_day, limit, beyond, label)
