"""
Every statement that is ever sent to a database.

They only read, need no binds, and name no licensed view. Words in braces depend on the release and the container
(versions.py). Select lists are read by position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.platforms.oracle.versions import OLDEST, SCOPES, Release, Scope, State


@dataclass(frozen=True, kw_only=True)
class Query:
    """One statement: `seconds` is how long each of its round trips may take."""

    name: str
    text: str
    seconds: float
    needs: State = State.STARTED
    since: Release = OLDEST

    def sql(self, scope: Scope) -> str:
        """The statement as it is sent to such a session."""
        return " ".join(self.text.format_map(scope.words()).split())


# Who is it, and when

INSTANCE = Query(
    name="v$instance",
    seconds=10,
    text="""
        select instance_number, instance_name, host_name, {version_full}, {edition}, startup_time, status, thread#,
               parallel, logins, sysdate, sys_extract_utc(systimestamp), {con_id}, {con_name}
          from v$instance
    """,
)
DATABASE = Query(
    name="v$database",
    seconds=10,
    needs=State.MOUNTED,
    text="""
        select dbid, name, db_unique_name, log_mode, open_mode, database_role, force_logging, flashback_on,
               platform_name, {cdb}
          from v$database
    """,
)
CONTAINERS = Query(
    name="v$pdbs",
    seconds=10,
    needs=State.MOUNTED,
    since=(12, 1),
    text="select con_id, name, open_mode from v$pdbs where con_id > 2",
)

# Counters: quick, and close together

SYSSTAT = Query(name="v$sysstat", seconds=15, text="select name, value from v$sysstat")
TIME_MODEL = Query(name="v$sys_time_model", seconds=10, text="select stat_name, value from v$sys_time_model")
SYSTEM_EVENT = Query(
    name="v$system_event",
    seconds=15,
    text="""
        select event, wait_class, total_waits, total_timeouts, time_waited_micro,
               total_waits_fg, total_timeouts_fg, time_waited_micro_fg
          from v$system_event
         where total_waits > 0
    """,
)
OSSTAT = Query(name="v$osstat", seconds=10, text="select stat_name, value, cumulative from v$osstat")
PGASTAT = Query(name="v$pgastat", seconds=10, text="select name, value from v$pgastat")
SGAINFO = Query(name="v$sgainfo", seconds=10, text="select name, bytes from v$sgainfo")
RESOURCE_LIMIT = Query(
    name="v$resource_limit",
    seconds=10,
    text="""
        select resource_name, current_utilization, max_utilization, limit_value
          from v$resource_limit
         where resource_name in ('processes', 'sessions')
    """,
)
SESSIONS = Query(
    name="v$session",
    seconds=15,
    text="""
        select count(*), count(case when status = 'ACTIVE' then 1 end)
          from v$session
         where type = 'USER'
    """,
)
PARALLEL_SERVERS = Query(
    name="v$px_process_sysstat", seconds=10, text="select statistic, value from v$px_process_sysstat"
)
PARAMETERS = Query(
    name="v$system_parameter",
    seconds=15,
    text="select name, value, display_value, isdefault from v$system_parameter {of_root}",
)

# Files, logs and undo

DATA_FILE_IO = Query(
    name="v$filestat",
    seconds=30,
    needs=State.MOUNTED,
    text="""
        select d.name, d.bytes, f.phyrds, f.phywrts, f.singleblkrds, f.readtim, f.writetim, f.singleblkrdtim,
               f.maxiortm, f.maxiowtm
          from v$filestat f join v$datafile d on d.file# = f.file#
    """,
)
TEMP_FILE_IO = Query(
    name="v$tempstat",
    seconds=30,
    needs=State.MOUNTED,
    text="""
        select d.name, d.bytes, f.phyrds, f.phywrts, f.singleblkrds, f.readtim, f.writetim, f.singleblkrdtim,
               f.maxiortm, f.maxiowtm
          from v$tempstat f join v$tempfile d on d.file# = f.file#
    """,
)
LOGS = Query(
    name="v$log",
    seconds=30,
    needs=State.MOUNTED,
    text="select group#, thread#, bytes, members from v$log",
)
LOG_MEMBERS = Query(
    name="v$logfile",
    seconds=30,
    needs=State.MOUNTED,
    text="select group#, member from v$logfile where type = 'ONLINE'",
)
LOG_HISTORY = Query(
    name="v$log_history",
    seconds=30,
    needs=State.MOUNTED,
    text="""
        select first_time
          from v$log_history
         where first_time > sysdate - 1 and thread# = (select thread# from v$instance)
         order by first_time
    """,
)
ARCHIVED_LOGS = Query(
    name="v$archived_log",
    seconds=30,
    needs=State.MOUNTED,
    text="""
        select max(blocks * block_size), max((completion_time - next_time) * 86400)
          from v$archived_log
         where completion_time > sysdate - 1 and archived = 'YES' and standby_dest = 'NO'
           and thread# = (select thread# from v$instance)
         group by thread#, sequence#, resetlogs_id
    """,
)
RECOVERY_AREA = Query(
    name="v$recovery_file_dest",
    seconds=30,
    needs=State.MOUNTED,
    text="select space_limit, space_used, space_reclaimable from v$recovery_file_dest where name is not null",
)
DISK_GROUPS = Query(
    name="v$asm_diskgroup_stat",
    seconds=15,
    text="select name, total_mb, free_mb, usable_file_mb from v$asm_diskgroup_stat",
)
UNDO = Query(
    name="v$undostat",
    seconds=15,
    needs=State.OPEN,
    text="""
        select undoblks, maxquerylen, ssolderrcnt, nospaceerrcnt, (end_time - begin_time) * 86400
          from v$undostat
         where end_time > sysdate - 1
    """,
)
UNDO_IN_USE = Query(
    name="v$undostat in use",
    seconds=15,
    needs=State.OPEN,
    text="""
        select t.name, u.activeblks + u.unexpiredblks
          from v$undostat u join v$tablespace t on t.ts# = u.undotsn
         where u.begin_time = (select max(begin_time) from v$undostat) {undo_of_root}
    """,
)

# The dictionary: once the counters are safe

TABLESPACES = Query(
    name="dba_tablespaces",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, contents, block_size from {dba}_tablespaces",
)
TABLESPACE_USAGE = Query(
    name="dba_tablespace_usage_metrics",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, used_space from {dba}_tablespace_usage_metrics",
)
DATA_FILES = Query(
    name="dba_data_files",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, bytes, maxbytes from {dba}_data_files",
)
TEMP_FILES = Query(
    name="dba_temp_files",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, bytes, maxbytes from {dba}_temp_files",
)
TEMP_SPACE = Query(
    name="dba_temp_free_space",
    seconds=60,
    needs=State.OPEN,
    text="""
        select {container}, tablespace_name, tablespace_size, allocated_space, free_space
          from {dba}_temp_free_space
    """,
)
SORT_SEGMENTS = Query(
    name="v$sort_segment",
    seconds=30,
    needs=State.OPEN,
    text="select {container}, tablespace_name, max_used_blocks from v$sort_segment",
)

QUERIES = [value for value in list(globals().values()) if isinstance(value, Query)]


def statements_for(scope: Scope) -> Iterator[tuple[Query, str]]:
    """Every statement that is sent in such a session."""
    for query in QUERIES:
        if scope.release >= query.since and (scope.is_root or query is not CONTAINERS):
            yield query, query.sql(scope)


def statements() -> Iterator[tuple[Query, Scope, str]]:
    """Every statement that is ever sent, in every form it takes."""
    for scope in SCOPES:
        for query, sql in statements_for(scope):
            yield query, scope, sql
