"""
Every statement that is ever sent to a database.

They only read, and name no licensed view. Words in braces depend on the release and the container (versions.py).
Select lists are read by position. `:names` stands for names that an earlier reading brought; they are bound, never
written into a statement.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.platforms.oracle.versions import OLDEST, SCOPES, Release, Scope, State


@dataclass(frozen=True, kw_only=True)
class Query:
    """One statement: `seconds` is how long each of its round trips may take, `rhythm` how often it is asked at most."""

    name: str
    text: str
    seconds: float
    needs: State = State.STARTED
    since: Release = OLDEST
    rhythm: str = ""  # empty: at each reading

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

SYSSTAT = Query(name="v$sysstat", seconds=15, text="select name, value from v$sysstat {whole_last}")
TIME_MODEL = Query(
    name="v$sys_time_model", seconds=10, text="select stat_name, value from v$sys_time_model {whole_last}"
)
SYSTEM_EVENT = Query(
    name="v$system_event",
    seconds=15,
    text="""
        select event, wait_class, total_waits, total_timeouts, time_waited_micro,
               total_waits_fg, total_timeouts_fg, time_waited_micro_fg
          from v$system_event
         where total_waits > 0 {whole_last}
    """,
)
OSSTAT = Query(
    name="v$osstat", seconds=10, text="select stat_name, value, cumulative from v$osstat {whole_last}"
)
PGASTAT = Query(name="v$pgastat", seconds=10, text="select name, value from v$pgastat {whole_last}")
SGAINFO = Query(name="v$sgainfo", seconds=10, text="select name, bytes from v$sgainfo {whole_last}")
RESOURCE_LIMIT = Query(
    name="v$resource_limit",
    seconds=10,
    text="""
        select resource_name, current_utilization, max_utilization, limit_value
          from v$resource_limit
         where resource_name in ('processes', 'sessions') {whole_last}
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
    rhythm="hourly",
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
    rhythm="hourly",
    seconds=30,
    needs=State.MOUNTED,
    text="""
        select max(blocks * block_size), max((completion_time - next_time) * 86400), min(first_time), max(next_time)
          from v$archived_log
         where completion_time > sysdate - 1 and archived = 'YES' and standby_dest = 'NO'
           and thread# = (select thread# from v$instance)
         group by thread#, sequence#, resetlogs_id
    """,
)
RECOVERY_AREA = Query(
    name="v$recovery_file_dest",
    rhythm="hourly",
    seconds=30,
    needs=State.MOUNTED,
    text="select space_limit, space_used, space_reclaimable from v$recovery_file_dest where name is not null",
)
DISK_GROUPS = Query(
    name="v$asm_diskgroup_stat",
    seconds=15,
    text="select name, total_mb, free_mb, usable_file_mb, group_number from v$asm_diskgroup_stat",
)
ASM_DISKS = Query(
    name="v$asm_disk_stat",
    seconds=15,
    text="""
        select group_number, name, path, header_status, mode_status, total_mb, free_mb, reads, writes, read_time,
               write_time, bytes_read, bytes_written, read_errs, write_errs
          from v$asm_disk_stat
         where group_number > 0
    """,
)
UNDO = Query(
    name="v$undostat",
    rhythm="hourly",
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
    rhythm="hourly",
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
    rhythm="hourly",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, contents, block_size from {dba}_tablespaces",
)
TABLESPACE_USAGE = Query(
    name="dba_tablespace_usage_metrics",
    rhythm="hourly",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, used_space from {dba}_tablespace_usage_metrics",
)
DATA_FILES = Query(
    name="dba_data_files",
    rhythm="hourly",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, bytes, maxbytes, file_name from {dba}_data_files",
)
TEMP_FILES = Query(
    name="dba_temp_files",
    rhythm="hourly",
    seconds=60,
    needs=State.OPEN,
    text="select {container}, tablespace_name, bytes, maxbytes, file_name from {dba}_temp_files",
)
TEMP_SPACE = Query(
    name="dba_temp_free_space",
    rhythm="hourly",
    seconds=60,
    needs=State.OPEN,
    text="""
        select {container}, tablespace_name, tablespace_size, allocated_space, free_space
          from {dba}_temp_free_space
    """,
)
SORT_SEGMENTS = Query(
    name="v$sort_segment",
    rhythm="hourly",
    seconds=30,
    needs=State.OPEN,
    text="select {container}, tablespace_name, max_used_blocks from v$sort_segment",
)

# Dear ones, on a rhythm of their own

