"""
What can be measured on a Linux host.

categories.py   where each kind of row is stored
arithmetic.py   what the formulas are made of
meminfo.py      what the declarations of memory and huge pages share
cpu.py  load.py  memory.py  hugepages.py  numa.py  disk.py  filesystem.py  network.py  switches.py  interrupts.py  processes.py   the metrics, by subject

Metrics that a source gives are ingredients: counters of /proc under their own keys, averages of sysstat as
`sysstat_…`. Figures (`host_…`) take whichever of the two is there.
"""

from apps.platforms.linux.metrics import (
    cpu,
    disk,
    filesystem,
    hugepages,
    interrupts,
    load,
    memory,
    network,
    numa,
    processes,
    switches,
)

METRICS = [
    *cpu.METRICS,
    *load.METRICS,
    *memory.METRICS,
    *hugepages.METRICS,
    *numa.METRICS,
    *disk.METRICS,
    *filesystem.METRICS,
    *network.METRICS,
    *switches.METRICS,
    *interrupts.METRICS,
    *processes.METRICS,
]

# what a Linux host cannot tell, with the reason, for the page that lists what is measured
NOT_MEASURED = {
    "Thread migrations": "Linux keeps no count for the host as a whole.",
    "System calls": "Linux does not count them.",
    "Time in TLB and TSB misses": "Only a profiler tells it on this processor.",
}
