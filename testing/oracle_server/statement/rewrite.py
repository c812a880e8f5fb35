"""What the two dialects write differently."""

from typing import Any

from sqlglot import exp

from ..errors import OraError
from ..values import LARGEST, LONG_NUMBER
from .columns import DATE, DATES, NUMBER, Columns
from .grammar import BARE_FUNCTIONS, call


class Rewriting:
    """What SQLite is given instead, node by node, of a query whose columns are known."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def of(self, node: Any) -> Any:
        """Return what SQLite is given instead of a node; most stay as they are."""
        moment = rewrite_moment(node)
        if moment is not None:
            return moment
        match node:
            case exp.CurrentUser():
                return call("user")
            case exp.Column():
                return self._rewrite_column(node)
            case exp.Literal() | exp.National() | exp.RawString():
                return rewrite_literal(node)
            case exp.Cast():
                return rewrite_cast(node)
            case exp.Trim():
                return rewrite_trim(node)
            case exp.DPipe():
                return call("concat", node.this, node.expression)
            case exp.Div():
                return call("divide", node.this, node.expression)
            case exp.Add() | exp.Sub():
                return self._rewrite_sum(node)
            case exp.GroupConcat():
                return rewrite_listagg(node)
            case exp.Fetch():
                return rewrite_fetch(node)
            case exp.Window(this=exp.Anonymous(this=name)) if str(name).lower() == "ratio_to_report":
                whole = node.copy()
                whole.set("this", exp.Sum(this=node.this.expressions[0].copy()))
                return call("divide", node.this.expressions[0].copy(), whole)
            case exp.Hint():
                node.pop()
        return node

    def _rewrite_column(self, node: exp.Column) -> Any:
        name = node.name.lower()
        if node.table or self.columns.find(node):
            return node
        if name in BARE_FUNCTIONS:
            return call(name)
        if name == "rownum":
            return exp.Window(this=exp.RowNumber(), over="OVER")
        return node

    def _rewrite_sum(self, node: Any) -> Any:
        left, right = self.columns.type_of(node.this), self.columns.type_of(node.expression)
        if left is right is NUMBER and not self._is_long(node):
            return node
        if isinstance(node, exp.Sub) and left in DATES and right in DATES and (left, right) != (DATE, DATE):
            return call("minus_timestamps", node.this, node.expression)
        return call("minus" if isinstance(node, exp.Sub) else "plus", node.this, node.expression)

    def _is_long(self, node: Any) -> bool:
        """Say whether a sum can meet a number beyond 64 bits: system change numbers can."""
        return any(column.name.upper().endswith("CHANGE#") for column in node.find_all(exp.Column))


def rewrite_moment(node: Any) -> Any:
    """What is said of days, moments and intervals; None of all else."""
    match node:
        case exp.CurrentTimestamp():
            return call("sysdate" if node.args.get("sysdate") else "current_timestamp_tz")
        case exp.Systimestamp():
            return call("systimestamp")
        case exp.CurrentDate():
            return call("sysdate")
        case exp.DateStrToDate():
            return call("date_literal", node.this)
        case exp.StrToTime():
            return call("timestamp_literal", node.this)
        case exp.Interval():
            unit = node.args["unit"].sql() if node.args.get("unit") else "DAY"
            return call("interval_literal", node.this, exp.Literal.string(unit))
        case exp.AtTimeZone():
            return call("at_time_zone", node.this, node.args["zone"])
        case exp.Extract():
            return call("extract", exp.Literal.string(node.this.name), node.expression)
    return None


def rewrite_trim(node: exp.Trim) -> exp.Expression:
    position = str(node.args.get("position") or "").upper()
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(position, "trim")
    return call(name, node.this, *([node.expression] if node.expression else []))


def rewrite_literal(node: Any) -> Any:
    text = str(node.this)
    if isinstance(node, exp.Literal) and not node.is_string:
        if isinstance(node.parent, exp.Group):
            return exp.Literal.string(text)  # to Oracle a constant, to SQLite the place of a column
        if text.isdigit() and int(text) >= LARGEST:
            return exp.Literal.string(LONG_NUMBER + text)
        return node
    if not text:
        return exp.Null()
    return node if isinstance(node, exp.Literal) else exp.Literal.string(text)


def rewrite_cast(node: exp.Cast) -> Any:
    kind = node.to
    sizes = [int(each.name) for each in kind.expressions if each.name.isdigit()]
    match kind.this:
        case exp.DType.DATE:
            return call("to_date", node.this)
        case exp.DType.TIMESTAMP | exp.DType.DATETIME:
            return call("to_timestamp", node.this)
        case exp.DType.TIMESTAMPTZ | exp.DType.TIMESTAMPLTZ:
            return call("to_timestamp_tz", node.this)
        case exp.DType.VARCHAR | exp.DType.NVARCHAR | exp.DType.CHAR | exp.DType.NCHAR | exp.DType.TEXT:
            size = sizes[0] if sizes else 4000
            return call("cast_text", node.this, exp.Literal.number(size))
        case exp.DType.DECIMAL if sizes:
            scale = sizes[1] if len(sizes) > 1 else 0
            return call("cast_number", node.this, exp.Literal.number(scale))
        case exp.DType.INT:
            return call("cast_number", node.this, exp.Literal.number(0))
    return call("to_number", node.this)


def rewrite_listagg(node: exp.GroupConcat) -> Any:
    """Return LISTAGG as a function that sorts by itself: this SQLite cannot order inside an aggregate."""
    inner = node.this
    separator = node.args.get("separator") or exp.Literal.string("")
    key: Any = exp.Null()
    is_descending = exp.Literal.number(0)
    if isinstance(inner, exp.Order):
        key = inner.expressions[0].this
        is_descending = exp.Literal.number(int(bool(inner.expressions[0].args.get("desc"))))
        inner = inner.this
    return call("listagg", inner, separator, key, is_descending)


def rewrite_fetch(node: exp.Fetch) -> exp.Limit:
    options = node.args.get("limit_options")
    if options and (options.args.get("percent") or options.args.get("with_ties")):
        raise OraError(3001)
    count = node.args.get("count") or exp.Literal.number(1)
    return exp.Limit(expression=count.copy())
