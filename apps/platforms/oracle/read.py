"""
From rows to readings: one function per source, each giving all its source has, or raising.

Statistics are found by name, never by number. A name that a release does not have is left out, not made zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any

import oracledb

from apps.catalog.metric import Kind, Metric
from apps.collection.collector import Reading
from apps.platforms.oracle import categories, queries
from apps.platforms.oracle.connect import Connection, OutOfTime
from apps.platforms.oracle.errors import UNREADABLE, code_of, is_loss, is_silence
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.metrics.other import LEVELS
from apps.platforms.oracle.places import (
    DISK_PATH,
    DISK_STATUS,
    LOGS_LIE_ON,
    disk_name,
    place_of_file,
    places_as_text,
)
from apps.platforms.oracle.queries import Query
from apps.platforms.oracle.versions import Scope, release_number

HOUR = timedelta(hours=1)
FILE_COUNTERS = (
    "file_reads", "file_writes", "file_single_reads", "file_read_time", "file_write_time", "file_single_read_time",
)  # fmt: skip
ASM_DISK_KEYS = (
    "asm_disk_total_mb", "asm_disk_free_mb", "asm_disk_reads", "asm_disk_writes", "asm_disk_read_time",
    "asm_disk_write_time", "asm_disk_read_bytes", "asm_disk_write_bytes", "asm_disk_read_errors",
    "asm_disk_write_errors",
)  # fmt: skip
WRAPPED = 2**63  # beyond it stands a small negative number, printed without its sign
_STORED_PARAMETERS = """
    archive_lag_target compatible control_management_pack_access cpu_count db_block_size db_files db_recovery_file_dest
    db_recovery_file_dest_size disk_asynch_io fast_start_mttr_target filesystemio_options log_archive_max_processes
    log_buffer memory_max_target memory_target open_cursors optimizer_features_enable parallel_degree_policy
    parallel_max_servers pga_aggregate_limit pga_aggregate_target pre_page_sga processes resource_manager_plan sessions
    sga_max_size sga_target statistics_level timed_statistics undo_management undo_retention undo_tablespace
    use_large_pages
"""
STORED_PARAMETERS = frozenset(_STORED_PARAMETERS.split())


@dataclass
class Reader:
    """Asks one session, and remembers what it learned beside the readings: facts, notes, classes of events."""

    connection: Connection
    scope: Scope
    containers: Mapping[int, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    classes: dict[str, str] = field(default_factory=dict)
    newest: Mapping[int, datetime] = field(default_factory=dict)  # slots of the newest readings, by category
    slot: datetime | None = None
    watched: frozenset[tuple[str, str]] = (
        frozenset()
    )  # counters of segments that are read on, wherever they rank
    latest_query: Query | None = None  # the latest query: the one that failed, when a source fails
    _shared: dict[str, list[Sequence[Any]]] = field(default_factory=dict)

    def rows(self, query: Query, names: Sequence[str] = (), span: Sequence[int] = ()) -> list[Sequence[Any]]:
        self.latest_query = query
        return self.connection.rows(query, self.scope, names, span)

    def kept_rows(self, query: Query) -> list[Sequence[Any]]:
        """Rows that several sources need, asked for once."""
        if query.name not in self._shared:
            self._shared[query.name] = self.rows(query)
        return self._shared[query.name]

    def in_container(self, con_id: int, name: str) -> str:
        """The name of a tablespace, with its pluggable database in front where there is one."""
        pdb = self.containers.get(int(con_id))
        return f"{pdb}/{name}" if pdb else name


def unreadable_views(reader: Reader, views: Iterable[str]) -> list[str]:
    """The views that the account may not read, asked for no rows each; the list ends where the session does."""
    unreadable = []
    for view in views:
        try:
            reader.rows(queries.probe_of(view))
        except (oracledb.Error, OSError, OutOfTime) as error:
            if code_of(error) in UNREADABLE:
                unreadable.append(view)
            elif is_loss(error) or is_silence(error) or isinstance(error, OutOfTime):
                break
    return unreadable


def number(value: object) -> float | None:
    """A NUMBER as it is stored; text such as UNLIMITED is no number."""
    if value is None:
        return None
    if isinstance(value, int):
        return float(value - 2**64 if value >= WRAPPED else value)
    try:
        return float(str(value).strip())
    except ValueError:
        return None


def readings(pairs: Iterable[tuple[str, object]], component: str = "") -> list[Reading]:
    """Readings of metric and value, without those that have no value."""
    return [
        Reading(metric, amount, component) for metric, value in pairs if (amount := number(value)) is not None
    ]


@lru_cache
def named(category: int) -> Mapping[str, Metric]:
    """The plain metrics of a source by Oracle's name, and by the names of other releases."""
    plain = [
        m for m in METRICS if m.category == category and not m.component_kind and m.kind is not Kind.RATIO
    ]
    return {alias: m for m in plain for alias in m.aliases} | {m.name: m for m in plain if m.name}


