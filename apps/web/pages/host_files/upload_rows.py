"""The files of a host as its page lists them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.charts import figures
from apps.collection.models import HostUpload
from apps.inventory.models import Target

LATEST = 60


@dataclass(frozen=True)
class UploadDay:
    """One day of a file."""

    on: str
    share: str
    is_stored: bool
    sentence: str


@dataclass(frozen=True)
class UploadRow:
    """A file with what is in it, or why it was refused."""

    upload: HostUpload

    @property
    def _report(self) -> dict[str, Any]:
        return dict(self.upload.report)

    @property
    def what(self) -> str:
        """The format, and the host that it names."""
        parts = (self._report.get(name) for name in ("format", "host", "system"))
        return ", ".join(str(part) for part in parts if part)

    @property
    def wrong_host(self) -> str:
        return str(self._report.get("wrong_host") or "")

    @property
    def days(self) -> Sequence[UploadDay]:
        return [
            UploadDay(
                figures.full_day(date.fromisoformat(day["day"])),
                f"{figures.fixed(100 * day['share'], 0)}{figures.SPACE}%",
                day["stored"],
                day["reason"],
            )
            for day in self._report.get("days", ())
        ]

    @property
    def new_days(self) -> int:
        return sum(day.is_stored for day in self.days)

    @property
    def can_be_taken_back(self) -> bool:
        return self.upload.state == HostUpload.State.STORED and bool(self.days)

    @property
    def understood(self) -> str:
        return ", ".join(self._report.get("understood", ()))

    @property
    def ignored(self) -> Sequence[str]:
        return list(self._report.get("not_understood", ()))

    @property
    def notes(self) -> Sequence[str]:
        return list(self._report.get("notes", ()))


def upload_rows(target: Target) -> list[UploadRow]:
    """The newest files of a host, those that wait first."""
    uploads = HostUpload.objects.filter(target=target).defer("content")[:LATEST]
    return [
        UploadRow(upload) for upload in sorted(uploads, key=lambda upload: upload.state in HostUpload.SETTLED)
    ]
