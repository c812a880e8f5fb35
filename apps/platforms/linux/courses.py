"""Courses of action for hosts: the short and the long way of a CPU bottleneck, and what capacity can be added."""

from apps.advisors.plan_outlines import PlanOutline
from apps.platforms.linux.sections import CPU, DISK, MEMORY, NETWORK, SPACE

METHOD = "Manoharan, capacity planning, 2008"

COURSES = [
    PlanOutline(
        key="cpu-short",
        name="CPU bottleneck, the short way",
        family=CPU.title,
        diagnosis="",
        source=METHOD,
        steps=(
            ("Ask the application: do users notice, since when, in which function", 1),
            ("Rule out a system process: backup, virus scan, monitoring, cron", 1),
            ("Compare the load average with the number of cores, over the same hours", 1),
            ("Look at the run queue: 95th percentile and busiest hour against the cores", 1),
            ("Find the process: CPU by process (pidstat, top), user or system time", 1),
            ("Count its system calls (strace -c, perf): what the kernel does for it", 1),
            ("Find the SQL behind the process, and what changed about it", 2),
            ("Decide: change the statement, move the batch, or add CPU", 3),
        ),
    ),
    PlanOutline(
        key="cpu-long",
        name="CPU bottleneck, the long way",
        family=CPU.title,
        diagnosis="",
        source=METHOD,
        steps=(
            ("Read the host every 5 minutes", 1),
            ("Collect three months: run queue, utilization, context switches, interrupts, migrations", 90),
            ("Read the report “Processors over three months”, and what moved together with it", 5),
            ("Decide: spread the load over the day, move what can move, or add cores", 10),
        ),
    ),
    PlanOutline(
        key="cpu-capacity",
        name="CPU capacity",
        family=CPU.title,
        diagnosis="capacity",
        source=METHOD,
        steps=(
            ("Name the consumer: which instances, which hours, how much of the growth is theirs", 3),
            ("Spread the load over the day; move what can wait into the night", 10),
            ("Add cores, or faster ones; count what that does to the licences", 30),
            ("Watch the run queue for a week, then close", 7),
        ),
    ),
    PlanOutline(
        key="memory-capacity",
        name="Memory capacity",
        family=MEMORY.title,
        diagnosis="capacity",
        source=METHOD,
        steps=(
            ("Say what the memory is used for: shared memory, process memory, page tables, file cache", 2),
            ("Put shared memory into huge pages: its page tables come back as usable memory", 7),
            ("Lower what is over-sized before buying", 5),
            ("Add memory; plan the stop that it needs", 30),
            ("Watch for a week, then close", 7),
        ),
    ),
    PlanOutline(
        key="disk-performance",
        name="Slow disks",
        family=DISK.title,
        diagnosis="performance",
        source=METHOD,
        steps=(
            ("Compare response and requests per second by device, for the same hours", 2),
            ("See whether requests wait in the queue of the host or in the array", 3),
            ("Find who shares the device: other databases, backups, archived logs", 3),
            ("Separate what disturbs each other; move writes that users wait for to cached storage", 14),
            ("Measure a week before and a week after", 7),
        ),
    ),
    PlanOutline(
        key="storage-capacity",
        name="Storage capacity of a host",
        family=SPACE.title,
        diagnosis="capacity",
        source=METHOD,
        steps=(
            ("Find what grew, and whether it may be deleted, compressed or archived", 2),
            ("Extend the volume, or order disks: name size and day", 14),
            ("Set the limit to the new size", 1),
        ),
    ),
    PlanOutline(
        key="network-capacity",
        name="Network capacity",
        family=NETWORK.title,
        diagnosis="capacity",
        source=METHOD,
        steps=(
            ("Look at retransmitted and dropped packets beside the throughput", 1),
            ("Find the traffic: backups, replication, clients", 3),
            ("Separate backups and interconnect from clients", 10),
            ("Add links, or faster ones", 30),
        ),
    ),
    PlanOutline(
        key="configuration-capacity",
        name="Capacity by configuration",
        family="",
        diagnosis="capacity",
        source=METHOD,
        steps=(
            ("Cluster or grid: would another node carry the load, and can the application use it", 10),
            ("Version: does a newer release remove the limit", 20),
            ("64-bit: is anything still bound to the address space of 32 bits", 5),
            ("Decide and plan the change with its test", 10),
        ),
    ),
]
