"""What a Linux host can say on the subjects that are read beside the statistics of others, and what it cannot."""

from apps.catalog.beside import Source
from apps.platforms.linux.metrics import NOT_MEASURED

SOURCES = {
    "response of devices, reads": Source((("host_disk_read_await_ms", "*"),)),
    "response of devices, writes": Source((("host_disk_write_await_ms", "*"),)),
    "page faults": Source((("host_faults_per_s", "*"),)),
    "run queue": Source((("host_runq", "*"),)),
    "involuntary switches of the log writer": Source(missing=NOT_MEASURED["Involuntary context switches"]),
}
