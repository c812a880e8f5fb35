"""What there is to know about a statement."""

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from ..wire import OracleType
from .grammar import offset_of


@dataclass(frozen=True)
class ResultColumn:
    """A column of a query as far as the statement tells; no type where only the rows can tell."""

    name: str
    type: OracleType | None
    size: int


@dataclass(frozen=True)
class ViewUse:
    """A view that a statement names, and where."""

    name: str
    offset: int


@dataclass
class Plan:
    """What there is to know about a statement; `sql` is empty if there is nothing to run."""

    sql: str = ""
    views: list[ViewUse] = field(default_factory=list)
    columns: list[ResultColumn] = field(default_factory=list)
    bind_count: int = 0
    tokens: list[Token] = field(default_factory=list)

    def offset_of(self, name: str) -> int:
        return offset_of(self.tokens, name)
