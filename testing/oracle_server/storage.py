"""What a believable database keeps on disk: tablespaces, files and segments, growing with time."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .database import Database, Pdb, Row, Rows

MB = 2**20
GB = 2**30
BLOCK = 8192
MOST_OF_FILE = (2**22 - 2) * BLOCK
PARTITIONED = frozenset({"ORDERS", "ORDER_ITEMS"})
PARTITIONS = 12  # of each of these tables


@dataclass(frozen=True)
class PlayedTablespace:
    """A tablespace: what it uses at the beginning, what it gains in a day, and how far its files may grow."""

    name: str
    used: float
    daily_growth: float = 0.0
    limit: float = 32 * GB
    files: int = 1
    contents: str = "PERMANENT"
    is_autoextensible: bool = True


TABLESPACES = (
    PlayedTablespace("SYSTEM", 1.1 * GB, 0.2 * MB),
    PlayedTablespace("SYSAUX", 2.4 * GB, 1.5 * MB),
    PlayedTablespace("UNDOTBS1", 3 * GB, contents="UNDO"),
    PlayedTablespace("TEMP", 1.5 * GB, contents="TEMPORARY"),
    PlayedTablespace("USERS", 0.4 * GB, 0.1 * MB, limit=8 * GB),
    PlayedTablespace("SALES_DATA", 140 * GB, 190 * MB, limit=192 * GB, files=6),
    PlayedTablespace("SALES_INDX", 61 * GB, 80 * MB, limit=96 * GB, files=3),
    PlayedTablespace("ARCHIVE", 27.5 * GB, 12 * MB, limit=30 * GB, is_autoextensible=False),
)


@dataclass(frozen=True)
class File:
    """A data file or temp file at some moment."""

    number: int
    name: str
    tablespace: PlayedTablespace
    tablespace_number: int
    size: int
    used: int
    limit: int


@dataclass(frozen=True)
class Segment:
    """A table, an index or a partition; `heat` is its share of the work, `share` its part of the tablespace."""

    owner: str
    name: str
    kind: str
    tablespace: str
    tablespace_number: int
    object_id: int
    heat: float
    share: float
    partition: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.name}/{self.partition}" if self.partition else self.name


class Storage:
    """Tablespaces, files and segments of a container, growing with time."""

    def __init__(
        self,
        database: Database,
        anchor: datetime,
        tablespaces: Sequence[PlayedTablespace],
        pdb: Pdb | None = None,
    ) -> None:
        self.database = database
        self.pdb = pdb
        self.anchor = anchor
        self.tablespaces = list(tablespaces)
        for each in database.instances[1:]:
            self.tablespaces.append(PlayedTablespace(f"UNDOTBS{each.number}", 3 * GB, contents="UNDO"))
        self.temporary = [each for each in self.tablespaces if each.contents == "TEMPORARY"]
        self.numbers = {each.name: number for number, each in enumerate(self.tablespaces)}
        self.segments = list(self._segments())

    def furnish(self) -> None:
        views: dict[str, Callable[[datetime], Rows]] = {
            "dba_tablespaces": self.dba_tablespaces,
            "dba_data_files": lambda now: self.dba_files(self.files(now), now),
            "dba_temp_files": lambda now: self.dba_files(self.files(now, is_temporary=True), now),
            "dba_tablespace_usage_metrics": self.usage_metrics,
            "dba_free_space": self.free_space,
            "dba_temp_free_space": self.temp_free_space,
            "dba_segments": self.dba_segments,
            "dba_objects": self.dba_objects,
            "v$datafile": lambda now: self.file_rows(self.files(now)),
            "v$tempfile": lambda now: self.file_rows(self.files(now, is_temporary=True)),
            "v$tablespace": self.tablespace_rows,
        }
        for view, rows in views.items():
            (self.pdb or self.database).set_rows(view, rows)

    def used(self, tablespace: PlayedTablespace, now: datetime) -> int:
        """Return the bytes in use: what grows, grows a little every second."""
        days = (now - self.anchor).total_seconds() / 86400
        used = max(tablespace.used + tablespace.daily_growth * days, MB)
        return int(min(used, tablespace.limit)) // BLOCK * BLOCK

    def allocated(self, tablespace: PlayedTablespace, now: datetime) -> int:
        """Return the size of the files: fixed, or extended in steps of 256 MB ahead of what is used."""
        if not tablespace.is_autoextensible:
            return int(tablespace.limit)
        extended = math.ceil(self.used(tablespace, now) * 1.03 / (256 * MB)) * 256 * MB
        return int(min(extended, tablespace.limit))

    def files(self, now: datetime, *, is_temporary: bool = False) -> list[File]:
        files: list[File] = []
        for tablespace in self.tablespaces:
            if (tablespace.contents == "TEMPORARY") is not is_temporary:
                continue
            count = tablespace.files
            for part in range(count):
                size = self.allocated(tablespace, now) // count // BLOCK * BLOCK
                name = f"{tablespace.name.lower()}{part + 1:02}.dbf"
                folder = self.database.name + (f"/{self.pdb.name}" if self.pdb else "")
                limit = int(min(tablespace.limit / count, MOST_OF_FILE))
                used = self.used(tablespace, now) // count
                number = len(files) + 1 + (100 * self.pdb.con_id if self.pdb else 0)
                path = f"/u02/oradata/{folder}/{name}"
                files.append(File(number, path, tablespace, self.numbers[tablespace.name], size, used, limit))
        return files

    def dba_tablespaces(self, now: datetime) -> Rows:
        return [
            {
                "tablespace_name": each.name,
                "block_size": BLOCK,
                "status": "ONLINE",
                "contents": each.contents,
                "logging": "NOLOGGING" if each.contents == "TEMPORARY" else "LOGGING",
                "extent_management": "LOCAL",
                "allocation_type": "UNIFORM" if each.contents == "TEMPORARY" else "SYSTEM",
                "segment_space_management": "AUTO" if each.contents == "PERMANENT" else "MANUAL",
                "retention": "NOGUARANTEE" if each.contents == "UNDO" else "NOT APPLY",
                "bigfile": "NO",
                "encrypted": "NO",
                "compress_for": None,
                "max_size": 2147483645,
            }
            for each in self.tablespaces
        ]

    def dba_files(self, files: Iterable[File], now: datetime) -> Rows:
        rows: list[Row] = []
        for file in files:
            can_grow = file.tablespace.is_autoextensible
            is_temporary = file.tablespace.contents == "TEMPORARY"
            row: dict[str, Any] = {
                "file_name": file.name,
                "file_id": file.number,
                "tablespace_name": file.tablespace.name,
                "bytes": file.size,
                "blocks": file.size // BLOCK,
                "status": "ONLINE" if is_temporary else "AVAILABLE",
                "relative_fno": file.number,
                "autoextensible": "YES" if can_grow else "NO",
                "maxbytes": file.limit if can_grow else 0,
                "maxblocks": file.limit // BLOCK if can_grow else 0,
                "increment_by": 256 * MB // BLOCK if can_grow else 0,
                "user_bytes": file.size - MB,
                "user_blocks": (file.size - MB) // BLOCK,
            }
            own = (
                {"shared": "SHARED"}
                if is_temporary
                else {"online_status": "SYSTEM" if file.tablespace.name == "SYSTEM" else "ONLINE"}
            )
            rows.append({**row, **own})
        return rows

    def usage_metrics(self, now: datetime) -> Rows:
        rows: list[Row] = []
        for each in self.tablespaces:
            used = self.used(each, now)
            if each.contents == "TEMPORARY":
                used //= 12
            limit = sum(file.limit for file in self.all_files(now) if file.tablespace is each)
            rows.append(
                {
                    "tablespace_name": each.name,
                    "used_space": used // BLOCK,
                    "tablespace_size": limit // BLOCK,
                    "used_percent": round(100 * used / limit, 6),
                    "allocation_size": self.allocated(each, now) // BLOCK,
                    "block_size": BLOCK,
                }
            )
        return rows

    def all_files(self, now: datetime) -> list[File]:
        return [*self.files(now), *self.files(now, is_temporary=True)]

    def free_space(self, now: datetime) -> Rows:
        return [
            {
                "tablespace_name": file.tablespace.name,
                "file_id": file.number,
                "block_id": file.used // BLOCK + 128,
                "bytes": file.size - file.used,
                "blocks": (file.size - file.used) // BLOCK,
                "relative_fno": file.number,
            }
            for file in self.files(now)
            if file.size > file.used
        ]

    def temp_free_space(self, now: datetime) -> Rows:
        return [
            {
                "tablespace_name": each.name,
                "tablespace_size": self.allocated(each, now),
                "allocated_space": self.used(each, now),
                "free_space": self.allocated(each, now) - self.used(each, now) // 12,
                "shared": "SHARED",
            }
            for each in self.temporary
        ]

    def file_rows(self, files: Iterable[File]) -> Rows:
        return [
            {
                "file#": file.number,
                "creation_change#": 1000 + file.number,
                "creation_time": self.database.local(self.database.created_at),
                "ts#": file.tablespace_number,
                "rfile#": file.number,
                "status": "SYSTEM" if file.tablespace.name == "SYSTEM" else "ONLINE",
                "enabled": "READ WRITE",
                "bytes": file.size,
                "blocks": file.size // BLOCK,
                "create_bytes": 256 * MB,
                "block_size": BLOCK,
                "name": file.name,
                "con_id": self.pdb.con_id if self.pdb else 0,
            }
            for file in files
        ]

    def tablespace_rows(self, now: datetime) -> Rows:
        return [
            {
                "ts#": self.numbers[each.name],
                "name": each.name,
                "included_in_database_backup": "NO" if each.contents == "TEMPORARY" else "YES",
                "bigfile": "NO",
                "flashback_on": "YES",
                "con_id": self.pdb.con_id if self.pdb else 0,
            }
            for each in self.tablespaces
        ]

    def _segments(self) -> Iterable[Segment]:
        words = ["ORDERS", "ORDER_ITEMS", "CUSTOMERS", "PAYMENTS", "STOCK", "PRICES", "AUDIT_TRAIL", "EVENTS"]
        number = 70_000
        for tablespace in self.tablespaces:
            if tablespace.contents != "PERMANENT" or tablespace.name in ("SYSTEM", "SYSAUX"):
                continue
            chance = random.Random(tablespace.name)
            weights = [chance.uniform(0.2, 3) for _ in words]
            for word, weight in zip(words, weights, strict=True):
                is_index = "IND" in tablespace.name
                is_partitioned = word in PARTITIONED and "DATA" in tablespace.name
                parts = [f"P{part:02}" for part in range(1, PARTITIONS + 1)] if is_partitioned else [""]
                for part in parts:
                    number += 1
                    yield Segment(
                        owner="SALES",
                        name=f"{word}_PK"
                        if is_index
                        else word
                        if "DATA" in tablespace.name
                        else f"{word}_OLD",
                        kind="TABLE PARTITION" if part else "INDEX" if is_index else "TABLE",
                        tablespace=tablespace.name,
                        tablespace_number=self.numbers[tablespace.name],
                        object_id=number,
                        heat=(weight / 16 if "OLD" not in word else 0.01) / len(parts),
                        share=weight / sum(weights) / len(parts),
                        partition=part,
                    )

    def dba_segments(self, now: datetime) -> Rows:
        sizes = {each.name: self.used(each, now) for each in self.tablespaces}
        rows: list[Row] = []
        for segment in self.segments:
            blocks = int(sizes[segment.tablespace] * segment.share) // MB * (MB // BLOCK)
            rows.append(
                {
                    "owner": segment.owner,
                    "segment_name": segment.name,
                    "partition_name": segment.partition or None,
                    "segment_type": segment.kind,
                    "segment_subtype": "ASSM",
                    "tablespace_name": segment.tablespace,
                    "header_file": 5,
                    "header_block": segment.object_id,
                    "bytes": blocks * BLOCK,
                    "blocks": blocks,
                    "extents": max(blocks // 8192, 1),
                    "relative_fno": 5,
                }
            )
        return rows

    def dba_objects(self, now: datetime) -> Rows:
        created = self.database.local(self.database.created_at)
        return [
            {
                "owner": segment.owner,
                "object_name": segment.name,
                "subobject_name": segment.partition or None,
                "object_id": segment.object_id,
                "data_object_id": segment.object_id,
                "object_type": segment.kind,
                "created": created,
                "last_ddl_time": created,
                "timestamp": f"{created:%Y-%m-%d:%H:%M:%S}",
                "status": "VALID",
                "temporary": "N",
            }
            for segment in self.segments
        ]
