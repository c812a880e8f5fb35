"""Conditions on ROWNUM, which to SQLite are limits."""

from typing import Any

from sqlglot import exp

from ..errors import OraError
from .columns import Columns
from .grammar import is_rownum
from .grouping import own_aggregates


def limit_rows(select: exp.Select, columns: Columns) -> None:
    """Turn a condition on ROWNUM into a limit."""
    where = select.args.get("where")
    if not where or not any(is_rownum(each) for each in where.find_all(exp.Column)):
        return
    conditions = []
    limit: Any = None
    for condition in where.this.flatten() if isinstance(where.this, exp.And) else [where.this]:
        count = rownum_limit(condition)
        if count is None:
            conditions.append(condition)
        else:
            limit = count
    if limit is None or any(is_rownum(each) for part in conditions for each in part.find_all(exp.Column)):
        raise OraError(3001)
    if conditions:
        where.set("this", exp.and_(*conditions, copy=False))
    else:
        select.set("where", None)
    limit = exp.Limit(expression=exp.Anonymous(this="row_limit", expressions=[limit]))
    is_plain = not any(select.args.get(part) for part in ("group", "order", "distinct", "having"))
    if is_plain and not any(any(own_aggregates(each, select)) for each in select.expressions):
        select.set("limit", limit)
        return
    source = select.args["from_"]
    if select.args.get("joins"):
        raise OraError(3001)
    # Rows are counted before they are grouped or ordered.
    inner = exp.Select(
        expressions=[exp.Star()], from_=source.copy(), where=select.args.get("where"), limit=limit
    )
    columns.scopes[id(inner)] = columns.scopes.get(id(select), {})
    select.set("where", None)
    alias = exp.TableAlias(this=exp.to_identifier(source.this.alias_or_name))
    source.set("this", exp.Subquery(this=inner, alias=alias))


def rownum_limit(condition: Any) -> Any:
    """Return how many rows a condition on ROWNUM lets through, or None if it is about something else."""
    left, right = condition.args.get("this"), condition.args.get("expression")
    first = exp.Literal.number(1)
    if is_rownum(right):
        mirror = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.EQ: exp.EQ}
        kind = mirror.get(type(condition))
        left, right = right, left
    else:
        kind = type(condition)
    if not is_rownum(left):
        return None
    if kind is exp.LTE:
        return right
    if kind is exp.LT:
        return exp.Sub(this=exp.Paren(this=right.copy()), expression=first)
    if kind is exp.EQ:
        # Only the first row can be asked for: there is no second before there was a first.
        return exp.Case(
            ifs=[exp.If(this=exp.EQ(this=right.copy(), expression=first), true=first.copy())],
            default=exp.Literal.number(0),
        )
    return None
