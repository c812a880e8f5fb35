"""The detail reports of a host, in the order of their tabs."""

from apps.catalog.details import Detail, Listing, ListingColumn
from apps.platforms.linux.sections import CPU, DISK, MEMORY, NETWORK, SPACE

NODES = Listing(
    key="nodes",
    title="Memory nodes",
    noun="memory node",
    columns=(
        ListingColumn("host_numa_node_used_pct", "used"),
        ListingColumn("host_numa_node_used_pct:max", "most used"),
    ),
)


def _users_of_processors(kind: str, key: str, title: str) -> Listing:
    """Processes by their name or their account: what each takes of the processors, and how it switches."""
    cpus = f"host_{kind}_cpus"
    return Listing(
        key=key,
        title=title,
        noun=kind,
        columns=(
            ListingColumn(cpus, "CPUs at work"),
            ListingColumn(f"{cpus}:max", "most"),
            ListingColumn(f"host_{kind}_user_pct", "user"),
            ListingColumn(f"host_{kind}_system_pct", "system"),
            ListingColumn(f"host_{kind}_vcsw_per_s", "voluntary switches"),
            ListingColumn(f"host_{kind}_icsw_per_s", "involuntary switches"),
        ),
        by_day=(cpus,),
    )


PROCESSES = _users_of_processors("process", "processes", "Who uses the processors")
ACCOUNTS = _users_of_processors("account", "accounts", "Whose processes they are")
PROCESSORS = Listing(
    key="processors",
    title="Processors",
    noun="processor",
    columns=(ListingColumn("host_processor_interrupts_per_s", "interrupts"),),
)
DEVICES = Listing(
    key="devices",
    title="Block devices",
    noun="device",
    columns=(
        ListingColumn("host_disk_iops", "requests"),
        ListingColumn("host_disk_await_ms", "response"),
        ListingColumn("host_disk_util_pct", "busy"),
        ListingColumn("host_disk_read_kb", "read"),
        ListingColumn("host_disk_write_kb", "written"),
        ListingColumn("host_disk_queue", "queue"),
    ),
    by_day=("host_disk_iops", "host_disk_await_ms", "host_disk_util_pct"),
)
FILESYSTEMS = Listing(
    key="filesystems",
    title="Filesystems",
    noun="filesystem",
    columns=(
        ListingColumn("host_fs_used_mb", "used", "GB"),
        ListingColumn("host_fs_free_mb", "available", "GB"),
        ListingColumn("host_fs_size_mb", "size", "GB"),
        ListingColumn("host_fs_used_pct", "used of size"),
        ListingColumn("host_fs_inodes_pct", "inodes used"),
    ),
    by_day=("host_fs_used_mb", "host_fs_free_mb", "host_fs_size_mb"),
)
INTERFACES = Listing(
    key="interfaces",
    title="Network interfaces",
    noun="interface",
    columns=(
        ListingColumn("host_net_rx_kb", "received"),
        ListingColumn("host_net_tx_kb", "sent"),
        ListingColumn("host_net_util_pct", "busy"),
        ListingColumn("host_net_errors", "errors"),
        ListingColumn("host_net_drops", "drops"),
    ),
    by_day=("host_net_rx_kb", "host_net_tx_kb"),
)

DETAILS = (
    Detail(
        key="cpu",
        title="CPU and load",
        help="Mean, 95th percentile and maximum of the day: a mean of 40 % hides an hour of 100 %.",
        sections=(CPU,),
        listings=(PROCESSES, ACCOUNTS, PROCESSORS),
        lead="host_cpu_busy_pct",
    ),
    Detail(
        key="memory",
        title="Memory",
        help="Available is what programs can still be given without swapping; page tables are what small pages cost.",
        sections=(MEMORY,),
        listings=(NODES,),
        lead="host_mem_used_pct",
    ),
    Detail(
        key="disks",
        title="Disks",
        help="Requests, response and queue of every device; response is felt, busy alone says little on flash.",
        sections=(DISK,),
        listings=(DEVICES,),
    ),
    Detail(
        key="space",
        title="Filesystems",
        help="Used and available add up to what users may fill; a filesystem also runs out of inodes.",
        sections=(SPACE,),
        listings=(FILESYSTEMS,),
    ),
    Detail(
        key="network",
        title="Network",
        help="Traffic of every interface, and what TCP had to send again.",
        sections=(NETWORK,),
        listings=(INTERFACES,),
    ),
)
