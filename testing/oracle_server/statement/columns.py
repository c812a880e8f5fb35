"""Which columns a query has, of which type, and where each name in it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp

from ..dictionary import View
from ..functions import AGGREGATES, RETURNS
from ..wire import OracleType
from .grammar import bare
from .plan import ResultColumn

NUMBER = OracleType.NUMBER
TEXT = OracleType.VARCHAR2
DATE = OracleType.DATE
DATES = (DATE, OracleType.TIMESTAMP, OracleType.TIMESTAMP_TZ)

Scope = dict[str, list[ResultColumn]]


class Columns:
    """The columns and types of a query and of all queries in it; `scopes` is what each of them can see."""

    def __init__(self, views: Mapping[str, View]) -> None:
        self.views = views
        self.scopes: dict[int, Scope] = {}

    def of(self, query: Any, visible: Mapping[str, list[ResultColumn]]) -> list[ResultColumn]:
        """Return the columns of a query, and note what each of its parts can see."""
        visible = dict(visible)
        for cte in query.ctes:
            columns = self.of(cte.this, visible)
            names = [column.name for column in cte.args["alias"].columns]
            visible[cte.alias.lower()] = rename_columns(columns, names)
        if isinstance(query, exp.Subquery):
            return self.of(query.this, visible)
        if isinstance(query, exp.SetOperation):
            self.of(query.expression, visible)
            return self.of(query.this, visible)
        scope: Scope = {}
        sources = [query.args.get("from_"), *(query.args.get("joins") or [])]
        for source in (each.this for each in sources if each):
            if isinstance(source, exp.Subquery):
                scope[source.alias.lower() or f"#{len(scope)}"] = self.of(source, visible)
            elif isinstance(source, exp.Table):
                scope[source.alias_or_name.lower()] = self._table_columns(source, visible)
        self.scopes[id(query)] = scope
        for inner in nested_queries(query):
            self.of(inner, visible)
        return [column for each in query.expressions for column in self._projected(each, scope)]

    def _table_columns(
        self, table: exp.Table, visible: Mapping[str, list[ResultColumn]]
    ) -> list[ResultColumn]:
        if table.name.lower() in visible:
            return visible[table.name.lower()]
        view = self.views[table.name.lower()]
        return [ResultColumn(column.name, column.type, column.size) for column in view.columns]

    def _projected(self, projection: Any, scope: Scope) -> Iterator[ResultColumn]:
        if isinstance(projection, exp.Star):
            for columns in scope.values():
                yield from columns
        elif isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
            yield from scope.get(projection.table.lower(), [])
        else:
            name = projection.alias_or_name
            is_quoted = isinstance(projection, exp.Alias) and projection.args["alias"].quoted
            kind, size = self._type_and_size(projection)
            yield ResultColumn(name if is_quoted else name.upper(), kind, size)

    def _type_and_size(self, node: Any) -> tuple[OracleType | None, int]:
        node = bare(node)
        if isinstance(node, exp.Column):
            column = self.find(node)
            return (column.type, column.size) if column else (None, 0)
        kind = self.type_of(node)
        return kind, size_of(kind)

    def find(self, node: exp.Column) -> ResultColumn | None:
        """Return the column that a name stands for, in its own query or in one around it."""
        select = node.parent_select
        while select is not None:
            scope = self.scopes.get(id(select), {})
            for alias, columns in scope.items():
                if not node.table or node.table.lower() == alias:
                    for column in columns:
                        if column.name.lower() == node.name.lower():
                            return column
            select = select.parent_select
        return None

    def type_of(self, node: Any) -> OracleType | None:
        """Return the type of an expression, or None if only the rows can tell."""
        node = bare(node)
        match node:
            case exp.Column():
                column = self.find(node)
                return column.type if column else None
            case exp.Literal():
                return TEXT if node.is_string else NUMBER
            case exp.Neg() | exp.Mul() | exp.Add() | exp.Sub() | exp.Count() | exp.Sum() | exp.Avg():
                return NUMBER
            case exp.RowNumber() | exp.Rank() | exp.DenseRank() | exp.Ntile():
                return NUMBER
            case exp.AggFunc() | exp.Window():
                return self.type_of(node.this)
            case exp.Case():
                results = [*(each.args["true"] for each in node.args["ifs"]), node.args.get("default")]
                return next((kind for each in results if each and (kind := self.type_of(each))), None)
            case exp.Subquery():
                columns = self.of(node.this, {})
                return columns[0].type if columns else None
            case exp.Anonymous():
                return self._type_of_call(node)
        return None

    def _type_of_call(self, call: exp.Anonymous) -> OracleType | None:
        name = call.name.lower()
        arguments = call.expressions
        if name in AGGREGATES:
            return AGGREGATES[name][1]
        if name in ("plus", "minus"):
            kinds = [self.type_of(argument) for argument in arguments]
            if None in kinds:
                return None
            return sum_type(name, *kinds)
        returns = RETURNS[name]
        if isinstance(returns, OracleType):
            return returns
        return self.type_of(arguments[returns]) if len(arguments) > returns else None


def rename_columns(columns: Sequence[ResultColumn], names: Sequence[str]) -> list[ResultColumn]:
    if len(names) != len(columns):
        return list(columns)
    pairs = zip(columns, names, strict=True)
    return [ResultColumn(name.upper(), column.type, column.size) for column, name in pairs]


def nested_queries(select: exp.Select) -> Iterator[Any]:
    """Return the queries inside the expressions of a query, but not those it reads from."""
    for node in select.find_all(exp.Select):
        if node is select or node.parent_select is not select:
            continue
        holder = node.find_ancestor(exp.From, exp.Join, exp.CTE, exp.Select)
        if holder is select:
            yield node


def sum_type(name: str, left: OracleType | None, right: OracleType | None) -> OracleType | None:
    """Return the type of a sum with dates in it: a timestamp moved by a number of days is a DATE."""
    if name == "minus" and left in DATES and right in DATES:
        return NUMBER
    for kind, other in ((left, right), (right, left)):
        if kind in DATES:
            return DATE if other is NUMBER else kind
    return left if left is right else NUMBER


def size_of(kind: OracleType | None) -> int:
    sizes = {NUMBER: 22, DATE: 7, TEXT: 4000, OracleType.RAW: 2000, OracleType.TIMESTAMP_TZ: 13}
    return sizes.get(kind, 11) if kind else 0
