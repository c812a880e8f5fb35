"""Where readings of Oracle are stored: one number per source, and what people call it."""

SYSSTAT = 1
TIME_MODEL = 2
SYSTEM_EVENT = 3
OSSTAT = 4
PGASTAT = 5
SGAINFO = 6
TABLESPACES = 7
INSTANCE = 8
RESOURCE_LIMIT = 9
SESSION = 10
LOG = 11
LOG_HISTORY = 12
ARCHIVED_LOG = 13
UNDOSTAT = 14
TEMP = 15
FILES = 16
RECOVERY_AREA = 17
ASM = 18
PARALLEL_SERVERS = 19
PARAMETERS = 20
SIGN_IN = 21
SEGMENTS = 22
SEGSTAT = 23
FREE_SPACE = 24
CONTAINERS = 25
SORT_SEGMENT = 26
LOGINS = 27
ASM_DISKS = 28
DERIVED = 50

CATEGORIES = {
    SYSSTAT: "v$sysstat",
    TIME_MODEL: "v$sys_time_model",
    SYSTEM_EVENT: "v$system_event",
    OSSTAT: "v$osstat",
    PGASTAT: "v$pgastat",
    SGAINFO: "v$sgainfo",
    TABLESPACES: "tablespaces",
    INSTANCE: "v$instance",
    RESOURCE_LIMIT: "v$resource_limit",
    SESSION: "v$session",
    LOG: "v$log",
    LOG_HISTORY: "v$log_history",
    ARCHIVED_LOG: "v$archived_log",
    UNDOSTAT: "v$undostat",
    TEMP: "temporary space",
    FILES: "v$filestat and v$tempstat",
    RECOVERY_AREA: "v$recovery_file_dest",
    ASM: "v$asm_diskgroup_stat",
    PARALLEL_SERVERS: "v$px_process_sysstat",
    PARAMETERS: "v$system_parameter",
    SIGN_IN: "signing in",
    SEGMENTS: "dba_segments",
    SEGSTAT: "v$segstat",
    FREE_SPACE: "dba_free_space",
    CONTAINERS: "v$con_sysstat and v$con_sys_time_model",
    SORT_SEGMENT: "v$sort_segment",
    LOGINS: "logins of the night",
    ASM_DISKS: "v$asm_disk_stat",
    DERIVED: "figures from several sources",
}
