"""Pluggable databases: the share each has of the instance's work. They do not add up to the instance."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric
from apps.platforms.oracle import sections
from apps.platforms.oracle.categories import CONTAINERS

statistic = partial(
    Metric,
    source="v$con_sysstat",
    category=CONTAINERS,
    kind=Kind.COUNTER,
    section=sections.CONTAINERS,
    component_kind="pluggable database",
    over_instances="sum",
)
time_model = partial(statistic, source="v$con_sys_time_model", reading_unit="microseconds", unit="hours/day")

METRICS = [
    time_model(
        key="pdb_db_time",
        name="DB time",
        label="DB time of the pluggable database",
        help="Time sessions of this pluggable database spent in the database, working or waiting.",
    ),
    time_model(
        key="pdb_db_cpu",
        name="DB CPU",
        label="DB CPU of the pluggable database",
        help="CPU that sessions of this pluggable database took.",
    ),
    statistic(
        key="pdb_executions",
        name="execute count",
        label="executions in the pluggable database",
        reading_unit="executions",
        unit="per second",
        display=Display(unit="M/day"),
        help="Statements executed in this pluggable database.",
    ),
    statistic(
        key="pdb_commits",
        name="user commits",
        label="commits in the pluggable database",
        reading_unit="transactions",
        unit="per second",
        display=Display(unit="k/day"),
        help="Commits of users in this pluggable database.",
    ),
    statistic(
        key="pdb_logical_reads",
        name="session logical reads",
        label="logical reads of the pluggable database",
        reading_unit="blocks",
        unit="blocks/day",
        display=Display(unit="G/day"),
        help="Blocks visited by sessions of this pluggable database.",
    ),
    statistic(
        key="pdb_read_bytes",
        name="physical read total bytes",
        label="read by the pluggable database",
        reading_unit="bytes",
        unit="GB/day",
        help="Bytes read from disk for this pluggable database.",
    ),
    statistic(
        key="pdb_redo",
        name="redo size",
        label="redo of the pluggable database",
        reading_unit="bytes",
        unit="GB/day",
        help="Redo generated in this pluggable database.",
    ),
]
