"""Filesystems: how full."""

from functools import partial

from apps.catalog.metric import Display, Judging, Kind, Metric, Worse
from apps.platforms.linux.metrics.categories import FILESYSTEMS
from apps.platforms.linux.sections import SPACE

filesystem = partial(
    Metric,
    source="statvfs",
    kind=Kind.GAUGE,
    category=FILESYSTEMS,
    component_kind="filesystem",
    section=SPACE,
)

METRICS = [
    filesystem(
        key="host_fs_used_pct",
        judging=Judging(companions=(("free", "host_fs_free_mb"), ("used", "host_fs_used_mb"))),
        label="filesystem used, share",
        unit="%",
        worse=Worse.HIGHER,
        reductions=("max",),
        display=Display(rows=4, called="{}"),
        help="Space used as df counts it: blocks reserved for root are taken as used.",
    ),
    filesystem(
        key="host_fs_used_mb",
        label="filesystem used",
        unit="MB",
        display=Display(unit="GB"),
        worse=Worse.HIGHER,
        help="Space that holds something. Its growth is what a forecast goes by.",
    ),
    filesystem(
        key="host_fs_free_mb",
        label="filesystem free",
        unit="MB",
        display=Display(unit="GB"),
        worse=Worse.LOWER,
        help="Space that anybody can still fill, without what is reserved for root.",
    ),
    filesystem(
        key="host_fs_size_mb",
        label="filesystem size",
        unit="MB",
        display=Display(unit="GB"),
        help="Size of the filesystem.",
    ),
    filesystem(
        key="host_fs_inodes_pct",
        label="inodes used",
        unit="%",
        worse=Worse.HIGHER,
        help="Share of the files the filesystem has room for. Audit trails and trace files run out of these first."
        " Filesystems that make inodes as they need them have none to run out of.",
    ),
]
