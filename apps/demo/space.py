"""The space of an instance: tablespaces, temp, the recovery area, disk groups. Everything in GB until it is a reading."""

from collections.abc import Sequence

import numpy as np

from apps.demo.parts import DemoInstance, DemoTablespace
from apps.demo.rhythm import Days, Floats
from apps.demo.timeline import Key, high_water

GB = 1024.0**3
EXTENT = 65_536.0
STEP_GB = 8.0  # by which files extend themselves


def space_levels(
    member: DemoInstance, ends: Days, boundaries: Floats, starts: Sequence[float]
) -> dict[Key, Floats]:
    """Gauges of space at each boundary, by metric and component."""
    levels: dict[Key, Floats] = {}
    whole = np.zeros(len(ends.ages))
    for tablespace in member.tablespaces:
        used = (
            np.rint(tablespace.used.by_day(f"{member.name}/{tablespace.name}", ends) * GB / EXTENT) * EXTENT
        )
        most = _most(tablespace, ends)
        used = np.minimum(used, most)
        size = np.minimum(most, np.ceil(used / GB * (1 + tablespace.spare) / STEP_GB) * STEP_GB * GB)
        size = np.maximum.accumulate(size)
        levels["ts_used_mb", tablespace.name] = used
        levels["ts_size_mb", tablespace.name] = size
        levels["ts_max_mb", tablespace.name] = most
        if tablespace.contents == "TEMPORARY":
            levels |= _temp(tablespace.name, used, size, boundaries, starts)
        elif tablespace.contents == "PERMANENT":
            whole = whole + used
    levels["db_used_gb", ""] = whole
    return levels | _recovery(member, ends) | _disk_groups(member, ends)


def _most(tablespace: DemoTablespace, ends: Days) -> Floats:
    most = np.full(len(ends.ages), tablespace.most)
    if tablespace.added is not None:
        age, added = tablespace.added
        most = np.where(ends.ages >= age, most + added, most)
    return most * GB


def _temp(
    name: str, used: Floats, size: Floats, boundaries: Floats, starts: Sequence[float]
) -> dict[Key, Floats]:
    marks = high_water(used, boundaries, starts)
    return {
        ("temp_size_mb", name): size,
        ("temp_allocated_mb", name): np.minimum(size, np.maximum.accumulate(used)),
        ("temp_free_mb", name): size - used,
        ("temp_peak_blocks", name): marks,
    }


def _recovery(member: DemoInstance, ends: Days) -> dict[Key, Floats]:
    limit = np.full(len(ends.ages), member.recovery_gb * GB)
    used = np.rint(limit * member.recovery_share.by_day(f"{member.name}/recovery", ends) / 100)
    return {
        ("fra_limit", ""): limit,
        ("fra_used", ""): np.minimum(used, limit),
        ("fra_reclaimable", ""): np.rint(used * 0.1),
    }


def _disk_groups(member: DemoInstance, ends: Days) -> dict[Key, Floats]:
    levels: dict[Key, Floats] = {}
    for group in member.disk_groups:
        size = np.full(len(ends.ages), group.size * 1024)
        if group.added is not None:
            size = np.where(ends.ages >= group.added[0], size + group.added[1] * 1024, size)
        used = np.rint(group.used.by_day(f"{member.name}/{group.name}", ends) * 1024)
        levels["asm_total_mb", group.name] = size
        levels["asm_free_mb", group.name] = size - used
        levels["asm_usable_mb", group.name] = size - used
    return levels
