"""What iostat says of a device, reads and writes apart: of Linux and of Solaris."""

from collections.abc import Mapping

from apps.platforms.linux.files.sar_tables import Fields, device_totals
from apps.platforms.linux.metrics.categories import DEVICES
from apps.platforms.linux.sadf import Key

MEGABYTE = 1024.0


def _throughput(fields: Fields, kilobytes: str, megabytes: str) -> float:
    return fields[kilobytes] if kilobytes in fields else fields[megabytes] * MEGABYTE


def linux_device_values(name: str, fields: Fields) -> dict[Key, float]:
    """A row of `iostat -x` of Linux. Raises KeyError."""
    reads, writes = fields["r/s"], fields["w/s"]
    read_ms, write_ms = reads * fields["r_await"], writes * fields["w_await"]
    read_kb, write_kb = _throughput(fields, "rkB/s", "rMB/s"), _throughput(fields, "wkB/s", "wMB/s")
    values = {
        "sysstat_disk_read_waited_ms": read_ms,
        "sysstat_disk_write_waited_ms": write_ms,
        "sysstat_disk_queue": fields["aqu-sz"] if "aqu-sz" in fields else fields["avgqu-sz"],
        "sysstat_disk_util_pct": fields["util"] if "util" in fields else fields["%util"],
    }
    averages = {}
    if reads + writes > 0:
        averages["sysstat_disk_await_ms"] = (read_ms + write_ms) / (reads + writes)
    return _device(name, (reads, writes), (read_kb, write_kb), values | averages)


def solaris_device_values(name: str, fields: Fields) -> dict[Key, float]:
    """A row of `iostat -x` or `-xn` of Solaris. Raises KeyError."""
    reads, writes = fields["r/s"], fields["w/s"]
    read_kb, write_kb = _throughput(fields, "kr/s", "Mr/s"), _throughput(fields, "kw/s", "Mw/s")
    values = {
        "sysstat_disk_host_queue": fields["wait"],
        "sysstat_disk_lun_queue": fields["actv"],
        "sysstat_disk_queue": fields["wait"] + fields["actv"],
        "sysstat_disk_util_pct": fields["%b"],
    }
    averages = {}
    if reads + writes > 0 and "asvc_t" in fields:
        averages["sysstat_disk_await_ms"] = fields["wsvc_t"] + fields["asvc_t"]
        averages["sysstat_disk_svctm_ms"] = fields["asvc_t"]
    elif reads + writes > 0:
        averages["sysstat_disk_await_ms"] = fields["svc_t"]
    return _device(name, (reads, writes), (read_kb, write_kb), values | averages)


def _device(
    name: str, requests: tuple[float, float], kilobytes: tuple[float, float], values: Mapping[str, float]
) -> dict[Key, float]:
    by_metric = {
        "sysstat_disk_iops": sum(requests),
        "sysstat_disk_read_iops": requests[0],
        "sysstat_disk_write_iops": requests[1],
        "sysstat_disk_read_kb": kilobytes[0],
        "sysstat_disk_write_kb": kilobytes[1],
        **values,
    }
    if sum(requests) > 0:
        by_metric["sysstat_disk_size_kb"] = sum(kilobytes) / sum(requests)
    keyed: dict[Key, float] = {(DEVICES, metric, name): value for metric, value in by_metric.items()}
    return keyed | device_totals(keyed, name)
