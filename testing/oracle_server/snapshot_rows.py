"""Rows of a table that snapshots are added to, and whose rows do not change."""

from collections.abc import Mapping

from .wire import Value


class SnapshotRows(list[Mapping[str, Value]]):
    """The rows of one table; as many rows of the same table are the same rows."""

    def __init__(self, table: str) -> None:
        super().__init__()
        self.table = table
