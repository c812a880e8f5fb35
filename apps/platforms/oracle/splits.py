"""Statistics of an instance that a limit names together, reads before writes: "<=20ms (R) <=5ms (W)"."""

SPLITS = [
    {"read": "datafile_read_ms", "write": "datafile_write_ms"},
    {"read": "file_reads", "write": "file_writes"},
    {"read": "file_read_time", "write": "file_write_time"},
    {"read": "asm_disk_read_ms", "write": "asm_disk_write_ms"},
    {"read": "asm_disk_reads", "write": "asm_disk_writes"},
    {"read": "asm_disk_read_time", "write": "asm_disk_write_time"},
    {"read": "asm_disk_read_bytes", "write": "asm_disk_write_bytes"},
    {"read": "asm_disk_read_errors", "write": "asm_disk_write_errors"},
    {"read": "io_read_bytes", "write": "io_write_bytes"},
    {"read": "io_read_requests", "write": "io_write_requests"},
    {"read": "io_read_multi", "write": "io_write_multi"},
    {"read": "io_app_read_bytes", "write": "io_app_write_bytes"},
    {"read": "io_phys_reads", "write": "io_phys_writes"},
    {"read": "io_reads_direct", "write": "io_writes_direct"},
    {"read": "io_reads_direct_temp", "write": "io_writes_direct_temp"},
    {"read": "segment_physical_reads", "write": "segment_physical_writes"},
]
