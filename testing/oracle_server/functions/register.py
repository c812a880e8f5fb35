"""Functions, each with the type of its result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..values import Cell
from ..wire import OracleType


@dataclass(frozen=True)
class Function:
    """A function with its result: a type, or the number of the argument whose type it has."""

    call: Callable[..., Cell]
    returns: OracleType | int


class Functions(dict[str, Function]):
    """Functions by the names that Oracle gives them."""

    def add(
        self, name: str, returns: OracleType | int, *, takes_null: bool = False
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Enter a function; it is not called with a null unless `takes_null`."""

        def enter(call: Callable[..., Any]) -> Callable[..., Any]:
            def call_without_null(*arguments: Cell) -> Cell:
                return None if None in arguments else call(*arguments)

            self[name] = Function(call if takes_null else call_without_null, returns)
            return call

        return enter
