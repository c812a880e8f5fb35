"""Records that a host sends by itself: known by a token, bounded in how often, stored as a file is."""

import hashlib
import io
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import HostFileReport, store_file
from apps.collection.models import PushToken
from apps.inventory.models import Target
from apps.people.models import User

HOUR = timedelta(hours=1)
MOST_AN_HOUR = 60


class UnknownToken(Exception):
    """Nobody has this token; the message says what to do."""


class TooOften(Exception):
    """A host sends more often than it may; `again_at` is when it may go on."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__(f"A host may send {MOST_AN_HOUR} times an hour; go on at {again_at:%H:%M} UTC.")
        self.again_at = again_at


def renew_token(target: Target, person: User, now: datetime) -> str:
    """A new token of a host, shown once; the one before is good for nothing from now on."""
    token = secrets.token_urlsafe(32)
    PushToken.objects.filter(target=target).delete()
    PushToken.objects.create(target=target, digest=_digest(token), made_by=person, made_at=now)
    return token


def find_token(target: Target) -> PushToken | None:
    return PushToken.objects.filter(target=target).first()


def receive(token: str, content: bytes, now: datetime) -> HostFileReport:
    """
    Store what a host sent; the same again changes nothing. Raises UnknownToken, TooOften and UnreadableFile.
    """
    host_token = _count(token, now)
    target = host_token.target
    try:
        report = store_file(target, io.BytesIO(content), "", now, origin=f"what {target.name} sent")
    except UnreadableFile as error:
        _note(host_token, now, f"Refused: {error}")
        raise
    stored = sum(outcome.is_stored for outcome in report.outcomes)
    _note(host_token, now, f"{stored} of {len(report.outcomes)} days stored." if stored else "Nothing new.")
    return report


def _digest(token: str) -> str:
    """What is kept of a token: 256 bits of chance need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def _count(text: str, now: datetime) -> PushToken:
    """The token, counted. Raises UnknownToken and TooOften."""
    with transaction.atomic():
        tokens = PushToken.objects.select_for_update(of=("self",)).select_related("target")
        token = tokens.filter(digest=_digest(text), target__retired_at=None).first()
        if token is None:
            raise UnknownToken(
                "This token is not known: it was renewed, or mistyped. The page of the host makes a new one."
            )
        if token.counted_since is None or now - token.counted_since >= HOUR:
            token.counted_since, token.sendings = now, 0
        if token.sendings >= MOST_AN_HOUR:
            raise TooOften(token.counted_since + HOUR)
        token.sendings += 1
        token.save(update_fields=["counted_since", "sendings"])
    return token


def _note(token: PushToken, now: datetime, outcome: str) -> None:
    PushToken.objects.filter(pk=token.pk).update(used_at=now, outcome=outcome)