SEGMENTS = Query(
    name="dba_segments",
    rhythm="weekly",
    seconds=600,
    needs=State.OPEN,
    text="""
        select *
          from (select {container}, owner, segment_name, sum(bytes), min(tablespace_name), max(tablespace_name)
                  from {dba}_segments
                 where segment_type not in ('TYPE2 UNDO', 'ROLLBACK', 'TEMPORARY')
                 group by {by_container} owner, segment_name
                 order by sum(bytes) desc)
         where rownum <= 200
    """,
)
SEGMENT_STATISTICS = Query(
    name="v$segstat",
    rhythm="weekly",
    seconds=300,
    needs=State.OPEN,
    text="""
        select con_id, owner, object_name, statistic_name, value, place
          from (select con_id, owner, object_name, statistic_name, value,
                       row_number() over (partition by statistic_name order by value desc) place
                  from (select {of_segment} con_id, o.owner, o.object_name, s.statistic_name, sum(s.value) value
                          from v$segstat s
                          join {dba}_objects o on o.object_id = s.obj# {same_container}
                         where s.value > 0
                           and s.statistic_name in ('logical reads', 'physical reads', 'physical writes',
                                                    'db block changes', 'space allocated', 'row lock waits',
                                                    'buffer busy waits', 'ITL waits')
                         group by {by_segment} o.owner, o.object_name, s.statistic_name))
         where place <= 50 or owner || '.' || object_name in (:names)
    """,
)
FREE_SPACE = Query(
    name="dba_free_space",
    rhythm="weekly",
    seconds=300,
    needs=State.OPEN,
    text="""
        select {container}, tablespace_name, sum(bytes)
          from {dba}_free_space
         group by {by_container} tablespace_name
    """,
)

# Containers, where the root is asked

CONTAINER_STATISTICS = Query(
    name="v$con_sysstat",
    seconds=15,
    needs=State.OPEN,
    since=(12, 1),
    text="""
        select con_id, name, value
          from v$con_sysstat
         where con_id > 2
           and name in ('execute count', 'user commits', 'session logical reads', 'physical read total bytes',
                        'redo size')
    """,
)
CONTAINER_TIME = Query(
    name="v$con_sys_time_model",
    seconds=15,
    needs=State.OPEN,
    since=(12, 1),
    text="""
        select con_id, stat_name, value
          from v$con_sys_time_model
         where con_id > 2 and stat_name in ('DB time', 'DB CPU')
    """,
)
OF_ROOT = (CONTAINERS, CONTAINER_STATISTICS, CONTAINER_TIME)

# Sessions: when somebody asks for them, never stored

SESSION_LIST = Query(
    name="v$session by hand",
    rhythm="when somebody asks",
    seconds=15,
    text="""
        select sid, serial#, username, status, machine, program, module, type, logon_time, last_call_et, event,
               wait_class, sysdate
          from v$session
    """,
)
SESSION_STATISTICS = Query(
    name="v$sesstat",
    rhythm="when somebody asks",
    seconds=15,
    text="""
        select s.sid, n.name, s.value
          from v$sesstat s join v$statname n on n.statistic# = s.statistic#
         where s.value > 0
           and n.name in ('CPU used by this session', 'session logical reads', 'physical reads', 'redo size',
                          'session pga memory', 'user commits', 'execute count')
    """,
)
SESSION_EVENTS = Query(
    name="v$session_event",
    rhythm="when somebody asks",
    seconds=15,
    text="""
        select sid, event, wait_class, total_waits, time_waited_micro, max_wait
          from v$session_event
         where total_waits > 0 and wait_class <> 'Idle'
    """,
)
BY_HAND = (SESSION_LIST, SESSION_STATISTICS, SESSION_EVENTS)

PROBE_SECONDS = 5.0


def probe_of(view: str) -> Query:
    """A query for no rows of a view: that is enough to know whether it may be read."""
    return Query(name=view, text=f"select 1 from {view} where 1 = 0", seconds=PROBE_SECONDS)


QUERIES = [value for value in list(globals().values()) if isinstance(value, Query)]


def statements_for(scope: Scope) -> Iterator[tuple[Query, str]]:
    """Every statement that is sent in such a session."""
    for query in QUERIES:
        if scope.release >= query.since and (scope.is_root or query not in OF_ROOT):
            yield query, query.sql(scope)


def statements() -> Iterator[tuple[Query, Scope, str]]:
    """Every statement that is ever sent, in every form it takes."""
    for scope in SCOPES:
        for query, sql in statements_for(scope):
            yield query, scope, sql