def statistics(
    category: int,
    rows: Iterable[Sequence[Any]],
    other: str,
    levels: frozenset[str] = frozenset(),
    level: str = "",
) -> list[Reading]:
    """Rows of name and value: the catalogue's own metrics, and all others as components of `other` or `level`."""
    metric_of = named(category)
    collected = []
    for name, value, *_ in rows:
        amount = number(value)
        if amount is None:
            continue
        name = name.strip()
        if name in metric_of:
            collected.append(Reading(metric_of[name].key, amount))
        else:
            collected.append(Reading(level if name in levels else other, amount, name))
    return collected


def read_sysstat(reader: Reader) -> list[Reading]:
    rows = reader.rows(queries.SYSSTAT)
    return statistics(categories.SYSSTAT, rows, "sysstat", LEVELS, "sysstat_level")


def read_time_model(reader: Reader) -> list[Reading]:
    return statistics(categories.TIME_MODEL, reader.rows(queries.TIME_MODEL), "time_model")


def read_waits(reader: Reader) -> list[Reading]:
    rows = reader.rows(queries.SYSTEM_EVENT)
    reader.classes |= {event: wait_class or "" for event, wait_class, *_ in rows}
    return waits((event, *values) for event, _, *values in rows)


def waits(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    """Of each event how often it was waited for, how often in vain and how long, by all and by users."""
    keys = ("wait_count", "wait_timeouts", "wait_time", "wait_count_fg", "wait_timeouts_fg", "wait_time_fg")
    return [reading for event, *values in rows for reading in readings(zip(keys, values, strict=True), event)]


def read_osstat(reader: Reader) -> list[Reading]:
    rows = reader.rows(queries.OSSTAT)
    levels = frozenset(name for name, _, cumulative in rows if cumulative != "YES")
    collected = statistics(categories.OSSTAT, rows, "osstat", levels, "osstat_level")
    values = {reading.metric: reading for reading in collected}
    if "cpu_cores" not in values and "cpu_count" in values:
        collected.append(Reading("cpu_cores", values["cpu_count"].value))
    if "cpu_count" in values:
        reader.facts["cpu_count"] = f"{values['cpu_count'].value:.0f}"
    return collected


def read_pgastat(reader: Reader) -> list[Reading]:
    return statistics(categories.PGASTAT, reader.rows(queries.PGASTAT), "pgastat")


def read_sgainfo(reader: Reader) -> list[Reading]:
    return statistics(categories.SGAINFO, reader.rows(queries.SGAINFO), "sgainfo")


def read_limits(reader: Reader) -> list[Reading]:
    rows = reader.rows(queries.RESOURCE_LIMIT)
    if not rows:
        reader.notes.append(
            "v$resource_limit is empty here, as it is in a pluggable database: no limits were read."
        )
    return limits(rows)


def limits(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    """Of each resource how much of it is used, the most since start-up, and how much there may be."""
    return [
        reading
        for name, now, most, limit in rows
        for reading in readings(((f"{name}_now", now), (f"{name}_max", most), (f"{name}_limit", limit)))
    ]


def read_sessions(reader: Reader) -> list[Reading]:
    [(all_of_them, active)] = reader.rows(queries.SESSIONS)
    return readings([("sessions_current", all_of_them), ("sessions_active", active)])


def read_containers(reader: Reader) -> list[Reading]:
    """The share of each open pluggable database in the work of the instance."""
    key_of = {m.name: m.key for m in METRICS if m.category == categories.CONTAINERS}
    rows = [*reader.rows(queries.CONTAINER_STATISTICS), *reader.rows(queries.CONTAINER_TIME)]
    return [
        reading
        for con_id, name, value in rows
        if int(con_id) in reader.containers
        for reading in readings([(key_of[name], value)], reader.containers[int(con_id)])
    ]


def read_parallel_servers(reader: Reader) -> list[Reading]:
    metric_of = named(categories.PARALLEL_SERVERS)
    rows = reader.rows(queries.PARALLEL_SERVERS)
    return readings((metric_of[name.strip()].key, value) for name, value in rows if name.strip() in metric_of)


def read_parameters(reader: Reader) -> list[Reading]:
    metric_of = named(categories.PARAMETERS)
    values: dict[str, object] = {}
    for name, value, display_value, is_default in reader.rows(queries.PARAMETERS):
        if name in metric_of:
            values.setdefault(metric_of[name].key, value)
        if name in STORED_PARAMETERS or is_default == "FALSE":
            reader.facts.setdefault(f"parameter/{name}", display_value or value or "")
    return readings(values.items())


def read_files(reader: Reader) -> list[Reading]:
    keys = ("datafile_size_mb", *FILE_COUNTERS, "datafile_max_ms", "datafile_max_write_ms")
    rows = reader.rows(queries.DATA_FILE_IO) + reader.rows(queries.TEMP_FILE_IO)
    return [reading for name, *values in rows for reading in readings(zip(keys, values, strict=True), name)]


def read_logs(reader: Reader) -> list[Reading]:
    groups = reader.rows(queries.LOGS)
    thread = int(reader.facts.get("thread") or 1)
    own = [(group, size, members) for group, of_thread, size, members in groups if of_thread == thread]
    if not own:
        return []
    numbers = {group for group, _, _ in own}
    places = {place_of_file(member) for group, member in reader.rows(queries.LOG_MEMBERS) if group in numbers}
    if places:
        reader.facts[LOGS_LIE_ON] = places_as_text(places)
    return readings(
        [
            ("redo_log_member_bytes", min(size for _, size, _ in own)),
            ("redo_log_groups", len(own)),
            ("redo_log_members", min(members for _, _, members in own)),
            ("redo_log_devices", len(places) or None),
            ("redo_log_total_bytes", sum(size * members for _, _, size, members in groups)),
        ]
    )


def read_log_history(reader: Reader) -> list[Reading]:
    return log_switches([moment for (moment,) in reader.rows(queries.LOG_HISTORY)])


def log_switches(moments: Sequence[datetime]) -> list[Reading]:
    """How many switches in a day, most in a clock hour, and the shortest gap in seconds."""
    hours: dict[datetime, int] = {}
    for moment in moments:
        hour = moment.replace(minute=0, second=0, microsecond=0)
        hours[hour] = hours.get(hour, 0) + 1
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(sorted(moments))]
    return readings(
        [
            ("log_switches_per_day", len(moments)),
            ("log_switches_peak_hour", max(hours.values(), default=0)),
            ("log_switch_min_interval_s", min(gaps, default=None)),
        ]
    )


def read_archived_logs(reader: Reader) -> list[Reading]:
    return archived_logs(reader.rows(queries.ARCHIVED_LOGS))


def archived_logs(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    """Redo of a day, the longest time to archive a log, and the busiest hour, by size, lag, begin and end of each log."""
    rows = list(rows)
    lags = [lag for _, lag, *_ in rows if lag is not None]
    return readings(
        [
            ("archived_redo_gb_day", sum(size or 0 for size, *_ in rows)),
            ("archive_lag_s", max(lags, default=None)),
            ("redo_peak_mb_s", peak_redo_rate([(since, until, size) for size, _, since, until in rows])),
        ]
    )


def peak_redo_rate(logs: Iterable[tuple[datetime | None, datetime | None, Any]]) -> float | None:
    """
    Bytes a second in the clock hour with most redo; None where no log says when it was written.

    `logs` are begin, end and bytes. A log that was written over several hours counts in each by its time there.
    """
    hours: dict[datetime, float] = {}
    for since, until, size in logs:
        if since is None or until is None or not size or until <= since:
            continue
        rate = float(size) / (until - since).total_seconds()
        hour = since.replace(minute=0, second=0, microsecond=0)
        while hour < until:
            seconds = (min(until, hour + HOUR) - max(since, hour)).total_seconds()
            hours[hour] = hours.get(hour, 0.0) + rate * seconds
            hour += HOUR
    return max(hours.values()) / 3600 if hours else None


def read_recovery_area(reader: Reader) -> list[Reading]:
    keys = ("fra_limit", "fra_used", "fra_reclaimable")
    return [
        reading
        for row in reader.rows(queries.RECOVERY_AREA)
        for reading in readings(zip(keys, row, strict=True))
        if row[0]
    ]


def read_disk_groups(reader: Reader) -> list[Reading]:
    keys = ("asm_total_mb", "asm_free_mb", "asm_usable_mb")
    return [
        reading
        for name, *values, _ in reader.kept_rows(queries.DISK_GROUPS)
        for reading in readings(zip(keys, values, strict=True), name)
    ]


def read_asm_disks(reader: Reader) -> list[Reading]:
    """What this instance asked of the disks of its groups; where a disk is, and in which state, are facts."""
    groups = {int(number): name for name, *_, number in reader.kept_rows(queries.DISK_GROUPS) if number}
    if not groups:
        return []
    is_timed = reader.facts.get("parameter/timed_statistics") != "FALSE"  # else times stand at 0
    collected = []
    for number, disk, path, header_status, mode_status, *values in reader.rows(queries.ASM_DISKS):
        if disk is None or int(number) not in groups:
            continue
        name = disk_name(groups[int(number)], disk)
        reader.facts[f"{DISK_PATH}/{name}"] = path or ""
        reader.facts[f"{DISK_STATUS}/{name}"] = f"{header_status}, {mode_status}"
        pairs = zip(ASM_DISK_KEYS, values, strict=True)
        collected += readings((pair for pair in pairs if is_timed or not pair[0].endswith("_time")), name)
    return collected


def read_undo(reader: Reader) -> list[Reading]:
    rows = reader.rows(queries.UNDO)
    if not rows:
        return []
    block_size = number(reader.facts.get("parameter/db_block_size"))
    blocks = sum(blocks or 0 for blocks, *_ in rows)
    return readings(
        [
            ("undo_blocks_day", block_size and blocks * block_size),
            # the newest interval is still open and short: it counts as one of ten minutes
            ("undo_blocks_per_s_peak", max((row[0] or 0) / max(float(row[4] or 0), 600) for row in rows)),
            ("undo_max_query_s", max(row[1] or 0 for row in rows)),
            ("undo_ora1555", sum(row[2] or 0 for row in rows)),
            ("undo_nospace", sum(row[3] or 0 for row in rows)),
        ]
    )


def read_instance(started_for: timedelta, release: tuple[int, ...]) -> list[Reading]:
    """What is known of the instance from its first row."""
    return readings(
        [
            ("instance_uptime_s", started_for.total_seconds()),
            ("oracle_version_num", release_number(release)),
        ]
    )
