"""What Oracle refuses: what only other databases understand, what came with a later release, what is not played."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from ..dictionary import Release
from ..errors import OraError
from ..functions import AGGREGATES, INTERNAL, RETURNS
from .grammar import offset_of


def syntax_error(error: ParseError) -> OraError:
    """What Oracle says where the grammar stops."""
    details = error.errors[0] if error.errors else {}
    start = str(details.get("start_context", ""))
    message = str(details.get("description", ""))
    offset = len(start)
    if "Expecting )" in message:
        return OraError(907, offset=offset)
    if "Required keyword" in message or "Expected" in message:
        return OraError(936, offset=offset)
    return OraError(933, offset=offset)


def refuse_foreign_syntax(tree: Any, tokens: Sequence[Token], release: Release) -> None:
    """Raise an error for what other databases understand, and for what this one does not."""
    for before, token in pairwise(tokens):
        if before.token_type is TokenType.SELECT and token.token_type is TokenType.FROM:
            raise OraError(936, offset=token.start)
    if tree.find(exp.Limit):
        raise OraError(933, offset=offset_of(tokens, "limit"))
    if release < (12, 1) and tree.find(exp.Fetch, exp.Offset):
        raise OraError(933, offset=offset_of(tokens, "fetch") or offset_of(tokens, "offset"))
    _refuse_as_before_table_alias(tokens)
    for select in tree.find_all(exp.Select):
        if not select.args.get("from_") and release < (23,):
            raise OraError(923, offset=tokens[-1].end + 1)
    for boolean in tree.find_all(exp.Boolean):
        if release < (23,):
            name = str(boolean.this).upper()
            raise OraError(904, name=f'"{name}"', offset=offset_of(tokens, name))
    for call in tree.find_all(exp.Anonymous):
        name = call.name.lower()
        if name in INTERNAL or (name not in RETURNS and name not in AGGREGATES):
            raise OraError(904, name=f'"{name.upper()}"', offset=offset_of(tokens, name))
    unknown = tree.find(exp.Connect, exp.Pivot, exp.MatchRecognize, exp.WithinGroup, exp.Lock)
    if unknown:
        raise OraError(3001)
    for window in tree.find_all(exp.Window):
        if str(window.args.get("over", "OVER")).upper() != "OVER":
            raise OraError(3001)


def _refuse_as_before_table_alias(tokens: Sequence[Token]) -> None:
    for position, token in enumerate(tokens[:-3]):
        if token.token_type in (TokenType.FROM, TokenType.JOIN):
            table = position + 1
            if tokens[table].token_type is TokenType.L_PAREN:
                continue
            while table + 2 < len(tokens) and tokens[table + 1].token_type is TokenType.DOT:
                table += 2
            if table + 1 < len(tokens) and tokens[table + 1].token_type is TokenType.ALIAS:
                raise OraError(933, offset=tokens[table + 1].start)
