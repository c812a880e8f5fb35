"""Redo: how it is written, and where the log files lie."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, Weight
from apps.platforms.oracle.rules.inputs.facts import IS_FILESYSTEM
from apps.platforms.oracle.rules.inputs.redo import (
    ARCHIVER_READ_MS,
    BUFFER_WAIT_MS,
    BUFFER_WAITS,
    LATCH_WAITS,
    MEMBERS,
    PLACES,
    REDO_READ_LUN_MS,
    REDO_WRITE_LUN_MS,
    RETRIES,
    SYNC_MS,
    SYNCS,
    WRITE_MS,
    WRITES,
)

REDO_LUN_SLOW = FindingRule(
    key="REDO_LUN_SLOW",
    title="The device below the logs writes slowly",
    subject="redo",
    classification=Classification.PERFORMANCE,
    inputs=(REDO_WRITE_LUN_MS,),
    optional_inputs=(REDO_READ_LUN_MS,),
    condition=lambda inputs: inputs.redo_lun_write_ms >= 2,
    fires_when="write response of the device ≥ 2 ms",
    meaning="The log writer is alone, and every commit waits for it. Reads do not count here: they are the archiver's.",
    actions=(
        "Devices for redo alone, striped and mirrored; no RAID 5; nothing shared with archived logs or data.",
        "A write cache in the array.",
    ),
    source="planning method",
)
REDO_WRITE_SLOW = FindingRule(
    key="REDO_WRITE_SLOW",
    title="log file parallel write is slow",
    subject="redo",
    classification=Classification.PERFORMANCE,
    inputs=(WRITE_MS, WRITES),
    condition=lambda inputs: (
        inputs.wait_log_file_parallel_write_avg_ms >= 2 and inputs.wait_log_file_parallel_write_per_s >= 1
    ),
    critical=lambda inputs: inputs.wait_log_file_parallel_write_avg_ms >= 10,
    fires_when="average ≥ 2 ms at ≥ 1 per second; critical ≥ 10 ms",
    meaning="Writing redo itself takes too long.",
    actions=(
        "See REDO_LUN_SLOW, REDO_SHARED_DEVICE and ARCH_CONTENTION.",
        "See whether the log writer gets its CPU (LGWR_PREEMPTED).",
    ),
    source="planning method",
)
COMMIT_SLOW = FindingRule(
    key="COMMIT_SLOW",
    title="Commits are slow",
    subject="redo",
    classification=Classification.PERFORMANCE,
    inputs=(SYNC_MS, SYNCS),
    condition=lambda inputs: inputs.wait_log_file_sync_avg_ms >= 5 and inputs.wait_log_file_sync_per_s >= 1,
    critical=lambda inputs: inputs.wait_log_file_sync_avg_ms >= 20,
    fires_when="log file sync ≥ 5 ms at ≥ 1 per second; critical ≥ 20 ms",
    meaning="Sessions wait long for each commit.",
    actions=(
        "Where the write of redo is slow too, storage is to be mended; where not, see COMMIT_GAP_CPU.",
        "Commit less often in batch work.",
    ),
    source="planning method",
)
COMMIT_GAP_CPU = FindingRule(
    key="COMMIT_GAP_CPU",
    title="The write of redo does not explain the commits",
    subject="redo",
    classification=Classification.PERFORMANCE,
    inputs=(SYNC_MS, WRITE_MS),
    condition=lambda inputs: (
        inputs.wait_log_file_sync_avg_ms >= 5
        and inputs.wait_log_file_sync_avg_ms - inputs.wait_log_file_parallel_write_avg_ms >= 5
    ),
    critical=lambda inputs: (
        inputs.wait_log_file_sync_avg_ms - inputs.wait_log_file_parallel_write_avg_ms >= 15
    ),
    fires_when="log file sync ≥ 5 ms and ≥ 5 ms above the write; critical ≥ 15 ms above",
    meaning="When all is well both waits are about as long. The rest is spent waiting for a CPU, or for the answer of a standby"
    " or of another instance.",
    actions=(
        "Look at involuntary switches of the log writer, the run queue and stolen CPU.",
        "Give the log writer priority, or a CPU of its own.",
        "From 12.1 on redo synch overhead measures this gap.",
        "Rule out synchronous Data Guard and the broadcast of RAC first.",
    ),
    source="planning method",
)
LOG_BUFFER_SMALL = FindingRule(
    key="LOG_BUFFER_SMALL",
    title="Sessions wait for room in the log buffer",
    subject="redo",
    classification=Classification.CAPACITY,
    inputs=(BUFFER_WAITS,),
    optional_inputs=(BUFFER_WAIT_MS,),
    condition=lambda inputs: inputs.wait_log_buffer_space_per_s > 0.01,
    critical=lambda inputs: inputs.wait_log_buffer_space_per_s >= 1,
    fires_when="log buffer space > 0.01 per second; critical ≥ 1",
    meaning="Redo is made faster than the log writer empties the buffer: it is too small, or the writer too slow.",
    actions=(
        "Mend the time of a write first (REDO_WRITE_SLOW), then the buffer.",
        "72 MB served 14 MB/s where 4 MB had been too little for 9.45 MB/s.",
        "Accept that log switches take a little longer with a larger buffer.",
    ),
    source="planning method",
)
REDO_RETRIES = FindingRule(
    key="REDO_RETRIES",
    title="Sessions ask again for room in the log buffer",
    subject="redo",
    classification=Classification.PERFORMANCE,
    inputs=(RETRIES,),
    condition=lambda inputs: inputs.redo_retries_per_s >= 0.1,
    critical=lambda inputs: inputs.redo_retries_per_s >= 1,
    fires_when="allocation retries ≥ 0.1 per second; critical ≥ 1",
    meaning="They found the log buffer full. The share of all entries, often taken, hides it: 0.03 % was a problem.",
    actions=(
        "As for LOG_BUFFER_SMALL.",
        "Together with log space requests the cause is switching logs.",
    ),
    source="planning method",
)
REDO_SHARED_DEVICE = FindingRule(
    key="REDO_SHARED_DEVICE",
    title="Log groups that follow each other share a device",
    subject="redo",
    classification=Classification.PERFORMANCE,
    weight=Weight.INFO,
    inputs=(PLACES, MEMBERS, IS_FILESYSTEM),
    condition=lambda inputs: bool(
        inputs.redo_log_devices < 4 and inputs.redo_log_members >= 2 and inputs.is_filesystem
    ),
    fires_when="places < 4, members ≥ 2, on filesystems",
    meaning="The archiver reads the last group from the device that the log writer writes to.",
    actions=(
        "Place groups so that neighbours, and the two members of a group, lie on different devices: 1A 3A, 2B 4B, 2A 4A, 1B 3B.",
    ),
    source="planning method",
)
ARCH_CONTENTION = FindingRule(
    key="ARCH_CONTENTION",
    title="The archiver disturbs the log writer",
    subject="redo",
    classification=Classification.PERFORMANCE,
    inputs=(ARCHIVER_READ_MS, WRITE_MS),
    condition=lambda inputs: (
        inputs.wait_log_file_sequential_read_avg_ms >= 5 and inputs.wait_log_file_parallel_write_avg_ms >= 2
    ),
    fires_when="log file sequential read ≥ 5 ms, parallel write ≥ 2 ms",
    meaning="Both are slow together: reads of the archiver and writes of redo share a device. Slow reads alone do no harm.",
    actions=(
        "Separate devices for each group (REDO_SHARED_DEVICE); stripes as wide as a read of the archiver, 1 MB.",
    ),
    source="planning method",
)
REDO_LATCH = FindingRule(
    key="REDO_LATCH",
    title="Sessions wait for the redo allocation latch",
    subject="redo",
    classification=Classification.PERFORMANCE,
    weight=Weight.INFO,
    inputs=(LATCH_WAITS,),
    condition=lambda inputs: inputs.wait_latch_redo_allocation_per_s >= 0.1,
    fires_when="waits ≥ 0.1 per second",
    meaning="More sessions copy redo than there are strands. It shows once the log writer is quick.",
    actions=("Leave the hidden parameters to Oracle's support on releases of today.",),
    source="planning method",
)
