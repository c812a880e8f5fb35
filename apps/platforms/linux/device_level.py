"""How the devices of a host answer, and the facts that say what lies below what."""

from apps.catalog.storage_levels import DeviceLevel
from apps.platforms.linux.facts import DEVICE_OF, MADE_OF, PATH_NAMES

DEVICE_LEVEL = DeviceLevel(
    read="host_disk_read_await_ms",
    write="host_disk_write_await_ms",
    service="host_disk_svctm_ms",
    busy="host_disk_util_pct",
    queue="host_disk_queue",
    waiting="host_disk_host_queue",
    device_of=DEVICE_OF,
    made_of=MADE_OF,
    path_names=PATH_NAMES,
)
