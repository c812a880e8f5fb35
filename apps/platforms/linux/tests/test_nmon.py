"""Files of nmon: small ones of Linux and AIX, and bad ones, each with a sentence."""

from contextlib import suppress

import pytest

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.metrics.categories import DEVICES, FILESYSTEMS, INTERFACES
from apps.platforms.linux.tests.host_files import figures_by_day, read, series

ABOUT = """\
AAA,progname,nmon
AAA,host,db01
AAA,OS,Linux,5.14.0,#1 SMP,x86_64
AAA,interval,60
BBBP,000,/etc/release
CPU001,CPU 1 db01,User%,Sys%,Wait%,Idle%,Steal%
CPU002,CPU 2 db01,User%,Sys%,Wait%,Idle%,Steal%
CPU_ALL,CPU Total db01,User%,Sys%,Wait%,Idle%,Steal%,Busy,CPUs
MEM,Memory MB db01,memtotal,swaptotal,memfree,swapfree,memshared,cached,buffers
PROC,Processes db01,Runnable,Blocked,pswitch,syscall,read,write,fork
NET,Network I/O db01,lo-read-KB/s,eth0-read-KB/s,lo-write-KB/s,eth0-write-KB/s
DISKBUSY,Disk %Busy db01,sda,sda1,nvme0n1,nvme0n1p1
DISKREAD,Disk Read KB/s db01,sda,sda1,nvme0n1,nvme0n1p1
DISKXFER,Disk transfers per second db01,sda,sda1,nvme0n1,nvme0n1p1
DISKBSIZE,Disk Block Size db01,sda,sda1,nvme0n1,nvme0n1p1
JFSFILE,JFS Filespace %Used db01,/,/dev,/u01
TOP,%CPU Utilisation
"""
ROWS = """\
ZZZZ,{number},{clock},{day}
CPU001,{number},10,5,0,85,0
CPU002,{number},30,5,0,65,0
CPU_ALL,{number},{user},5,0,{idle},0,,2
MEM,{number},1000,100,200,75,50,300,50
PROC,{number},5,1,1479.1,-1,-1,-1,16.6
NET,{number},9,2,9,3
DISKBUSY,{number},20,20,0,0
DISKREAD,{number},400,400,0,0
DISKXFER,{number},100,100,0,0
DISKBSIZE,{number},4,4,0,0
JFSFILE,{number},16.6,0,80
TOP,0001,{number},12.0
"""


def snapshot(number, clock, user=20, day="20-NOV-2026"):
    return ROWS.format(number=f"T{number:04}", clock=clock, day=day, user=user, idle=95 - user)


TWO = ABOUT + snapshot(1, "08:01:00") + snapshot(2, "08:02:00", user=40)


def test_a_snapshot_is_an_average_since_the_one_before():
    records = read(TWO)
    (figures,) = figures_by_day(records)

    assert [(f"{i.began_at:%H:%M}", f"{at:%H:%M}") for at, i in records.intervals.items()] == [
        ("08:00", "08:01"),
        ("08:01", "08:02"),
    ]
    assert (records.host.name, records.host.label) == ("db01", "Linux 5.14.0")
    assert figures["host_cpu_user_pct", ""] == 30
    assert figures["host_cpus", ""] == 2
    assert figures["host_cpu_percpu_max_pct", ""] == 35
    assert figures["host_runq", ""] == 4  # without the thread that counts
    assert figures["host_ctxsw_per_s", ""] == pytest.approx(1479.1)
    assert ("host_syscalls_per_s", "") not in figures  # Linux does not count them
    assert figures["host_mem_available_kb", ""] == 500 * 1024
    assert figures["host_swap_used_pct", ""] == 25


def test_partitions_loops_and_what_is_made_up_are_left_out():
    records = read(TWO)
    (figures,) = figures_by_day(records)

    assert {name for metric, name in figures if metric == "host_disk_util_pct"} == {"sda", "nvme0n1"}
    assert figures["host_disk_avg_kb", "sda"] == 4
    assert ("host_disk_avg_kb", "nvme0n1") not in figures
    assert series(records, "sysstat_net_rx_kb", "eth0", INTERFACES) == [2, 2]
    assert {name for metric, name in figures if metric == "host_net_rx_kb"} == {"eth0"}
    assert series(records, "host_fs_used_pct", "/u01", FILESYSTEMS) == [80, 80]
    assert {name for metric, name in figures if metric == "host_fs_used_pct"} == {"/", "/u01"}


def test_devices_of_aix_have_wait_apart_from_service():
    text = TWO.replace("AAA,OS,Linux,5.14.0,#1 SMP,x86_64", "AAA,AIX,7.1.3.30").replace(
        "TOP,%CPU", "DISKSERV,ms db01,sda\nDISKWAIT,ms db01,sda\nMEMNEW,x,Process%,FScache%,System%\nTOP,%CPU"
    )
    text = text.replace("JFSFILE,T", "DISKSERV,{0},5\nDISKWAIT,{0},3\nMEMNEW,{0},15,60,10\nJFSFILE,T")
    text = text.replace("{0}", "T0001", 3).replace("{0}", "T0002", 3)
    records = read(text)
    (figures,) = figures_by_day(records)

    assert figures["host_disk_await_ms", "sda"] == 8
    assert figures["host_disk_svctm_ms", "sda"] == 5
    assert figures["host_mem_used_pct", ""] == pytest.approx(25)
    assert figures["host_runq_wait", ""] == 5  # AIX counts those that wait alone
    assert series(records, "wait", "sda", DEVICES) == []


def test_midnight_and_a_time_in_which_it_stood_still():
    text = ABOUT + snapshot(1, "23:59:30") + snapshot(2, "00:00:30", day="21-NOV-2026")
    records = read(text + snapshot(3, "06:00:30", day="21-NOV-2026"))

    assert [f"{interval.began_at:%d %H:%M:%S}" for interval in records.intervals.values()] == [
        "20 23:58:30",
        "20 23:59:30",
        "21 05:59:30",
    ]


def test_a_file_that_somebody_sorted_is_the_same():
    assert read("".join(sorted(TWO.splitlines(keepends=True)))).intervals == read(TWO).intervals


def test_a_file_that_is_cut_off_keeps_what_is_whole():
    records = read(TWO[: TWO.rindex("DISKREAD,T0002") + 17])

    assert len(records.intervals) == 2
    assert "One line cannot be read" in " ".join(records.notes)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (ABOUT, "no line that begins with ZZZZ"),
        (ABOUT + snapshot(1, "08:01:00", day=""), "names no day; it has to be as nmon writes it"),
        (ABOUT + snapshot(1, "08:01:00", day="20-XYZ-2026"), "names no day"),
        (ABOUT + snapshot(1, "morning"), "names no day"),
        (ABOUT + "ZZZZ,T0001\n", "names no day"),
        (ABOUT + "ZZZZ,T0001,08:01:00,20-NOV-2026\n", "holds no interval with figures"),
    ],
)
def test_what_has_no_day_or_no_figures_is_refused(text, sentence):
    with pytest.raises(UnreadableFile, match=sentence):
        read(text)


@pytest.mark.parametrize("cut", range(0, len(TWO), 53))
def test_cut_anywhere_it_is_read_or_refused(cut):
    with suppress(UnreadableFile):
        assert len(read(TWO[:cut]).intervals) in (1, 2)
