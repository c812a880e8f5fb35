"""
The licence guard: nothing is sent to a database that would need a pack.

A statement must be one query over views of the list below, calling plain functions only. That alone keeps licensed
views out, whatever their names are dressed up as; the names themselves are refused besides, even inside a string.
"""

import re
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

# base product only; a cdb_ view is the dba_ view of all containers
_READABLE = """
    all_views dual v$archived_log v$asm_disk_stat v$asm_diskgroup_stat v$backup_datafile v$database v$datafile v$event_name v$filestat
    v$instance v$iostat_file v$license v$log v$log_history v$logfile v$osstat v$parameter v$pdbs v$containers v$pgastat v$process
    v$px_process_sysstat v$recovery_file_dest v$resource_limit v$segstat v$session v$session_event v$sesstat v$sgainfo
    v$sort_segment v$statname v$sys_time_model v$sysstat v$system_event v$system_parameter v$tablespace v$tempfile
    v$tempstat v$undostat v$version v$con_sysstat v$con_system_event v$con_sys_time_model gv$instance
    dba_data_files dba_free_space dba_objects dba_registry_sqlpatch dba_segments dba_tablespace_usage_metrics dba_tablespaces dba_temp_files
    dba_temp_free_space
"""
READABLE = frozenset(_READABLE.split())

# tables of Statspack, which belongs to the base product too; read where somebody asks for history
_STATSPACK = """
    stats$filestatxs stats$osstat stats$osstatname stats$parameter stats$pgastat stats$resource_limit stats$snapshot
    stats$sys_time_model stats$sysstat stats$system_event stats$tempstatxs stats$time_model_statname
"""
STATSPACK = frozenset(_STATSPACK.split())
STATSPACK_OWNER = "perfstat"

# views of a recovery catalog, whose schema has any name; it belongs to the base product too
CATALOG = frozenset({"rc_backup_datafile", "rc_database"})

# what belongs to the Diagnostics or the Tuning Pack
_LICENSED = (
    "dba_hist_ cdb_hist_ awr_root_ awr_pdb_ awr_cdb_ dba_addm_ cdb_addm_ user_addm_ dba_advisor_ cdb_advisor_"
    " user_advisor_ active_session_history x$ash x$kewash wrh$_ wri$_ wrm$_ v$ash_info sql_monitor sql_plan_monitor"
    " dba_sqltune_ cdb_sqltune_ dbms_workload_repository dbms_addm dbms_sqltune dbms_sql_monitor dbms_advisor"
    " dbms_perf"
)
LICENSED = _LICENSED.split()

# functions that only compute; anything else could run a text as SQL
FUNCTIONS = frozenset(
    {"sys_context", "sys_extract_utc", "greatest", "least", "nvl", "decode", "to_number", "trim"}
)


class RefusedStatement(Exception):
    """A statement that Headroom does not send, and why."""


def check(sql: str) -> str:
    """Return the statement if it may be sent. Raises RefusedStatement."""
    views_in(sql)
    return sql


@lru_cache(maxsize=1000)
def views_in(sql: str) -> frozenset[str]:
    """
    The views a statement reads, by the names they are granted under the synonyms of; Statspack's tables and views of catalogs with their owner.

    Raises RefusedStatement.
    """
    refuse_licensed_names(sql)
    if "@" in sql:
        raise RefusedStatement("A statement over a database link is not sent.")
    try:
        trees = sqlglot.parse(sql, dialect="oracle")
    except SqlglotError:
        raise RefusedStatement("A statement that cannot be understood is not sent.") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise RefusedStatement("Only a single query is sent.")
    tree = trees[0]
    refuse_changes(tree)
    own = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    tables = [table for table in tree.find_all(exp.Table) if table.name.lower() not in own or table.db]
    if not tables:
        raise RefusedStatement("A statement that reads no view is not sent.")
    return frozenset(_readable(table) for table in tables)


def refuse_licensed_names(sql: str) -> None:
    """Look for the names in the text itself: without comments, quotes, blanks and the joints of strings."""
    without_comments = re.sub(r"/\*.*?\*/|--[^\n]*", "", sql, flags=re.DOTALL)
    for text in (sql, without_comments):
        bare = re.sub(r"[\s'\"|\\]+|/\*|\*/", "", text).lower().replace("v_$", "v$")
        for name in LICENSED:
            if name in bare:
                raise RefusedStatement(
                    f"A statement that names {name.rstrip('_')} needs a licensed pack; it is not sent."
                )


def refuse_changes(tree: exp.Query) -> None:
    """A query may still lock rows, or call a package that runs any text."""
    if tree.find(exp.Lock, exp.Into) is not None:
        raise RefusedStatement("Only statements that read are sent.")
    for call in tree.find_all(exp.Anonymous):
        if isinstance(call.parent, exp.Dot) or call.name.lower() not in FUNCTIONS:
            raise RefusedStatement(
                f"The function {call.name} is not one that only computes; the statement is not sent."
            )
    if tree.find(exp.XMLTable, exp.Lateral, exp.Unnest, exp.TableFromRows) is not None:
        raise RefusedStatement("A statement that makes its tables out of functions is not sent.")


def _readable(table: exp.Table) -> str:
    if not isinstance(table.this, exp.Identifier):
        raise RefusedStatement("A statement that makes its tables out of functions is not sent.")
    owner = table.db.lower()
    if owner == STATSPACK_OWNER and table.name.lower() in STATSPACK:
        return f"{owner}.{table.name.lower()}"
    if table.name.lower() in CATALOG and re.fullmatch(r"[a-z][a-z0-9_$#]*", owner) and owner != "sys":
        return f"{owner}.{table.name.lower()}"
    name = re.sub(r"^(g?v)_\$", r"\1$", table.name.lower())
    view = re.sub(r"^cdb_", "dba_", name)
    if view not in READABLE or owner not in ("", "sys"):
        raise RefusedStatement(
            f"{table.name} is not among the views that Headroom reads; the statement is not sent."
        )
    return name
