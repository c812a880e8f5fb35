"""
sysstat's own records of a machine, as `sadf -j` prints them.

Averages are weighted by the real length of their intervals. Names differ between releases: usr is user in the short
report, sizes come in sectors or kB, restarts and times carry `utc` or `tz`.
"""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from apps.collection.collector import Reading
from apps.platforms.linux.devices import is_watched_interface
from apps.platforms.linux.metrics.categories import DEVICES, INTERFACES, KERNEL, PROCESSORS, TCP

FOLDERS = ("/var/log/sysstat", "/var/log/sa")
SELECTION = "-u ALL -q ALL -w -r ALL -S -B -W -d -n DEV -n EDEV -n ETCP -I SUM"

_PROCESSOR = re.compile(r"CPU(\d+)")
_FLAT = {  # activity -> field -> metric of the machine
    "queue": {
        "runq-sz": "sysstat_runq",
        "plist-sz": "sysstat_tasks",
        "ldavg-1": "sysstat_load_1",
        "ldavg-5": "sysstat_load_5",
        "ldavg-15": "sysstat_load_15",
        "blocked": "sysstat_blocked",
    },
    "process-and-context-switch": {"cswch": "sysstat_ctxsw", "proc": "sysstat_forks"},
    "swap-pages": {"pswpin": "sysstat_swap_in", "pswpout": "sysstat_swap_out"},
    "paging": {
        "pgpgin": "sysstat_page_in_kb",
        "pgpgout": "sysstat_page_out_kb",
        "fault": "sysstat_faults",
        "majflt": "sysstat_majfaults",
    },
    "memory": {
        "memfree": "sysstat_mem_free_kb",
        "avail": "sysstat_mem_available_kb",
        "memused": "sysstat_mem_used_kb",
        "memused-percent": "sysstat_mem_used_pct",
        "pgtbl": "sysstat_mem_pagetables_kb",
        "commit-percent": "sysstat_mem_commit_pct",
        "swpused": "sysstat_swap_used_kb",
        "swpused-percent": "sysstat_swap_used_pct",
    },
}
_PRESSURE = {"psi-cpu": "cpu", "psi-io": "io", "psi-mem": "memory"}
_SECTOR_KB = 0.5
_PER_REQUEST = {"sysstat_disk_await_ms", "sysstat_disk_size_kb"}  # averages over requests, not over time

Key = tuple[int, str, str]  # category, metric, component


class UnreadableRecords(Exception):
    """sadf printed something else than its records; the sentence says what."""


@dataclass(frozen=True)
class SarSample:
    """What sysstat averaged over one interval."""

    ended_at: datetime
    seconds: float
    values: Mapping[Key, float]

    @property
    def began_at(self) -> datetime:
        return self.ended_at - timedelta(seconds=self.seconds)


def script(minutes: int, folders: Iterable[str] = FOLDERS) -> str:
    """
    A shell script that prints sysstat's version and the records of every file written in the last minutes.

    Each part begins with a line "==== name". Releases that do not know what is asked for are asked for everything.
    """
    return f"""
LC_ALL=C TZ=UTC; export LC_ALL TZ
command -v sadf >/dev/null 2>&1 || exit 0
printf '==== sadf -V\\n'; sadf -V 2>&1 | head -n 1
find -L {" ".join(map(shlex.quote, folders))} -maxdepth 1 -type f -name 'sa[0-9]*' ! -name '*.*' -mmin -{minutes} 2>/dev/null | sort |
while read -r file; do
    printf '\\n==== %s\\n' "$file"
    if records=$(sadf -j "$file" -- {SELECTION} 2>/dev/null); then printf '%s\\n' "$records"
    else sadf -j "$file" -- -A 2>&1; fi
done
"""


