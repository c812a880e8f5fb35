"""Numbers somebody chose: parameters, the release, and how long the instance has been up."""

from functools import partial

from apps.catalog.metric import Kind, Metric
from apps.platforms.oracle.categories import INSTANCE, PARAMETERS
from apps.platforms.oracle.sections import CONFIGURATION

instance = partial(Metric, source="v$instance", category=INSTANCE, section=CONFIGURATION)
parameter = partial(
    Metric, source="v$system_parameter", category=PARAMETERS, kind=Kind.SETTING, section=CONFIGURATION
)
size = partial(parameter, reading_unit="bytes", unit="MB")

METRICS = [
    instance(
        key="instance_uptime_s",
        role="uptime",
        over_instances="min",
        name="STARTUP_TIME",
        label="up for",
        kind=Kind.GAUGE,
        reading_unit="seconds",
        unit="days",
        help="Time since start-up. When it falls, the instance was restarted and every counter began anew.",
    ),
    instance(
        key="oracle_version_num",
        name="VERSION",
        label="release",
        kind=Kind.SETTING,
        unit="count",
        help="Major and minor release as one number: 11.2, 12.1, 19.",
    ),
    size(
        key="cfg_sga_target",
        name="sga_target",
        label="sga_target",
        help="Size that automatic shared memory management keeps the SGA at; 0 when it is off.",
    ),
    size(
        key="cfg_sga_max_size",
        name="sga_max_size",
        label="sga_max_size",
        help="What the SGA may be raised to without a restart.",
    ),
    size(
        key="cfg_memory_target",
        name="memory_target",
        label="memory_target",
        help="SGA and PGA managed as one; on Linux it rules out huge pages. 0 when it is off.",
    ),
    size(
        key="cfg_pga_aggregate_target",
        name="pga_aggregate_target",
        label="pga_aggregate_target",
        help="What all PGA together should keep to.",
    ),
    size(
        key="cfg_pga_aggregate_limit",
        name="pga_aggregate_limit",
        label="pga_aggregate_limit",
        help="What all PGA together may not exceed: beyond it calls are cancelled (ORA-04036). Since 12.1.",
    ),
    size(key="cfg_log_buffer", name="log_buffer", label="log_buffer", help="Log buffer as it was asked for."),
    parameter(
        key="cfg_processes",
        name="processes",
        label="processes",
        unit="processes",
        help="Most processes at once, background included.",
    ),
    parameter(
        key="cfg_sessions", name="sessions", label="sessions", unit="sessions", help="Most sessions at once."
    ),
    parameter(
        key="cfg_cpu_count",
        name="cpu_count",
        label="cpu_count",
        unit="cpus",
        help="CPUs that Oracle plans with; lower than the host's where instances are caged.",
    ),
    parameter(
        key="cfg_parallel_max_servers",
        name="parallel_max_servers",
        label="parallel_max_servers",
        unit="servers",
        help="Most parallel servers at once.",
    ),
    parameter(
        key="cfg_undo_retention",
        name="undo_retention",
        label="undo_retention",
        unit="seconds",
        help="How long undo should be kept at least.",
    ),
    parameter(
        key="cfg_db_block_size",
        name="db_block_size",
        label="db_block_size",
        unit="bytes",
        help="Block size of SYSTEM and of all tablespaces that name no other.",
    ),
    parameter(
        key="cfg_open_cursors",
        name="open_cursors",
        label="open_cursors",
        unit="cursors",
        help="Most open cursors of one session (ORA-01000 beyond).",
    ),
    parameter(
        key="cfg_archive_lag_target",
        name="archive_lag_target",
        label="archive_lag_target",
        unit="seconds",
        help="Forces a log switch after so long; 0 when it is off.",
    ),
    parameter(
        key="cfg_fast_start_mttr_target",
        name="fast_start_mttr_target",
        label="fast_start_mttr_target",
        unit="seconds",
        help="How long recovery after a crash may take; shorter means more writing.",
    ),
    parameter(
        key="cfg_log_archive_max_processes",
        name="log_archive_max_processes",
        label="log_archive_max_processes",
        unit="processes",
        help="Archivers that may run at once.",
    ),
]
