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
}
NOT_MEASURABLE = {
    "SunOS": {
        "Memory installed and used": "prtconf prints what is installed; sar prints what is free alone.",
        "Involuntary switches and thread migrations": _SWITCHES,
        "Interrupts": "vmstat and mpstat print them.",
        "Minor and major faults": "vmstat -s and kstat count them apart.",
        "Time in TLB and TSB misses": "trapstat -T prints it, as root, on SPARC.",
        **_UNIX,
    },
    "AIX": {
        "Memory used": "svmon -G and vmstat print it; sar prints free paging space alone.",
        "Involuntary switches and thread migrations": "mpstat -d prints them.",
        "Interrupts": "vmstat and mpstat print them.",
        **_UNIX,
    },
    "HP-UX": {
        "Memory used": "swapinfo and vmstat print it.",
        "Involuntary switches and thread migrations": "glance prints them for each process.",
        "Interrupts": "vmstat prints them.",
        **_UNIX,
    },
    "Linux": NOT_MEASURED
    | {
        "Involuntary context switches": "/proc counts them for each thread; a host that is read over SSH shows them.",
        "Response of reads and of writes": "iostat -x prints r_await and w_await; sar prints the two together.",
        "Memory nodes": "/sys/devices/system/node has them; a host that is read over SSH shows them.",
    },
    NODE_EXPORTER: NOT_MEASURED
    | {
        "Involuntary context switches": "A page has none; a host that is read over SSH shows them.",
        "Queue on the host": "A page does not say how many requests a device takes at once; /sys does, over SSH.",
        "Devices of a volume": "/sys/block has them; a host that is read over SSH shows them.",
    },
}
