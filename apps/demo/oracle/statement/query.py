"""
A statement read: Oracle's SQL turned into SQLite's, with what must be known to run it.

sqlglot parses. Functions keep their names, since functions/ teaches them to SQLite; what is left is what the two
dialects write differently, what Oracle refuses and SQLite would not, and the types of the result.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.dialects.oracle import Oracle
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import ParseError, TokenError
from sqlglot.parsers.oracle import OracleParser
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.transforms import eliminate_join_marks

from .dictionary import Release, View, plain_name
from .errors import OraError
from .functions import AGGREGATES, INTERNAL, RETURNS
from .values import LARGEST, LONG_NUMBER
from .wire import OracleType

NUMBER = OracleType.NUMBER
TEXT = OracleType.VARCHAR2
DATE = OracleType.DATE
DATES = (DATE, OracleType.TIMESTAMP, OracleType.TIMESTAMP_TZ)

KEPT_FUNCTIONS = frozenset(
    {"COUNT", "SUM", "MIN", "MAX", "AVG", "ROW_NUMBER", "RANK", "DENSE_RANK", "LAG", "LEAD"}
    | {"FIRST_VALUE", "LAST_VALUE", "NTILE"}
)
KEPT_SYNTAX = frozenset({"CAST", "EXTRACT", "TRIM", "LISTAGG"})


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


BARE_FUNCTIONS = frozenset({"user", "uid", "sessiontimezone", "dbtimezone", "current_schema"})


@dataclass(frozen=True)
class ResultColumn:
    """A column of a query as far as the statement tells; no type where only the rows can tell."""

    name: str
    type: OracleType | None
    size: int


Scope = dict[str, list[ResultColumn]]


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


def offset_of(tokens: Sequence[Token], name: str) -> int:
    """Return where a (qualified) name is first written in a statement."""
    parts = name.lower().split(".")
    texts = [token.text.lower() for token in tokens]
    for position, text in enumerate(texts):
        wanted = [piece for part in parts for piece in (part, ".")][:-1]
        if text == parts[0] and texts[position : position + len(wanted)] == wanted:
            return tokens[position].start
    return 0


def read_statement(sql: str, views: Mapping[str, View], release: Release) -> Plan:
    """Return the plan of a statement, or raise the error that Oracle would."""
    try:
        tokens = PlainOracle().tokenize(sql)
    except TokenError:
        raise OraError(1756, text="quoted string not properly terminated") from None
    if not tokens:
        raise OraError(900)
    first = tokens[0].text.upper()
    if first in ("SELECT", "WITH", "("):
        return Query(sql, tokens, views, release).plan()
    if first in ("BEGIN", "DECLARE", "CALL", "COMMIT", "ROLLBACK", "SET", "ALTER", "SAVEPOINT"):
        if first == "ALTER" and not re.match(r"\s*alter\s+session\s", sql, re.IGNORECASE):
            raise OraError(1031)
        return Plan()
    if first in ("INSERT", "UPDATE", "DELETE", "MERGE"):
        target = next((token.text for token in tokens if plain_name(token.text) in views), "")
        raise OraError(2030 if plain_name(target).startswith(("v$", "gv$")) else 1031)
    if first in (
        "CREATE",
        "DROP",
        "TRUNCATE",
        "GRANT",
        "REVOKE",
        "LOCK",
        "EXPLAIN",
        "RENAME",
        "COMMENT",
        "ANALYZE",
    ):
        raise OraError(1031)
    raise OraError(900)


class Query:
    """A query on its way from Oracle to SQLite."""

    def __init__(self, sql: str, tokens: list[Token], views: Mapping[str, View], release: Release) -> None:
        self.tokens = tokens
        self.views = views
        self.release = release
        self.bind_count = 0
        self.uses: list[ViewUse] = []
        self.scopes: dict[int, Scope] = {}
        self.tree = self._parse(sql)

    def plan(self) -> Plan:
        """Check and rewrite the statement."""
        self._refuse_foreign_syntax()
        self._find_views()
        columns = self._columns_of(self.tree, {})
        self._name_columns(columns)
        self._check_grouping()
        for select in self.tree.find_all(exp.Select):
            self._limit_rows(select)
        for node in reversed(list(self.tree.walk(bfs=True))):
            new = self._rewrite(node)
            if new is not node:
                if node is self.tree:
                    self.tree = new
                else:
                    node.replace(new)
        columns = self._columns_of(self.tree, {})
        sql = self.tree.sql(dialect=StrictSQLite, identify=True, comments=False)
        return Plan(sql, self.uses, columns, self.bind_count, self.tokens)

    # Reading

    def _parse(self, sql: str) -> Any:
        text = self._number_binds(sql)
        try:
            statements = sqlglot.parse(text, read=PlainOracle)
        except ParseError as error:
            raise self._syntax_error(error) from None
        if len(statements) != 1 or statements[0] is None or self.tokens[-1].token_type is TokenType.SEMICOLON:
            raise OraError(933, offset=self.tokens[-1].start)
        tree = statements[0]
        if not isinstance(tree, exp.Query):
            raise OraError(900)
        if any(column.args.get("join_mark") for column in tree.find_all(exp.Column)):
            tree = eliminate_join_marks(tree)
        return tree

    def _number_binds(self, sql: str) -> str:
        """Give each bind a name of its own: values come one for each place, whatever the name."""
        text = ""
        end = 0
        for token, name in pairwise(self.tokens):
            if token.token_type is TokenType.COLON and name.start == token.end + 1:
                self.bind_count += 1
                text += f"{sql[end : token.start]}:b{self.bind_count}"
                end = name.end + 1
        return text + sql[end:]

    def _syntax_error(self, error: ParseError) -> OraError:
        found = error.errors[0] if error.errors else {}
        start = str(found.get("start_context", ""))
        message = str(found.get("description", ""))
        offset = len(start)
        if "Expecting )" in message:
            return OraError(907, offset=offset)
        if "Required keyword" in message or "Expected" in message:
            return OraError(936, offset=offset)
        return OraError(933, offset=offset)

    def _refuse_foreign_syntax(self) -> None:
        """Raise an error for what other databases understand, and for what this one does not."""
        tokens = self.tokens
        for before, token in pairwise(tokens):
            if before.token_type is TokenType.SELECT and token.token_type is TokenType.FROM:
                raise OraError(936, offset=token.start)
        if self.tree.find(exp.Limit):
            raise OraError(933, offset=offset_of(tokens, "limit"))
        if self.release < (12, 1) and self.tree.find(exp.Fetch, exp.Offset):
            raise OraError(933, offset=offset_of(tokens, "fetch") or offset_of(tokens, "offset"))
        self._refuse_as_before_table_alias()
        for select in self.tree.find_all(exp.Select):
            if not select.args.get("from_") and self.release < (23,):
                raise OraError(923, offset=tokens[-1].end + 1)
        for boolean in self.tree.find_all(exp.Boolean):
            if self.release < (23,):
                name = str(boolean.this).upper()
                raise OraError(904, name=f'"{name}"', offset=offset_of(tokens, name))
        for call in self.tree.find_all(exp.Anonymous):
            name = call.name.lower()
            if name in INTERNAL or (name not in RETURNS and name not in AGGREGATES):
                raise OraError(904, name=f'"{name.upper()}"', offset=offset_of(tokens, name))
        unknown = self.tree.find(exp.Connect, exp.Pivot, exp.MatchRecognize, exp.WithinGroup, exp.Lock)
        if unknown:
            raise OraError(3001)
        for window in self.tree.find_all(exp.Window):
            if str(window.args.get("over", "OVER")).upper() != "OVER":
                raise OraError(3001)

    def _refuse_as_before_table_alias(self) -> None:
        tokens = self.tokens
        for position, token in enumerate(tokens[:-3]):
            if token.token_type in (TokenType.FROM, TokenType.JOIN):
                table = position + 1
                if tokens[table].token_type is TokenType.L_PAREN:
                    continue
                while table + 2 < len(tokens) and tokens[table + 1].token_type is TokenType.DOT:
                    table += 2
                if table + 1 < len(tokens) and tokens[table + 1].token_type is TokenType.ALIAS:
                    raise OraError(933, offset=tokens[table + 1].start)

    def _find_views(self) -> None:
        """Note the views, and give each the name that the engine knows it by."""
        names = {cte.alias.lower() for cte in self.tree.find_all(exp.CTE)}
        for table in self.tree.find_all(exp.Table):
            if not table.db and table.name.lower() in names:
                continue
            if "@" in table.name:
                raise OraError(2019, text="connection description for remote database not found")
            name = plain_name(table.name, table.db)
            use = ViewUse(name, offset_of(self.tokens, f"{table.db}.{table.name}".lstrip(".")))
            if name not in self.views:
                raise OraError(942, offset=use.offset)
            self.uses.append(use)
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            table.set("db", None)
            table.set("this", exp.to_identifier(name))

    # Columns and types

    def _columns_of(self, query: Any, known: Mapping[str, list[ResultColumn]]) -> list[ResultColumn]:
        """Return the columns of a query, and note what each of its parts can see."""
        known = dict(known)
        for cte in query.ctes:
            columns = self._columns_of(cte.this, known)
            names = [column.name for column in cte.args["alias"].columns]
            known[cte.alias.lower()] = renamed(columns, names)
        if isinstance(query, exp.Subquery):
            return self._columns_of(query.this, known)
        if isinstance(query, exp.SetOperation):
            self._columns_of(query.expression, known)
            return self._columns_of(query.this, known)
        scope: Scope = {}
        sources = [query.args.get("from_"), *(query.args.get("joins") or [])]
        for source in (each.this for each in sources if each):
            if isinstance(source, exp.Subquery):
                scope[source.alias.lower() or f"#{len(scope)}"] = self._columns_of(source, known)
            elif isinstance(source, exp.Table):
                scope[source.alias_or_name.lower()] = self._table_columns(source, known)
        self.scopes[id(query)] = scope
        for inner in nested_queries(query):
            self._columns_of(inner, known)
        return [column for each in query.expressions for column in self._projected(each, scope)]

    def _table_columns(self, table: exp.Table, known: Mapping[str, list[ResultColumn]]) -> list[ResultColumn]:
        if table.name.lower() in known:
            return known[table.name.lower()]
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

    def _name_columns(self, columns: Sequence[ResultColumn]) -> None:
        """Name the columns of the result as Oracle does: a bare expression by its own text."""
        select = self.tree
        while not isinstance(select, exp.Select):
            select = select.this
        texts = select_list(self.tokens)
        projections = select.expressions
        if len(texts) != len(projections):
            return
        for projection, text in zip(list(projections), texts, strict=True):
            if not isinstance(projection, exp.Alias | exp.Column | exp.Star):
                alias = exp.to_identifier(text, quoted=True)
                projection.replace(exp.Alias(this=projection.copy(), alias=alias))

    def _type_and_size(self, node: Any) -> tuple[OracleType | None, int]:
        node = bare(node)
        if isinstance(node, exp.Column):
            column = self._find_column(node)
            return (column.type, column.size) if column else (None, 0)
        kind = self._type_of(node)
        return kind, size_of(kind)

    def _find_column(self, node: exp.Column) -> ResultColumn | None:
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

    def _type_of(self, node: Any) -> OracleType | None:
        """Return the type of an expression, or None if only the rows can tell."""
        node = bare(node)
        match node:
            case exp.Column():
                column = self._find_column(node)
                return column.type if column else None
            case exp.Literal():
                return TEXT if node.is_string else NUMBER
            case exp.Neg() | exp.Mul() | exp.Add() | exp.Sub() | exp.Count() | exp.Sum() | exp.Avg():
                return NUMBER
            case exp.RowNumber() | exp.Rank() | exp.DenseRank() | exp.Ntile():
                return NUMBER
            case exp.AggFunc() | exp.Window():
                return self._type_of(node.this)
            case exp.Case():
                results = [*(each.args["true"] for each in node.args["ifs"]), node.args.get("default")]
                return next((kind for each in results if each and (kind := self._type_of(each))), None)
            case exp.Subquery():
                columns = self._columns_of(node.this, {})
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
            kinds = [self._type_of(argument) for argument in arguments]
            if None in kinds:
                return None
            return sum_type(name, *kinds)
        returns = RETURNS[name]
        if isinstance(returns, OracleType):
            return returns
        return self._type_of(arguments[returns]) if len(arguments) > returns else None

    # Rules that SQLite does not have

    def _check_grouping(self) -> None:
        """Refuse a bare column beside an aggregate, and an aggregate that chooses rows."""
        for select in self.tree.find_all(exp.Select):
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
                    raise OraError(979 if group else 937, offset=offset_of(self.tokens, loose.sql()))

    def _limit_rows(self, select: exp.Select) -> None:
        """Turn a condition on ROWNUM into a limit."""
        where = select.args.get("where")
        if not where or not any(is_rownum(each) for each in where.find_all(exp.Column)):
            return
        kept = []
        limit: Any = None
        for condition in where.this.flatten() if isinstance(where.this, exp.And) else [where.this]:
            found = rownum_limit(condition)
            if found is None:
                kept.append(condition)
            else:
                limit = found
        if limit is None or any(is_rownum(each) for part in kept for each in part.find_all(exp.Column)):
            raise OraError(3001)
        if kept:
            where.set("this", exp.and_(*kept, copy=False))
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
        self.scopes[id(inner)] = self.scopes.get(id(select), {})
        select.set("where", None)
        alias = exp.TableAlias(this=exp.to_identifier(source.this.alias_or_name))
        source.set("this", exp.Subquery(this=inner, alias=alias))

    # Rewriting

    def _rewrite(self, node: Any) -> Any:
        """Return what SQLite is given instead of a node; most stay as they are."""
        match node:
            case exp.CurrentTimestamp():
                return call("sysdate" if node.args.get("sysdate") else "current_timestamp_tz")
            case exp.Systimestamp():
                return call("systimestamp")
            case exp.CurrentDate():
                return call("sysdate")
            case exp.CurrentUser():
                return call("user")
            case exp.Column():
                return self._rewrite_column(node)
            case exp.Literal() | exp.National() | exp.RawString():
                return rewrite_literal(node)
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
            case exp.Cast():
                return rewrite_cast(node)
            case exp.Trim():
                position = str(node.args.get("position") or "").upper()
                name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(position, "trim")
                return call(name, node.this, *([node.expression] if node.expression else []))
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
        if node.table or self._find_column(node):
            return node
        if name in BARE_FUNCTIONS:
            return call(name)
        if name == "rownum":
            return exp.Window(this=exp.RowNumber(), over="OVER")
        return node

    def _rewrite_sum(self, node: Any) -> Any:
        left, right = self._type_of(node.this), self._type_of(node.expression)
        if left is right is NUMBER and not self._is_long(node):
            return node
        if isinstance(node, exp.Sub) and left in DATES and right in DATES and (left, right) != (DATE, DATE):
            return call("minus_timestamps", node.this, node.expression)
        return call("minus" if isinstance(node, exp.Sub) else "plus", node.this, node.expression)

    def _is_long(self, node: Any) -> bool:
        """Say whether a sum can meet a number beyond 64 bits: system change numbers can."""
        return any(column.name.upper().endswith("CHANGE#") for column in node.find_all(exp.Column))


def call(name: str, *arguments: Any) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[each.copy() for each in arguments])


def bare(node: Any) -> Any:
    while isinstance(node, exp.Paren | exp.Alias):
        node = node.this
    return node


def size_of(kind: OracleType | None) -> int:
    sizes = {NUMBER: 22, DATE: 7, TEXT: 4000, OracleType.RAW: 2000, OracleType.TIMESTAMP_TZ: 13}
    return sizes.get(kind, 11) if kind else 0


def sum_type(name: str, left: OracleType | None, right: OracleType | None) -> OracleType | None:
    """Return the type of a sum with dates in it: a timestamp moved by a number of days is a DATE."""
    if name == "minus" and left in DATES and right in DATES:
        return NUMBER
    for kind, other in ((left, right), (right, left)):
        if kind in DATES:
            return DATE if other is NUMBER else kind
    return left if left is right else NUMBER


def renamed(columns: Sequence[ResultColumn], names: Sequence[str]) -> list[ResultColumn]:
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
        found = loose_column(child, keys, select)
        if found is not None:
            return found
    return None


def is_rownum(node: Any) -> bool:
    return isinstance(node, exp.Column) and node.name.lower() == "rownum" and not node.table


def rownum_limit(condition: Any) -> Any:
    """Return how many rows a condition on ROWNUM lets through, or None if it is about something else."""
    left, right = condition.args.get("this"), condition.args.get("expression")
    one = exp.Literal.number(1)
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
        return exp.Sub(this=exp.Paren(this=right.copy()), expression=one)
    if kind is exp.EQ:
        # Only the first row can be asked for: there is no second before there was a first.
        return exp.Case(
            ifs=[exp.If(this=exp.EQ(this=right.copy(), expression=one), true=one.copy())],
            default=exp.Literal.number(0),
        )
    return None


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


def select_list(tokens: Sequence[Token]) -> list[str]:
    """Return the texts of the outermost select list, in capitals and without blanks."""
    depth = 0
    texts: list[str] = []
    is_inside = False
    for token in tokens:
        if token.token_type is TokenType.L_PAREN:
            depth += 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
        if depth == 0 and token.token_type is TokenType.SELECT and not is_inside:
            is_inside = True
            texts.append("")
            continue
        if not is_inside:
            continue
        if depth == 0 and token.token_type is TokenType.FROM:
            break
        if depth == 0 and token.token_type is TokenType.COMMA:
            texts.append("")
        elif token.token_type is TokenType.STRING:
            texts[-1] += f"'{token.text}'".upper()
        elif token.token_type is not TokenType.HINT:
            texts[-1] += re.sub(r"\s", "", token.text.upper())
    return texts
