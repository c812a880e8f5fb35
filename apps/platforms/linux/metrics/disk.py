"""Block devices: how many requests, how long each takes, how many wait."""

from functools import partial

from apps.catalog.metric import Display, Formula, Judging, Kind, Metric, Ranking, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import (
    DAILY,
    Floats,
    divide,
    either,
    first_known,
    rate,
    rate_or_level,
)
from apps.platforms.linux.metrics.categories import DEVICE_FIGURES, DEVICES
from apps.platforms.linux.sections import DISK

SECTOR_KB = 0.5  # /proc/diskstats counts sectors of 512 bytes, whatever the device has
ENOUGH = 1000  # requests a day below which an average response says little

counter = partial(
    Metric,
    source="/proc/diskstats",
    kind=Kind.COUNTER,
    unit="per second",
    category=DEVICES,
    component_kind="device",
    section=DISK,
    is_figure=False,
)
averaged = partial(
    Metric,
    source="sadf",
    kind=Kind.GAUGE,
    category=DEVICES,
    component_kind="device",
    section=DISK,
    is_figure=False,
)
figure = partial(
    Metric,
    source="derived",
    kind=Kind.RATIO,
    category=DEVICE_FIGURES,
    component_kind="device",
    section=DISK,
    reductions=DAILY,
    ranking=Ranking(by="host_disk_queue"),
)


def _requests(window: Window) -> Floats:
    requests: Floats = window.delta("host_disk_reads") + window.delta("host_disk_writes")
    return requests


def _iops(window: Window) -> Floats:
    return either(window.level("sysstat_disk_iops"), divide(_requests(window), window.seconds))


def _throughput(direction: str) -> Formula:
    def kilobytes_per_second(window: Window) -> Floats:
        averaged_by_sysstat = window.level(f"sysstat_disk_{direction}_kb")
        return either(averaged_by_sysstat, rate(window, f"disk_{direction}_sectors") * SECTOR_KB)

    return kilobytes_per_second


def _size(window: Window) -> Floats:
    sectors = window.delta("disk_read_sectors") + window.delta("disk_write_sectors")
    return first_known(
        divide(sectors * SECTOR_KB, _requests(window)),
        _per_request(window, "sysstat_disk_moved_kb"),
        window.level("sysstat_disk_size_kb"),
    )


def _per_request(window: Window, total: str) -> Floats:
    """What a file's intervals add up to, over their requests."""
    return divide(window.level(total), window.level("sysstat_disk_iops"))


def _response_of(direction: str) -> Formula:
    """Of reads or of writes; sar prints the two together, iostat apart."""

    def milliseconds(window: Window) -> Floats:
        counted = divide(window.delta(f"disk_{direction}_ms"), window.delta(f"host_disk_{direction}s"))
        waited = window.level(f"sysstat_disk_{direction}_waited_ms")
        return first_known(counted, divide(waited, window.level(f"sysstat_disk_{direction}_iops")))

    return milliseconds


def _response(window: Window) -> Floats:
    """Time waited over requests: an average of averages would count a quiet minute like a busy one."""
    waited = window.delta("disk_read_ms") + window.delta("disk_write_ms")
    return first_known(
        divide(waited, _requests(window)),
        _per_request(window, "sysstat_disk_waited_ms"),
        window.level("sysstat_disk_await_ms"),
    )


def _queue(window: Window) -> Floats:
    return either(window.level("sysstat_disk_queue"), rate(window, "disk_weighted_ms") / 1000.0)


def _queue_on_host(window: Window) -> Floats:
    """Requests beyond what the device takes at once; with what it takes they are all outstanding ones."""
    waiting: Floats = (_queue(window) - window.level("host_disk_queue_depth")).clip(min=0.0)
    return first_known(window.level("sysstat_disk_host_queue"), waiting)


def _queue_on_device(window: Window) -> Floats:
    in_service: Floats = _queue(window).clip(max=window.level("host_disk_queue_depth"))
    return first_known(window.level("sysstat_disk_lun_queue"), in_service)


