"""Scenarios as pages show them: their planned changes as rows, and what they come to in a sentence."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from apps.catalog.registry import get_metric, is_metric
from apps.forecasting.models import PlannedChange
from apps.forecasting.scenarios import MovedFigure
from apps.web.pages.what_if.forms import FURTHEST
from apps.web.sentences import Part, count


def change_rows(changes: Sequence[PlannedChange], today: date) -> list[dict[str, Any]]:
    """The changes of a scenario, each with what is to be known of its day."""
    rows = []
    for change in changes:
        note = ""
        if change.on <= today:
            note = "its day has passed: it is in the figures, and changes nothing"
        elif (change.on - today).days > FURTHEST:
            note = f"later than the {FURTHEST} days that are forecast"
        names = [get_metric(key).called(change.component) for key in change.metrics if is_metric(key)]
        if change.driver is not None:
            names = [change.driver.name]
        rows.append({"change": change, "names": ", ".join(names), "note": note})
    return rows


def sentence_of(names: Sequence[str], moved: Sequence[MovedFigure]) -> list[Part]:
    """What the scenarios come to: how many limits break that would not, and which first."""
    if not names:
        return [
            Part("What if?", True),
            Part(" Name a scenario, plan changes in it, and see which limits break, and when."),
        ]
    if not moved:
        return [Part(f"{' and '.join(names)}: no limited figure moves", True), Part(" within 180 days.")]
    breaking = [
        figure
        for figure in moved
        if figure.baseline.day is None and any(prediction.day is not None for prediction in figure.outcomes)
    ]
    sooner = [
        figure
        for figure in moved
        if figure.baseline.day is not None
        and any(
            prediction.day is not None and prediction.day < (figure.baseline.day or 0)
            for prediction in figure.outcomes
        )
    ]
    parts = [
        Part(
            f"{' and '.join(names)}: {count(len(moved), 'limited figure moves', 'limited figures move')}",
            True,
        )
    ]
    if breaking:
        parts.append(Part(f"; {count(len(breaking), 'limit breaks', 'limits break')} that would hold"))
    if sooner:
        parts.append(Part(f"; {count(len(sooner), 'breaks', 'break')} sooner"))
    if not breaking and not sooner:
        parts.append(Part("; no limit breaks sooner for it"))
    return [*parts, Part(".")]
