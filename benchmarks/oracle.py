"""
What collecting from Oracle costs beyond the driver, and how many instances one process reads at a time.

    python -m benchmarks.oracle [--instances 1000] [--in-flight 200] [--latency 0.2]

The server is a process of its own, so that its work is not taken for ours. It answers from rows that stand still. So is
the worker, whose readings are kept in a database (oracle_worker.py).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import django

from benchmarks.oracle_worker import growth, rounds_of
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

if TYPE_CHECKING:
    from testing.oracle_server import Database, OracleServer

OVERHEAD = 2.0  # times the same queries written by hand
MINUTES = 10
INSTANCES = 1000
SERIES = 2500
MORE_EVENTS, MORE_TABLESPACES = 64, 17
GROWTH = 5.0  # megabytes a thousand readings may add
MB, GB = 1024.0**2, 1024.0**3
SERVICE = "BENCH"
ACCOUNT = ("HEADROOM", "bench")


def serve(latency: float) -> None:
    """Serve one lifelike instance until the input ends; its port is printed first."""
    from testing.oracle_server import OracleServer

    database = large_instance()
    server = OracleServer(database, users=dict([ACCOUNT]), latency=latency).start()
    if latency:  # it stands for many machines, and is one: it works out each answer once
        remember_answers(server)
    hanging = OracleServer(database, users=dict([ACCOUNT])).start()
    hanging.faults.fall_silent()
    print(json.dumps({"port": server.port, "silent": hanging.port}), flush=True)
    sys.stdin.read()


def remember_answers(server: "OracleServer") -> None:
    """Let a server whose clock stands still give the same rows to the same words again."""
    [instance] = server.databases[0].instances
    engine = server.engine(server.databases[0], instance, None)
    work_out = engine.run
    answers: dict[str, Any] = {}

    def answer(sql: str, binds: Any, here: Any) -> Any:
        if sql not in answers:
            answers[sql] = work_out(sql, binds, here)
        return answers[sql]

    engine.run = answer  # type: ignore[method-assign]


def large_instance() -> "Database":
    """An instance of about 2,500 series: more events, tablespaces, files and segments than the usual one has."""
    from testing.oracle_server import TABLESPACES, Clock, PlayedTablespace, Wait, instance
    from testing.oracle_server.activity import usual

    quiet = [name for kind, events in usual()["events"].items() if kind != "Idle" for name in events["quiet"]]
    more = [
        PlayedTablespace(f"APP{number:02}_DATA", 4 * GB, 4 * MB, limit=30 * GB, files=3)
        for number in range(MORE_TABLESPACES)
    ]
    return instance(
        SERVICE,
        clock=Clock(datetime.now(UTC)),
        waits={name: Wait(0.2, 900) for name in quiet[:MORE_EVENTS]},
        tablespaces=[*TABLESPACES, *more],
    )


@contextmanager
def served(latency: float) -> Iterator[dict[str, int]]:
    """The server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.oracle", "--serve-only", str(latency)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        try:
            yield json.loads(first_line(child.stdout))
        finally:
            child.stdin.close()
            child.wait(20)


def first_line(stream: IO[str]) -> str:
    line = stream.readline()
    if not line:
        raise SystemExit("The server did not start.")
    return line


def by_collector(port: int) -> int:
    """One reading as Headroom makes it; returns its number of series."""
    from apps.inventory.models import Target
    from apps.platforms.oracle.collector import Run
    from apps.platforms.oracle.connect import Login

    target = Target(
        name=SERVICE,
        kind=Target.Kind.INSTANCE,
        platform="oracle",
        collector="oracle",
        address={"host": "127.0.0.1", "port": port, "service": SERVICE},
    )
    collected = Run(target, [Login(*ACCOUNT)]).collect()
    failed = [source.error for source in collected.failed]
    if failed:
        raise SystemExit(f"A source failed: {failed[0]}")
    return sum(len(source.readings) for source in collected.sources)


def by_hand(port: int) -> int:
    """The same statements with the driver alone, as many sign-ins among them; returns the number of rows."""
    import oracledb

    from apps.platforms.oracle.connect import with_names

    def connect() -> oracledb.Connection:
        return oracledb.connect(
            user=ACCOUNT[0], password=ACCOUNT[1], host="127.0.0.1", port=port, service_name=SERVICE
        )

    rows = 0
    with connect() as connection:
        connection.module = "by hand"
        for sql in statements():
            with connection.cursor() as cursor:
                cursor.arraysize = cursor.prefetchrows = 2500
                cursor.execute(*with_names(sql, []))
                rows += len(cursor.fetchall())
    for _ in range(2):
        connect().close()
    return rows


