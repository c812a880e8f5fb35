"""Files of hosts as people give them: small ones of every dialect, and bad ones, each refused with a sentence."""

import gzip
import io
import json
import lzma
from datetime import UTC, datetime

import pytest

from apps.collection import file_text
from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files import records
from apps.platforms.linux.files.sar_clock import date_of, seconds_of
from apps.platforms.linux.metrics.categories import DEVICES, KERNEL, PROCESSORS
from apps.platforms.linux.tests.host_files import figures_by_day, read, series

HEADER = "Linux 5.14.0-1.el9.x86_64 (db01.example.com) \t{date} \t_x86_64_\t({cpus} CPU)\n\n"
CPU = "{0}        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
ROW = "{0}        all     {1:.2f}      0.00      5.00      0.00      0.00     {2:.2f}\n"


def sar(*times, date="2026-11-20", cpus=4, halves=("",) * 999):
    """A table of processors; the first time is when it begins. Each row is 10 % busier than the one before."""
    text = HEADER.format(date=date, cpus=cpus)
    for number, (time, half) in enumerate(zip(times, halves, strict=False)):
        stamp = f"{time} {half}" if half else time
        busy = 10.0 * (number % 10)
        text += ROW.format(stamp, busy - 5, 100 - busy) if number else CPU.format(stamp)
    return text


def moments(read_records):
    return [f"{at:%d %H:%M}" for at in read_records.intervals]


def idle(read_records):
    return series(read_records, "sysstat_cpu_idle_pct")


def test_a_table_of_processors():
    whole = read(sar("08:00:00", "08:10:00", "08:20:00"))

    assert (whole.host.name, whole.host.system, whole.host.machine) == ("db01.example.com", "Linux", "x86_64")
    assert moments(whole) == ["20 08:10", "20 08:20"]
    assert idle(whole) == [90.0, 80.0]
    assert whole.first == datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    assert series(whole, "host_cpus") == [4.0, 4.0]


def test_midnight_has_no_date():
    assert moments(read(sar("23:50:01", "00:00:01", "00:10:01"))) == ["21 00:00", "21 00:10"]


def test_am_and_pm():
    halves = ("AM", "PM", "PM", "AM")
    whole = read(sar("11:50:00", "12:00:00", "11:50:00", "12:10:00", halves=halves))

    assert moments(whole) == ["20 12:00", "20 23:50", "21 00:10"]


def test_the_hour_that_comes_twice():
    whole = read(sar("02:30:00", "02:50:00", "02:10:00", "03:00:00", date="2026-10-25"), "Europe/Berlin")

    assert [at.astimezone(UTC).strftime("%H:%M") for at in whole.intervals] == ["00:50", "01:10", "02:00"]


def test_decimal_commas_and_ends_of_lines_of_windows():
    text = sar("08:00:00", "08:10:00").replace("90.00", "90,00").replace("\n", "\r\n")

    assert idle(read(text)) == [90.0]


def test_a_restart_with_other_processors():
    text = sar("08:00:00", "08:10:00")
    text += (
        "\n08:15:00     LINUX RESTART\t(8 CPU)\n\n" + CPU.format("08:20:00") + ROW.format("08:30:00", 25, 70)
    )
    whole = read(text)
    (figures,) = figures_by_day(whole)

    assert moments(whole) == ["20 08:10", "20 08:30"]
    assert whole.intervals[max(whole.intervals)].began_at == datetime(2026, 11, 20, 8, 20, tzinfo=UTC)
    assert series(whole, "host_cpus") == [4.0, 8.0]
    assert figures["host_cpu_busy_pct", ""] == pytest.approx(20.0)  # the ten minutes between are in no figure


def test_averages_and_unknown_tables_are_left_out():
    text = (
        sar("08:00:00", "08:10:00")
        + "Average:        all     50.00      0.00      0.00      0.00      0.00     1.00\n"
    )
    text += "\n08:00:00    dentunusd   file-nr\n08:10:00     1000      2000\nAverage:     1000      2000\n"
    whole = read(text)

    assert idle(whole) == [90.0]
    assert list(whole.ignored) == ["dentunusd file-nr"]
    assert list(whole.understood) == ["processors (-u)"]


