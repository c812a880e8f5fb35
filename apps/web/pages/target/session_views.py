"""The sessions of an instance, on demand: read when somebody presses the button, shown once, stored nowhere."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.collection.collector import CollectionError
from apps.platforms.oracle.sessions import MOST, SECONDS, SessionRow, read_sessions
from apps.web.pages.target.session_table import SESSIONS
from apps.web.rights import LACKS_RIGHT, may_change
from apps.web.target_page import has_sessions, page_of, target_of, target_page


def sessions(request: HttpRequest, pk: int) -> HttpResponse:
    """The page, and with the button pressed the sessions of this moment."""
    target = target_of(pk)
    page = page_of(request, target)
    rows: list[SessionRow] | None = None
    reason = "" if has_sessions(target) else f"{target.name} has no sessions that could be asked for."
    if request.method == "POST" and not reason:
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        try:
            rows = read_sessions(target)
        except CollectionError as error:
            reason = str(error)
    context = {
        "sessions": None if rows is None else SESSIONS.fill(rows),
        "reason": reason,
        "can_ask": has_sessions(target) and may_change(request),
        "seconds": int(SECONDS),
        "most": MOST,
        "asked_at": timezone.now().astimezone(target.zone),
    }
    return render(request, "pages/target/sessions.html", target_page(page, "sessions") | context)
