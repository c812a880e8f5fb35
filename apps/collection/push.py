"""Records that a host sends by itself: known by its token, stored as a file is."""

import io
from datetime import datetime

from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import HostFileReport, store_file
from apps.collection.models import PushToken
from apps.collection.sender_tokens import count_sending, issue_token, note_outcome
from apps.inventory.models import Target
from apps.people.models import User


def renew_token(target: Target, person: User, now: datetime) -> str:
    """A new token of a host, shown once; the one before is good for nothing from now on."""
    PushToken.objects.filter(target=target).delete()
    return issue_token(PushToken(target=target), person, now)


def find_token(target: Target) -> PushToken | None:
    return PushToken.objects.filter(target=target).first()


def receive(token: str, content: bytes, now: datetime) -> HostFileReport:
    """
    Store what a host sent; the same again changes nothing. Raises UnknownToken, TooOften and UnreadableFile.
    """
    tokens = PushToken.objects.select_related("target").filter(target__retired_at=None)
    host_token = count_sending(tokens, token, now, page="host")
    target = host_token.target
    try:
        report = store_file(target, io.BytesIO(content), "", now, origin=f"what {target.name} sent")
    except UnreadableFile as error:
        note_outcome(host_token, now, f"Refused: {error}")
        raise
    stored = sum(outcome.is_stored for outcome in report.outcomes)
    note_outcome(
        host_token, now, f"{stored} of {len(report.outcomes)} days stored." if stored else "Nothing new."
    )
    return report
