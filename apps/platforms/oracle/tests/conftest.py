"""A database played by the Oracle-speaking server, and a target that leads to it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from apps.collection.collector import Collected, SourceRun
from apps.inventory.models import Target
from apps.platforms.oracle.collector import Run
from apps.platforms.oracle.connect import Login
from testing.oracle_server import Database, OracleServer
from testing.oracle_server.clock import wall_clock

MiB = 1024**2
NOW = datetime.now(UTC).replace(microsecond=0)


def fill(database: Database) -> Database:
    """Give the views rows such as an instance shows that has been up for a while."""
    database.set_rows(
        "v$sysstat",
        [
            {"name": "redo size", "value": 5_000_000_000_000},
            {"name": "user commits", "value": 40_000},
            {"name": "logons current", "value": 31},
            {"name": "session pga memory", "value": 2**64 - 4096},
            {"name": "something of this release", "value": 12},
        ],
    )
    database.set_rows(
        "v$sys_time_model",
        [
            {"stat_name": "DB time", "value": 9_000_000},
            {"stat_name": "PL/SQL execution elapsed time", "value": 7},
        ],
    )
    database.set_rows(
        "v$system_event",
        [
            event("db file sequential read", "User I/O", 1000, 6_000_000),
            event("log file sync", "Commit", 200, 2_000_000),
            event('ges: it\'s "odd" & <strange> µ', "Other", 3, 5),
            event("never waited for", "Other", 0, 0),
        ],
    )
    database.set_rows(
        "v$osstat",
        [
            {"stat_name": "NUM_CPUS", "value": 32, "cumulative": "NO"},
            {"stat_name": "NUM_CPU_CORES", "value": 16, "cumulative": "NO"},
            {"stat_name": "BUSY_TIME", "value": 700, "cumulative": "YES"},
        ],
    )
    database.set_rows(
        "v$pgastat",
        [
            {"name": "total PGA allocated", "value": 24 * 1024 * MiB, "unit": "bytes"},
            {"name": "over allocation count", "value": 3},
        ],
    )
    database.set_rows("v$sgainfo", [{"name": "Buffer Cache Size", "bytes": 100 * MiB}])
    database.set_rows(
        "v$resource_limit",
        [
            {
                "resource_name": "processes",
                "current_utilization": 200,
                "max_utilization": 322,
                "limit_value": "       500",
            },
            {
                "resource_name": "sessions",
                "current_utilization": 220,
                "max_utilization": 350,
                "limit_value": " UNLIMITED",
            },
        ],
    )
    database.set_rows(
        "v$system_parameter",
        [
            {"name": "processes", "value": "500", "display_value": "500", "isdefault": "FALSE", "con_id": 1},
            {
                "name": "db_block_size",
                "value": "8192",
                "display_value": "8192",
                "isdefault": "TRUE",
                "con_id": 1,
            },
            {
                "name": "sga_target",
                "value": "8589934592",
                "display_value": "8G",
                "isdefault": "FALSE",
                "con_id": 1,
            },
            {"name": "nothing_special", "value": "1", "display_value": "1", "isdefault": "TRUE", "con_id": 1},
        ],
    )
    database.set_rows(
        "dba_tablespaces",
        [
            {"tablespace_name": "DATA", "contents": "PERMANENT", "block_size": 8192},
            {"tablespace_name": "TEMP", "contents": "TEMPORARY", "block_size": 8192},
        ],
    )
    database.set_rows(
        "dba_tablespace_usage_metrics",
        [{"tablespace_name": "DATA", "used_space": 1280, "tablespace_size": 5000, "used_percent": 25.6}],
    )
    database.set_rows(
        "dba_data_files", [{"tablespace_name": "DATA", "bytes": 20 * MiB, "maxbytes": 40 * MiB}]
    )
    database.set_rows("dba_temp_files", [{"tablespace_name": "TEMP", "bytes": 8 * MiB, "maxbytes": 8 * MiB}])
    database.set_rows(
        "dba_temp_free_space",
        [
            {
                "tablespace_name": "TEMP",
                "tablespace_size": 8 * MiB,
                "allocated_space": 7 * MiB,
                "free_space": 6 * MiB,
            }
        ],
    )
    database.set_rows("v$sort_segment", [{"tablespace_name": "TEMP", "max_used_blocks": 512}])
    database.set_rows(
        "v$log", [{"group#": group, "thread#": 1, "bytes": 500 * MiB, "members": 2} for group in (1, 2, 3)]
    )
    database.set_rows(
        "v$logfile",
        [
            {"group#": group, "type": "ONLINE", "member": f"{disk}/redo{group}.log"}
            for group in (1, 2, 3)
            for disk in ("/u01/redo", "/u02/redo")
        ],
    )
    return database


def event(name: str, wait_class: str, waits: int, micro: int) -> dict[str, str | int]:
    return {
        "event": name,
        "wait_class": wait_class,
        "total_waits": waits,
        "total_timeouts": 0,
        "time_waited_micro": micro,
        "total_waits_fg": waits,
        "total_timeouts_fg": 0,
        "time_waited_micro_fg": micro,
    }


@pytest.fixture
def database() -> Database:
    return fill(Database("GISPRD", clock=wall_clock, hosts=["dbx-gis01"]))


@pytest.fixture
def serve() -> Iterator[Callable[[Database], OracleServer]]:
    """Starts servers, and stops them when the test is over."""
    servers: list[OracleServer] = []

    def start(database: Database) -> OracleServer:
        server = OracleServer(database, service="GISPRD", users={"HEADROOM": "secret-of-gis"}).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def server(database: Database, serve: Callable[[Database], OracleServer]) -> OracleServer:
    return serve(database)


def target_of(server: OracleServer, **address: object) -> Target:
    """A target that is read from this server; it is not saved."""
    address = {"host": "127.0.0.1", "port": server.port, "service": "GISPRD"} | address
    return Target(
        name="GISPRD", kind=Target.Kind.INSTANCE, platform="oracle", collector="oracle", address=address
    )


LOGIN = Login("HEADROOM", "secret-of-gis")


def read(server: OracleServer, *logins: Login) -> Collected:
    return Run(target_of(server), logins or [LOGIN]).collect()


def source(collected: Collected, name: str) -> SourceRun:
    return next(each for each in collected.sources if each.name == name)
