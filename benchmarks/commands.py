"""
C: what commands cost: processor time from the start of the process to its end, in turns.

    python -m benchmarks.commands
"""

import os
import resource
import subprocess
import sys
from datetime import timedelta
from statistics import median

from django.utils import timezone

from apps.config.embedded.supervisor import ROOT
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

ROUNDS = 7
HOST = "this-machine"
COMMANDS = {
    ("help",): 0.6,
    ("profile", HOST): 1.2,
    ("collect", HOST): 1.2,
}  # seconds that each may take


def measure(report: BenchmarkReport) -> None:
    """Seconds of processor time of some commands, on a host that was read twice, so that it has a profile."""
    from apps.snapshots.retention import ensure_ahead

    _run("migrate", "--verbosity", "0")
    _run("add_host", HOST, "--local")
    ensure_ahead(timezone.now().date())
    _run("collect", HOST, "--now", f"{timezone.now() - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}")
    _run("collect", HOST)
    timings: dict[tuple[str, ...], list[float]] = {command: [] for command in COMMANDS}
    for turn in range(-1, ROUNDS):
        for command, seconds in timings.items():
            spent = _run(*command)
            if turn >= 0:
                seconds.append(spent)
    for command, most in COMMANDS.items():
        words = f"manage.py {command[0]}: processor time"
        report.add(Measurement(f"C-{command[0]}", words, median(timings[command]), "s", most=most))


def _run(*arguments: str) -> float:
    """Run a command to its end; the processor time it took. Raises CalledProcessError where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(measured_alone(measure))
