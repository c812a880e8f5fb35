"""What the method reads together: waits beside the response of files and devices, CPU beside page faults."""

from apps.catalog.subjects import Neighbourhood, SubjectStatistics

READS, WRITES = "response of devices, reads", "response of devices, writes"
FILE_READS, FILE_WRITES = "response of files, reads", "response of files, writes"
LOG_WRITES = "response of redo writes"
LOG_TIME, RETRIES, SWITCHES = (
    "redo write time",
    "buffer allocation retries",
    "involuntary switches of the log writer",
)
COMMITS, FAULTS, RUN_QUEUE = "commits", "page faults", "run queue"
PROCESSORS = "share of the processors"

LOG_WRITER = (LOG_WRITES, WRITES, LOG_TIME, RETRIES, SWITCHES)

NEIGHBOURHOODS = [
    Neighbourhood(metric="wait_avg_ms", component="log file parallel write", subjects=LOG_WRITER),
    Neighbourhood(
        metric="wait_avg_ms", component="log file sync", subjects=(LOG_WRITES, WRITES, COMMITS, RUN_QUEUE)
    ),
    Neighbourhood(metric="wait_avg_ms", component="log buffer space", subjects=(*LOG_WRITER, COMMITS)),
    Neighbourhood(
        metric="wait_avg_ms",
        component="log file switch*",
        subjects=(LOG_WRITES, WRITES, LOG_TIME),
    ),
    Neighbourhood(metric="redo_write_ms_per_write", subjects=(WRITES, FILE_WRITES, READS)),
    Neighbourhood(metric="redo_synch_ms_per_write", subjects=(LOG_WRITES, WRITES, COMMITS)),
    Neighbourhood(metric="wait_avg_ms", component="db file s*read", subjects=(FILE_READS, READS)),
    Neighbourhood(metric="wait_avg_ms", component="db file parallel read", subjects=(FILE_READS, READS)),
    Neighbourhood(metric="wait_avg_ms", component="direct path read*", subjects=(FILE_READS, READS)),
    Neighbourhood(metric="wait_avg_ms", component="db file parallel write", subjects=(FILE_WRITES, WRITES)),
    Neighbourhood(metric="wait_avg_ms", component="direct path write*", subjects=(FILE_WRITES, WRITES)),
    Neighbourhood(metric="wait_avg_ms", component="control file parallel write", subjects=(WRITES,)),
    Neighbourhood(metric="datafile_read_ms", subjects=(READS,)),
    Neighbourhood(metric="datafile_write_ms", subjects=(WRITES,)),
    Neighbourhood(metric="datafile_avg_ms", subjects=(READS, WRITES)),
    Neighbourhood(metric="asm_disk_read_ms", subjects=(FILE_READS, READS)),
    Neighbourhood(metric="asm_disk_write_ms", subjects=(FILE_WRITES, WRITES)),
    Neighbourhood(metric="cpu_time", subjects=(RUN_QUEUE, FAULTS)),
]

SUBJECTS = {
    LOG_WRITES: SubjectStatistics((("redo_write_ms_per_write", "*"),)),
    FILE_READS: SubjectStatistics((("datafile_read_ms", "*"),)),
    FILE_WRITES: SubjectStatistics((("datafile_write_ms", "*"),)),
    LOG_TIME: SubjectStatistics((("redo_write_time_usec", "*"), ("redo_write_time", "*"))),
    RETRIES: SubjectStatistics((("redo_buffer_allocation_retries", "*"),)),
    COMMITS: SubjectStatistics((("user_commits", "*"),)),
    "active sessions": SubjectStatistics((("aas", ""),)),
    "processors at work": SubjectStatistics((("cpus_at_work", ""),)),
    "statements": SubjectStatistics((("execute_count", ""),)),
    PROCESSORS: SubjectStatistics((("db_cpu_per_core", "*"),)),
}