def statements() -> list[str]:
    """What a collection of this instance sends, in its order."""
    from apps.platforms.oracle import queries
    from apps.platforms.oracle.versions import Scope

    scope = Scope((19, 22))
    left_out = {*queries.OF_ROOT, *queries.BY_HAND}
    return [query.sql(scope) for query in queries.QUERIES if query not in left_out]


def in_flight(work: Callable[[int], int], port: int, count: int, at_once: int) -> float:
    """Seconds for so many readings, so many at once."""
    with ThreadPoolExecutor(at_once) as pool:
        began = time.perf_counter()
        list(pool.map(work, [port] * count))
        return time.perf_counter() - began


def overhead(port: int, at_once: int, rounds: int = 3) -> tuple[float, float]:
    """Median seconds of a reading, by the collector and by hand, the two in turns."""
    timings: dict[Callable[[int], int], list[float]] = {by_collector: [], by_hand: []}
    for _ in range(rounds):
        for work, seconds in timings.items():
            count = max(at_once, 4)
            seconds.append(in_flight(work, port, count, at_once) / count)
    return statistics.median(timings[by_collector]), statistics.median(timings[by_hand])


def delay_by_hanging(port: int, silent: int, at_once: int) -> tuple[float, float]:
    """Seconds for a batch without and with an instance among it that takes the connection and never answers."""
    from apps.collection.collector import CollectionError

    def ignoring_silence(where: int) -> int:
        try:
            return by_collector(where)
        except CollectionError:
            return 0

    alone = in_flight(by_collector, port, at_once, at_once)
    with ThreadPoolExecutor(at_once + 1) as pool:
        hung = pool.submit(ignoring_silence, silent)
        began = time.perf_counter()
        list(pool.map(by_collector, [port] * at_once))
        together = time.perf_counter() - began
        hung.result()
    return alone, together


def measure(
    report: BenchmarkReport, *, instances: int = 200, at_once: int = 200, latency: float = 0.2
) -> None:
    """What collecting costs, and what one process of this machine reads. It works on a scratch database."""
    with served(0.0) as ports:
        series = by_collector(ports["port"])
        by_hand(ports["port"])
        report.add(Measurement("O0", "series of the instance", series, least=SERIES))
        for key, number in (("O1", 1), ("O2", 32)):
            mine, hand = overhead(ports["port"], number)
            words = (
                f"collecting {series:,} series / the same by hand ({hand * 1000:.0f} ms), {number} in flight"
            )
            report.add(Measurement(key, words, mine / hand, most=OVERHEAD))
        stays_flat(report, ports["port"], rounds=12 if instances < INSTANCES else 48)
    with served(latency) as ports:
        alone, together = delay_by_hanging(ports["port"], ports["silent"], 16)
        report.add(
            Measurement("O3", "16 instances beside one that hangs / without it", together / alone, most=1.3)
        )
        [once] = rounds_of(ports["port"], SERVICE, ACCOUNT, targets=instances, at_once=at_once, rounds=1)
        minutes = once.seconds / 60 * INSTANCES / instances
        words = (
            f"{INSTANCES:,} instances at {latency * 1000:.0f} ms a query, read and kept, {at_once} in flight"
            f" ({instances} read)"
        )
        report.add(Measurement("O4", words, minutes, "minutes", most=MINUTES))
        report.add(Measurement("O4a", "memory of the worker then", once.megabytes, "MB"))


def stays_flat(report: BenchmarkReport, port: int, *, rounds: int, at_once: int = 32) -> None:
    """Whether a worker that reads on and on holds no more than it did once it was warm."""
    held = rounds_of(port, SERVICE, ACCOUNT, targets=at_once, at_once=at_once, rounds=rounds)
    warm = held[rounds // 3 :]
    words = (
        f"memory of the worker after {rounds * at_once:,} readings ({warm[-1].megabytes:.0f} MB)"
        f" / after {rounds // 3 * at_once:,}"
    )
    report.add(Measurement("O5", words, warm[-1].megabytes / warm[0].megabytes, most=1.03))
    is_long = len(warm) * at_once >= 1000  # of fewer, warming up is most of it
    report.add(
        Measurement(
            "O5b",
            "what 1,000 more readings add to it",
            growth(warm, at_once),
            "MB",
            most=GROWTH if is_long else None,
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print what must be and what was got; 1 where something was missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.oracle")
    parser.add_argument("--instances", type=int, default=200, help="how many are read; 1000 is the whole")
    parser.add_argument("--in-flight", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds each statement takes at least")
    parser.add_argument("--serve-only", type=float, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve_only is not None:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
        django.setup()
        serve(options.serve_only)
        return 0
    return measured_alone(
        partial(measure, instances=options.instances, at_once=options.in_flight, latency=options.latency)
    )


if __name__ == "__main__":
    sys.exit(main())
