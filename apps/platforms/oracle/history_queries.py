"""
Statements about the days before the first reading.

They are sent when somebody asks for the history of an instance, and only then. `:low` and `:high` are the snapshots
of one day, so that no statement brings more than a day; `:names` are the statistics of the catalogue.
"""

from functools import partial

from apps.platforms.oracle.queries import Query
from apps.platforms.oracle.versions import State

ONCE = "when history is read"
statspack = partial(Query, rhythm=ONCE, seconds=60, needs=State.OPEN)
control_file = partial(Query, rhythm=ONCE, seconds=60, needs=State.MOUNTED)

_OF_THIS = """
    snap_id between :low and :high and dbid = (select dbid from v$database)
    and instance_number = (select instance_number from v$instance)
"""

SNAPSHOTS = statspack(
    name="stats$snapshot",
    text="""
        select snap_id, snap_time, startup_time, snap_level, dbid
          from perfstat.stats$snapshot
         where instance_number = (select instance_number from v$instance)
         order by snap_time
    """,
)
SYSSTAT = statspack(
    name="stats$sysstat",
    text=f"select snap_id, name, value from perfstat.stats$sysstat where {_OF_THIS} and name in (:names)",
)
SYSTEM_EVENT = statspack(
    name="stats$system_event",
    text=f"""
        select snap_id, event, total_waits, total_timeouts, time_waited_micro,
               total_waits_fg, total_timeouts_fg, time_waited_micro_fg
          from perfstat.stats$system_event
         where total_waits > 0 and {_OF_THIS}
    """,
)
TIME_MODEL = statspack(
    name="stats$sys_time_model",
    text=f"""
        select m.snap_id, n.stat_name, m.value
          from (select snap_id, stat_id, value from perfstat.stats$sys_time_model where {_OF_THIS}) m
          join perfstat.stats$time_model_statname n on n.stat_id = m.stat_id
    """,
)
OSSTAT = statspack(
    name="stats$osstat",
    text=f"""
        select m.snap_id, n.stat_name, m.value
          from (select snap_id, osstat_id, value from perfstat.stats$osstat where {_OF_THIS}) m
          join perfstat.stats$osstatname n on n.osstat_id = m.osstat_id
    """,
)
PGASTAT = statspack(
    name="stats$pgastat",
    text=f"select snap_id, name, value from perfstat.stats$pgastat where {_OF_THIS}",
)
DATA_FILES = statspack(
    name="stats$filestatxs",
    text=f"""
        select snap_id, filename, phyrds, phywrts, singleblkrds, readtim, writetim, singleblkrdtim
          from perfstat.stats$filestatxs
         where {_OF_THIS}
    """,
)
TEMP_FILES = statspack(
    name="stats$tempstatxs",
    text=f"""
        select snap_id, filename, phyrds, phywrts, singleblkrds, readtim, writetim, singleblkrdtim
          from perfstat.stats$tempstatxs
         where {_OF_THIS}
    """,
)
LIMITS = statspack(
    name="stats$resource_limit",
    text=f"""
        select snap_id, resource_name, current_utilization, max_utilization, limit_value
          from perfstat.stats$resource_limit
         where resource_name in ('processes', 'sessions') and {_OF_THIS}
    """,
)
ARCHIVED_LOGS = control_file(
    name="v$archived_log of months",
    text="""
        select max(blocks * block_size), max((completion_time - next_time) * 86400), min(first_time), max(next_time),
               max(completion_time)
          from v$archived_log
         where completion_time > sysdate - 400 and archived = 'YES' and standby_dest = 'NO'
           and thread# = (select thread# from v$instance)
         group by thread#, sequence#, resetlogs_id
    """,
)
LOG_SWITCHES = control_file(
    name="v$log_history of months",
    text="""
        select first_time
          from v$log_history
         where first_time > sysdate - 400 and thread# = (select thread# from v$instance)
         order by first_time
    """,
)

FILES = control_file(
    name="v$datafile with ages",
    text="select {container}, file#, creation_change#, creation_time, ts#, bytes from v$datafile",
)
TABLESPACES = control_file(name="v$tablespace", text="select {container}, ts#, name from v$tablespace")
FILE_BACKUPS = control_file(
    name="v$backup_datafile",
    text="""
        select file#, creation_change#, completion_time, datafile_blocks * block_size, blocks * block_size, incremental_level
          from v$backup_datafile
         where completion_time > sysdate - 400 and file# > 0
         order by completion_time
    """,
)

STATEMENTS = [value for value in list(globals().values()) if isinstance(value, Query)]
