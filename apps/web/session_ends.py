"""
Sessions end: after a time without use, and some days after signing in.

When a session was last used is written once in a while, not with every page. A database that refuses to write keeps
nobody from reading.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from apps.charts.words import count
from apps.web.unsent import hold_unsent, note_sent

log = structlog.get_logger()
BEGAN_AT, USED_AT = "began_at", "used_at"  # in seconds since 1970
WRITTEN_EVERY = 5 * 60  # seconds, or a twentieth of the time without use
IDLE, AGE = "idle", "age"


def begin_session(sender: Any, request: HttpRequest, **of_signal: Any) -> None:
    """Somebody has signed in."""
    request.session[BEGAN_AT] = request.session[USED_AT] = int(time.time())


def with_sessions_that_end(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: whose session is over is signed out, and comes back by signing in to the page, and to what was typed there."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            if reason := _why_over(request, time.time()):
                _sign_out(request)
                if request.path != reverse("sign_in"):
                    hold_unsent(request, _page_of(request))
                    return _to_sign_in(request, reason)
            else:
                note_sent(request)
                _note_use(request, time.time())
        elif request.method == "POST" and hold_unsent(request, _page_of(request)):
            return redirect_to(request, reverse("sign_in"))
        return get_response(request)

    return answer


def sentence_of(reason: str) -> str:
    """Why somebody has to sign in again; nothing for no known reason."""
    if reason == IDLE:
        return f"You were signed out after {_in_words(settings.HEADROOM_SESSION_IDLE)} without use."
    if reason == AGE:
        days = timedelta(seconds=settings.SESSION_COOKIE_AGE).days
        return f"You were signed out {count(days, 'day')} after you had signed in."
    return ""


def redirect_to(request: HttpRequest, address: str, **questions: str) -> HttpResponse:
    """A redirect that returns to this page afterwards; the whole page goes there, also where a part was asked for."""
    query = QueryDict(mutable=True)
    query.update({"next": _page_of(request), **questions})
    target = f"{address}?{query.urlencode(safe='/')}"
    is_part = bool(request.headers.get("HX-Request"))
    return HttpResponseClientRedirect(target) if is_part else redirect(target)


def _why_over(request: HttpRequest, now: float) -> str:
    if now - request.session.get(USED_AT, now) > settings.HEADROOM_SESSION_IDLE.total_seconds():
        return IDLE
    if now - request.session.get(BEGAN_AT, now) > settings.SESSION_COOKIE_AGE:
        return AGE
    return ""


def _note_use(request: HttpRequest, now: float) -> None:
    session = request.session
    longest = min(WRITTEN_EVERY, settings.HEADROOM_SESSION_IDLE.total_seconds() / 20)
    if BEGAN_AT in session and now - session.get(USED_AT, 0) < longest:
        return
    session[USED_AT] = int(now)
    session.setdefault(BEGAN_AT, int(now))  # of a session from before they had an end
    try:
        with transaction.atomic():
            session.save()
    except (DatabaseError, UpdateError) as error:  # refused, or signed out meanwhile
        log.warning("use of a session not noted", reason=str(error))
    session.modified = False


def _sign_out(request: HttpRequest) -> None:
    try:
        with transaction.atomic():
            logout(request)
    except DatabaseError as error:
        log.warning("a session that is over could not be removed", reason=str(error))
        request.session = type(request.session)()
        request.user = AnonymousUser()


def _to_sign_in(request: HttpRequest, reason: str) -> HttpResponse:
    return redirect_to(request, reverse("sign_in"), ended=reason)


def _page_of(request: HttpRequest) -> str:
    """The page that is looked at: for parts of pages and for deeds the one they were asked from."""
    asked_from = request.headers.get("HX-Current-URL")
    if request.method != "GET":
        asked_from = asked_from or request.headers.get("Referer")
        if not asked_from:
            return "/"
    if not asked_from:
        return request.get_full_path()
    page = urlsplit(asked_from)
    return page._replace(scheme="", netloc="").geturl() or "/"


def _in_words(length: timedelta) -> str:
    minutes = length // timedelta(minutes=1)
    return count(minutes // 60, "hour") if minutes % 60 == 0 else count(minutes, "minute")
