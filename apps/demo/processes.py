"""Who uses the processors of a host: the processes of its instances, and all others."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.demo.machine import Machine
from apps.demo.rhythm import Floats
from apps.demo.timeline import Key

SYSTEM = "other processes"
ACCOUNTS = ("oracle", "root")


@dataclass(frozen=True)
class ProcessKind:
    """Processes that do the same: their part of what those in the background use, and what they do in a second of CPU."""

    called: str
    part: float
    kernel: float  # share of their processor time
    voluntary: float
    involuntary: float


SHADOW = ProcessKind("shadow", 1.0, 0.16, 1450.0, 120.0)
BACKGROUND = (
    ProcessKind("database writer", 0.46, 0.34, 2900.0, 40.0),
    ProcessKind("log writer", 0.28, 0.41, 7800.0, 9.0),
    ProcessKind("background", 0.26, 0.22, 3600.0, 15.0),
)
OTHERS = ProcessKind("", 1.0, 0.45, 5100.0, 60.0)


def process_counters(machine: Machine, busy: Floats) -> dict[Key, Floats]:
    """What processes, and accounts, used in each hour; `busy` is what all together did, in seconds of CPU."""
    used: dict[tuple[str, ProcessKind], Floats] = {}
    for name, work in machine.works.items():
        used[f"{name} {SHADOW.called}", SHADOW] = machine.hourly(work.db_cpu) / 1e6
        of_background = machine.hourly(work.background_cpu) / 1e6
        for kind in BACKGROUND:
            used[f"{name} {kind.called}", kind] = of_background * kind.part
    of_instances = sum(used.values(), start=busy * 0.0)
    others = (busy - of_instances).clip(min=0.0)
    counters: dict[Key, Floats] = {}
    for (name, kind), seconds in used.items():
        counters |= _counted("process", name, kind, seconds)
    counters |= _counted("process", SYSTEM, OTHERS, others)
    counters |= _counted("account", ACCOUNTS[1], OTHERS, others)
    return counters | _of_account(counters, [name for name, _ in used])


def _counted(of: str, name: str, kind: ProcessKind, seconds: Floats) -> dict[Key, Floats]:
    return {
        (f"{of}_cpu_s", name): seconds,
        (f"{of}_system_s", name): seconds * kind.kernel,
        (f"{of}_voluntary", name): seconds * kind.voluntary,
        (f"{of}_involuntary", name): seconds * kind.involuntary,
    }


def _of_account(counters: Mapping[Key, Floats], names: list[str]) -> dict[Key, Floats]:
    """What the account of the instances used: all of their processes together."""
    return {
        (f"account_{counter}", ACCOUNTS[0]): sum(
            (counters[f"process_{counter}", name] for name in names[1:]),
            start=counters[f"process_{counter}", names[0]],
        )
        for counter in ("cpu_s", "system_s", "voluntary", "involuntary")
        if names
    }
