"""Which devices and interfaces are watched, under which name."""

from apps.platforms.linux.devices import (
    device_names,
    devices_by_mount,
    devices_of_paths,
    parse_diskstats,
    parse_net_dev,
    parse_queue_depths,
    parse_speeds,
)
from apps.platforms.linux.sources import SOURCES
from apps.platforms.linux.tests.measured import value


def line(numbers: str, name: str, reads: int = 7) -> str:
    return f" {numbers} {name} {reads} 0 80 15 3 0 24 9 0 20 24 0 0 0 0"


DISKSTATS = "\n".join(
    [
        line("8 0", "sda"),
        line("8 1", "sda1"),
        line("8 10", "sda10"),
        line("259 0", "nvme0n1"),
        line("259 1", "nvme0n1p1"),
        line("253 0", "dm-0"),
        line("253 1", "dm-1"),
        line("253 10", "dm-10"),
        line("9 0", "md0"),
        line("202 1", "xvda1"),
        line("7 0", "loop0"),
        line("253 20", "zram0"),
        line("11 0", "sr0"),
    ]
)


def test_hst10_whole_devices_are_watched_and_partitions_counted_once():
    names = device_names(DISKSTATS, {"dm-0": "vg-data", "dm-10": "vg-redo"})

    watched = {reading.component for reading in parse_diskstats(DISKSTATS, names)}

    assert watched == {"sda", "nvme0n1", "vg-data", "dm-1", "vg-redo", "md0", "xvda1"}


def test_the_device_below_a_mount_is_named_of_a_partition_its_disk():
    names = device_names(DISKSTATS, {"dm-0": "vg-data"})
    mounts = "\n".join(
        f"{number} 1 {device} / {point} rw - xfs /dev/x rw"
        for number, (device, point) in enumerate(
            [("8:1", "/"), ("253:0", "/u02"), ("259:1", "/u03"), ("0:45", "/net"), ("7:0", "/snap")]
        )
    )

    below = devices_by_mount(mounts, DISKSTATS, names)

    assert below == {"/": "sda", "/u02": "vg-data", "/u03": "nvme0n1"}


def test_a_device_is_known_by_its_number_and_by_its_mapped_name():
    names = device_names(DISKSTATS, {"dm-0": "vg-data"})

    assert names["dev253-0"] == names["dm-0"] == names["vg-data"] == "vg-data"
    assert names["dev8-0"] == "sda"
    assert "dev8-1" not in names


def test_what_a_device_counted_comes_in_the_order_of_the_kernel():
    readings = parse_diskstats(
        "254 0 vda 65773 15085 3864002 15888 27761 38134 3471440 13041 0 9788 29601", {"vda": "vda"}
    )

    assert value(readings, "host_disk_reads", "vda") == 65773
    assert value(readings, "disk_read_sectors", "vda") == 3864002
    assert value(readings, "disk_read_ms", "vda") == 15888
    assert value(readings, "host_disk_writes", "vda") == 27761
    assert value(readings, "disk_write_sectors", "vda") == 3471440
    assert value(readings, "disk_write_ms", "vda") == 13041
    assert value(readings, "disk_busy_ms", "vda") == 9788
    assert value(readings, "disk_weighted_ms", "vda") == 29601


def test_a_device_nobody_used_since_boot_is_left_out():
    assert parse_diskstats("8 0 sda 0 0 0 0 0 0 0 0 0 0 0", {"sda": "sda"}) == []


def test_the_depth_of_the_device_wins_over_that_of_its_queue():
    texts = {
        "/sys/block/sda/queue/nr_requests": "256\n",
        "/sys/block/sda/device/queue_depth": "32\n",
        "/sys/block/vda/queue/nr_requests": "128\n",
        "/sys/block/sdx/device/queue_depth": "64\n",
    }

    depths = parse_queue_depths(texts, {"sda": "sda", "vda": "vda"})

    assert {(r.component, r.value) for r in depths} == {("sda", 32), ("vda", 128)}


NET = """Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:    3193      29    0    0    0     0          0         0     3193      29    0    0    0     0       0          0
  eth0:443520597   16826    1    2    0     0          0         0   871218    9114    3    4    0     0       0          0
  eth1:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0          0
veth1a:      10       1    0    0    0     0          0         0       10       1    0    0    0     0       0          0
bond0.7:     10       1    0    0    0     0          0         0       10       1    0    0    0     0       0          0
"""


def test_hst12_interfaces_that_carry_something_are_watched():
    readings = parse_net_dev(NET)

    assert {reading.component for reading in readings} == {"eth0", "bond0.7"}
    assert value(readings, "net_rx_bytes", "eth0") == 443520597
    assert value(readings, "net_tx_packets", "eth0") == 9114
    assert value(readings, "net_errors", "eth0") == 4
    assert value(readings, "net_drops", "eth0") == 6


def test_a_link_without_a_speed_has_none():
    texts = {
        f"/sys/class/net/{name}/speed": text
        for name, text in [("eth0", "10000\n"), ("br0", "-1\n"), ("x", "")]
    }

    assert [(r.component, r.value) for r in parse_speeds(texts)] == [("eth0", 10000)]


def test_files_that_are_wanted_are_named_absolutely_and_once():
    files = [path for source in SOURCES for path in source.files if "getconf" not in path]

    assert all(path.startswith(("/proc/", "/sys/")) for path in files)


ASM_DISKSTATS = "\n".join(
    [
        line("8 0", "sda"),
        line("8 1", "sda1"),
        line("8 16", "sdb"),
        line("8 32", "sdc"),
        line("8 48", "sdd"),
        line("253 3", "dm-3"),
        line("253 4", "dm-4"),
        line("259 1", "nvme0n1p1"),  # its disk is not listed
    ]
)
UDEV_RECORDS = {
    "8:1": "S:oracleasm/data1\nS:disk/by-uuid/17-02\nE:ID_BUS=scsi\n",
    "8:16": "S:disk/by-id/scsi-3600\nS:disk/by-path/pci-1\nL:0\n",
    "8:32": "S:disk/by-id/scsi-3600\nS:disk/by-id/scsi-twin\n",
    "8:48": "S:disk/by-id/scsi-twin\n",
    "253:3": "L:50\nS:disk/by-id/scsi-3600\nS:mapper/asm1\n",
}


def test_a_path_means_a_device_by_the_names_of_kernel_device_mapper_and_udev():
    names = device_names(ASM_DISKSTATS, {"dm-3": "asm1"})
    texts = {f"/run/udev/data/b{number}": record for number, record in UDEV_RECORDS.items()}

    paths = devices_of_paths({"/proc/diskstats": ASM_DISKSTATS, **texts}, names)

    assert paths == {
        "/dev/sda": "sda",
        "/dev/sda1": "sda",
        "/dev/sdb": "sdb",
        "/dev/sdc": "sdc",
        "/dev/sdd": "sdd",
        "/dev/nvme0n1p1": "nvme0n1p1",
        "/dev/dm-3": "asm1",
        "/dev/mapper/asm1": "asm1",
        "/dev/dm-4": "dm-4",
        "/dev/oracleasm/data1": "sda",
        "/dev/disk/by-id/scsi-3600": "asm1",  # which outranks its paths
        "/dev/disk/by-path/pci-1": "sdb",
    }
