"""What the method reads together: waits beside the response of files and devices, CPU beside page faults."""

from apps.catalog.beside import Beside, Source

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

BESIDE = [
    Beside(metric="wait_avg_ms", component="log file parallel write", subjects=LOG_WRITER),
    Beside(
        metric="wait_avg_ms", component="log file sync", subjects=(LOG_WRITES, WRITES, COMMITS, RUN_QUEUE)
    ),
    Beside(metric="wait_avg_ms", component="log buffer space", subjects=(*LOG_WRITER, COMMITS)),
    Beside(
        metric="wait_avg_ms",
        component="log file switch*",
        subjects=(LOG_WRITES, WRITES, LOG_TIME),
    ),
    Beside(metric="redo_write_ms_per_write", subjects=(WRITES, FILE_WRITES, READS)),
    Beside(metric="redo_synch_ms_per_write", subjects=(LOG_WRITES, WRITES, COMMITS)),
    Beside(metric="wait_avg_ms", component="db file s*read", subjects=(FILE_READS, READS)),
    Beside(metric="wait_avg_ms", component="db file parallel read", subjects=(FILE_READS, READS)),
    Beside(metric="wait_avg_ms", component="direct path read*", subjects=(FILE_READS, READS)),
    Beside(metric="wait_avg_ms", component="db file parallel write", subjects=(FILE_WRITES, WRITES)),
    Beside(metric="wait_avg_ms", component="direct path write*", subjects=(FILE_WRITES, WRITES)),
    Beside(metric="wait_avg_ms", component="control file parallel write", subjects=(WRITES,)),
    Beside(metric="datafile_read_ms", subjects=(READS,)),
    Beside(metric="datafile_write_ms", subjects=(WRITES,)),
    Beside(metric="datafile_avg_ms", subjects=(READS, WRITES)),
    Beside(metric="cpu_time", subjects=(RUN_QUEUE, FAULTS)),
]

SOURCES = {
    LOG_WRITES: Source((("redo_write_ms_per_write", "*"),)),
    FILE_READS: Source((("datafile_read_ms", "*"),)),
    FILE_WRITES: Source((("datafile_write_ms", "*"),)),
    LOG_TIME: Source((("redo_write_time_usec", "*"), ("redo_write_time", "*"))),
    RETRIES: Source((("redo_buffer_allocation_retries", "*"),)),
    COMMITS: Source((("user_commits", "*"),)),
    PROCESSORS: Source((("db_cpu_per_core", "*"),)),
}
