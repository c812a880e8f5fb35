"""Files of hosts as people give them on a page: first looked into, then stored, each by a worker."""

import io
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from django.db import transaction

from apps.collection.file_readers import UnreadableFile
from apps.collection.history.pieces import forget_old_pieces
from apps.collection.host_files import HostFileReport, look_into, store_file, take_back_days
from apps.collection.models import HostUpload
from apps.inventory.models import Target
from apps.people.models import User

MOST_FILES = 60  # that wait for one host
HELD = timedelta(days=1)  # a file that nobody has stored
LISTED = timedelta(days=30)  # what became of it
State = HostUpload.State


class TooManyFiles(Exception):
    """No more files are taken now; the message says why to people."""


def add_uploads(target: Target, person: User, files: Sequence[tuple[str, bytes]], now: datetime) -> list[int]:
    """Keep files of a target until a worker has looked into them; returns their keys. Raises TooManyFiles."""
    waiting = HostUpload.objects.filter(target=target).exclude(state__in=HostUpload.SETTLED)
    if waiting.count() + len(files) > MOST_FILES:
        raise TooManyFiles(
            f"{MOST_FILES} files of {target.name} wait at most: store or drop those that are listed, or use"
            " manage.py import_host."
        )
    uploads = [
        HostUpload(target=target, person=person, name=name[-200:], content=content, given_at=now)
        for name, content in files
    ]
    return [upload.pk for upload in HostUpload.objects.bulk_create(uploads)]


def confirm_uploads(target: Target, *, are_confirmed: bool) -> list[int]:
    """Ask for the files of a target to be stored that were looked into; returns their keys, oldest days first."""
    ready = HostUpload.objects.filter(target=target, state=State.READ)
    keys = [upload.pk for upload in sorted(ready.defer("content"), key=_first_day)]
    HostUpload.objects.filter(pk__in=keys, state=State.READ).update(
        state=State.STORING, is_confirmed=are_confirmed
    )
    return keys


def drop_uploads(target: Target) -> None:
    """Forget the files of a target that were not stored."""
    HostUpload.objects.filter(target=target).exclude(
        state__in=(State.STORED, State.STORING, State.TAKEN_BACK)
    ).delete()


def take_back_upload(target: Target, pk: int, now: datetime) -> int:
    """Take back the days that a file gave; returns how many lost its figures."""
    with transaction.atomic():
        upload = (
            HostUpload.objects.select_for_update().filter(target=target, pk=pk, state=State.STORED).first()
        )
        if upload is None:
            return 0
        days = [date.fromisoformat(day["day"]) for day in upload.report.get("days", ())]
        gone = take_back_days(target, upload.name, days, now)
        upload.state = State.TAKEN_BACK
        upload.save(update_fields=["state"])
    return len(gone)


def forget_old_uploads(now: datetime) -> None:
    """Delete files that nobody has stored in time, and what became of others long ago."""
    settled = HostUpload.objects.filter(state__in=HostUpload.SETTLED)
    HostUpload.objects.exclude(pk__in=settled).filter(given_at__lte=now - HELD).delete()
    settled.filter(given_at__lte=now - LISTED).delete()
    forget_old_pieces(now)


def _first_day(upload: HostUpload) -> str:
    days = upload.report.get("days") or [{}]
    return str(days[0].get("day", ""))


# in the worker


def look_into_upload(pk: int, now: datetime) -> None:
    """Say what is in a file that waits; one that is gone, or was looked into already, is left alone."""
    _work_on(
        pk, State.WAITING, State.READ, lambda upload, file: look_into(upload.target, file, upload.name, now)
    )


def store_upload(pk: int, now: datetime) -> None:
    """Store a file that was looked into."""

    def store(upload: HostUpload, file: io.BytesIO) -> HostFileReport:
        return store_file(upload.target, file, upload.name, now, is_confirmed=upload.is_confirmed)

    _work_on(pk, State.STORING, State.STORED, store)


def _work_on(
    pk: int,
    before: HostUpload.State,
    after: HostUpload.State,
    deed: Callable[[HostUpload, io.BytesIO], HostFileReport],
) -> None:
    upload = HostUpload.objects.select_related("target").filter(pk=pk, state=before).first()
    if upload is None:
        return
    try:
        upload.report, upload.state = deed(upload, io.BytesIO(upload.content)).as_json(), after
    except UnreadableFile as error:
        upload.reason, upload.state = str(error), State.REFUSED
    if upload.state != State.READ:
        upload.content = b""
    HostUpload.objects.filter(pk=pk, state=before).update(
        report=upload.report, state=upload.state, reason=upload.reason, content=upload.content
    )
