"""Which kind of statement it is: queries are run, some statements do nothing, the others are refused."""

import re
from collections.abc import Mapping

from sqlglot.errors import TokenError

from ..dictionary import Release, View, plain_name
from ..errors import OraError
from .grammar import PlainOracle
from .plan import Plan
from .query import ParsedQuery

QUERIES = {"SELECT", "WITH", "("}
WITHOUT_EFFECT = {"BEGIN", "DECLARE", "CALL", "COMMIT", "ROLLBACK", "SET", "ALTER", "SAVEPOINT"}
CHANGES = {"INSERT", "UPDATE", "DELETE", "MERGE"}
FORBIDDEN = {
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
}


def read_statement(sql: str, views: Mapping[str, View], release: Release) -> Plan:
    """Return the plan of a statement, or raise the error that Oracle would."""
    try:
        tokens = PlainOracle().tokenize(sql)
    except TokenError:
        raise OraError(1756, text="quoted string not properly terminated") from None
    if not tokens:
        raise OraError(900)
    first = tokens[0].text.upper()
    if first in QUERIES:
        return ParsedQuery(sql, tokens, views, release).plan()
    if first in WITHOUT_EFFECT:
        if first == "ALTER" and not re.match(r"\s*alter\s+session\s", sql, re.IGNORECASE):
            raise OraError(1031)
        return Plan()
    if first in CHANGES:
        target = next((token.text for token in tokens if plain_name(token.text) in views), "")
        raise OraError(2030 if plain_name(target).startswith(("v$", "gv$")) else 1031)
    if first in FORBIDDEN:
        raise OraError(1031)
    raise OraError(900)
