"""The scene of the families of statistics: an instance whose views show what the method's examples do, day after day."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from apps.platforms.oracle.tests.conftest import MiB, event, fill
from apps.platforms.oracle.tests.golden import DATA_FILES, FAMILIES, TABLESPACE_DAYS, TEMP_FILE, Golden
from apps.platforms.oracle.tests.lives import MIDNIGHT, Life, life_of
from testing.oracle_server import Clock, Database

ALL = [(row, golden) for row, family in FAMILIES.items() for golden in family]
SPACES = ("Tablespace1", "Tablespace2", "Tablespace3", "Tablespace4")


def days(now: datetime) -> float:
    return (now - MIDNIGHT) / timedelta(days=1)


def value_at(golden: Golden, now: datetime) -> int | float:
    if golden.is_level:
        return golden.read
    return round(1_000_000 + golden.read * (days(now) + 5))


def rows_of(view: str, columns: tuple[str, str], now: datetime) -> list[dict[str, Any]]:
    return [
        dict(zip(columns, (golden.name, value_at(golden, now)), strict=True))
        for _, golden in ALL
        if golden.view == view
    ]


def files(now: datetime, names: dict[str, tuple[int, int, int]]) -> list[dict[str, Any]]:
    rows = []
    for number, (ios, average, longest) in enumerate(names.values(), start=1):
        done = round(ios * (days(now) + 5))
        reads = done * 7 // 10
        spent = round(done * average / 10)  # centiseconds
        rows.append(
            {
                "file#": number, "phyrds": reads, "phywrts": done - reads, "singleblkrds": reads,
                "readtim": spent * 7 // 10, "writetim": spent - spent * 7 // 10, "singleblkrdtim": 0,
                "maxiortm": longest / 10, "maxiowtm": 1,
            }
        )  # fmt: skip
    return rows


def play(database: Database) -> None:
    """Let the views show what the method's examples do."""
    database.set_rows("v$sysstat", lambda now: rows_of("v$sysstat", ("name", "value"), now))
    database.set_rows("v$pgastat", lambda now: rows_of("v$pgastat", ("name", "value"), now))
    database.set_rows("v$sgainfo", lambda now: rows_of("v$sgainfo", ("name", "bytes"), now))
    database.set_rows(
        "v$sys_time_model",
        lambda now: [
            {"stat_name": "DB time", "value": round(121 * 3600e6 * (days(now) + 5))},
            {"stat_name": "DB CPU", "value": round(60 * 3600e6 * (days(now) + 5))},
            {"stat_name": "background cpu time", "value": round(2 * 3600e6 * (days(now) + 5))},
        ],
    )
    database.set_rows(
        "v$system_event",
        lambda now: [
            event("db file sequential read", "User I/O", round(1e6 * (days(now) + 5)), round(8e10 * (days(now) + 5))),
            event("log file sync", "Commit", round(1e6 * (days(now) + 5)), round(9e9 * (days(now) + 5))),
        ],
    )  # fmt: skip
    database.set_rows("v$filestat", lambda now: files(now, DATA_FILES))
    names = enumerate(DATA_FILES, start=1)
    database.set_rows("v$datafile", [{"file#": at, "name": name, "bytes": MiB} for at, name in names])
    database.set_rows("v$tempstat", lambda now: files(now, {TEMP_FILE[0]: TEMP_FILE[1:]}))
    database.set_rows("v$tempfile", [{"file#": 1, "name": TEMP_FILE[0], "bytes": MiB}])
    database.set_rows(
        "dba_tablespaces",
        [{"tablespace_name": name, "contents": "PERMANENT", "block_size": 8192} for name in SPACES],
    )
    database.set_rows(
        "dba_data_files",
        [{"tablespace_name": name, "bytes": 35_000 * MiB, "maxbytes": 0} for name in SPACES],
    )
    database.set_rows(
        "dba_tablespace_usage_metrics",
        lambda now: [
            {
                "tablespace_name": name,
                "used_space": TABLESPACE_DAYS[min(3, max(0, round(days(now)) - 1))][0] * 128 - 128 * at,
            }
            for name, at in zip(SPACES, (500, 0, 1000, 1500), strict=True)
        ],
    )
    segments = {"ORDERS": (9000, 100), "ORDERS_PK": (3000, 40), "AUDIT_TRAIL": (800, 60), "OLD": (50, 0)}
    database.set_rows(
        "dba_segments",
        lambda now: [
            {
                "owner": "SALES",
                "segment_name": name,
                "partition_name": part,
                "segment_type": "TABLE",
                "tablespace_name": "Tablespace2",
                "bytes": round((size + growth * days(now)) * MiB / 2),
            }
            for name, (size, growth) in segments.items()
            for part in ("P1", "P2")
        ],
    )
    database.set_rows(
        "dba_objects",
        [{"owner": "SALES", "object_name": name, "object_id": 70 + at} for at, name in enumerate(segments)],
    )
    database.set_rows(
        "v$segstat",
        lambda now: [
            {"obj#": 70 + at, "statistic_name": name, "value": round(rate * (days(now) + 5))}
            for at in range(len(segments))
            for name, rate in (
                ("logical reads", 1e6 * (4 - at)),
                ("physical reads", 5e4),
                ("space allocated", 10 * MiB),
                ("row lock waits", 7),
                ("segment scans", 3),
            )
        ],
    )


@contextmanager
def families_begun() -> Iterator[Life]:
    """The instance, read for the first time."""
    clock = Clock(MIDNIGHT)
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=5)))
    play(database)
    with life_of(database, clock) as life:
        life.collect()
        yield life
