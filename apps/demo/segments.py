"""The largest segments of an instance, read once a week: what they take of their tablespace, and how they are worked on."""

from collections.abc import Iterator, Mapping

import numpy as np

from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Days, Floats, wobble
from apps.demo.timeline import Key

TABLES = {
    "warehouse": ("SALES", "SALES_LINE", "STOCK_DAY", "CUSTOMER", "PRODUCT_PRICE", "RETURNS", "PROMOTION", "LOAD_LOG"),
    "oltp": ("TRANSACTION", "ENTRY", "ACCOUNT", "MESSAGE", "PARTY", "AUDIT_TRAIL", "DOCUMENT", "QUEUE"),
}  # fmt: skip
SHARES = (0.47, 0.24, 0.13)  # of what a tablespace holds, in its three largest
OF_DATABASE = {"SYSTEM", "SYSAUX", "USERS"}
ACTIVITY = {  # what the segments share of what the instance counts
    "segment_logical_reads": ("session_logical_reads", 0.71),
    "segment_physical_reads": ("io_phys_reads", 0.83),
    "segment_physical_writes": ("io_phys_writes", 0.62),
    "segment_block_changes": ("db_block_changes", 0.77),
    "segment_space_allocated": ("redo_size", 0.1),
    "segment_row_lock_waits": ("execute_count", 2e-6),
    "segment_buffer_busy_waits": ("execute_count", 9e-6),
    "segment_itl_waits": ("execute_count", 4e-8),
}


def segments_of(member: DemoInstance) -> Iterator[tuple[str, str, float]]:
    """Each segment by owner and name, its tablespace, and its share of it."""
    tables = TABLES["warehouse" if member.workload.mix == "warehouse" else "oltp"]
    owner = member.name.rstrip("1").removesuffix("PRD")
    at = {"": 0, "_PK": 0}
    for tablespace in member.tablespaces:
        if tablespace.contents != "PERMANENT" or tablespace.name in OF_DATABASE:
            continue
        ending = "_PK" if tablespace.name.endswith(("IDX", "INDX")) else ""
        for share in SHARES:
            round_, place = divmod(at[ending], len(tables))
            yield (
                f"{owner}.{tables[place]}{f'_{round_ + 1}' if round_ else ''}{ending}",
                tablespace.name,
                share,
            )
            at[ending] += 1


def segment_counters(member: DemoInstance, days: Days, counters: Mapping[str, Floats]) -> dict[Key, Floats]:
    """What v$segstat counts of the segments, by day."""
    segments = list(segments_of(member))
    most = {tablespace.name: tablespace.most for tablespace in member.tablespaces}
    heat = {name: share * most[tablespace] ** 0.7 for name, tablespace, share in segments}
    whole = sum(heat.values()) or 1.0
    return {
        (key, name): counters[of]
        * share
        * part
        / whole
        * wobble(f"{member.name}/{name}/{key}", days.ages, 0.08)
        for key, (of, share) in ACTIVITY.items()
        if of in counters
        for name, part in heat.items()
    }


def segment_levels(member: DemoInstance, levels: Mapping[Key, Floats]) -> dict[Key, Floats]:
    """The bytes of each segment at each boundary."""
    return {
        ("segment_mb", name): np.rint(levels["ts_used_mb", tablespace] * share / 65_536) * 65_536
        for name, tablespace, share in segments_of(member)
    }