def test_single_processors_are_apart():
    text = (
        sar("08:00:00") + ROW.format("08:10:00", 5, 90) + ROW.format("08:10:00", 55, 40).replace("all", "  3")
    )
    (figures,) = figures_by_day(whole := read(text))

    assert series(whole, "sysstat_processor_busy_pct", "3", PROCESSORS) == [60.0]
    assert figures["host_cpu_percpu_max_pct", ""] == 60.0


def test_a_response_weighs_by_requests():
    text = HEADER.format(date="2026-11-20", cpus=4)
    text += "08:00:00   DEV  tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz  await  svctm  %util\n"
    text += "08:10:00   sda  99.0  800.0  0.0  8.0  1.0  10.0  5.0  50.0\n"
    text += "08:20:00   sda   1.0    8.0  0.0  8.0  0.1  90.0  9.0   1.0\n"
    text += "08:30:00   sda   0.0    0.0  0.0  0.0  0.0   0.0  0.0   0.0\n"
    (figures,) = figures_by_day(whole := read(text))

    assert series(whole, "sysstat_disk_read_kb", "sda", DEVICES) == [400.0, 4.0, 0.0]
    assert len(series(whole, "sysstat_disk_await_ms", "sda", DEVICES)) == 2  # no request, no response
    assert figures["host_disk_await_ms", "sda"] == pytest.approx((99 * 10 + 90) / 100)
    assert figures["host_disk_avg_kb", "sda"] == pytest.approx(4.0)
    assert figures["host_disk_iops", "sda"] == pytest.approx(100 / 3)


def test_blank_fields_of_unix():
    text = "SunOS sol1 5.10 Generic_1 i86pc    11/20/2026\n\n"
    text += "08:00:00 runq-sz %runocc swpq-sz %swpocc\n08:10:00     2.0      50\n08:20:00\n08:30:00                     1.0      10\n"
    whole = read(text)

    assert series(whole, "sysstat_runq_waiting") == [1.0, 0.0, 0.0]
    assert (KERNEL, "host_cpus", "") not in next(iter(whole.intervals.values())).values


def statistics(time="08:10:00", **values):
    stamp = {"date": "2026-11-20", "time": time, "utc": 1, "interval": 600}
    load = {"cpu": "all", "user": 5.0, "nice": 0.0, "system": 5.0, "iowait": 0.0, "steal": 0.0, "idle": 90.0}
    return {"timestamp": stamp, "cpu-load": [load], **values}


def as_json(*elements, **host):
    host = {
        "nodename": "db01",
        "sysname": "Linux",
        "release": "5.14",
        "machine": "x86_64",
        "number-of-cpus": 4,
    } | host
    return json.dumps({"sysstat": {"hosts": [host | {"statistics": list(elements)}]}})


def test_json_with_what_the_collector_does_not_ask_for():
    disks = [{"disk-device": "sda", "tps": 2.0, "await": 3.0, "svctm": 1.0, "util-percent": 1.0}]
    spaces = [
        {
            "filesystem": "/dev/sda1",
            "MBfsfree": 25,
            "MBfsused": 75,
            "%fsused": 75.0,
            "%ufsused": 76.0,
            "Ifree": 0,
            "Iused": 0,
            "%Iused": 0.0,
        }
    ]
    memory = {
        "memfree": 400,
        "memused": 500,
        "memused-percent": 50.0,
        "buffers": 20,
        "cached": 70,
        "slab": 10,
    }
    whole = read(as_json(statistics(disk=disks, filesystems=spaces, memory=memory, kernel={"file-nr": 1})))
    (figures,) = figures_by_day(whole)

    assert figures["host_disk_svctm_ms", "sda"] == 1.0
    assert figures["host_fs_used_pct", "/dev/sda1"] == 76.0
    assert ("host_fs_inodes_pct", "/dev/sda1") not in figures
    assert figures["host_mem_total_kb", ""] == 1000
    assert figures["host_mem_free_kb", ""] == 400
    assert list(whole.ignored) == ["kernel"]


