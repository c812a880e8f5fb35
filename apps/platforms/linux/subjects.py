"""What a Linux host can say on the subjects that are read beside the statistics of others."""

from apps.catalog.subjects import SubjectStatistics

SUBJECTS = {
    "response of devices, reads": SubjectStatistics((("host_disk_read_await_ms", "*"),)),
    "response of devices, writes": SubjectStatistics((("host_disk_write_await_ms", "*"),)),
    "page faults": SubjectStatistics((("host_faults_per_s", "*"),)),
    "run queue": SubjectStatistics((("host_runq", "*"),)),
    "involuntary switches of the log writer": SubjectStatistics((("host_lgwr_icsw_pct", "*"),)),
}
