"""Tablespaces and temp: what is used, what the files are, and what they may become."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import oracledb

from apps.collection.collector import Reading
from apps.platforms.oracle import categories, queries
from apps.platforms.oracle.errors import UNREADABLE, code_of
from apps.platforms.oracle.places import LIES_ON, place_of_file, places_as_text
from apps.platforms.oracle.read import Reader, readings


@dataclass
class Tablespace:
    """One tablespace while its figures are put together, in bytes."""

    name: str
    contents: str
    block_size: int
    used: float | None = None
    size: float = 0.0
    most: float = 0.0
    has_files: bool = False
    places: set[str] = field(default_factory=set)  # an empty one is a file without a known place

    @property
    def is_permanent(self) -> bool:
        return self.contents not in ("TEMPORARY", "UNDO")

    def add_files(self, size: float, most: float, path: str) -> None:
        self.has_files = True
        self.places.add(place_of_file(path) if path.startswith("+") or "/" in path or "\\" in path else "")
        self.size += size
        self.most += max(size, most)


Key = tuple[int, str]


def read_tablespaces(reader: Reader) -> list[Reading]:
    """
    Used, size and maximum size of every tablespace; where its files lie is kept as a fact.

    Of undo only what is active or must be kept counts where that is known, of temp what is in use now: the rest can
    be taken again at any moment.
    """
    spaces = _tablespaces(reader)
    is_known = _take_usage(reader, spaces)
    if not is_known and not _may_search(reader):
        return []
    for row in [*reader.rows(queries.DATA_FILES), *reader.rows(queries.TEMP_FILES)]:
        con_id, name, size, most, path = row
        if space := spaces.get((con_id, name)):
            space.add_files(size or 0, most or 0, path or "")
    for space in spaces.values():
        if space.has_files:
            reader.facts[f"{LIES_ON}/{space.name}"] = places_as_text(space.places)
    for key, (temp_size, _, temp_free) in _temp_space(reader).items():
        if key in spaces and temp_size is not None and temp_free is not None:
            spaces[key].used = temp_size - temp_free
    if not is_known:
        _take_free_space(reader, spaces)
    _take_undo_in_use(reader, spaces.values())
    return [
        *(reading for space in spaces.values() for reading in _readings_of(space)),
        *readings([("db_used_gb", _total(space.used for space in spaces.values() if space.is_permanent))]),
    ]


def read_free_space(reader: Reader) -> list[Reading]:
    """Free extents by tablespace. A full one is not listed at all: it has none."""
    free = {(con_id, name): size for con_id, name, size in reader.kept_rows(queries.FREE_SPACE)}
    return [
        reading
        for key, space in _tablespaces(reader).items()
        if space.contents != "TEMPORARY"
        for reading in readings([("ts_free_extents_mb", free.get(key) or 0)], space.name)
    ]


def _take_usage(reader: Reader, spaces: Mapping[Key, Tablespace]) -> bool:
    """Take what Oracle itself says is used; False where it does not say."""
    try:
        rows = reader.rows(queries.TABLESPACE_USAGE)
    except oracledb.DatabaseError as error:
        if code_of(error) not in UNREADABLE:
            raise
        rows = []
    for con_id, name, blocks in rows:
        space = spaces.get((con_id, name))
        if space and blocks is not None:
            space.used = blocks * space.block_size
    return bool(rows) or not spaces


def _may_search(reader: Reader) -> bool:
    """Whether the list of free extents may be read in place of the usage: once a day, for it can be slow."""
    last = reader.newest.get(categories.TABLESPACES)
    if last is None or reader.slot is None or reader.slot - last >= timedelta(hours=20):
        return True
    reader.notes.append(
        "dba_tablespace_usage_metrics cannot be read; dba_free_space takes its place once a day."
    )
    return False


def _take_free_space(reader: Reader, spaces: Mapping[Key, Tablespace]) -> None:
    reader.notes.append("Used space comes from dba_free_space: dba_tablespace_usage_metrics cannot be read.")
    free = {(con_id, name): size for con_id, name, size in reader.kept_rows(queries.FREE_SPACE)}
    for key, space in spaces.items():
        if space.has_files and space.contents != "TEMPORARY":
            space.used = space.size - (free.get(key) or 0)


def read_temp(reader: Reader) -> list[Reading]:
    """Size, touched and free space of temp."""
    keys = ("temp_size_mb", "temp_allocated_mb", "temp_free_mb")
    return [
        reading
        for (con_id, name), values in _temp_space(reader).items()
        for reading in readings(zip(keys, values, strict=True), reader.in_container(con_id, name))
    ]


def read_temp_peak(reader: Reader) -> list[Reading]:
    """The most temp that sorts of this instance ever held at once."""
    spaces = _tablespaces(reader)
    return [
        reading
        for con_id, name, blocks in reader.rows(queries.SORT_SEGMENTS)
        if (space := spaces.get((con_id, name))) and blocks is not None
        for reading in readings([("temp_peak_blocks", blocks * space.block_size)], space.name)
    ]


def _tablespaces(reader: Reader) -> dict[Key, Tablespace]:
    return {
        (con_id, name): Tablespace(reader.in_container(con_id, name), contents, int(block_size))
        for con_id, name, contents, block_size in reader.kept_rows(queries.TABLESPACES)
    }


def _temp_space(reader: Reader) -> dict[Key, list[float | None]]:
    """Size, touched and free bytes of each temp tablespace; a local one is listed by instance, and added up."""
    spaces: dict[Key, list[float | None]] = {}
    for con_id, name, *values in reader.kept_rows(queries.TEMP_SPACE):
        totals = spaces.setdefault((con_id, name), [None] * len(values))
        spaces[con_id, name] = [_total(pair) for pair in zip(totals, values, strict=True)]
    return spaces


def _take_undo_in_use(reader: Reader, spaces: Iterable[Tablespace]) -> None:
    """Leave expired undo out of what is used; without the grant Oracle's own figure stays, which counts it in."""
    try:
        in_use = {row[0]: row[1] for row in reader.rows(queries.UNDO_IN_USE)}
    except oracledb.DatabaseError as error:
        if code_of(error) not in UNREADABLE:
            raise
        reader.notes.append(
            "Used undo includes expired undo, since v$undostat or v$tablespace cannot be read."
        )
        return
    for space in spaces:
        if space.contents == "UNDO" and in_use.get(space.name) is not None:
            space.used = in_use[space.name] * space.block_size


def _readings_of(space: Tablespace) -> list[Reading]:
    sizes = [("ts_size_mb", space.size), ("ts_max_mb", space.most)] if space.has_files else []
    return readings([("ts_used_mb", space.used), *sizes], space.name)


def _total(values: Iterable[float | None]) -> float | None:
    amounts = [value for value in values if value is not None]
    return sum(amounts) if amounts else None
