"""
One process that collects as the worker does: many threads, few database connections, readings that are kept.

    python -m benchmarks.oracle_worker PORT SERVICE --targets 32 --at-once 32 --rounds 30

It works on the database its environment names, and prints a line of JSON after each round: seconds, and megabytes held.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import psutil

CONNECTIONS = 16  # as the supervisor gives the worker
FIRST_SLOT = datetime(2026, 2, 17, 0, 5, tzinfo=UTC)


class Round(NamedTuple):
    """A reading of every target: how long it took, and what the process held afterwards."""

    seconds: float
    megabytes: float
    series: int


def rounds_of(
    port: int, service: str, account: tuple[str, str], *, targets: int, at_once: int, rounds: int
) -> list[Round]:
    """Let a worker of its own read so many targets so many times."""
    command = [
        sys.executable, "-m", "benchmarks.oracle_worker", str(port), service,
        "--targets", str(targets), "--at-once", str(at_once), "--rounds", str(rounds),
    ]  # fmt: skip
    environment = {
        **os.environ,
        "HEADROOM_DATABASE_POOL": str(CONNECTIONS),
        "BENCH_ACCOUNT": ":".join(account),
    }
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return [Round(**json.loads(line)) for line in done.stdout.splitlines()]


def growth(held: Sequence[Round], targets: int) -> float:
    """Megabytes that a thousand readings add, by least squares over the rounds."""
    readings = np.arange(len(held)) * targets / 1000
    return float(np.polyfit(readings, [round_.megabytes for round_ in held], 1)[0])


def work(port: int, service: str, *, targets: int, at_once: int, rounds: int) -> Iterator[Round]:
    """Read every target at one slot after the other, and keep what was read."""
    from apps.collection.collect import collect_target, release_connection
    from apps.collection.models import CollectionRun
    from apps.inventory.models import Target
    from apps.inventory.register import register_target
    from apps.snapshots.retention import ensure_partitions

    ensure_partitions([FIRST_SLOT.date() + timedelta(days=day) for day in range(-9, rounds + 9)])
    username, _, password = os.environ["BENCH_ACCOUNT"].partition(":")
    Target.objects.filter(name__startswith="WORKER").delete()
    targets_of_round = [
        register_target(
            f"WORKER{number:04}",
            kind=Target.Kind.INSTANCE,
            platform="oracle",
            collector="oracle",
            # the number is nothing to the driver; it makes an address of each, so that none is taken for another
            address={"host": "127.0.0.1", "port": port, "service": service, "number": number},
            now=FIRST_SLOT,
            username=username,
            password=password,
        )
        for number in range(targets)
    ]

    def read(target: Target, slot: datetime) -> int:
        try:
            run = collect_target(Target.objects.get(pk=target.pk), slot, slot, captured_at=slot)
        finally:
            release_connection()  # as Celery does behind every task
        if run.state != CollectionRun.State.COMPLETE:
            raise SystemExit(f"{target.name}: {run.reason or run.failed_sources}")
        return run.series

    with ThreadPoolExecutor(at_once) as pool:
        for number in range(rounds):
            began = time.perf_counter()
            series = list(pool.map(read, targets_of_round, [FIRST_SLOT + timedelta(days=number)] * targets))
            held = psutil.Process().memory_info().rss / 1024**2
            yield Round(time.perf_counter() - began, held, max(series))


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.oracle_worker")
    parser.add_argument("port", type=int)
    parser.add_argument("service")
    parser.add_argument("--targets", type=int, default=32)
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    for result in work(
        options.port, options.service, targets=options.targets, at_once=options.at_once, rounds=options.rounds
    ):
        print(json.dumps(result._asdict()), flush=True)


if __name__ == "__main__":
    main()
