"""The sessions of an instance, on demand: read when somebody presses the button, shown once, stored nowhere."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.collection.collector import CollectionError
from apps.platforms.sessions import Session, find_session_source
from apps.web.pages.target.session_table import session_table
from apps.web.rights import LACKS_RIGHT, may_change
from apps.web.target_page import page_of, target_of, target_page


def sessions(request: HttpRequest, pk: int) -> HttpResponse:
    """The page, and with the button pressed the sessions of this moment."""
    target = target_of(pk)
    page = page_of(request, target)
    source = find_session_source(target)
    rows: Sequence[Session] | None = None
    reason = "" if source else f"{target.name} has no sessions that could be asked for."
    if request.method == "POST" and source is not None:
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        try:
            rows = source.read_sessions(target)
        except CollectionError as error:
            reason = str(error)
    context = {
        "sessions": None if source is None or rows is None else session_table(source).fill(rows),
        "reason": reason,
        "can_ask": source is not None and may_change(request),
        "source": source,
        "asked_at": timezone.now().astimezone(target.zone),
    }
    return render(request, "pages/target/sessions.html", target_page(page, "sessions") | context)
