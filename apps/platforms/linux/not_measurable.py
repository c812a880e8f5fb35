"""What the tools of each system cannot give, or a way of reading, and what would: told on the page of the host."""

from apps.platforms.linux.metrics import NOT_MEASURED
from apps.platforms.linux.node_exporter.registration import NODE_EXPORTER

_SWITCHES = "mpstat counts them for each processor (icsw, migr); sar does not."
_UNIX = {
    "Response of reads and of writes": "sar prints the two together, wait and service apart.",
    "Read and written apart": "iostat -xn prints kr/s and kw/s; sar prints blocks in both directions.",
    "Filesystems": "df -k prints how full they are.",
    "Network": "netstat prints packets, errors and what TCP sent again.",
    "Load average": "uptime prints it; the run queue is what counts.",
    "Page tables and huge pages": "This system has none to plan for: large pages are its own affair.",
    "Pressure": "Linux alone counts the time in which work waited; the run queue and paging tell it here.",
}
NOT_MEASURABLE = {
    "SunOS": {
        "Memory installed and used": "prtconf prints what is installed; sar prints what is free alone.",
        "Swap used": "swap -s prints it; sar prints what is free alone.",
        "Involuntary switches and thread migrations": _SWITCHES,
        "Interrupts": "vmstat and mpstat print them.",
        "Minor and major faults": "vmstat -s and kstat count them apart.",
        "Processes": "prstat -mc -d d 300 prints who uses the processors.",
        "Time in TLB and TSB misses": "trapstat -T prints it, as root, on SPARC.",
        **_UNIX,
    },
    "AIX": {
        "Memory used": "svmon -G and vmstat print it; sar prints free paging space alone.",
        "Swap used": "lsps -s prints it; sar prints free paging space alone.",
        "Involuntary switches and thread migrations": "mpstat -d prints them.",
        "Interrupts": "vmstat and mpstat print them.",
        **_UNIX,
    },
    "HP-UX": {
        "Memory used": "swapinfo and vmstat print it.",
        "Swap used": "swapinfo prints it.",
        "Involuntary switches and thread migrations": "glance prints them for each process.",
        "Interrupts": "vmstat prints them.",
        **_UNIX,
    },
    "Linux": NOT_MEASURED
    | {
        "Involuntary context switches": "/proc counts them for each thread; a host that is read over SSH shows them.",
        "Response of reads and of writes": "iostat -x prints r_await and w_await; sar prints the two together.",
        "Processes": "This host, and one that is read over SSH where that is chosen, show who uses the processors.",
        "Memory nodes": "/sys/devices/system/node has them; a host that is read over SSH shows them.",
    },
    NODE_EXPORTER: NOT_MEASURED
    | {
        "Involuntary context switches": "A page has none; a host that is read over SSH shows them.",
        "Processes": "A page has none; a host that is read over SSH shows them, where that is chosen.",
        "Queue on the host": "A page does not say how many requests a device takes at once; /sys does, over SSH.",
        "Devices of a volume": "/sys/block has them; a host that is read over SSH shows them.",
    },
}

# which statistics each of these is about; a tool that has them gives a day its figures all the same
STATISTICS = {
    "Memory installed and used": (
        "host_mem_used_pct", "host_mem_used_kb", "host_mem_total_kb", "host_mem_available_kb", "host_mem_commit_pct",
        "host_mem_cached_kb", "host_mem_anon_kb", "host_mem_slab_kb",
    ),
    "Memory used": (
        "host_mem_used_pct", "host_mem_used_kb", "host_mem_available_kb", "host_mem_commit_pct",
        "host_mem_cached_kb", "host_mem_anon_kb", "host_mem_slab_kb",
    ),
    "Swap used": ("host_swap_used_pct", "host_swap_used_kb"),
    "Page tables and huge pages": (
        "host_mem_pagetables_kb", "host_mem_pagetables_pct", "host_hugepages_total", "host_hugepages_free",
        "host_hugepages_rsvd", "host_hugepages_surp", "host_hugepages_used", "host_hugepages_used_kb",
        "host_hugepages_surplus_pages", "host_hugepages_surplus_kb", "host_thp_kb",
    ),
    "Pressure": ("host_psi_cpu_some", "host_psi_io_some", "host_psi_memory_some"),
    "Involuntary switches and thread migrations": (
        "host_icsw_per_s", "host_icsw_pct", "host_vcsw_per_s", "host_migrations_per_s", "host_migrations_pct",
    ),
    "Involuntary context switches": ("host_icsw_per_s", "host_icsw_pct", "host_vcsw_per_s"),
    "Interrupts": ("host_interrupts_per_s", "host_processor_interrupts_per_s", "host_interrupts_imbalance_pct"),
    "Minor and major faults": ("host_majfaults_per_s", "host_faults_per_s", "host_major_minor_pct"),
    "Processes": ("host_process_cpus",),
    "Time in TLB and TSB misses": ("host_tlb_miss_pct",),
    "Response of reads and of writes": ("host_disk_read_await_ms", "host_disk_write_await_ms"),
    "Read and written apart": (
        "host_disk_read_kb", "host_disk_write_kb", "host_disk_read_iops", "host_disk_write_iops",
        "host_disk_reads", "host_disk_writes",
    ),
    "Filesystems": ("host_fs_used_pct",),
    "Network": ("host_net_rx_kb", "host_net_tx_kb", "host_net_util_pct"),
    "Load average": ("host_load1", "host_load5", "host_load15"),
    "Memory nodes": ("host_numa_node_used_pct",),
    "Thread migrations": ("host_migrations_per_s", "host_migrations_pct"),
    "System calls": ("host_syscalls_per_s",),
    "Queue on the host": ("host_disk_host_queue", "host_disk_lun_queue"),
}  # fmt: skip
