"""Limited figures that scenarios move: a row each, the baseline and every scenario side by side."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

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
from apps.web.cells import below, link, marked
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

OutlookOf = Callable[[MovedFigure], Outlook | None]


def find_outlooks(moved: Sequence[MovedFigure], now: datetime) -> OutlookOf:
    """What tells how a figure stands that scenarios move; a constant number of queries."""
    pks = {figure.target.pk for figure in moved}
    targets = Target.objects.filter(pk__in=pks)
    outlooks = outlooks_of(targets, now, unread_targets(pks, now), is_whole=True) if moved else []
    by_limit = {
        (outlook.target.pk, outlook.threshold.pk, outlook.component): outlook
        for outlook in outlooks
        if outlook.threshold is not None
    }
    return lambda figure: by_limit.get((figure.target.pk, figure.threshold.pk, figure.component))


def moves_of(
    moved: Sequence[MovedFigure], names: Sequence[str], outlook_of: OutlookOf
) -> FilledTable[Mapping[str, Any]]:
    """A row for each figure: the baseline and each scenario, by name; of what is over, closing or not read that alone."""
    heads = ["as decided so far", *(f"with {name}" for name in names)]
    columns: list[Column[Mapping[str, Any]]] = [
        Column("target", lambda row: row["target"], lambda row: link(row["target_url"], row["target"], "")),
        RowHead("figure", lambda row: row["what"], lambda row: link(row["url"], row["what"])),
        FigureColumn("now", lambda row: row["now"]),
        FigureColumn("limit", lambda row: row["limit"]),
        *(_outcome_column(at, head) for at, head in enumerate(heads)),
    ]
    table = Table(
        "scenarios-move", "Figures that the scenarios move", columns,
        title="What the scenarios move", css="folds two-facts",
    )  # fmt: skip
    return table.fill(_rows(moved, outlook_of))


def _outcome_column(at: int, head: str) -> Column[Mapping[str, Any]]:
    def text(row: Mapping[str, Any]) -> str:
        cell = row["cells"][at]
        return f"{cell['day']} {_aside(cell)}".strip()

    def show(row: Mapping[str, Any]) -> SafeString:
        cell = row["cells"][at]
        css = f"{'strong ' if cell['slack'] else ''}c-{cell['kind']}"
        return below(marked(css, cell["day"]), _aside(cell))

    return FigureColumn(head, text, show, label="decided" if at == 0 else head)


def _aside(cell: Mapping[str, str]) -> str:
    slack = f"slack {cell['slack']}, " if cell["slack"] else ""
    return f"{slack}{cell['chance']}"


def _rows(moved: Sequence[MovedFigure], outlook_of: OutlookOf) -> list[dict[str, Any]]:
    rows = []
    for figure in moved:
        metric, unit, outlook = figure.threshold.about, figure.threshold.unit, outlook_of(figure)
        rows.append(
            {
                "target": figure.target.name,
                "target_url": figure.target.get_absolute_url(),
                "what": metric.called(figure.component),
                "url": figure.threshold.get_absolute_url(),
                "now": f"{figures.figure(figure.value)} {unit}".rstrip(),
                "limit": with_unit(figure.threshold),
                "cells": [
                    _cell(figure, prediction, outlook) for prediction in (figure.baseline, *figure.outcomes)
                ],
            }
        )
    return rows


def _cell(figure: MovedFigure, prediction: Prediction, outlook: Outlook | None) -> dict[str, str]:
    is_over = prediction.is_violated if outlook is None else outlook.state is FigureState.VIOLATED
    if is_over or (outlook is not None and outlook.has_no_days):
        note = "over already" if is_over or outlook is None else outlook.note
        return {"day": note, "chance": "", "slack": "", "kind": "over" if is_over else "far"}
    if prediction.chance is None:
        return {"day": prediction.reason or "no forecast", "chance": "", "slack": "", "kind": "far"}
    likely, slack = figure.likely_on(prediction), figure.slack(prediction)
    return {
        "day": figures.short_day(likely, figure.on) if likely else f"none within {prediction.within} d",
        "chance": figures.chance(prediction.chance, prediction.least_chance),
        "slack": figures.slack(slack) if slack is not None else "",
        "kind": _kind(figure, prediction, outlook),
    }


def _kind(figure: MovedFigure, prediction: Prediction, outlook: Outlook | None) -> str:
    """How a cell is coloured: as what is violated where it is too late to act, as what is at risk where that is, or would be, said."""
    slack = figure.slack(prediction)
    if slack is None or slack < 0:
        return "far" if slack is None else "over"
    is_decided = outlook is not None and prediction is figure.baseline
    is_at_risk = (
        outlook.state is FigureState.AT_RISK
        if is_decided and outlook
        else prediction.is_likely_within(HORIZON)
    )
    return "risk" if is_at_risk else "far"
