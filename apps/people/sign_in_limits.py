"""
How often a wrong password may be tried, counted before any password is checked: checking costs a second of processor.

- A name from one address: 5 times in 15 minutes. All names from one address: 20 times.
- A name from anywhere: after 30 times one try each 30 seconds. It is slowed down, not closed: else anybody could keep
  its owner out.
- Passwords of one address are checked two at a time by each process, so that the other threads serve pages.
- A browser in which the name has signed in before is known by a cookie and counted by itself: 5 times. Neither others
  behind the same proxy nor an attack on the name keep the owner out there.

What is counted does not depend on whether the name exists.
"""

import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.core import signing
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.people.client_address import client_network

PERIOD: timedelta = settings.AXES_COOLOFF_TIME
MOST_OF_NAME_HERE: int = settings.AXES_FAILURE_LIMIT
MOST_OF_ADDRESS = 20
MOST_OF_NAME_ANYWHERE = 30
PAUSE_OF_NAME = timedelta(seconds=30)
MOST_AT_ONCE = 2
COOKIE = "headroom_browser"
COOKIE_AGE = timedelta(days=180)
COOKIE_SALT = "apps.people.sign_in_limits"
UNKNOWN_BROWSER = ""

_turns: Counter[str] = Counter()
_turns_lock = threading.Lock()


@dataclass(frozen=True)
class SignInStanding:
    """How many tries are left, and from when on where none is."""

    tries: int
    opens_at: datetime | None = None


@dataclass(frozen=True)
class FailureLimit:
    """At most so many failures of these attempts in the period; beyond it closed, or open after each pause."""

    attempts: models.QuerySet[AccessAttempt]
    most: int
    pause: timedelta | None = None

    def standing(self, now: datetime) -> SignInStanding:
        newest_first = self.attempts.filter(attempt_time__gt=now - PERIOD).order_by("-attempt_time")
        failures = 0
        rows = newest_first.values_list("failures_since_start", "attempt_time")[: self.most]
        for count, at in rows:
            failures += count
            if failures >= self.most:
                opens_at = rows[0][1] + self.pause if self.pause else at + PERIOD
                return SignInStanding(0, opens_at) if opens_at > now else SignInStanding(1)
        return SignInStanding(self.most - failures)


class SignInLimits(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Axes counts and remembers; what closes a door is decided here."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        name = get_client_username(request, credentials) or ""
        return standing_of(request, name).opens_at is not None

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **kwargs: Any
    ) -> None:
        if request is not None:
            # one row for a name and address, however many names a browser gives itself
            request.axes_user_agent = known_browser(request, str(credentials.get("username", "")))
        super().user_login_failed(sender, credentials, request, **kwargs)


def standing_of(request: HttpRequest, name: str) -> SignInStanding:
    """How many tries whoever asks has left for this name: those of the strictest limit."""
    now = timezone.now()
    standings = [limit.standing(now) for limit in _limits(request, name)]
    closed = [standing for standing in standings if standing.opens_at]
    return (
        max(closed, key=lambda standing: standing.opens_at or now)
        if closed
        else min(standings, key=lambda standing: standing.tries)
    )


@contextmanager
def turn_of(request: HttpRequest, name: str) -> Iterator[bool]:
    """Whether a password may be checked now; where it may not, enough from the same place are being checked."""
    place = known_browser(request, name) or client_network(request)
    with _turns_lock:
        has_turn = _turns[place] < MOST_AT_ONCE
        _turns[place] += has_turn
    try:
        yield has_turn
    finally:
        with _turns_lock:
            _turns[place] -= has_turn
            if not _turns[place]:
                del _turns[place]


def _limits(request: HttpRequest, name: str) -> list[FailureLimit]:
    attempts = AccessAttempt.objects.all()
    if browser := known_browser(request, name):
        return [FailureLimit(attempts.filter(username=name, user_agent=browser), MOST_OF_NAME_HERE)]
    strangers = attempts.filter(user_agent=UNKNOWN_BROWSER)
    here = strangers.filter(ip_address=client_network(request))
    return [
        FailureLimit(here.filter(username=name), MOST_OF_NAME_HERE),
        FailureLimit(here, MOST_OF_ADDRESS),
        FailureLimit(strangers.filter(username=name), MOST_OF_NAME_ANYWHERE, PAUSE_OF_NAME),
    ]


def known_browser(request: HttpRequest, name: str) -> str:
    """Which browser asks, where this name has signed in with it before; else UNKNOWN_BROWSER."""
    try:
        cookie = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE_SALT, max_age=COOKIE_AGE)
    except signing.BadSignature:
        return UNKNOWN_BROWSER
    return str(cookie["browser"]) if cookie["name"] == name else UNKNOWN_BROWSER


def remember_browser(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Know this browser the next time that the name signs in with it."""
    browser = known_browser(request, name) or secrets.token_urlsafe(12)
    response.set_cookie(
        COOKIE,
        signing.dumps({"name": name, "browser": browser}, salt=COOKIE_SALT),
        max_age=COOKIE_AGE,
        path=request.path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def keep_answer(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    """What axes answers a locked door with: the page that says so already."""
    return response