def read_samples(text: str) -> list[SarSample]:
    """
    The samples of one file, oldest first.

    Empty objects, which sadf prints between the steps it was asked for, are left out, and so is an interval in which
    the machine was started: it is not a whole one. Raises UnreadableRecords.
    """
    try:
        hosts = json.loads(text)["sysstat"]["hosts"]
    except (ValueError, LookupError, TypeError):
        first = next((line for line in text.splitlines() if line.strip()), "nothing")
        raise UnreadableRecords(
            f"sysstat's records could not be read: sadf printed “{first.strip()[:200]}”."
        ) from None
    samples = []
    for host in hosts:
        boots = [moment_of(entry["boot"]) for entry in host.get("restarts", ()) if "boot" in entry]
        for statistics in host.get("statistics", ()):
            stamp = statistics.get("timestamp")
            if not stamp or len(statistics) == 1:
                continue
            sample = SarSample(moment_of(stamp), float(stamp.get("interval", 0)), dict(values_of(statistics)))
            if sample.seconds > 0 and not any(sample.began_at < boot < sample.ended_at for boot in boots):
                samples.append(sample)
    return sorted(samples, key=lambda sample: sample.ended_at)


def moment_of(stamp: Mapping[str, Any], local_zone: ZoneInfo | None = None) -> datetime:
    """
    A time of sadf's. Where it has no zone it is one of the local zone, if that is known, and is not taken otherwise.

    Raises UnreadableRecords.
    """
    local = datetime.fromisoformat(f"{stamp['date']}T{stamp['time']}")
    zone = str(stamp.get("tz") or ("UTC" if str(stamp.get("utc", "0")) != "0" else ""))
    if not zone and local_zone is not None:
        return local.replace(tzinfo=local_zone).astimezone(UTC)
    if not zone:
        raise UnreadableRecords("sysstat's records carry local times without a zone; read them in UTC.")
    return local.replace(tzinfo=UTC if zone in ("UTC", "GMT") else ZoneInfo(zone)).astimezone(UTC)


def values_of(statistics: Mapping[str, Any]) -> Iterator[tuple[Key, float]]:
    """What one interval says, by category, metric and component."""
    for activity, fields in _FLAT.items():
        for name, metric in fields.items():
            if name in statistics.get(activity, ()):
                yield (KERNEL, metric, ""), float(statistics[activity][name])
    yield from _processor(statistics)
    paging = statistics.get("paging", {})
    if "pgscank" in paging:
        yield (KERNEL, "sysstat_scanned", ""), float(paging["pgscank"]) + float(paging.get("pgscand", 0.0))
    for interrupt in statistics.get("interrupts", ()):
        if interrupt.get("intr") == "sum" and ("all" in interrupt or "value" in interrupt):
            yield (KERNEL, "sysstat_interrupts", ""), float(interrupt.get("all", interrupt.get("value")))
            yield from interrupts_of_processors(interrupt)
    for name, resource in _PRESSURE.items():
        pressure = statistics.get("psi", {}).get(name, {})
        if "some_avg" in pressure:
            yield (KERNEL, f"sysstat_psi_{resource}_some_pct", ""), float(pressure["some_avg"])
    for disk in statistics.get("disk", ()):
        yield from _device(disk)
    yield from _network(statistics.get("network", {}))


def interrupts_of_processors(fields: Mapping[str, Any]) -> Iterator[tuple[Key, float]]:
    """The interrupts of each processor, where a sum has them apart."""
    for name, value in fields.items():
        if match := _PROCESSOR.fullmatch(name):
            yield (PROCESSORS, "sysstat_processor_interrupts", match[1]), float(value)


def _processor(statistics: Mapping[str, Any]) -> Iterator[tuple[Key, float]]:
    loads = statistics.get("cpu-load") or statistics.get("cpu-load-all") or ()
    for load in loads:
        if str(load.get("cpu")) not in ("all", "-1"):
            continue
        # the long report takes guests out of usr and nice, and interrupts out of sys
        user = float(load["usr"] if "usr" in load else load["user"]) + float(load["nice"])
        user += float(load.get("guest", 0.0)) + float(load.get("gnice", 0.0))
        kernel = float(load["sys"] if "sys" in load else load["system"])
        kernel += float(load.get("irq", 0.0)) + float(load.get("soft", 0.0))
        yield (KERNEL, "sysstat_cpu_user_pct", ""), user
        yield (KERNEL, "sysstat_cpu_sys_pct", ""), kernel
        for state in ("iowait", "steal", "idle"):
            yield (KERNEL, f"sysstat_cpu_{state}_pct", ""), float(load[state])


