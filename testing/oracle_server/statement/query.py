"""A query read: Oracle's SQL turned into SQLite's, with what must be known to run it."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.transforms import eliminate_join_marks

from ..dictionary import Release, View, plain_name
from ..errors import OraError
from .columns import Columns
from .grammar import PlainOracle, StrictSQLite, offset_of
from .grouping import check_grouping
from .plan import Plan, ResultColumn, ViewUse
from .refusals import refuse_foreign_syntax, syntax_error
from .rewrite import Rewriting
from .rownum import limit_rows


class ParsedQuery:
    """A query on its way from Oracle to SQLite."""

    def __init__(self, sql: str, tokens: list[Token], views: Mapping[str, View], release: Release) -> None:
        self.tokens = tokens
        self.views = views
        self.release = release
        self.bind_count = 0
        self.uses: list[ViewUse] = []
        self.columns = Columns(views)
        self.tree = self._parse(sql)

    def plan(self) -> Plan:
        """Check and rewrite the statement."""
        refuse_foreign_syntax(self.tree, self.tokens, self.release)
        self._find_views()
        columns = self.columns.of(self.tree, {})
        self._name_columns(columns)
        check_grouping(self.tree, self.tokens)
        for select in self.tree.find_all(exp.Select):
            limit_rows(select, self.columns)
        rewriting = Rewriting(self.columns)
        for node in reversed(list(self.tree.walk(bfs=True))):
            new = rewriting.of(node)
            if new is not node:
                if node is self.tree:
                    self.tree = new
                else:
                    node.replace(new)
        columns = self.columns.of(self.tree, {})
        sql = self.tree.sql(dialect=StrictSQLite, identify=True, comments=False)
        return Plan(sql, self.uses, columns, self.bind_count, self.tokens)

    def _parse(self, sql: str) -> Any:
        text = self._number_binds(sql)
        try:
            statements = sqlglot.parse(text, read=PlainOracle)
        except ParseError as error:
            raise syntax_error(error) from None
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
