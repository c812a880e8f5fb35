"""Access to tables and indexes: scans, fetches and rows that moved."""

from functools import partial

from apps.catalog.metric import Worse
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import TABLES

sysstat = partial(sources.sysstat, section=TABLES, reading_unit="operations", unit="per day")
ratio = partial(sources.ratio, section=TABLES)

METRICS = [
    sysstat(
        key="scan_long",
        name="table scans (long tables)",
        label="scans of long tables",
        worse=Worse.HIGHER,
        help="Full scans of tables too large to keep in the cache. Natural in a warehouse, a missing index elsewhere.",
    ),
    sysstat(
        key="scan_short",
        name="table scans (short tables)",
        label="scans of short tables",
        help="Full scans of small tables; cheap, unless in a loop.",
    ),
    sysstat(
        key="scan_rowid",
        name="table scans (rowid ranges)",
        label="scans of rowid ranges",
        help="Scans of pieces of a table, mostly by parallel servers.",
    ),
    sysstat(
        key="scan_direct",
        name="table scans (direct read)",
        label="scans past the cache",
        help="Full scans that read straight into a session's memory.",
    ),
    sysstat(
        key="scan_rows",
        name="table scan rows gotten",
        label="rows read by scans",
        reading_unit="rows",
        help="Rows that full scans looked at, wanted or not.",
    ),
    sysstat(
        key="fetch_rowid",
        name="table fetch by rowid",
        label="rows fetched by rowid",
        reading_unit="rows",
        help="Rows found by their address, mostly through an index.",
    ),
    sysstat(
        key="fetch_continued",
        name="table fetch continued row",
        label="continued rows",
        reading_unit="rows",
        worse=Worse.HIGHER,
        help="Second visits because a row had moved, or spans blocks.",
    ),
    sysstat(
        key="index_fetch_key",
        name="index fetch by key",
        label="unique index look-ups",
        help="Look-ups in a unique index.",
    ),
    sysstat(
        key="ffs_full",
        name="index fast full scans (full)",
        label="fast full index scans",
        help="Indexes read like a table, out of order.",
    ),
    sysstat(
        key="ffs_rowid",
        name="index fast full scans (rowid ranges)",
        label="fast full index scans by ranges",
        help="Pieces of such scans, by parallel servers.",
    ),
    sysstat(
        key="ffs_direct",
        name="index fast full scans (direct read)",
        label="fast full index scans past the cache",
        help="Such scans that read straight into a session's memory.",
    ),
    ratio(
        key="continued_row_pct",
        label="share of continued rows",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("fetch_continued") / (w.delta("fetch_rowid") + w.delta("scan_rows")),
        help="Second visits per row read. Above a few percent, PCTFREE or wide rows want a look.",
    ),
    ratio(
        key="long_scans_per_execution",
        label="long scans per thousand executions",
        unit="count",
        worse=Worse.HIGHER,
        formula=lambda w: 1000 * w.delta("scan_long") / w.delta("execute_count"),
        help="Whether scans grew because there is more work, or because plans got worse.",
    ),
]
