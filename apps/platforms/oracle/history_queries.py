"""
Statements about the days before the first reading.

They are sent when somebody asks for the history of an instance, and only then. `:low` and `:high` are the snapshots
of one day, so that no statement brings more than a day; `:names` are the statistics of the catalogue.
"""

from functools import partial

from apps.platforms.oracle.queries import Query
from apps.platforms.oracle.versions import State

ONCE = "when history is read"
of_tables = partial(Query, rhythm=ONCE, seconds=60, needs=State.OPEN)
control_file = partial(Query, rhythm=ONCE, seconds=60, needs=State.MOUNTED)

_OF_THIS = """
    snap_id between :low and :high and dbid = (select dbid from v$database)
    and instance_number = (select instance_number from v$instance)
"""

SNAPSHOTS = of_tables(
    name="stats$snapshot",
    text="""
        select snap_id, snap_time, startup_time, snap_level, dbid
          from perfstat.stats$snapshot
         where instance_number = (select instance_number from v$instance)
         order by snap_time
    """,
)
SYSSTAT = of_tables(
    name="stats$sysstat",
    text=f"select snap_id, name, value from perfstat.stats$sysstat where {_OF_THIS} and name in (:names)",
)
SYSTEM_EVENT = of_tables(
    name="stats$system_event",
    text=f"""
        select snap_id, event, total_waits, total_timeouts, time_waited_micro,
               total_waits_fg, total_timeouts_fg, time_waited_micro_fg
          from perfstat.stats$system_event
         where total_waits > 0 and {_OF_THIS}
    """,
)
TIME_MODEL = of_tables(
    name="stats$sys_time_model",
    text=f"""
        select m.snap_id, n.stat_name, m.value
          from (select snap_id, stat_id, value from perfstat.stats$sys_time_model where {_OF_THIS}) m
          join perfstat.stats$time_model_statname n on n.stat_id = m.stat_id
    """,
)
OSSTAT = of_tables(
    name="stats$osstat",
    text=f"""
        select m.snap_id, n.stat_name, m.value
          from (select snap_id, osstat_id, value from perfstat.stats$osstat where {_OF_THIS}) m
          join perfstat.stats$osstatname n on n.osstat_id = m.osstat_id
    """,
)
PGASTAT = of_tables(
    name="stats$pgastat",
    text=f"select snap_id, name, value from perfstat.stats$pgastat where {_OF_THIS}",
)
DATA_FILES = of_tables(
    name="stats$filestatxs",
    text=f"""
        select snap_id, filename, phyrds, phywrts, singleblkrds, readtim, writetim, singleblkrdtim
          from perfstat.stats$filestatxs
         where {_OF_THIS}
    """,
)
TEMP_FILES = of_tables(
    name="stats$tempstatxs",
    text=f"""
        select snap_id, filename, phyrds, phywrts, singleblkrds, readtim, writetim, singleblkrdtim
          from perfstat.stats$tempstatxs
         where {_OF_THIS}
    """,
)
LIMITS = of_tables(
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

_OF_INSTANCE = """
    dbid = (select dbid from v$database) and instance_number = (select instance_number from v$instance)
"""
PARAMETER_VALUES = of_tables(
    name="stats$parameter",
    text=f"""
        select name, value, min(snap_id), max(snap_id)
          from perfstat.stats$parameter
         where {_OF_INSTANCE}
         group by name, value
    """,
)
PARAMETERS_BY_SNAPSHOT = of_tables(
    name="stats$parameter of some parameters",
    text=f"select snap_id, name, value from perfstat.stats$parameter where name in (:names) and {_OF_INSTANCE}",
)
PATCHES = of_tables(
    name="dba_registry_sqlpatch",
    text="""
        select action_time, patch_id, action, status, description
          from dba_registry_sqlpatch
         order by action_time
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

CATALOGS = of_tables(
    name="all_views of recovery catalogs",
    text="select owner from all_views where view_name = 'RC_BACKUP_DATAFILE' order by owner",
)


def catalog_database(owner: str) -> Query:
    """This database as a recovery catalog knows it: its current incarnation."""
    return of_tables(
        name="rc_database",
        text=f"select dbinc_key from {owner}.rc_database where dbid = (select dbid from v$database)",
    )


def catalog_backups(owner: str) -> Query:
    """What a recovery catalog keeps of backups of this database's current incarnation, in the columns of FILE_BACKUPS."""
    return of_tables(
        name="rc_backup_datafile",
        text=f"""
            select b.file#, b.creation_change#, b.completion_time, b.datafile_blocks * b.block_size,
                   b.blocks * b.block_size, b.incremental_level
              from {owner}.rc_backup_datafile b
              join {owner}.rc_database d on d.db_key = b.db_key and d.dbinc_key = b.dbinc_key
             where d.dbid = (select dbid from v$database) and b.completion_time > sysdate - 400 and b.file# > 0
             order by b.completion_time
        """,
    )


# as the documentation has them, whoever owns the catalog
CATALOG_DATABASE = catalog_database("rman")
CATALOG_BACKUPS = catalog_backups("rman")

STATEMENTS = [value for value in list(globals().values()) if isinstance(value, Query)]
