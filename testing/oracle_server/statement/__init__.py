"""
A statement read: Oracle's SQL turned into SQLite's, with what must be known to run it.

sqlglot parses. Functions keep their names, since functions/ teaches them to SQLite; what is left is what the two
dialects write differently, what Oracle refuses and SQLite would not, and the types of the result.

- read.py      `read_statement()`: queries, what does nothing, what is refused
- query.py     `Query`: from one dialect to the other; plan.py what comes of it
- grammar.py   the two dialects
- refusals.py  what Oracle does not understand, grouping.py what it does not group
- columns.py   the columns of a query and their types
- rownum.py    conditions on ROWNUM
- rewrite.py   what the dialects write differently
"""

from .plan import Plan, ResultColumn, ViewUse
from .read import read_statement

__all__ = ["Plan", "ResultColumn", "ViewUse", "read_statement"]
