"""The tables of sar by their columns, in every dialect, and what is read of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.platforms.linux.devices import is_watched_interface
from apps.platforms.linux.files.records import HostIdentity, sums
from apps.platforms.linux.metrics.categories import (
    DEVICES,
    FILESYSTEMS,
    INTERFACES,
    KERNEL,
    PROCESSORS,
    TCP,
)
from apps.platforms.linux.sadf import Key, interrupts_of_processors

Fields = Mapping[str, float]  # column -> number
Reader = Callable[[Fields, str, HostIdentity], dict[Key, float]]

SECTOR_KB = 0.5
HUGE_PAGE_KB = 2048.0  # of x86-64, where sar gives kB of the default size alone


@dataclass(frozen=True, kw_only=True)
class SarTable:
    """One table of sar: `signature` are columns that tell it from others, `named_by` the one that says what a row is of."""

    title: str
    signature: frozenset[str]
    read: Reader
    named_by: str = ""
    accepts: Callable[[str], bool] = lambda name: True


def _reader(category: int, columns: Mapping[str, tuple[str, float]]) -> Reader:
    """Columns as metrics, each times a factor; several columns of one metric add up."""

    def read(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
        parts = (
            (metric, fields[column] * factor)
            for column, (metric, factor) in columns.items()
            if column in fields
        )
        return {(category, metric, component): value for metric, value in sums(parts).items()}

    return read


def _flat(**columns: str) -> dict[str, tuple[str, float]]:
    return {column: (metric, 1.0) for column, metric in columns.items()}


_PROCESSOR = _reader(
    KERNEL,
    {
        **dict.fromkeys(
            ("%user", "%usr", "%nice", "%guest", "%gnice"),
            ("sysstat_cpu_user_pct", 1.0),
        ),
        **dict.fromkeys(("%system", "%sys", "%irq", "%soft"), ("sysstat_cpu_sys_pct", 1.0)),
        **dict.fromkeys(("%iowait", "%wio"), ("sysstat_cpu_iowait_pct", 1.0)),
        "%steal": ("sysstat_cpu_steal_pct", 1.0),
        "%idle": ("sysstat_cpu_idle_pct", 1.0),
    },
)
_WHOLE_MACHINE = ("", "all", "-1", "-", "system")


def read_processor(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    """All processors together, or how busy one of them was."""
    if component in _WHOLE_MACHINE:
        return _PROCESSOR(fields, "", host)
    unused = fields["%idle"] + fields.get("%iowait", 0.0) + fields.get("%wio", 0.0)
    return {(PROCESSORS, "sysstat_processor_busy_pct", component): max(100.0 - unused, 0.0)}


def _is_processor(name: str) -> bool:
    return name in _WHOLE_MACHINE or name.isdigit()


_MEMORY = _reader(
    KERNEL,
    {
        "kbmemfree": ("sysstat_mem_free_kb", 1.0),
        "kbavail": ("sysstat_mem_available_kb", 1.0),
        "kbmemused": ("sysstat_mem_used_kb", 1.0),
        "%memused": ("sysstat_mem_used_pct", 1.0),
        "%commit": ("sysstat_mem_commit_pct", 1.0),
        "kbpgtbl": ("sysstat_mem_pagetables_kb", 1.0),
        "kbcached": ("host_mem_cached_kb", 1.0),
        "kbanonpg": ("host_mem_anon_kb", 1.0),
        "kbslab": ("host_mem_slab_kb", 1.0),
        "kbswpused": ("sysstat_swap_used_kb", 1.0),
        "%swpused": ("sysstat_swap_used_pct", 1.0),
    },
)


def read_memory(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    """Memory and swap of Linux."""
    values = _MEMORY(fields, "", host)
    if (total := installed_kb(fields)) is not None:
        values[KERNEL, "host_mem_total_kb", ""] = total
    return values


def installed_kb(fields: Fields) -> float | None:
    """
    Memory installed, which sar does not print.

    Up to sysstat 11.7.3 it is what is free and what is used; since then buffers, caches and slab are apart from what is
    used, and slab is told by `-r ALL` alone.
    """
    free, used, share = (fields.get(name) for name in ("kbmemfree", "kbmemused", "%memused"))
    if free is None or used is None or share is None:
        return None
    if abs(100.0 * used - share * (free + used)) <= 0.006 * (free + used):
        return free + used
    apart = [fields.get(name) for name in ("kbbuffers", "kbcached", "kbslab")]
    printed = [part for part in apart if part is not None]
    return free + used + sum(printed) if len(printed) == len(apart) else None


def read_huge_pages(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    """The pool of huge pages, of processors whose default size is known."""
    if host.machine != "x86_64":
        return {}
    free, used = fields["kbhugfree"], fields["kbhugused"]
    pages = {"host_hugepages_total": free + used, "host_hugepages_free": free}
    for column, metric in (("kbhugrsvd", "host_hugepages_rsvd"), ("kbhugsurp", "host_hugepages_surp")):
        if column in fields:
            pages[metric] = fields[column]
    values: dict[Key, float] = {(KERNEL, metric, ""): kb / HUGE_PAGE_KB for metric, kb in pages.items()}
    return values | {(KERNEL, "host_hugepage_size_kb", ""): HUGE_PAGE_KB}


def _read_run_queue(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    """Unix prints the mean of the queue while it was occupied, and how long that was; blank is never."""
    waiting = fields.get("runq-sz", 0.0) * fields.get("%runocc", 0.0) / 100.0
    return {(KERNEL, "sysstat_runq_waiting", ""): waiting}


def _read_unix_memory(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    values: dict[Key, float] = {(KERNEL, "sysstat_mem_free_kb", ""): fields["freemem"] * host.page_kb}
    if "freeswap" in fields:
        values[KERNEL, "swap_free_kb", ""] = fields["freeswap"] * SECTOR_KB
    return values


def _read_page_ins(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    return {(KERNEL, "sysstat_page_in_kb", ""): fields["ppgin/s"] * host.page_kb}


def _read_page_outs(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    return {
        (KERNEL, "sysstat_page_out_kb", ""): fields["ppgout/s"] * host.page_kb,
        (KERNEL, "sysstat_scanned", ""): fields["pgscan/s"],
    }


_TOTALS = (  # of what is an average over requests: what it adds up to in a second
    ("sysstat_disk_await_ms", "sysstat_disk_waited_ms"),
    ("sysstat_disk_svctm_ms", "sysstat_disk_served_ms"),
    ("sysstat_disk_size_kb", "sysstat_disk_moved_kb"),
)


def device_totals(values: Mapping[Key, float], component: str) -> dict[Key, float]:
    """What the averages over requests of a device add up to in a second; nothing where it was idle."""
    requests = values.get((DEVICES, "sysstat_disk_iops", component), 0.0)
    return {
        (DEVICES, total, component): values.get((DEVICES, average, component), 0.0) * requests
        for average, total in _TOTALS
        if not requests or (DEVICES, average, component) in values
    }


_DEVICE = _reader(
    DEVICES,
    {
        "tps": ("sysstat_disk_iops", 1.0),
        "rkB/s": ("sysstat_disk_read_kb", 1.0),
        "wkB/s": ("sysstat_disk_write_kb", 1.0),
        "rd_sec/s": ("sysstat_disk_read_kb", SECTOR_KB),
        "wr_sec/s": ("sysstat_disk_write_kb", SECTOR_KB),
        "avgqu-sz": ("sysstat_disk_queue", 1.0),
        "aqu-sz": ("sysstat_disk_queue", 1.0),
        "%util": ("sysstat_disk_util_pct", 1.0),
    },
)
_PER_REQUEST = _reader(
    DEVICES,
    {
        "avgrq-sz": ("sysstat_disk_size_kb", SECTOR_KB),
        "areq-sz": ("sysstat_disk_size_kb", 1.0),
        "await": ("sysstat_disk_await_ms", 1.0),
        "svctm": ("sysstat_disk_svctm_ms", 1.0),
    },
)


def _read_device(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    values = _DEVICE(fields, component, host)
    if fields.get("tps"):
        values |= _PER_REQUEST(fields, component, host)
    return values | device_totals(values, component)


def _read_unix_device(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    """
    Wait and service stand apart; their shares of the queue follow from how many requests there were.

    `avque` is the whole queue, for devices whose requests never wait have one; that of AIX counts those that wait.
    """
    requests, wait, service = fields["r+w/s"], fields["avwait"], fields["avserv"]
    outstanding = requests * (wait + service) / 1000.0
    by_metric = {
        "sysstat_disk_iops": requests,
        "sysstat_disk_util_pct": fields["%busy"],
        "sysstat_disk_queue": outstanding if host.system == "AIX" else fields["avque"],
        "sysstat_disk_host_queue": requests * wait / 1000.0,
        "sysstat_disk_lun_queue": requests * service / 1000.0,
    }
    if requests > 0:
        kilobytes = fields["Kbs/s"] if "Kbs/s" in fields else fields["blks/s"] * SECTOR_KB
        by_metric |= {
            "sysstat_disk_size_kb": kilobytes / requests,
            "sysstat_disk_await_ms": wait + service,
            "sysstat_disk_svctm_ms": service,
        }
    values: dict[Key, float] = {(DEVICES, metric, component): value for metric, value in by_metric.items()}
    return values | device_totals(values, component)


def read_filesystem(fields: Fields, component: str, host: HostIdentity) -> dict[Key, float]:
    """How full a filesystem is; one without blocks is none."""
    free, used = fields["MBfsfree"], fields["MBfsused"]
    if free + used <= 0:
        return {}
    values = {
        "host_fs_free_mb": free,
        "host_fs_used_mb": used,
        "host_fs_size_mb": free + used,
        "host_fs_used_pct": fields.get("%ufsused", fields.get("%fsused", 100.0 * used / (free + used))),
    }
    if fields.get("Ifree", 0.0) + fields.get("Iused", 0.0) > 0:
        values["host_fs_inodes_pct"] = fields["%Iused"]
    return {(FILESYSTEMS, metric, component): value for metric, value in values.items()}


def _table(title: str, signature: str, read: Reader, named_by: str = "") -> SarTable:
    return SarTable(title=title, signature=frozenset(signature.split()), read=read, named_by=named_by)


def _kernel(**columns: str) -> Reader:
    return _reader(KERNEL, _flat(**columns))


def _interfaces(columns: Mapping[str, tuple[str, float]]) -> Reader:
    return _reader(INTERFACES, columns)


SAR_TABLES = (
    SarTable(title="processors (-u)", signature=frozenset({"CPU", "%idle"}), read=read_processor, named_by="CPU", accepts=_is_processor),
    SarTable(title="processors (-P)", signature=frozenset({"cpu", "%idle"}), read=read_processor, named_by="cpu", accepts=_is_processor),
    _table("processors (-u)", "%usr %wio %idle", read_processor),
    _table("processes begun and switches (-w)", "proc/s", _kernel(**{"proc/s": "sysstat_forks", "cswch/s": "sysstat_ctxsw"})),
    _table("context switches (-w)", "cswch/s", _kernel(**{"cswch/s": "sysstat_ctxsw"})),
    _table("context switches (-w)", "pswch/s", _kernel(**{"pswch/s": "sysstat_ctxsw"})),
    SarTable(
        title="interrupts (-I)", signature=frozenset({"INTR"}), named_by="INTR", accepts=lambda name: name == "sum",
        read=lambda fields, component, host: {
            (KERNEL, "sysstat_interrupts", ""): fields["all"] if "all" in fields else fields["intr/s"],
            **dict(interrupts_of_processors(fields)),
        },
    ),
    _table("swapping (-W)", "pswpin/s pswpout/s", _kernel(**{"pswpin/s": "sysstat_swap_in", "pswpout/s": "sysstat_swap_out"})),
    _table("paging (-B)", "pgpgin/s", _kernel(**{
        "pgpgin/s": "sysstat_page_in_kb", "pgpgout/s": "sysstat_page_out_kb", "fault/s": "sysstat_faults",
        "majflt/s": "sysstat_majfaults", "pgscank/s": "sysstat_scanned", "pgscand/s": "sysstat_scanned",
    })),
    _table("memory (-r)", "kbmemfree", read_memory),
    _table("swap space (-S)", "kbswpfree", _MEMORY),
    _table("huge pages (-H)", "kbhugfree", read_huge_pages),
    _table("run queue and load (-q)", "runq-sz plist-sz", _kernel(**{
        "runq-sz": "sysstat_runq", "plist-sz": "sysstat_tasks", "ldavg-1": "sysstat_load_1",
        "ldavg-5": "sysstat_load_5", "ldavg-15": "sysstat_load_15", "blocked": "sysstat_blocked",
    })),
    _table("run queue (-q)", "runq-sz %runocc", _read_run_queue),
    _table("block devices (-d)", "DEV tps", _read_device, named_by="DEV"),
    _table("block devices (-d)", "device %busy avserv", _read_unix_device, named_by="device"),
    SarTable(
        title="network interfaces (-n DEV)", signature=frozenset({"IFACE", "rxpck/s"}), named_by="IFACE", accepts=is_watched_interface,
        read=_interfaces({
            "rxkB/s": ("sysstat_net_rx_kb", 1.0), "txkB/s": ("sysstat_net_tx_kb", 1.0),
            "rxbyt/s": ("sysstat_net_rx_kb", 1 / 1024), "txbyt/s": ("sysstat_net_tx_kb", 1 / 1024),
            "rxpck/s": ("sysstat_net_rx_packets", 1.0), "txpck/s": ("sysstat_net_tx_packets", 1.0),
        }),
    ),
    SarTable(
        title="errors of interfaces (-n EDEV)", signature=frozenset({"IFACE", "rxerr/s"}), named_by="IFACE", accepts=is_watched_interface,
        read=_interfaces({
            "rxerr/s": ("sysstat_net_errors", 1.0), "txerr/s": ("sysstat_net_errors", 1.0),
            "rxdrop/s": ("sysstat_net_drops", 1.0), "txdrop/s": ("sysstat_net_drops", 1.0),
        }),
    ),
    _table("TCP errors (-n ETCP)", "atmptf/s", _reader(TCP, _flat(**{"retrans/s": "sysstat_tcp_retransmitted"}))),
    _table("filesystems (-F)", "MBfsfree FILESYSTEM", read_filesystem, named_by="FILESYSTEM"),
    _table("filesystems (-F)", "MBfsfree MOUNTPOINT", read_filesystem, named_by="MOUNTPOINT"),
    _table("CPU pressure", "%scpu", _kernel(**{"%scpu": "sysstat_psi_cpu_some_pct"})),
    _table("I/O pressure", "%sio", _kernel(**{"%sio": "sysstat_psi_io_some_pct"})),
    _table("memory pressure", "%smem", _kernel(**{"%smem": "sysstat_psi_memory_some_pct"})),
    _table("system calls (-c)", "scall/s fork/s", _kernel(**{"scall/s": "sysstat_syscalls", "fork/s": "sysstat_forks"})),
    _table("free memory (-r)", "freemem", _read_unix_memory),
    _table("paging in (-p)", "ppgin/s", _read_page_ins),
    _table("paging out (-g)", "ppgout/s pgscan/s", _read_page_outs),
    _table("page faults (-r)", "slots fault/s", _kernel(**{"fault/s": "sysstat_faults"})),
)  # fmt: skip


def find_table(columns: frozenset[str]) -> SarTable | None:
    """The table that has these columns; None for those of which nothing is read."""
    return next((table for table in SAR_TABLES if table.signature <= columns), None)
