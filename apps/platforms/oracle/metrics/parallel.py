"""Parallel execution: how much of it there is, and whether it gets the servers it asks for."""

from functools import partial

from apps.catalog.metric import Judging, Kind, Metric, Worse
from apps.platforms.oracle.categories import PARALLEL_SERVERS, SYSSTAT
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import PARALLEL

sysstat = partial(sources.sysstat, section=PARALLEL, reading_unit="operations", unit="per day")
BANDS = {"1_25": "1 to 25", "25_50": "25 to 50", "50_75": "50 to 75", "75_99": "75 to 99"}

METRICS = [
    sysstat(
        key="px_queries",
        name="queries parallelized",
        label="queries in parallel",
        reading_unit="statements",
        help="Queries that ran with parallel servers.",
    ),
    sysstat(
        key="px_ddl",
        name="DDL statements parallelized",
        label="DDL in parallel",
        reading_unit="statements",
        help="Index builds, moves and their like with parallel servers.",
    ),
    sysstat(
        key="px_dml",
        name="DML statements parallelized",
        label="DML in parallel",
        reading_unit="statements",
        help="Inserts, updates and deletes with parallel servers.",
    ),
    sysstat(
        key="px_dfo",
        name="DFO trees parallelized",
        label="parallel plan trees",
        reading_unit="statements",
        help="Parallel parts of plans; a statement can have several.",
    ),
    sysstat(
        key="px_not_downgraded",
        name="Parallel operations not downgraded",
        label="parallel, all servers",
        help="Operations that got every server they asked for.",
    ),
    *(
        sysstat(
            key=f"px_down_{band}",
            name=f"Parallel operations downgraded {words} pct",
            label=f"parallel, {words} % fewer servers",
            worse=Worse.HIGHER,
            help=f"Operations that had to make do with {words} % fewer servers than they asked for.",
        )
        for band, words in BANDS.items()
    ),
    sysstat(
        key="px_down_serial",
        name="Parallel operations downgraded to serial",
        label="parallel, no servers",
        worse=Worse.HIGHER,
        help="Operations that got no server at all: the statement ran alone and took many times as long.",
    ),
    Metric(
        key="px_downgrade_pct",
        over_instances="ratio",
        label="parallel operations cut down",
        source="derived",
        category=SYSSTAT,
        kind=Kind.RATIO,
        section=PARALLEL,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: (
            100
            * (down := sum(w.delta(f"px_down_{band}") for band in (*BANDS, "serial")))
            / (down + w.delta("px_not_downgraded"))
        ),
        help="Share of parallel operations that got fewer servers than they asked for. The reason why a batch takes"
        " twice as long on some nights.",
    ),
    Metric(
        key="px_servers_highwater",
        judging=Judging(instead="px_servers_in_use"),
        over_instances="sum",
        name="Servers Highwater",
        label="parallel servers, maximum",
        source="v$px_process_sysstat",
        category=PARALLEL_SERVERS,
        kind=Kind.HIGH_WATER,
        section=PARALLEL,
        unit="servers",
        worse=Worse.HIGHER,
        help="Most parallel servers at once since start-up; compare with PARALLEL_MAX_SERVERS.",
    ),
    Metric(
        key="px_servers_in_use",
        over_instances="sum",
        name="Servers In Use",
        label="parallel servers in use",
        source="v$px_process_sysstat",
        category=PARALLEL_SERVERS,
        kind=Kind.GAUGE,
        section=PARALLEL,
        unit="servers",
        help="Parallel servers at work at the moment of reading.",
    ),
]
