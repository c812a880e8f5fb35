"""What is remembered of backups of data files: by the control file, and by a recovery catalog that the account sees in this database."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import oracledb

from apps.charts import figures
from apps.platforms.oracle import history_queries as statements
from apps.platforms.oracle.errors import UNREADABLE, code_of, if_readable
from apps.platforms.oracle.read import Reader

Row = Sequence[Any]  # file, its creation, when it was backed up, its size, what was written, the level
_PLAIN = re.compile(r"[A-Z][A-Z0-9_$#]*")


@dataclass(frozen=True)
class FileBackups:
    """Backups, oldest first, and what is to be said of where they are from."""

    rows: Sequence[Row]
    notes: Sequence[str] = field(default=())


def read_file_backups(reader: Reader) -> FileBackups:
    """All backups of data files that are remembered somewhere, each once. Raises the driver's errors."""
    catalog = _read_catalog(reader)
    try:
        rows = reader.rows(statements.FILE_BACKUPS)
    except oracledb.Error as error:
        if code_of(error) not in UNREADABLE or not catalog.rows:
            raise
        rows = []
    every = {tuple(row): row for row in (*rows, *catalog.rows)}
    return FileBackups(sorted(every.values(), key=lambda row: row[2]), catalog.notes)


def _read_catalog(reader: Reader) -> FileBackups:
    """What the one recovery catalog has that knows this database, or why none is read."""
    owners = [owner for (owner,) in if_readable(lambda: reader.rows(statements.CATALOGS))]
    owners = [owner for owner in owners if _PLAIN.fullmatch(owner)]
    if not owners:
        return FileBackups(
            [], ["of the control file alone: the account sees no recovery catalog in this database"]
        )
    knowing = [owner for owner in owners if _knows(reader, owner)]
    if not knowing:
        return FileBackups(
            [],
            [
                f"of the control file alone: the recovery catalog of {_list(owners)} does not know this database"
            ],
        )
    if len(knowing) > 1:
        return FileBackups(
            [],
            [
                f"of the control file alone: several recovery catalogs know this database, those of {_list(knowing)}"
            ],
        )
    rows = if_readable(lambda: reader.rows(statements.catalog_backups(knowing[0])))
    since = f" since {figures.day_and_year(rows[0][2].date())}" if rows else ", which has no backup of it"
    return FileBackups(rows, [f"with the recovery catalog of {knowing[0]}{since}"])


def _knows(reader: Reader, owner: str) -> bool:
    return bool(if_readable(lambda: reader.rows(statements.catalog_database(owner))))


def _list(owners: Sequence[str]) -> str:
    return ", ".join(owners[:5])
