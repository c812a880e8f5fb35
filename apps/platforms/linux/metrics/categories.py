"""
Where host rows are stored.

What sysstat averaged lies beside what the kernel counted, in the category of the thing measured: a figure that takes
whichever is there then needs one category only, and a day in which sysstat began or stopped is one day all the same.
"""

KERNEL = 100  # stat, meminfo, vmstat, loadavg and pressure of /proc; sadf's averages for the machine
DEVICES = 101  # /proc/diskstats; sadf's averages for block devices
FILESYSTEMS = 102  # statvfs of what /proc/self/mountinfo names
INTERFACES = 103  # /proc/net/dev; sadf's averages for network interfaces
TCP = 104  # /proc/net/snmp and netstat
SYSSTAT = 105  # holds no rows: names sysstat where it could not be read
PROCESSORS = 108  # /proc/stat, each processor
NODES = 109  # /sys/devices/system/node
HOST_FIGURES = 110
DEVICE_FIGURES = 111
INTERFACE_FIGURES = 113
NODE_FIGURES = 114
SWITCHES = 115  # what tools outside /proc say of address translation
THREADS = 116  # status of each thread in /proc: switches
PROCESSES = 117  # stat and status of each process in /proc, by name and by account
PROCESS_FIGURES = 118
PROCESSOR_FIGURES = 119

CATEGORIES = {
    KERNEL: "Processors, memory and load",
    DEVICES: "Block devices",
    FILESYSTEMS: "Filesystems",
    INTERFACES: "Network interfaces",
    TCP: "TCP",
    SYSSTAT: "sysstat",
    PROCESSORS: "Single processors",
    NODES: "Memory nodes",
    HOST_FIGURES: "Host figures",
    DEVICE_FIGURES: "Figures of block devices",
    INTERFACE_FIGURES: "Figures of network interfaces",
    NODE_FIGURES: "Figures of memory nodes",
    SWITCHES: "Address translation",
    THREADS: "Context switches",
    PROCESSES: "Processes",
    PROCESS_FIGURES: "Figures of processes",
    PROCESSOR_FIGURES: "Figures of single processors",
}
