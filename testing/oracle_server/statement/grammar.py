"""How Oracle writes, how SQLite is written to, and what both are asked about the trees between them."""

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.dialects.oracle import Oracle
from sqlglot.dialects.sqlite import SQLite
from sqlglot.parsers.oracle import OracleParser
from sqlglot.tokenizer_core import Token

KEPT_FUNCTIONS = frozenset(
    {"COUNT", "SUM", "MIN", "MAX", "AVG", "ROW_NUMBER", "RANK", "DENSE_RANK", "LAG", "LEAD"}
    | {"FIRST_VALUE", "LAST_VALUE", "NTILE"}
)
KEPT_SYNTAX = frozenset({"CAST", "EXTRACT", "TRIM", "LISTAGG"})
BARE_FUNCTIONS = frozenset({"user", "uid", "sessiontimezone", "dbtimezone", "current_schema"})


class PlainOracle(Oracle):
    """Oracle's grammar with functions left as they are called."""

    class Parser(OracleParser):
        FUNCTIONS = {name: make for name, make in OracleParser.FUNCTIONS.items() if name in KEPT_FUNCTIONS}
        FUNCTION_PARSERS = {
            name: parse for name, parse in OracleParser.FUNCTION_PARSERS.items() if name in KEPT_SYNTAX
        }


class StrictSQLite(SQLite):
    """SQLite with names in backticks: it takes an unknown name in double quotes for a text."""

    class Tokenizer(SQLite.Tokenizer):
        IDENTIFIERS = ["`"]


def offset_of(tokens: Sequence[Token], name: str) -> int:
    """Return where a (qualified) name is first written in a statement."""
    parts = name.lower().split(".")
    texts = [token.text.lower() for token in tokens]
    for position, text in enumerate(texts):
        pieces = [piece for part in parts for piece in (part, ".")][:-1]
        if text == parts[0] and texts[position : position + len(pieces)] == pieces:
            return tokens[position].start
    return 0


def call(name: str, *arguments: Any) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[each.copy() for each in arguments])


def bare(node: Any) -> Any:
    while isinstance(node, exp.Paren | exp.Alias):
        node = node.this
    return node


def is_rownum(node: Any) -> bool:
    return isinstance(node, exp.Column) and node.name.lower() == "rownum" and not node.table
