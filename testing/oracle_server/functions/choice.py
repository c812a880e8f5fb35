"""Null and the choice between values."""

from ..values import Cell
from .register import Functions

functions = Functions()


@functions.add("nvl", 0, takes_null=True)
@functions.add("coalesce", 0, takes_null=True)
def coalesce(*cells: Cell) -> Cell:
    return next((cell for cell in cells if cell is not None), None)


@functions.add("nvl2", 1, takes_null=True)
def nvl2(cell: Cell, present: Cell, absent: Cell) -> Cell:
    return absent if cell is None else present


@functions.add("nullif", 0, takes_null=True)
def nullif(cell: Cell, other: Cell) -> Cell:
    return None if cell == other else cell


@functions.add("decode", 2, takes_null=True)
def decode(cell: Cell, *cases: Cell) -> Cell:
    """Return the result beside the first match; null matches null."""
    for position in range(0, len(cases) - 1, 2):
        if cases[position] == cell:
            return cases[position + 1]
    return cases[-1] if len(cases) % 2 else None


@functions.add("greatest", 0)
def greatest(*cells: Cell) -> Cell:
    return max(cells)  # type: ignore[type-var]


@functions.add("least", 0)
def least(*cells: Cell) -> Cell:
    return min(cells)  # type: ignore[type-var]
