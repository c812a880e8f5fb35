"""
Kill Headroom for minutes and see that nothing is lost: `make chaos`, or

    python -m benchmarks.chaos [--seed 1] [--kills 200] [--minutes 6.5] [--latency 0.15]

Everything is real: the supervisor with all its processes on a data folder of its own, an Oracle-speaking server that
answers slowly, a mail server, twenty instances and this machine read every minute. Kills and their moments follow the
seed. Where root may mount a tmpfs the disk is filled twice. Ends with status 1 where something is lost, doubled or
different.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median
from typing import Any

import psycopg

from benchmarks.chaos.drill import Drill
from benchmarks.chaos.estate import TWIN
from benchmarks.chaos.installation import ROOT, Installation, data_folder, free_port
from benchmarks.chaos.mailbox import Mailbox, mailbox
from benchmarks.chaos.plan import draw

LONGEST_RECOVERY = 35.0  # seconds
MIDDLE_RECOVERY = 15.0
BEFORE_SECONDS = 25  # to start in
SETTLE_SECONDS = 100  # until the last slots are missed, and noted
LOGS = ROOT / "build" / "chaos-log"  # what the processes wrote, kept after the drill
STEP = "benchmarks.chaos.estate"


def prepare(installation: Installation, port: int, seconds: float) -> None:
    """Make the database, the estate and its twin, with PostgreSQL alone."""
    with installation.postgres() as postgres:
        installation.run_step("apps.config.prepare", "--json")
        installation.run_step(STEP, "make", str(port), str(seconds))
        with psycopg.connect(postgres.url.replace("/headroom?", "/postgres?"), autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {TWIN} TEMPLATE headroom")


@contextmanager
def slow_oracle(latency: float) -> Iterator[int]:
    """The port of the server, which is a process of its own."""
    command = [sys.executable, "-m", "benchmarks.chaos.oracle", str(latency)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        assert child.stdin
        try:
            yield int(json.loads(child.stdout.readline())["port"])
        finally:
            child.stdin.close()
            child.wait(20)


def verify(installation: Installation, box: Mailbox, since: datetime, until: datetime) -> dict[str, Any]:
    """What became of it: counts, and the violations and notices beside those of the undisturbed twin."""
    with installation.postgres() as postgres:
        twin = postgres.url.replace("/headroom?", f"/{TWIN}?")
        for url in (postgres.url, twin):  # of the drill's own what is left, of the twin all of it
            installation.run_step(STEP, "review", database=url)
        installation.run_step(STEP, "deliver", database=postgres.url)
        disturbed, undisturbed = (
            json.loads(installation.run_step(STEP, "violations", database=url))
            for url in (postgres.url, twin)
        )
        moments = (since.isoformat(), until.isoformat())
        outcome = json.loads(
            installation.run_step(STEP, "check", *moments, words=json.dumps(dict(box.arrivals)))
        )
    return {
        **outcome,
        "violations": {
            "compared": len(undisturbed),
            "lost": sum(row not in disturbed for row in undisturbed),
            "doubled": sum(row not in undisturbed for row in disturbed),
        },
    }


def tell(drill: Drill, outcome: dict[str, Any], seed: int) -> bool:
    """Print it; whether all is well."""
    print(f"seed {seed}: {drill.kills} kills; the disk was filled {drill.fills} times")
    for words, recoveries in (
        ("", drill.recoveries),
        (" while the disk was full", drill.recoveries_while_full),
    ):
        for name, times in sorted(recoveries.items()):
            print(
                f"{name + words:44} {len(times):4} times, back after "
                f"{min(times):5.1f} / {median(times):5.1f} / {max(times):5.1f} s"
            )
    for name, value in outcome.items():
        print(f"{name:32} {value}")
    print(f"the supervisor ended of itself {drill.ended} times; not back at the end: {sorted(drill.away)}")
    is_fast = (
        bool(drill.times) and median(drill.times) <= MIDDLE_RECOVERY and max(drill.times) <= LONGEST_RECOVERY
    )
    if drill.times:
        print(
            f"back after {median(drill.times):.1f} s in the middle, {max(drill.times):.1f} s at most"
            f" ({MIDDLE_RECOVERY:.0f} and {LONGEST_RECOVERY:.0f} are asked for)"
        )
    is_whole = not any(faults_of(outcome))
    print("nothing is lost" if is_whole else f"FAULTS: {faults_of(outcome)}")
    return is_whole and is_fast and not drill.ended and not drill.away


def faults_of(outcome: dict[str, Any]) -> list[str]:
    """What must be 0 and is not, and what must be there and is not."""
    counts = {name: outcome[name] for name in ("unaccounted", "unexplained", "halved", "orphaned", "lost")}
    counts["figures different"] = outcome["figures"]["different"]
    for name in ("reports", "notices", "mails", "violations"):
        counts |= {f"{name} {fault}": outcome[name][fault] for fault in ("lost", "doubled")}
    missing = [
        name
        for name, count in (
            ("reading in the second half", outcome["read in the second half"]),
            ("reports sent", outcome["reports"]["sent"]),
            ("notices told", outcome["notices"]["told"]),
        )
        if not count
    ]
    return [f"{name}: {count}" for name, count in counts.items() if count] + [
        f"no {name}" for name in missing
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks.chaos", description="Kill Headroom at random, and check."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument(
        "--minutes", type=float, default=6.5, help="of killing; setting up and checking come on top"
    )
    parser.add_argument("--latency", type=float, default=0.15, help="seconds that each statement takes")
    options = parser.parse_args()
    seconds, mail_port = options.minutes * 60, free_port()
    with (
        data_folder() as (folder, has_disk),
        slow_oracle(options.latency) as port,
        mailbox(mail_port) as box,
    ):
        installation = Installation(folder, mail_port)
        drill = Drill(installation, draw(options.seed, options.kills, seconds))
        prepare(installation, port, seconds)
        installation.start()
        try:
            drill.settle(BEFORE_SECONDS)
            since = datetime.now(UTC)
            drill.go_on(seconds, has_disk)
            until = datetime.now(UTC)
            drill.settle(SETTLE_SECONDS)
        finally:
            installation.stop()
            shutil.copytree(installation.folder.logs, LOGS, dirs_exist_ok=True)
        return 0 if tell(drill, verify(installation, box, since, until), options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
