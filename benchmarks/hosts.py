"""
Hosts: how long many of them take over SSH, and how much memory the files of many need.

    python -m benchmarks.hosts [--hosts 200] [--threads 16] [--days 30] [--of 40]

A real sshd on loopback stands for all hosts: each is a target of its own, read over a connection of its own by threads of one
process, as the worker for collections has them, and recorded. Both ends share the processors, so that fewer threads are more:
of 50 at once on two cores, some commands of the hosts take longer than the 30 seconds that they have. Files are a day of `sadf -j` at five minutes each, imported one after the other into hosts by files.
"""

import argparse
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

SECONDS = 300.0  # in which all hosts are to be read
STEP = timedelta(minutes=5)
DEVICES, PROCESSORS = 24, 48
EARLY = 0.25  # of the files, after which memory is looked at first
MOST_GROWTH = 1.1


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether it fits."""
    parser = argparse.ArgumentParser(prog="benchmarks.hosts")
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--of", type=int, default=40)
    return measured_alone(partial(_measure, parser.parse_args(arguments)))


def _measure(options: argparse.Namespace, report: BenchmarkReport) -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    if options.days:
        _measure_files(options.of, options.days, report)
    if options.hosts:
        _measure_ssh(options.hosts, options.threads, report)


# ── over SSH ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _measure_ssh(hosts: int, threads: int, report: BenchmarkReport) -> None:
    """Read all hosts once, each for the first time, then once more."""
    from apps.inventory.register import register_target
    from apps.snapshots.retention import ensure_partitions

    now = datetime.now(UTC)
    ensure_partitions([now.date()])
    with _sshd() as address:
        targets = [
            register_target(
                f"ssh{number:03}", kind="host", platform="linux", collector="linux-ssh", address=address, now=now,
                interval_minutes=5,
            )
            for number in range(hosts)
        ]  # fmt: skip
        for minutes in (0, 5):
            began = perf_counter()
            with ThreadPoolExecutor(threads) as pool:
                slot = now.replace(second=0, microsecond=0) + timedelta(minutes=minutes)
                took = list(pool.map(partial(_read, slot), targets))
            seconds = perf_counter() - began
            name = f"{hosts} hosts over SSH from one process of {threads} threads, reading {minutes // 5 + 1}"
            report.add(Measurement("H1", f"{name}: seconds for all", seconds, most=SECONDS))
            report.add(Measurement("H1", f"{name}: median of one, s", median(took)))
    report.add(Measurement("H1", "memory of this process at most, MB", _peak_mb()))


def _read(slot: datetime, target: Any) -> float:
    from apps.collection.collect import collect_target, release_connection

    began = perf_counter()
    try:
        run = collect_target(target, slot, datetime.now(UTC))
        assert run.state == "complete", run.reason or run.failed_sources
    finally:
        release_connection()
    return perf_counter() - began


@contextmanager
def _sshd() -> Iterator[dict[str, Any]]:
    """A real sshd on loopback that lets in whoever measures; yields the address of a host behind it."""
    import asyncssh

    binary = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if binary is None:
        raise SystemExit("openssh-server is not installed: nothing can be measured over SSH.")
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(0o755, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="headroom-sshd-") as name:
        folder = Path(name)
        keys = {who: asyncssh.generate_private_key("ssh-ed25519") for who in ("host", "user")}
        for who, key in keys.items():
            key.write_private_key(folder / who)
            (folder / who).chmod(0o600)
        public = {who: key.export_public_key().decode().strip() for who, key in keys.items()}
        (folder / "authorized").write_text(public["user"] + "\n")
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        (folder / "config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized\n"
            "PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nMaxStartups 500\nPerSourceMaxStartups none\n"
        )
        server = subprocess.Popen(
            [binary, "-D", "-e", "-f", str(folder / "config")], stderr=subprocess.DEVNULL
        )
        try:
            _wait_for(port)
            yield {
                "host": "127.0.0.1", "port": port, "user": _user(), "host_key": public["host"],
                "key_file": str(folder / "user"),
            }  # fmt: skip
        finally:
            server.terminate()
            server.wait(60)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise SystemExit("sshd does not listen.")


def _user() -> str:
    return subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _measure_files(hosts: int, days: int, report: BenchmarkReport) -> None:
    """Import a file a day and host, and look at the memory early and late."""
    from apps.collection.host_files import store_file
    from apps.inventory.register import register_target

    now = datetime.now(UTC)
    last = now.date() - timedelta(days=1)
    took, early = [], 0.0
    with tempfile.TemporaryDirectory(prefix="headroom-files-") as name:
        path = Path(name) / "day.json"
        for number in range(hosts):
            target = register_target(
                f"files{number:03}",
                kind="host",
                platform="linux",
                collector="linux-files",
                address={},
                now=now,
            )
            for back in range(days):
                path.write_text(
                    _day(target.name, datetime.combine(last - timedelta(days=back), datetime.min.time(), UTC))
                )
                began = perf_counter()
                with path.open("rb") as file:
                    store_file(target, file, path.name, now)
                took.append(perf_counter() - began)
                if len(took) == max(1, round(EARLY * hosts * days)):
                    early = _peak_mb()
    late = _peak_mb()
    of_all = (
        f"{hosts} hosts of {days} days of sadf -j at five minutes, {PROCESSORS} processors, {DEVICES} devices"
    )
    report.add(Measurement("H2", f"{of_all}: seconds for a day", median(took), most=2.0))
    report.add(Measurement("H2", "memory at most, MB, after a quarter of the files", early))
    report.add(
        Measurement("H2", "memory at most, all files / a quarter of them", late / early, most=MOST_GROWTH)
    )


def _day(host: str, midnight: datetime) -> str:
    """A day as `sadf -j -- -A` prints it, in its largest parts."""
    statistics = []
    for step in range(int(timedelta(days=1) / STEP)):
        ended_at = midnight + (step + 1) * STEP
        busy = 20 + step % 60
        statistics.append({
            "timestamp": {"date": f"{ended_at:%Y-%m-%d}", "time": f"{ended_at:%H:%M:%S}", "utc": 1, "interval": 300},
            "cpu-load": [
                {"cpu": cpu, "usr": busy, "nice": 0, "sys": 5, "iowait": 1, "steal": 0, "irq": 0, "soft": 0, "guest": 0,
                 "gnice": 0, "idle": 94 - busy}
                for cpu in ("all", *map(str, range(PROCESSORS)))
            ],
            "process-and-context-switch": {"proc": 4.0, "cswch": 9000.0 + step},
            "queue": {"runq-sz": 3, "plist-sz": 900, "ldavg-1": 2.0, "ldavg-5": 2.0, "ldavg-15": 2.0, "blocked": 0},
            "interrupts": [{"intr": "sum", "all": 800.0 * PROCESSORS} | {f"CPU{cpu}": 800.0 for cpu in range(PROCESSORS)}],
            "disk": [
                {"disk-device": f"sd{number}", "tps": 90.0, "rkB": 800.0, "wkB": 400.0, "areq-sz": 13.3, "aqu-sz": 0.4,
                 "await": 4.2, "util-percent": 20.0}
                for number in range(DEVICES)
            ],
        })  # fmt: skip
    record = {
        "nodename": host, "sysname": "Linux", "release": "5.14.0", "machine": "x86_64", "number-of-cpus": PROCESSORS,
        "file-date": f"{midnight:%Y-%m-%d}", "file-utc-time": "00:00:00", "timezone": "UTC", "statistics": statistics,
        "restarts": [],
    }  # fmt: skip
    return json.dumps({"sysstat": {"hosts": [record]}})


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
