"""
What somebody typed into a form that came after their session had ended: held for an hour, shown again after signing in.

Passwords, files and lists with passwords in them are not held. Only what our own pages sent is: a form of another site
could otherwise wait here for somebody to press a button.
"""

import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve

UNSENT = "unsent"  # in the session
HELD = 60 * 60  # seconds
LARGEST = 64 * 1024  # bytes of a request
NOT_HELD = ("password", "csrfmiddlewaretoken", "webhook")  # parts of names of fields
NOT_HELD_PAGES = {"sign_in", "sign_out", "account", "targets_import", "target_files"}


@dataclass(frozen=True)
class UnsentForm:
    """A form that was not taken: where it goes, the page it was typed on, and what was typed."""

    address: str
    page: str
    fields: list[tuple[str, str]]
    is_whole: bool  # False where passwords or files were left out


def hold_unsent(request: HttpRequest, page: str) -> bool:
    """Hold what a request brought until its sender has signed in; whether it was held."""
    if request.method != "POST" or not _may_be_held(request):
        return False
    fields = [(name, str(value)) for name, values in request.POST.lists() for value in values]
    held = [(name, value) for name, value in fields if not any(part in name for part in NOT_HELD)]
    left_out = [name for name, _ in fields if "password" in name or "webhook" in name]
    request.session[UNSENT] = {
        "address": request.get_full_path(),
        "page": page,
        "fields": held,
        "is_whole": not left_out and not request.FILES,
        "at": time.time(),
    }
    return bool(held)


def _may_be_held(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    if request.headers.get("HX-Request") or not length.isdigit() or int(length) > LARGEST:
        return False
    sender = urlsplit(request.headers.get("Origin") or request.headers.get("Referer") or "").netloc
    if sender != request.get_host():
        return False
    try:
        return resolve(request.path_info).url_name not in NOT_HELD_PAGES
    except Resolver404:
        return False


def find_unsent(request: HttpRequest) -> UnsentForm | None:
    """The form that waits to be sent again."""
    held: dict[str, Any] | None = request.session.get(UNSENT)
    if not held or time.time() - held["at"] > HELD:
        return None
    fields = [(str(name), str(value)) for name, value in held["fields"]]
    return UnsentForm(held["address"], held["page"], fields, held["is_whole"])


def forget_unsent(request: HttpRequest) -> None:
    """It was sent, or is not wanted any more."""
    request.session.pop(UNSENT, None)


def note_sent(request: HttpRequest) -> None:
    """Forget what is held where it is what this request sends."""
    held = request.session.get(UNSENT) if request.method == "POST" else None
    if held and held["address"] == request.get_full_path():
        forget_unsent(request)
