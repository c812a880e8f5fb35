"""What cells of a file say: the figure, or the word for why there is none."""

from apps.profiles.build import ProfileCell as Figure
from apps.reports.sheets import Cell
from apps.thresholds.judge import FigureState


def word(state: FigureState | None) -> str:
    """A state as pages write it."""
    return str(state).replace("_", " ") if state else ""


def presence(cell: Figure) -> Cell:
    """The figure of a profile's cell, or the word for why there is none."""
    return str(cell.presence) if cell.value is None else cell.value
