"""Files that a host's own tools wrote: dropped here, looked into by a worker, stored once somebody says so."""

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.charts.words import capital, count
from apps.collection.file_readers import file_source_of
from apps.collection.host_uploads import (
    TooManyFiles,
    add_uploads,
    confirm_uploads,
    drop_uploads,
    take_back_upload,
)
from apps.collection.models import HostUpload
from apps.collection.push import find_token, renew_token
from apps.inventory.models import Target
from apps.people.models import User
from apps.web.address import number_in
from apps.web.pages.host_files.upload_rows import UploadRow, upload_rows
from apps.web.rights import planner_required
from apps.web.uploads import LARGEST, bytes_sent
from worker.tasks import look_into_file, store_files

HEADER_FILE = "/etc/headroom-push"  # on the host: a command line would show the token to everybody there
MEGABYTE = 1024 * 1024


@planner_required
def target_files(request: HttpRequest, pk: int) -> HttpResponse:
    """The files of a host: those that wait with what is in them, and what became of the others."""
    target = get_object_or_404(Target, pk=pk)
    if request.method == "POST" and file_source_of(target) is not None:
        if "token" in request.POST:
            return _show_token(request, target)
        _act(request, target)
        return redirect("target_files", pk=pk)
    rows = upload_rows(target)
    page = "pages/host_files/uploads.html" if request.GET.get("part") else "pages/host_files/files.html"
    return render(request, page, _context(request, target, rows))


def _show_token(request: HttpRequest, target: Target) -> HttpResponse:
    """A new token on the page, this once."""
    assert isinstance(request.user, User)
    token = renew_token(target, request.user, timezone.now())
    context = _context(request, target, upload_rows(target), token)
    return render(request, "pages/host_files/files.html", context)


def _context(
    request: HttpRequest, target: Target, rows: Sequence[UploadRow], token: str = ""
) -> Mapping[str, object]:
    states = [row.upload.state for row in rows]
    return {
        "target": target,
        "rows": rows,
        "sentence": sentence_of(target, rows),
        "waiting": states.count(HostUpload.State.READ),
        "finished": sum(not row.upload.is_under_way for row in rows),
        "is_under_way": any(row.upload.is_under_way for row in rows),
        "is_other_host": any(row.wrong_host for row in rows if row.upload.state == HostUpload.State.READ),
        "can_drop": any(state in (HostUpload.State.READ, HostUpload.State.REFUSED) for state in states),
        "file_source": file_source_of(target),
        "part_url": f"{reverse('target_files', args=[target.pk])}?part=1",
        "token": token,
        "push_token": find_token(target),
        "push_script": _push_script(request, target),
        "most": f"{LARGEST // MEGABYTE} MB",
    }


def _push_script(request: HttpRequest, target: Target) -> str:
    """The lines of a crontab by which a host sends what it is asked for."""
    address = request.build_absolute_uri(reverse("host_push"))
    send = f"gzip | curl -sSf -H @{HEADER_FILE} --data-binary @- {address}"
    source = file_source_of(target)
    return "\n".join(f"{times} {command} | {send}" for times, command in (source.crontab if source else ()))


def sentence_of(target: Target, rows: Sequence[UploadRow]) -> tuple[str, str]:
    """What the page answers first, and what follows it."""
    if file_source_of(target) is None:
        return f"{target.name} takes no files", ": hosts and instances do, as long as they are not retired."
    waiting = [row for row in rows if row.upload.state == HostUpload.State.READ]
    if any(row.upload.is_under_way for row in rows):
        return "The files are being read", "; what is in them shows here."
    if waiting:
        days = sum(row.new_days for row in waiting)
        return (
            f"{capital(count(days, 'day'))} can be stored",
            f" from {count(len(waiting), 'file')}; nothing is stored yet.",
        )
    return f"Give {target.name} its files", ": what is in them is shown before anything is stored."


def _act(request: HttpRequest, target: Target) -> None:
    try:
        if "store" in request.POST:
            _store(request, target)
        elif "drop" in request.POST:
            drop_uploads(target)
        elif "take-back" in request.POST:
            days = take_back_upload(target, number_in(request.POST["take-back"]) or 0, timezone.now())
            messages.success(
                request, f"{capital(count(days, 'day'))} taken back; what Headroom measured itself stays."
            )
        else:
            _take(request, target)
    except OperationalError:
        messages.warning(
            request, "Headroom's queue does not answer, so no worker can read the files. Try again."
        )


def _take(request: HttpRequest, target: Target) -> None:
    """Keep the files of a form, and have a worker look into them."""
    if bytes_sent(request) > LARGEST:
        messages.error(
            request,
            f"At most {LARGEST // MEGABYTE} MB are taken at once: give fewer files, packed ones, or use manage.py import_host.",
        )
        return
    files = [(str(file.name), file.read()) for file in request.FILES.getlist("files")]
    if not files:
        messages.error(request, "Choose one or more files first.")
        return
    assert isinstance(request.user, User)
    try:
        uploads = add_uploads(target, request.user, files, timezone.now())
    except TooManyFiles as error:
        messages.error(request, str(error))
        return
    for upload in uploads:
        look_into_file.delay(upload)


def _store(request: HttpRequest, target: Target) -> None:
    uploads = confirm_uploads(target, are_confirmed="confirmed" in request.POST)
    if uploads:
        store_files.delay(uploads)
