"""Statistics of a host that a limit names together, reads before writes: "<=20ms (R) <=5ms (W)"."""

SPLITS = [
    {"read": "host_disk_read_await_ms", "write": "host_disk_write_await_ms"},
    {"read": "host_disk_reads", "write": "host_disk_writes"},
    {"read": "host_disk_read_iops", "write": "host_disk_write_iops"},
    {"read": "host_disk_read_kb", "write": "host_disk_write_kb"},
]
