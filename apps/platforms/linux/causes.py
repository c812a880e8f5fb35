"""What speaks of the cause of a host's figures: of its processors the instances on it, of a filesystem what is stored."""

from apps.catalog.causes import Cause, Shared, Stored

CAUSES: list[Cause] = [
    Shared(metrics=("host_cpu_*", "host_load*", "host_runq*"), users="share of the processors"),
    Stored(metrics=("host_fs_*",), used="host_fs_used_mb"),
]
