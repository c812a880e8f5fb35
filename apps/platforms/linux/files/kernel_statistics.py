"""What `kstat -p` of Solaris counts since the host was started, as rates between two reports."""

from datetime import UTC, datetime

from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.metrics.categories import INTERFACES, KERNEL, THREADS
from apps.platforms.linux.sadf import Key

_Named = tuple[int, str, str]
# of every processor: statistic -> what it adds to
_OF_PROCESSORS: dict[str, tuple[_Named, ...]] = {
    "as_fault": ((KERNEL, "sysstat_faults", ""),),
    "maj_fault": ((KERNEL, "sysstat_faults", ""), (KERNEL, "sysstat_majfaults", "")),
    "pswitch": ((KERNEL, "sysstat_ctxsw", ""), (THREADS, "switches", "")),
    "inv_swtch": ((THREADS, "thread_involuntary_per_s", ""),),
    "cpumigrate": ((THREADS, "thread_migrations_per_s", ""),),
    "intr": ((KERNEL, "sysstat_interrupts", ""),),
    "syscall": ((KERNEL, "sysstat_syscalls", ""),),
    "sysfork": ((KERNEL, "sysstat_forks", ""),),
    "scan": ((KERNEL, "sysstat_scanned", ""),),
}
_OF_INTERFACES = {
    "rbytes64": ("sysstat_net_rx_kb", 1 / 1024),
    "obytes64": ("sysstat_net_tx_kb", 1 / 1024),
    "ipackets64": ("sysstat_net_rx_packets", 1.0),
    "opackets64": ("sysstat_net_tx_packets", 1.0),
}
_PROCESSORS, _SYSTEM = ("cpu", "cpu_stat"), "system_misc"


class KernelStatistics:
    """Counts of one report after the other; what falls was counted anew."""

    def __init__(self, records: HostRecords) -> None:
        self._records = records
        self._counts: dict[Key, float] = {}
        self._before: tuple[datetime, dict[Key, float]] | None = None

    def add(self, module: str, instance: str, name: str, statistic: str, text: str) -> None:
        """A line of a report; what is no number, or not known, is left out."""
        try:
            value = float(text)
        except ValueError:
            return
        if module in _PROCESSORS and statistic in _OF_PROCESSORS:
            for key in _OF_PROCESSORS[statistic]:
                self._add(key, value)
        elif statistic in _OF_INTERFACES and name == "mac":
            metric, factor = _OF_INTERFACES[statistic]
            self._records.check_component(f"{module}{instance}")
            self._add((INTERFACES, metric, f"{module}{instance}"), value * factor)
        elif name == _SYSTEM and statistic == "ncpus":
            self._records.set_from("host_cpus", value, None)
        elif name == _SYSTEM and statistic == "boot_time":
            self._records.restarts.add(datetime.fromtimestamp(value, UTC))
        else:
            self._records.ignored[f"{module}:{name}"] += 1
            return
        self._records.understood["statistics of the kernel"] += 1

    def _add(self, key: Key, value: float) -> None:
        self._counts[key] = self._counts.get(key, 0.0) + value

    def end_report(self, moment: datetime) -> None:
        """Hold a report against the one before."""
        counts, self._counts = self._counts, {}
        if not counts:
            return
        before, self._before = self._before, (moment, counts)
        if before is None or moment <= before[0]:
            return
        seconds = (moment - before[0]).total_seconds()
        rates = {
            key: (count - before[1][key]) / seconds
            for key, count in counts.items()
            if key in before[1] and count >= before[1][key]
        }
        self._records.add(before[0], moment, _with_voluntary(rates))


def _with_voluntary(rates: dict[Key, float]) -> dict[Key, float]:
    """Switches that were not involuntary; without both, neither is told."""
    switches = rates.pop((THREADS, "switches", ""), None)
    involuntary = rates.get((THREADS, "thread_involuntary_per_s", ""))
    if switches is not None and involuntary is not None:
        rates[THREADS, "thread_voluntary_per_s", ""] = switches - involuntary
    return rates
