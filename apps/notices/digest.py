"""What happened, gathered for each subscriber: one message instead of a flood, and none in quiet hours."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max

from apps.notices.events import find_events
from apps.notices.mail import join_lines
from apps.notices.models import Delivery, Notice, Subscriber, new_message_id


def prepare_digests(now: datetime) -> list[Delivery]:
    """
    Find what happened, and prepare a message for everybody whose digest is due.

    Notices, messages and the notes of who was told what are one transaction, and nobody else does it meanwhile.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('headroom notices'))")
        find_events(now)
        subscribers = Subscriber.objects.filter(is_active=True).select_related("person", "group")
        prepared = (_digest(subscriber, now) for subscriber in subscribers)
        return [delivery for delivery in prepared if delivery is not None]


def start_subscription(subscriber: Subscriber) -> None:
    """A new subscriber is told from now on, and not of everything that ever happened."""
    subscriber.told_through = Notice.objects.aggregate(last=Max("pk"))["last"] or 0


def _digest(subscriber: Subscriber, now: datetime) -> Delivery | None:
    pause = timedelta(minutes=subscriber.digest_minutes)
    if subscriber.is_quiet(now) or (subscriber.told_at is not None and now - subscriber.told_at < pause):
        return None
    notices = list(Notice.objects.filter(pk__gt=subscriber.told_through).select_related("target"))
    if not notices:
        return None
    own = [notice for notice in notices if subscriber.wants(notice)]
    subscriber.told_through = notices[-1].pk
    if not own:
        Subscriber.objects.filter(pk=subscriber.pk).update(told_through=subscriber.told_through)
        return None
    Subscriber.objects.filter(pk=subscriber.pk).update(told_through=subscriber.told_through, told_at=now)
    subject = own[0].text if len(own) == 1 else _counts_in_words(own)
    return create_message(subscriber, subject, [_notice_as_json(notice) for notice in own], now)


def create_test_message(subscriber: Subscriber, now: datetime) -> Delivery:
    """A message that says that messages arrive."""
    text = f"This is a test: Headroom sends “{subscriber.name}” its notices here."
    return create_message(subscriber, "Test from Headroom", [{"kind": "test", "text": text, "url": ""}], now)


def create_message(
    subscriber: Subscriber, subject: str, notices: Sequence[dict[str, str]], now: datetime
) -> Delivery:
    is_mail = subscriber.way == Subscriber.Way.MAIL
    return Delivery.objects.create(
        subscriber=subscriber,
        recipient=subscriber.mail_address if is_mail else subscriber.get_way_display(),
        message_id=new_message_id(),
        subject=join_lines(subject)[:300],
        notices=list(notices),
        made_at=now,
    )


def _notice_as_json(notice: Notice) -> dict[str, str]:
    page = notice.violation or notice.target
    return {
        "kind": notice.kind,
        "text": notice.text,
        "url": f"{settings.HEADROOM_URL}{page.get_absolute_url()}",
    }


def _counts_in_words(notices: Sequence[Notice]) -> str:
    """`2 violations opened, 1 step overdue`."""
    words = {
        Notice.Kind.OPENED: ("violation opened", "violations opened"),
        Notice.Kind.PREDICTED: ("violation predicted", "violations predicted"),
        Notice.Kind.OVERDUE: ("step overdue", "steps overdue"),
        Notice.Kind.FAILING: ("target not read", "targets not read"),
    }
    counts = {kind: sum(notice.kind == kind for notice in notices) for kind in words}
    return ", ".join(
        f"{count} {words[kind][0] if count == 1 else words[kind][1]}"
        for kind, count in counts.items()
        if count
    )
