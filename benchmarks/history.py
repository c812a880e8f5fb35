"""
Y: the history of an instance from before Headroom: Statspack hourly, and the logs, from the Oracle-speaking server.

    python -m benchmarks.history [--days 180]

The server runs every statement on SQLite, in another process; its own time is part of what is measured.
"""

import argparse
import resource
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter

from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

PREVIEW_SECONDS, READ_SECONDS = 30, 300  # of 180 days of hourly snapshots
ASKED_DAYS = 180
SCHEMA = "history"
MEBIBYTE = 1024  # in the units of ru_maxrss


def main() -> int:
    """Play the database, look, read, and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.history")
    parser.add_argument("--days", type=int, default=ASKED_DAYS)
    return measured_alone(partial(measure, parser.parse_args().days))


def measure(days: int, report: BenchmarkReport) -> None:
    """Register an instance that has kept so many days, ask what it remembers, and read all of it."""
    parent, child = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=_serve, args=(days, child), daemon=True)
    server.start()
    port = parent.recv()
    try:
        _measure(days, port, report)
    finally:
        server.terminate()
        server.join()


def _measure(days: int, port: int, report: BenchmarkReport) -> None:
    from apps.collection.collect import collect_target
    from apps.collection.history.imports import ask_for_history, look_for_history, read_history, start_reading
    from apps.collection.history.models import HistoryImport
    from apps.inventory.models import Credential, Target
    from apps.profiles.build import build_profile
    from apps.snapshots.presence import Presence
    from apps.snapshots.retention import ensure_partitions
    from benchmarks.estate import begin_in, make_estate

    make_estate(SCHEMA, targets=0, days=1)
    begin_in(SCHEMA)
    now = datetime.now(UTC)
    ensure_partitions([now.date() - timedelta(days=back) for back in range(days + 2)])
    address = {"host": "127.0.0.1", "port": port, "service": "INVPRD"}
    target = Target.objects.create(
        name="INVPRD",
        kind=Target.Kind.INSTANCE,
        platform="oracle",
        collector="oracle",
        address=address,
        registered_at=now,
    )
    Credential.objects.create(target=target, username="HEADROOM", password="secret-of-inv")
    collect_target(target, now, now)
    peak = _peak()
    began = perf_counter()
    ask_for_history(target, None, now)
    history = look_for_history(target.pk, now)
    assert history is not None
    looked = perf_counter() - began
    start_reading(target, [reach.key for reach in history.reaches], now)
    began = perf_counter()
    while read_history(target.pk, lambda: datetime.now(UTC)):
        pass
    read = perf_counter() - began
    stored = HistoryImport.objects.get(target=target).days_stored
    assert stored >= days - 2, f"only {stored} of {days} days were stored"
    share = days / ASKED_DAYS
    report.add(
        Measurement(
            "Y1", f"seconds to say what {days} days of history there are", looked, most=PREVIEW_SECONDS
        )
    )
    report.add(
        Measurement(
            "Y2", f"seconds to read {stored} days of hourly snapshots", read, most=READ_SECONDS * share
        )
    )
    # a morning's first reading ends the day before, which then has levels alone
    rows = build_profile(target, (now - timedelta(days=2)).date()).rows
    furthest = max(back for back in rows[0].then if back < days)
    filled = sum(row.then[furthest].presence is not Presence.NO_DATA for row in rows)
    report.add(
        Measurement(
            "Y4", f"of {len(rows)} rows of the profile, filled at −{furthest}", filled / len(rows), least=0.9
        )
    )
    report.add(Measurement("Y3", "MiB by which the reader grew", _peak() - peak, most=100))


def _peak() -> float:
    """The most memory that this process has taken, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBIBYTE


def _serve(days: int, channel: Connection) -> None:
    """Play a database with hourly snapshots of so many days, and say at which port."""
    from testing.oracle_server import OracleServer, Statspack, instance

    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    database = instance("INVPRD", started_at=now - timedelta(days=days + 3))
    Statspack(database).snap_each(timedelta(hours=1), now.replace(hour=0) - timedelta(days=days), now)
    server = OracleServer(database, service="INVPRD", users={"HEADROOM": "secret-of-inv"}).start()
    channel.send(server.port)
    channel.recv()


if __name__ == "__main__":
    sys.exit(main())
