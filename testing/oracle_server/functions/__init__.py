"""
Oracle's functions, for SQLite to call by the names Oracle gives them.

Each has the type of its result, or says from which argument it takes it. Null in, null out, unless marked otherwise.

- register.py    `Functions`, to which each is added
- choice.py  numbers.py  texts.py  dates.py  intervals.py    the functions by what they are about
- aggregates.py  those of a group of rows
"""

from ..wire import OracleType
from . import choice, dates, intervals, numbers, texts
from .aggregates import AGGREGATES

__all__ = ["AGGREGATES", "FUNCTIONS", "INTERNAL", "OF_SESSION", "RETURNS"]

FUNCTIONS = {
    **choice.functions,
    **numbers.functions,
    **texts.functions,
    **dates.functions,
    **intervals.functions,
}

# What depends on who asks and when is worked out by the engine; a statement needs to know of them what they return.
OF_SESSION = {
    "sysdate": OracleType.DATE,
    "systimestamp": OracleType.TIMESTAMP_TZ,
    "current_timestamp_tz": OracleType.TIMESTAMP_TZ,
    "user": OracleType.VARCHAR2,
    "uid": OracleType.NUMBER,
    "sessiontimezone": OracleType.VARCHAR2,
    "dbtimezone": OracleType.VARCHAR2,
    "current_schema": OracleType.VARCHAR2,
    "sys_context": OracleType.VARCHAR2,
    "userenv": OracleType.VARCHAR2,
}

# The type of the result of each, or the number of the argument whose type it has.
RETURNS: dict[str, OracleType | int] = {name: each.returns for name, each in FUNCTIONS.items()} | OF_SESSION

# Names that only rewritten statements use.
INTERNAL = frozenset(
    {"divide", "plus", "minus", "minus_timestamps", "date_literal", "timestamp_literal", "interval_literal"}
    | {"at_time_zone", "extract", "cast_text", "cast_number", "row_limit", "current_timestamp_tz"}
)
