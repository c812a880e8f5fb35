"""Numbers: rounding, division as Oracle does it, bits."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from ..errors import OraError
from ..values import Cell, date_of, is_date, number_of, to_cell
from ..wire import OracleType
from .dates import DAY, truncate_date
from .register import Functions

NUMBER = OracleType.NUMBER

functions = Functions()


def round_number(number: int | float, places: int, rounding: str) -> int | float:
    if isinstance(number, int) and places >= 0:
        return number
    exact = Decimal(repr(number)).quantize(Decimal(1).scaleb(-places), rounding)
    return int(exact) if exact == exact.to_integral_value() else float(exact)


@functions.add("round", 0)
def round_off(cell: Cell, places: Cell = 0) -> Cell:
    if is_date(cell):
        return truncate_date(date_of(cell) + DAY / 2, "DD")
    return round_number(number_of(cell), int(number_of(places)), ROUND_HALF_UP)


@functions.add("trunc", 0)
def trunc(cell: Cell, places: Cell = 0) -> Cell:
    if is_date(cell):
        return truncate_date(date_of(cell), str(places or "DD"))
    return round_number(number_of(cell), int(number_of(places)), ROUND_DOWN)


@functions.add("mod", NUMBER)
def mod(cell: Cell, divisor: Cell) -> Cell:
    number, by = number_of(cell), number_of(divisor)
    if not by:
        return number
    return (
        number - by * int(number / by)
        if isinstance(number + by, float)
        else int(math.copysign(1, number)) * (abs(number) % abs(by))
    )


@functions.add("divide", NUMBER)
def divide(cell: Cell, divisor: Cell) -> Cell:
    number, by = number_of(cell), number_of(divisor)
    if not by:
        raise OraError(1476)
    if isinstance(number, int) and isinstance(by, int) and number % by == 0:
        return to_cell(number // by)
    return number / by


@functions.add("power", NUMBER)
def power(cell: Cell, exponent: Cell) -> Cell:
    return to_cell(number_of(cell) ** number_of(exponent))


@functions.add("log", NUMBER)
def log(base: Cell, cell: Cell) -> Cell:
    return math.log(number_of(cell)) / math.log(number_of(base))


@functions.add("to_number", NUMBER)
def to_number(cell: Cell, pattern: Cell = "") -> Cell:
    if isinstance(cell, str) and pattern and set(str(pattern).upper()) <= {"X"}:
        return int(cell, 16)
    text = cell.replace(",", "") if isinstance(cell, str) and pattern else cell
    return to_cell(number_of(text))


for name, plain in {
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "ln": math.log,
    "sign": lambda number: (number > 0) - (number < 0),
}.items():
    functions.add(name, NUMBER)(lambda cell, plain=plain: to_cell(plain(number_of(cell))))


@functions.add("bitand", NUMBER)
def bitand(cell: Cell, other: Cell) -> Cell:
    return int(number_of(cell)) & int(number_of(other))


@functions.add("row_limit", NUMBER)
def row_limit(cell: Cell) -> Cell:
    """Return a limit that SQLite understands: to it a negative one is none at all."""
    return max(int(number_of(cell)), 0)


@functions.add("cast_number", NUMBER)
def cast_number(cell: Cell, scale: Cell) -> Cell:
    return to_cell(round_number(number_of(cell), int(number_of(scale)), ROUND_HALF_UP))
