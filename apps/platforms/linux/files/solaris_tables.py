"""The tables of iostat, vmstat and mpstat of Solaris by their columns, and what is read of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from apps.platforms.linux.files.device_values import solaris_device_values
from apps.platforms.linux.files.sar_tables import Fields
from apps.platforms.linux.metrics.categories import KERNEL, PROCESSORS, SWITCHES, THREADS
from apps.platforms.linux.sadf import Key

Reader = Callable[[str, Fields], dict[Key, float]]
_BEHIND_DISKS = ("in", "sysc", "cs", "us", "sy", "id")  # two columns of vmstat are called sy


@dataclass(frozen=True)
class SolarisTable:
    """One table: `first` are the columns it begins with."""

    title: str
    first: tuple[str, ...]
    read: Reader
    named_by: str = ""
    has_processors: bool = False

    def names(self, columns: Sequence[str]) -> Sequence[str]:
        """The columns by names that each stand once."""
        if self.first[0] != "r":
            return columns
        ends_at = len(columns) - len(_BEHIND_DISKS)
        disks = [f"{place} {name}" for place, name in enumerate(columns[12:ends_at])]
        return [*columns[:12], *disks, *_BEHIND_DISKS]


def _kernel(fields: Fields, columns: Mapping[str, str]) -> dict[Key, float]:
    values: dict[Key, float] = {}
    for column, metric in columns.items():
        key = (KERNEL, metric, "")
        values[key] = values.get(key, 0.0) + fields[column]
    return values


_ACTIVITY = {
    "r": "sysstat_runq_waiting",
    "b": "sysstat_blocked",
    "free": "sysstat_mem_free_kb",
    "mf": "sysstat_faults",
    "pi": "sysstat_page_in_kb",
    "po": "sysstat_page_out_kb",
    "sr": "sysstat_scanned",
    "in": "sysstat_interrupts",
    "sysc": "sysstat_syscalls",
    "cs": "sysstat_ctxsw",
    "us": "sysstat_cpu_user_pct",
    "sy": "sysstat_cpu_sys_pct",
    "id": "sysstat_cpu_idle_pct",
}
_PAGES = {
    "free": "sysstat_mem_free_kb",
    "mf": "sysstat_faults",
    "sr": "sysstat_scanned",
    **dict.fromkeys(("epi", "api", "fpi"), "sysstat_page_in_kb"),
    **dict.fromkeys(("epo", "apo", "fpo"), "sysstat_page_out_kb"),
}


def _processor(name: str, fields: Fields) -> dict[Key, float]:
    busy = max(100.0 - fields["idl"] - fields["wt"], 0.0)
    return {
        (PROCESSORS, "sysstat_processor_busy_pct", name): busy,
        (PROCESSORS, "sysstat_processor_interrupts", name): fields["intr"],
    }


def sum_processors(rows: Sequence[Fields]) -> dict[Key, float]:
    """What the rows of one report say of the host: events add up, shares of time are means."""
    if "%tim" in rows[0]:
        return {(SWITCHES, "host_tlb_miss_pct", ""): rows[-1]["%tim"]}
    total = {column: sum(row[column] for row in rows) for column in rows[0]}
    kernel = {
        "host_cpus": float(len(rows)),
        "sysstat_cpu_user_pct": total["usr"] / len(rows),
        "sysstat_cpu_sys_pct": total["sys"] / len(rows),
        "sysstat_cpu_iowait_pct": total["wt"] / len(rows),
        "sysstat_cpu_idle_pct": total["idl"] / len(rows),
        "sysstat_faults": total["minf"] + total["mjf"],
        "sysstat_majfaults": total["mjf"],
        "sysstat_interrupts": total["intr"],
        "sysstat_ctxsw": total["csw"],
        "sysstat_syscalls": total["syscl"],
    }
    threads = {
        "thread_voluntary_per_s": total["csw"] - total["icsw"],
        "thread_involuntary_per_s": total["icsw"],
        "thread_migrations_per_s": total["migr"],
    }
    values: dict[Key, float] = {(KERNEL, metric, ""): value for metric, value in kernel.items()}
    return values | {(THREADS, metric, ""): value for metric, value in threads.items()}


SOLARIS_TABLES = (
    SolarisTable("processors and switches", ("CPU", "minf", "mjf"), _processor, "CPU", has_processors=True),
    SolarisTable("activity of the host", ("r", "b", "w", "swap", "free"), lambda _, fields: _kernel(fields, _ACTIVITY)),
    SolarisTable("pages by kind", ("swap", "free", "re", "mf", "fr"), lambda _, fields: _kernel(fields, _PAGES)),
    SolarisTable("block devices", ("r/s", "w/s"), solaris_device_values, "device"),
    SolarisTable("block devices", ("device", "r/s", "w/s"), solaris_device_values, "device"),
)  # fmt: skip


def find_solaris_table(words: Sequence[str]) -> SolarisTable | None:
    """The table whose columns these are; None where they are none."""
    return next((table for table in SOLARIS_TABLES if tuple(words[: len(table.first)]) == table.first), None)
