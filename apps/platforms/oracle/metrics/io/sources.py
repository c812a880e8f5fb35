"""What several statistics of I/O have in common."""

from functools import partial

from apps.catalog.metric import Metric
from apps.platforms.oracle.categories import ASM_DISKS, FILES
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import IO

sysstat = partial(sources.sysstat, section=IO)
ratio = partial(sources.ratio, section=IO)
asm_disk = partial(Metric, source="v$asm_disk_stat", category=ASM_DISKS, section=IO, component_kind="disk")
file = partial(Metric, source="v$filestat", category=FILES, section=IO, component_kind="file")