def _device(disk: Mapping[str, Any]) -> Iterator[tuple[Key, float]]:
    name = str(disk["disk-device"])
    fields = {  # metric -> the field that gives it, or its older name and what that is to be multiplied by
        "sysstat_disk_iops": ("tps", "tps", 1.0),
        "sysstat_disk_read_kb": ("rkB", "rd_sec", _SECTOR_KB),
        "sysstat_disk_write_kb": ("wkB", "wr_sec", _SECTOR_KB),
        "sysstat_disk_size_kb": ("areq-sz", "avgrq-sz", _SECTOR_KB),
        "sysstat_disk_queue": ("aqu-sz", "avgqu-sz", 1.0),
        "sysstat_disk_await_ms": ("await", "await", 1.0),
        "sysstat_disk_util_pct": ("util-percent", "util-percent", 1.0),
    }
    is_idle = float(disk.get("tps", 0.0)) == 0.0
    for metric, (field, older, factor) in fields.items():
        if metric in _PER_REQUEST and is_idle:
            continue  # no request, no average
        if field in disk:
            yield (DEVICES, metric, name), float(disk[field])
        elif older in disk:
            yield (DEVICES, metric, name), float(disk[older]) * factor


def _network(network: Mapping[str, Any]) -> Iterator[tuple[Key, float]]:
    for traffic in network.get("net-dev", ()):
        if is_watched_interface(name := str(traffic["iface"])):
            yield (INTERFACES, "sysstat_net_rx_kb", name), float(traffic["rxkB"])
            yield (INTERFACES, "sysstat_net_tx_kb", name), float(traffic["txkB"])
            yield (INTERFACES, "sysstat_net_rx_packets", name), float(traffic["rxpck"])
            yield (INTERFACES, "sysstat_net_tx_packets", name), float(traffic["txpck"])
    for losses in network.get("net-edev", ()):
        if is_watched_interface(name := str(losses["iface"])):
            yield (INTERFACES, "sysstat_net_errors", name), float(losses["rxerr"]) + float(losses["txerr"])
            yield (INTERFACES, "sysstat_net_drops", name), float(losses["rxdrop"]) + float(losses["txdrop"])
    for name in ("retrans", "retrseg"):
        if name in network.get("net-etcp", ()):
            yield (TCP, "sysstat_tcp_retransmitted", ""), float(network["net-etcp"][name])


def stretch(samples: Iterable[SarSample], now: datetime, length: timedelta) -> list[SarSample]:
    """
    The samples to speak for the stretch that ends now: those that ended in it, else the newest while it is fresh.

    Fresh is what ended no longer ago than two of sysstat's own intervals (at least a quarter of an hour). What is
    older, or lies in the future because the clock was set, says nothing about now.
    """
    past = {sample.ended_at: sample for sample in samples if sample.ended_at <= now}
    if not past:
        return []
    newest = past[max(past)]
    if now - newest.ended_at > max(timedelta(seconds=2 * newest.seconds), timedelta(minutes=15)):
        return []
    return [sample for at, sample in sorted(past.items()) if at > now - length] or [newest]


def averages(
    samples: Iterable[SarSample], names: Mapping[str, str] | None = None
) -> dict[int, list[Reading]]:
    """
    The readings of a stretch by category: means weighted by time, those of single requests also by how many there were.

    `names` are the devices to keep, with the names they go by; without them every device is kept as it is called.
    """
    totals: dict[Key, float] = {}
    weights: dict[Key, float] = {}
    for sample in samples:
        for key, value in sample.values.items():
            category, metric, component = key
            weight = sample.seconds
            if metric in _PER_REQUEST:
                weight *= sample.values.get((category, "sysstat_disk_iops", component), 0.0)
            totals[key] = totals.get(key, 0.0) + value * weight
            weights[key] = weights.get(key, 0.0) + weight
    readings: dict[int, list[Reading]] = {}
    for (category, metric, component), weight in weights.items():
        device = component if category != DEVICES or names is None else names.get(component)
        if device is not None and weight > 0:
            mean = totals[category, metric, component] / weight
            readings.setdefault(category, []).append(Reading(metric, mean, device))
    return readings