def test_packed_files():
    text = sar("08:00:00", "08:10:00").encode()

    assert idle(read(gzip.compress(text))) == [90.0]
    assert idle(read(lzma.compress(text))) == [90.0]
    assert idle(read(gzip.compress(text[:60]) + gzip.compress(text[60:]))) == [90.0]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty"),
        (b"  \n\n", "The file is empty"),
        (b"hello\n", "none of the formats"),
        (b"\x7fELF\x02\x01\x01\x00", "none of the formats"),
        (sar("08:00:00"), "no interval with figures"),
        (HEADER.format(date="yesterday", cpus=4), "names no date"),
        (sar("08:00:00", "08:10:00") + HEADER.format(date="2026-11-20", cpus=4).replace("db01", "db02"), "two hosts"),
        (gzip.compress(sar("08:00:00", "08:10:00").encode())[:-12], "cut off"),
        (b"\x1f\x8b" + b"x" * 50, "cannot be unpacked"),
        (b"\xfd7zXZ\x00" + b"x" * 50, "cannot be unpacked"),
        ("{}", "there are no statistics"),
        ('{"sysstat": {"hosts": [{"nodename": 1 2, "statistics": []}]}}', "as sadf -j prints"),
        (as_json(), "no interval with figures"),
        (as_json(statistics())[:-40], "cut off"),
        (as_json({"timestamp": {"date": "x", "time": "y"}, "cpu-load": []}), "as sadf -j prints"),
        (as_json(statistics(memory={"memfree": "much"})), "as sadf -j prints"),
        ('{"statistics": [' + "[" * 100_000, "sadf -j prints"),
        ("<?xml version='1.0'?><sysstat><host nodename='a'>", "not whole"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><sysstat/>", "declares entities"),
        ("<sysstat></sysstat>", "no interval with figures"),
        ("# hostname;interval;timestamp;CPU;%idle\na;10;2026-11-20 08:00:00 UTC;-1;5\nb;10;2026-11-20 08:00:10 UTC;-1;5\n", "two hosts"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_a_sentence(content, sentence):
    with pytest.raises(UnreadableFile, match=sentence) as refused:
        read(content)

    assert str(refused.value).rstrip("…")[-1] in ".)>" or "FORMATS" in sentence


def test_rows_that_cannot_be_read_are_counted():
    whole = read(
        sar("08:00:00", "08:10:00")
        + "08:20:00        all     5.00\n08:30:00        all     x  y  0.0 0.0 0.0 1.0\n"
    )

    assert moments(whole) == ["20 08:10"]
    assert whole.notes == ["2 lines cannot be read and are left out."]


def test_a_file_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(file_text, "FREE", 100_000)

    with pytest.raises(UnreadableFile, match="250 times its size"):
        read(gzip.compress(sar("08:00:00").encode() + b"\n" * 2_000_000))


def test_a_file_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(file_text, "MOST_BYTES", 100_000)

    with pytest.raises(UnreadableFile, match="give it in parts"):
        read(sar("08:00:00") + "\n" * 200_000)


def test_a_line_without_end_is_refused():
    with pytest.raises(UnreadableFile, match="65,536 characters"):
        read(sar("08:00:00", "08:10:00") + "x" * 100_000)


def test_a_host_of_too_many_things_is_refused(monkeypatch):
    monkeypatch.setattr(records, "MOST_COMPONENTS", 10)
    text = HEADER.format(date="2026-11-20", cpus=4) + "08:00:00   DEV  tps  %util\n"
    text += "".join(f"08:10:00   sd{number}  1.0  1.0\n" for number in range(12))

    with pytest.raises(UnreadableFile, match="no host has so many"):
        read(text)


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(records, "MOST_VALUES", 10)

    with pytest.raises(UnreadableFile, match="a day in each"):
        read(sar("08:00:00", "08:10:00", "08:20:00", "08:30:00"))


@pytest.mark.parametrize(
    ("text", "on"),
    [("x 11/20/26 y", "2026-11-20"), ("20/11/2026", "2026-11-20"), ("20.11.2026", "2026-11-20"), ("2026-11-20", "2026-11-20")],
)  # fmt: skip
def test_dates_of_headers(text, on):
    dated = date_of(text)

    assert dated is not None
    assert dated[0].isoformat() == on


def test_what_is_no_time():
    assert seconds_of("25:00:00") is None
    assert seconds_of("12:00:01", "AM") == 1
    assert seconds_of("dev8-0") is None
    assert date_of("99/99/2026") is None


def test_memory_stays_flat_while_json_is_read():
    import tracemalloc

    element = json.dumps(statistics())
    text = as_json(statistics()).replace(element, ", ".join([element] * 20_000), 1)
    content = io.BytesIO(text.encode())
    tracemalloc.start()
    whole = read(content.getvalue())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(whole.intervals) == 1
    assert peak < 2 * len(text)  # the text itself is there once, encoded


IOSTAT = """Fri Nov 20 08:00:00 2026
                    extended device statistics
    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
   52.6   21.9  633.1  144.4  0.0  0.4    0.0    5.8   0  18 c0t0d0
Fri Nov 20 08:05:00 CET 2026
                    extended device statistics
    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
   30.0   10.0  240.0   80.0  0.4  0.2   10.0    5.0   4  20 c0t0d0
   bad   10.0  240.0   80.0  0.4  0.2   10.0    5.0   4  20 c0t1d0
"""


def test_hst10_iostat_of_solaris_tells_wait_and_service_and_the_queue_on_either_side():
    (figures,) = figures_by_day(whole := read(IOSTAT))

    assert moments(whole) == ["20 08:05"]
    assert figures["host_disk_read_iops", "c0t0d0"] == 30
    assert figures["host_disk_await_ms", "c0t0d0"] == 15
    assert figures["host_disk_svctm_ms", "c0t0d0"] == 5
    assert (figures["host_disk_host_queue", "c0t0d0"], figures["host_disk_lun_queue", "c0t0d0"]) == (0.4, 0.2)
    assert figures["host_disk_queue", "c0t0d0"] == pytest.approx(0.6)
    assert figures["host_disk_avg_kb", "c0t0d0"] == 8
    assert whole.notes[-1] == "One line cannot be read and is left out."


def test_iostat_without_times_is_refused():
    without = "\n".join(line for line in IOSTAT.splitlines() if not line.startswith("Fri"))

    with pytest.raises(UnreadableFile, match="run it with -T d"):
        read(without)


def report(time, reads, read_ms):
    disk = {
        "disk_device": "sda",
        "r/s": reads,
        "w/s": 1.0,
        "rkB/s": 8.0 * reads,
        "wkB/s": 8.0,
        "r_await": read_ms,
        "w_await": 2.0,
        "aqu-sz": 0.1,
        "util": 5.0,
    }
    load = {"user": 5.0, "nice": 0.0, "system": 5.0, "iowait": 0.0, "steal": 0.0, "idle": 90.0}
    return {"timestamp": time, "avg-cpu": load, "disk": [disk]}


def test_iostat_of_linux_in_json_tells_reads_and_writes_apart():
    reports = [
        report(f"2026-11-20T08:{minute:02}:00", reads, ms)
        for minute, reads, ms in ((0, 9, 9), (10, 30, 1), (20, 10, 9))
    ]
    (figures,) = figures_by_day(whole := read(as_json(*reports)))

    assert moments(whole) == ["20 08:10", "20 08:20"]
    assert figures["host_disk_read_iops", "sda"] == 20
    assert figures["host_disk_read_await_ms", "sda"] == pytest.approx((30 * 1 + 10 * 9) / 40)
    assert figures["host_disk_write_await_ms", "sda"] == 2
    assert "since the host was started" in whole.notes[0]


def test_a_report_without_a_date_is_refused():
    with pytest.raises(UnreadableFile, match="S_TIME_FORMAT=ISO"):
        read(as_json(report("08:00:00", 1, 1)))
