"""
Handing over, so that a crash loses nothing: the row says what is about to be done before it is done.

What was surely handed over is never sent again. Where the sender died, or lost its connection, between hand-over and
note, the row says *unknown* and the same message is sent once more.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from smtplib import (
    SMTPDataError,
    SMTPException,
    SMTPHeloError,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from ssl import SSLCertVerificationError

import structlog
from django.core.mail import get_connection
from django.db import transaction
from django.utils import timezone

from apps.inventory.secrets import UnreadableSecret
from apps.notices.address import RefusedAddress
from apps.notices.mail import compose_mail, is_configured
from apps.notices.models import Delivery, Subscriber
from apps.notices.smtp import NoEncryption
from apps.notices.webhook import FateUnknown, NotHandedOver, compose_body, post

log = structlog.get_logger()
State = Delivery.State
MOST_TRIES = 8
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=2)


def deliver_due(now: datetime, most: int = 200) -> int:
    """Hand over what waits, after noting what a dead sender left; how many were tried."""
    note_abandoned(now)
    waiting = list(Delivery.objects.due(now).values_list("pk", flat=True)[:most])
    return sum(hand_over(pk, timezone.now()) for pk in waiting)


def note_abandoned(now: datetime) -> None:
    """Whoever died while handing over may have come far enough."""
    Delivery.objects.abandoned(now).update(
        state=State.UNKNOWN, reason="The sender ended while it handed the message over."
    )


def hand_over(pk: int, now: datetime) -> bool:
    """Hand one delivery over; False when somebody else has it, or nothing is to be done any more."""
    delivery = _take(pk, now)
    if delivery is None:
        return False
    try:
        _send(delivery)
    except NotHandedOver as error:
        _failed(delivery, str(error), is_final=error.is_final)
    except (RefusedAddress, UnreadableSecret) as error:
        _failed(delivery, str(error), is_final=True)
    except FateUnknown as error:
        _end(delivery, State.UNKNOWN, str(error))
    else:
        _end(delivery, State.SENT, "")
    return True


def _take(pk: int, now: datetime) -> Delivery | None:
    """Note that it is being handed over; committed before the first word is said to the other side."""
    with transaction.atomic():
        delivery = (
            Delivery.objects.due(now)
            .select_for_update(skip_locked=True, of=("self",))
            .select_related("subscriber", "report", "report__group")
            .filter(pk=pk)
            .first()
        )
        if delivery is None:
            return None
        delivery.is_second = delivery.is_second or delivery.state == State.UNKNOWN
        delivery.state, delivery.began_at = State.HANDING_OVER, now
        delivery.tries += 1
        delivery.save(update_fields=["state", "began_at", "tries", "is_second"])
    return delivery


def _send(delivery: Delivery) -> None:
    subscriber = delivery.subscriber
    if delivery.report is None and subscriber is not None and subscriber.way != Subscriber.Way.MAIL:
        post(
            subscriber.url.reveal(subscriber, "url"),
            compose_body(delivery, subscriber.way),
            delivery.message_id,
        )
    else:
        _mail(delivery)


def _mail(delivery: Delivery) -> None:
    if not is_configured():
        raise NotHandedOver("No mail server is configured: set HEADROOM_SMTP_URL.")
    try:
        mail = compose_mail(delivery)
    except Exception:
        log.exception("mail not made", delivery=delivery.pk)  # a bug; the other messages are still sent
        raise NotHandedOver("The message could not be made; the log says why.") from None
    connection = get_connection()
    try:
        connection.open()
    except NoEncryption as error:
        raise NotHandedOver(str(error)) from None
    except SSLCertVerificationError as error:
        raise NotHandedOver(
            f"The mail server's certificate is not trusted: {error.verify_message}. "
            "HEADROOM_SMTP_CA can name certificates of your own."
        ) from None
    except (SMTPException, OSError) as error:
        raise NotHandedOver(f"The mail server cannot be reached: {_words(error)}") from None
    try:
        connection.send_messages([mail])
    except SMTPRecipientsRefused as error:
        code, words = next(iter(error.recipients.values()))
        raise NotHandedOver(
            f"The recipient was refused: {code} {_text(words)}", is_final=code >= 500
        ) from None
    except (SMTPSenderRefused, SMTPDataError, SMTPHeloError) as error:
        is_final = error.smtp_code >= 500
        raise NotHandedOver(f"The message was refused: {_words(error)}", is_final=is_final) from None
    except SMTPNotSupportedError as error:
        raise NotHandedOver(f"The mail server cannot take it: {error}", is_final=True) from None
    except (SMTPException, OSError) as error:
        raise FateUnknown(f"The mail server went silent while it took the message: {_words(error)}") from None
    finally:
        with suppress(SMTPException, OSError):  # the answer to the message has come, or never will
            connection.close()


def _words(error: Exception) -> str:
    if isinstance(error, SMTPResponseException):
        return f"{error.smtp_code} {_text(error.smtp_error)}"
    return str(error) or type(error).__name__


def _text(words: bytes | str) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words


def _failed(delivery: Delivery, reason: str, *, is_final: bool) -> None:
    """It surely did not arrive: try again after a pause that doubles, until it is enough."""
    if is_final or delivery.tries >= MOST_TRIES:
        _end(delivery, State.FAILED, reason)
        return
    pause = min(FIRST_PAUSE * 2 ** (delivery.tries - 1), LONGEST_PAUSE)
    delivery.next_try_at = timezone.now() + pause
    _end(delivery, State.QUEUED, reason)


def _end(delivery: Delivery, state: str, reason: str) -> None:
    """Note the outcome, unless the row was given up meanwhile."""
    Delivery.objects.filter(pk=delivery.pk, began_at=delivery.began_at).update(
        state=state, reason=reason[:1000], ended_at=timezone.now(), next_try_at=delivery.next_try_at
    )
