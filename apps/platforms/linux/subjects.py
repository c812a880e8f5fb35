"""What a Linux host can say on the subjects that are read beside the statistics of others."""

from apps.catalog.subjects import SubjectStatistics

SUBJECTS = {
    "response of devices, reads": SubjectStatistics((("host_disk_read_await_ms", "*"),)),
    "response of devices, writes": SubjectStatistics((("host_disk_write_await_ms", "*"),)),
    "page faults": SubjectStatistics((("host_faults_per_s", "*"),)),
    "memory installed": SubjectStatistics((("host_mem_total_kb", ""),)),
    "memory in huge pages": SubjectStatistics((("host_hugepages_used_kb", ""),)),
    "processors at work": SubjectStatistics((("host_cpus_at_work", ""),)),
    "run queue": SubjectStatistics((("host_runq", "*"),)),
    "involuntary switches of the log writer": SubjectStatistics((("host_lgwr_icsw_pct", "*"),)),
}
