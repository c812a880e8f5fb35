"""Redo: writes, waits and the logs."""

from apps.advisors.engine.rule_inputs import DeviceInput, FigureInput
from apps.platforms.oracle.places import LOGS_LIE_ON

REDO_WRITE_LUN_MS = DeviceInput(
    key="redo_lun_write_ms",
    label="write response below the logs",
    unit="ms",
    metric="host_disk_write_await_ms",
    places=LOGS_LIE_ON,
    device_of="device_of",
    needs="Which device lies below the online logs is known where they lie on a filesystem of a host that is read.",
)
REDO_READ_LUN_MS = DeviceInput(
    key="redo_lun_read_ms",
    label="read response below the logs",
    unit="ms",
    metric="host_disk_read_await_ms",
    places=LOGS_LIE_ON,
    device_of="device_of",
)


def _average_of(key: str, event: str) -> FigureInput:
    return FigureInput(key=key, label=f"{event}, average", unit="ms", metric="wait_avg_ms", component=event)


def _rate_of(key: str, event: str) -> FigureInput:
    return FigureInput(
        key=key, label=f"{event}, rate", unit="per second", metric="wait_count", component=event
    )


WRITE_MS = _average_of("wait_log_file_parallel_write_avg_ms", "log file parallel write")
WRITES = _rate_of("wait_log_file_parallel_write_per_s", "log file parallel write")
SYNC_MS = _average_of("wait_log_file_sync_avg_ms", "log file sync")
SYNCS = _rate_of("wait_log_file_sync_per_s", "log file sync")
ARCHIVER_READ_MS = _average_of("wait_log_file_sequential_read_avg_ms", "log file sequential read")
BUFFER_WAITS = _rate_of("wait_log_buffer_space_per_s", "log buffer space")
BUFFER_WAIT_MS = _average_of("wait_log_buffer_space_avg_ms", "log buffer space")
CHECKPOINT_WAITS = _rate_of("wait_log_file_switch_ckpt_per_s", "log file switch (checkpoint incomplete)")
LATCH_WAITS = _rate_of("wait_latch_redo_allocation_per_s", "latch: redo allocation")
RETRIES = FigureInput(
    key="redo_retries_per_s",
    label="buffer allocation retries",
    unit="per second",
    metric="redo_retries_per_s",
)
SPACE_REQUESTS = FigureInput(
    key="redo_space_requests_per_s",
    label="log space requests",
    unit="per second",
    metric="redo_space_requests_per_s",
)
SWITCHES = FigureInput(
    key="log_switches_peak_hour",
    label="log switches in the busiest hour",
    unit="switches/hour",
    metric="log_switches_peak_hour",
)
FILL_S = FigureInput(
    key="redo_log_fill_s", label="time to fill a log at peak", unit="seconds", metric="redo_log_fill_s"
)
GROUPS = FigureInput(key="redo_log_groups", label="log groups", metric="redo_log_groups")
MEMBERS = FigureInput(key="redo_log_members", label="members of a group", metric="redo_log_members")
PLACES = FigureInput(key="redo_log_devices", label="places of the logs", metric="redo_log_devices")
REDO_GB = FigureInput(key="redo_gb_per_day", label="redo", unit="GB/day", metric="redo_gb_per_day")
