"""What instances on one machine take of it, and how their files answer beside its devices."""

from apps.catalog.guests import GuestColumn, Guests, GuestSum
from apps.catalog.storage_levels import DiskLevel, FileLevel
from apps.platforms.oracle.places import DISK_PATH, place_of_disk, place_of_file

FILE_LEVEL = FileLevel(
    read="datafile_read_ms",
    write="datafile_write_ms",
    place_of=place_of_file,
    disks=DiskLevel(
        read="asm_disk_read_ms",
        write="asm_disk_write_ms",
        place_of=place_of_disk,
        path_of=DISK_PATH,
    ),
)

GUESTS = Guests(
    (
        GuestColumn(metric="sga_max", head="SGA", unit="GB"),
        GuestColumn(metric="pga_allocated", head="PGA", unit="GB"),
        GuestColumn(metric="sessions_current", head="sessions"),
        GuestColumn(metric="cpus_at_work", head="CPUs at work"),
        GuestColumn(metric="io_mb_per_s", head="read and written", unit="MB/s"),
        GuestColumn(metric="wait_avg_ms", component="log file sync", head="commit", unit="ms", adds_up=False),
    ),
    (
        GuestSum(
            title="SGA and PGA", metrics=("sga_max", "pga_allocated"), unit="GB", subject="memory installed"
        ),
        GuestSum(title="SGA", metrics=("sga_max",), unit="GB", subject="memory in huge pages"),
        GuestSum(title="CPUs at work", metrics=("cpus_at_work",), subject="processors at work"),
    ),
)
