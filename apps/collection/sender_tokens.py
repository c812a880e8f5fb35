"""Tokens of those who send by themselves: made, shown once, known again, and bounded in how often."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet

from apps.collection.models import SenderToken
from apps.people.models import User

HOUR = timedelta(hours=1)
MOST_AN_HOUR = 60
Token = TypeVar("Token", bound=SenderToken)


class UnknownToken(Exception):
    """Nobody has this token; the message says what to do."""


class TooOften(Exception):
    """Somebody sends more often than allowed; `again_at` is when to go on."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__(f"Send at most {MOST_AN_HOUR} times an hour; go on at {again_at:%H:%M} UTC.")
        self.again_at = again_at


def issue_token(token: SenderToken, person: User, now: datetime) -> str:
    """Save a token, and return its text, which is shown once."""
    text = secrets.token_urlsafe(32)
    token.digest, token.made_by, token.made_at = _digest(text), person, now
    token.save()
    return text


def count_sending(tokens: QuerySet[Token], text: str, now: datetime, page: str) -> Token:
    """
    The token of this text among some, counted; `page` is where a new one is made.

    Raises UnknownToken and TooOften.
    """
    with transaction.atomic():
        token = tokens.select_for_update(of=("self",)).filter(digest=_digest(text)).first()
        if token is None:
            raise UnknownToken(
                f"This token is not known: it was renewed, or mistyped. The page of the {page} makes a new one."
            )
        if token.counted_since is None or now - token.counted_since >= HOUR:
            token.counted_since, token.sendings = now, 0
        if token.sendings >= MOST_AN_HOUR:
            raise TooOften(token.counted_since + HOUR)
        token.sendings += 1
        token.save(update_fields=["counted_since", "sendings"])
    return token


def note_outcome(token: SenderToken, now: datetime, outcome: str) -> None:
    """Keep what became of what was sent last."""
    rows = type(token)._default_manager.filter(pk=token.pk)  # none where it was renewed meanwhile
    rows.update(used_at=now, outcome=outcome)


def _digest(text: str) -> str:
    """What is kept of a token: 256 bits of chance need no salt."""
    return hashlib.sha256(text.encode()).hexdigest()
