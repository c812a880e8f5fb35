"""What prstat of Solaris says of processes: with -m where each spends its time and how often it switched, else its processor time."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.catalog.process_names import name_process
from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.metrics.categories import PROCESSES
from apps.platforms.linux.metrics.processes import LISTED, REST
from apps.platforms.linux.sadf import Key

APART = 20  # processes of a file that are told apart
_LWP = "PROCESS/LWPID"
_KERNEL = ("SYS", "TRP")
_FACTORS = {"K": 1e3, "M": 1e6, "G": 1e9}
_COUNT = re.compile(r"(\d+(?:\.\d+)?)([KMG]?)")
_TIME = re.compile(r"(\d+):(\d\d):(\d\d)")


@dataclass(frozen=True)
class ListedProcess:
    """One row of an interval: what it used in CPUs, of these in the kernel, and its switches per second; None: not printed."""

    number: str
    name: str
    account: str
    cpus: float
    others: tuple[float, float, float] | None

    @property
    def values(self) -> tuple[float, ...]:
        return (self.cpus, *(self.others or ()))


Interval = tuple[datetime, datetime]


class ProcessReports:
    """Collects the rows of all reports; which processes are told apart is known at the end."""

    def __init__(self, records: HostRecords) -> None:
        self._records = records
        self._columns: list[str] = []
        self._is_below = False  # of the rows stand those of accounts
        self._rows: list[Mapping[str, str]] = []
        self._times: dict[str, float] = {}  # processor time of each process at the report before
        self._listed: dict[Interval, list[ListedProcess]] = {}

    def read_line(self, line: str) -> None:
        """A head or a row; what stands below the rows, sums of accounts and of all, is left out."""
        words = line.split()
        if words[:2] == ["PID", "USERNAME"]:
            self._columns, self._is_below = words, False
        elif words[:1] == ["NPROC"]:
            self._is_below = True
        elif self._columns and not self._is_below and words and words[0].isdigit():
            row = dict(zip(self._columns, line.split(maxsplit=len(self._columns) - 1), strict=False))
            self._rows.append(row)

    def end_report(self, began_at: datetime | None, ended_at: datetime | None) -> None:
        """What the rows say of the interval; of the first report, since the processes began, only what they had used."""
        rows, self._rows = self._rows, []
        before, self._times = self._times, {}
        if ended_at is None:
            return
        seconds = (ended_at - began_at).total_seconds() if began_at else 0.0
        listed = [self._process(row, before, seconds) for row in rows]
        if began_at is not None and seconds > 0:
            self._listed[began_at, ended_at] = [process for process in listed if process]

    def _process(
        self, row: Mapping[str, str], before: Mapping[str, float], seconds: float
    ) -> ListedProcess | None:
        try:
            name, _, threads = row[self._columns[-1]].rpartition("/")
            lwps = 1 if self._columns[-1] == _LWP else int(threads)
            number = f"{row['PID']} {threads}" if self._columns[-1] == _LWP else row["PID"]
            if "USR" in row:
                cpus, others = _microstates(row, lwps, seconds)
            else:
                self._times[number] = time = _seconds_of(row["TIME"])
                cpus, others = _grown(time, before.get(number), seconds), None
        except (KeyError, ValueError):
            self._records.unreadable_lines += 1
            return None
        if cpus is None:
            return None
        return ListedProcess(number, name_process(name) or name, row["USERNAME"], cpus, others)

    def finish(self) -> None:
        """Put the intervals into the records: one that is not listed in an interval had next to nothing of it."""
        names = self._names()
        for (began_at, ended_at), processes in self._listed.items():
            self._records.understood["processes"] += len(processes)
            values = dict.fromkeys(self._keys(names), 0.0)
            for process in processes:
                of_process = _values("process", names.get(process.number, REST["process"]), process)
                for key, value in (of_process | _values("account", process.account, process)).items():
                    values[key] += value
            self._records.add(began_at, ended_at, values)

    def _all(self) -> Iterator[ListedProcess]:
        return (process for processes in self._listed.values() for process in processes)

    def _names(self) -> dict[str, str]:
        """What the processes that used most are called, by their numbers; of those with one name the number is part of it."""
        used: dict[str, float] = {}
        for process in self._all():
            used[process.number] = used.get(process.number, 0.0) + process.cpus
        by_number = {process.number: process.name for process in self._all()}
        shared = Counter(by_number.values())
        return {
            number: f"{by_number[number]} {number}" if shared[by_number[number]] > 1 else by_number[number]
            for number in sorted(used, key=lambda number: -used[number])[:APART]
        }

    def _keys(self, names: Mapping[str, str]) -> list[Key]:
        pairs = {("process", names.get(process.number, REST["process"])): process for process in self._all()}
        pairs |= {("account", process.account): process for process in self._all()}
        for _, component in pairs:
            self._records.check_component(component)
        return [
            key for (kind, component), process in pairs.items() for key in _values(kind, component, process)
        ]


def _values(kind: str, component: str, process: ListedProcess) -> dict[Key, float]:
    metrics: Sequence[str] = LISTED[kind]
    return {
        (PROCESSES, metric, component): value for metric, value in zip(metrics, process.values, strict=False)
    }


def _microstates(
    row: Mapping[str, str], lwps: int, seconds: float
) -> tuple[float | None, tuple[float, float, float] | None]:
    """Shares are of the time of all threads of a process; what has no microstates yet prints dashes."""
    if "-" in row.values() or not seconds:
        return None, None
    kernel = sum(float(row[state]) for state in _KERNEL) / 100 * lwps
    switches = (_count(row["VCX"]) / seconds, _count(row["ICX"]) / seconds)
    return float(row["USR"]) / 100 * lwps + kernel, (kernel, *switches)


def _grown(time: float, before: float | None, seconds: float) -> float | None:
    return (time - before) / seconds if before is not None and time >= before and seconds else None


def _count(text: str) -> float:
    match = _COUNT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return float(match[1]) * _FACTORS.get(match[2], 1.0)


def _seconds_of(text: str) -> float:
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(text)
    hours, minutes, seconds = map(int, match.groups())
    return 3600.0 * hours + 60 * minutes + seconds