def _utilisation(window: Window) -> Floats:
    """Overlapping requests make some kernels count a little more than the time there was."""
    busy = either(window.level("sysstat_disk_util_pct"), rate(window, "disk_busy_ms") / 10.0)
    return busy.clip(max=100.0)


METRICS = [
    counter(
        key="host_disk_reads",
        label="reads",
        reading_unit="reads",
        unit="reads/day",
        is_figure=True,
        help="Reads a day; an average over fewer than a thousand is not judged.",
    ),
    counter(
        key="host_disk_writes",
        label="writes",
        reading_unit="writes",
        unit="writes/day",
        is_figure=True,
        help="Writes a day; an average over fewer than a thousand is not judged.",
    ),
    counter(key="disk_read_sectors", label="sectors read"),
    counter(key="disk_write_sectors", label="sectors written"),
    counter(key="disk_read_ms", label="time in reads", reading_unit="ms", unit="ms/s"),
    counter(key="disk_write_ms", label="time in writes", reading_unit="ms", unit="ms/s"),
    counter(key="disk_busy_ms", label="time with a request outstanding", reading_unit="ms", unit="ms/s"),
    counter(key="disk_weighted_ms", label="time of all outstanding requests", reading_unit="ms", unit="ms/s"),
    averaged(key="sysstat_disk_iops", name="tps", label="requests, by sysstat", unit="per second"),
    averaged(
        key="sysstat_disk_read_kb", name="rkB", aliases=("rd_sec",), label="read, by sysstat", unit="kB/s"
    ),
    averaged(
        key="sysstat_disk_write_kb", name="wkB", aliases=("wr_sec",), label="written, by sysstat", unit="kB/s"
    ),
    averaged(
        key="sysstat_disk_size_kb",
        name="areq-sz",
        aliases=("avgrq-sz",),
        label="request size, by sysstat",
        unit="kB",
    ),
    averaged(
        key="sysstat_disk_queue",
        name="aqu-sz",
        aliases=("avgqu-sz",),
        label="queue, by sysstat",
        unit="requests",
    ),
    averaged(key="sysstat_disk_await_ms", name="await", label="response time, by sysstat", unit="ms"),
    averaged(
        key="sysstat_disk_svctm_ms",
        name="svctm",
        aliases=("avserv", "asvc_t"),
        label="service time, by sar",
        unit="ms",
    ),
    averaged(
        key="sysstat_disk_waited_ms",
        name="await × tps",
        label="time of all requests, by sar",
        unit="ms/s",
    ),
    averaged(
        key="sysstat_disk_served_ms",
        name="svctm × tps",
        label="time of all requests on the device, by sar",
        unit="ms/s",
    ),
    averaged(
        key="sysstat_disk_moved_kb",
        name="areq-sz × tps",
        label="read and written, by sar",
        unit="kB/s",
    ),
    averaged(key="sysstat_disk_read_iops", name="r/s", label="reads, by iostat", unit="per second"),
    averaged(key="sysstat_disk_write_iops", name="w/s", label="writes, by iostat", unit="per second"),
    averaged(
        key="sysstat_disk_read_waited_ms",
        name="r_await × r/s",
        label="time of all reads, by iostat",
        unit="ms/s",
    ),
    averaged(
        key="sysstat_disk_write_waited_ms",
        name="w_await × w/s",
        label="time of all writes, by iostat",
        unit="ms/s",
    ),
    averaged(
        key="sysstat_disk_host_queue",
        name="wait",
        label="queue on the host, by sar or iostat of Unix",
        unit="requests",
    ),
    averaged(
        key="sysstat_disk_lun_queue",
        name="actv",
        label="queue on the device, by sar or iostat of Unix",
        unit="requests",
    ),
    averaged(key="sysstat_disk_util_pct", name="util-percent", label="utilisation, by sysstat", unit="%"),
    Metric(
        key="host_disk_queue_depth",
        label="queue depth",
        unit="requests",
        kind=Kind.SETTING,
        source="/sys/block",
        category=DEVICES,
        component_kind="device",
        section=DISK,
        help="Requests the host hands to the device at once. More than that wait on the host.",
    ),
    figure(
        key="host_disk_read_await_ms",
        display=Display(rows=1, reduction="p95", is_shown_with_guests=True),
        label="read response",
        unit="ms",
        worse=Worse.HIGHER,
        formula=_response_of("read"),
        judging=Judging(weight="host_disk_reads", enough=ENOUGH),
        help="Time of a read from the request to its end, waiting included. Single blocks of a database should come"
        " in less than 10 ms from disks, in less than 1 ms from flash.",
    ),
    figure(
        key="host_disk_write_await_ms",
        label="write response",
        unit="ms",
        worse=Worse.HIGHER,
        formula=_response_of("write"),
        display=Display(rows=1, reduction="p95"),
        judging=Judging(weight="host_disk_writes", enough=ENOUGH),
        help="Time of a write from the request to its end, waiting included. Redo wants 2 ms; every commit waits for it.",
    ),
    figure(
        key="host_disk_await_ms",
        label="response",
        unit="ms",
        worse=Worse.HIGHER,
        formula=_response,
        display=Display(reduction="p95", stands_in_for="host_disk_read_await_ms"),
        help="Time of a request, reads and writes together, waiting included.",
    ),
    figure(
        key="host_disk_svctm_ms",
        label="service time",
        unit="ms",
        formula=lambda window: first_known(
            _per_request(window, "sysstat_disk_served_ms"), window.level("sysstat_disk_svctm_ms")
        ),
        help="Time of a request on the device, without its wait on the host, where the host's tools tell the two apart:"
        " Solaris, AIX and HP-UX do. On Linux releases before sysstat 12.1 print one that is not to be trusted.",
    ),
    figure(
        key="host_disk_iops",
        label="I/O requests",
        unit="per second",
        formula=_iops,
        help="Reads and writes that the device finished. What the application asks for may be more: the kernel joins"
        " neighbours.",
    ),
    figure(
        key="host_disk_read_iops",
        label="reads per second",
        unit="per second",
        formula=rate_or_level("host_disk_reads", "sysstat_disk_read_iops"),
        help="Reads that the device finished.",
    ),
    figure(
        key="host_disk_write_iops",
        label="writes per second",
        unit="per second",
        formula=rate_or_level("host_disk_writes", "sysstat_disk_write_iops"),
        help="Writes that the device finished.",
    ),
    figure(
        key="host_disk_read_kb",
        label="read throughput",
        unit="kB/s",
        display=Display(unit="MB/s"),
        formula=_throughput("read"),
        help="Data read from the device. Backups and full scans make the peaks.",
    ),
    figure(
        key="host_disk_write_kb",
        label="write throughput",
        unit="kB/s",
        display=Display(unit="MB/s"),
        formula=_throughput("write"),
        help="Data written to the device.",
    ),
    figure(
        key="host_disk_avg_kb",
        label="request size",
        unit="kB",
        formula=_size,
        reductions=("p95",),
        help="Average size of a request. It tells single blocks from scans, and explains a response time.",
    ),
    figure(
        key="host_disk_queue",
        label="requests outstanding",
        unit="requests",
        worse=Worse.HIGHER,
        formula=_queue,
        help="Requests begun and not finished, waiting ones and those in service: requests a second times response.",
    ),
    figure(
        key="host_disk_host_queue",
        label="queue on the host",
        unit="requests",
        worse=Worse.HIGHER,
        formula=_queue_on_host,
        help="Outstanding requests beyond the queue depth: the host has not handed them over yet. Some at the peak are"
        " no harm; all day they are.",
    ),
    figure(
        key="host_disk_lun_queue",
        label="queue on the device",
        unit="requests",
        worse=Worse.HIGHER,
        formula=_queue_on_device,
        help="Outstanding requests the device is working on. With the queue on the host this is the whole queue.",
    ),
    figure(
        key="host_disk_util_pct",
        label="utilisation",
        unit="%",
        worse=Worse.NEITHER,
        formula=_utilisation,
        help="Time in which at least one request was outstanding. Flash and arrays serve many at once: at 100 % they"
        " may have plenty left. Judge the response time.",
    ),
]
