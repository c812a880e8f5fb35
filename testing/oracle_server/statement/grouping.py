"""Rules of grouping that SQLite does not have."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from ..errors import OraError
from ..functions import AGGREGATES
from .grammar import BARE_FUNCTIONS, bare, is_rownum, offset_of


def check_grouping(tree: Any, tokens: Sequence[Token]) -> None:
    """Refuse a bare column beside an aggregate, and an aggregate that chooses rows."""
    for select in tree.find_all(exp.Select):
        where = select.args.get("where")
        if where and any(own_aggregates(where, select)):
            raise OraError(934)
        group = select.args.get("group")
        keys = {key_of(each) for each in group.expressions} if group else set()
        is_grouped = group or any(any(own_aggregates(each, select)) for each in select.expressions)
        if not is_grouped:
            continue
        having = select.args.get("having")
        for each in [*select.expressions, *([having] if having else [])]:
            loose = loose_column(each, keys, select)
            if loose is not None:
                raise OraError(979 if group else 937, offset=offset_of(tokens, loose.sql()))


def own_aggregates(node: Any, select: exp.Select) -> Iterator[Any]:
    """Return the aggregates of this query, without those of inner ones and without analytic functions."""
    for each in node.find_all(exp.AggFunc, exp.Anonymous):
        if isinstance(each, exp.Anonymous) and each.name.lower() not in AGGREGATES:
            continue
        if each.parent_select is select and not isinstance(each.parent, exp.Window):
            yield each


def key_of(node: Any) -> str:
    """Return an expression in a form that can be compared: names without qualifier or case."""
    copy = bare(node).copy()
    for column in [copy, *copy.find_all(exp.Column)]:
        if isinstance(column, exp.Column):
            column.set("table", None)
    return str(copy.sql()).lower()


def loose_column(node: Any, keys: set[str], select: exp.Select) -> Any:
    """Return a column that is neither grouped by nor aggregated."""
    node = bare(node)
    if key_of(node) in keys:
        return None
    if isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Window):
        return None
    if isinstance(node, exp.Anonymous) and node.name.lower() in AGGREGATES:
        return None
    if isinstance(node, exp.Select | exp.Subquery):
        return None
    if isinstance(node, exp.Column):
        is_constant = node.name.lower() in BARE_FUNCTIONS or is_rownum(node)
        return None if is_constant else node
    for child in node.iter_expressions():
        column = loose_column(child, keys, select)
        if column is not None:
            return column
    return None
