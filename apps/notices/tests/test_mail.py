"""The weekly report and notices through real mail servers, behaving and not."""

from datetime import timedelta
from email.message import EmailMessage
from io import StringIO
from typing import Any

import pypdfium2
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.tests import scripted
from apps.notices import handover, report_delivery
from apps.notices.handover import MOST_TRIES, deliver_due, hand_over
from apps.notices.mail import compose_mail
from apps.notices.models import Delivery, RecipientList
from apps.notices.report_delivery import prepare, send_due_reports, send_weekly_report
from apps.notices.tests.conftest import Post
from apps.reports.engine.week import Week
from apps.reports.models import WeeklyReport
from apps.reports.tests.scenes import MONDAY, NEXT_MORNING, limit, opened
from apps.reports.weekly_report import compose_weekly_report

pytestmark = pytest.mark.django_db

State = Delivery.State
WEEK = Week(MONDAY)


class WorkerKilled(BaseException):
    """The worker dies here; nothing may catch it."""


def die(*_: Any, **__: Any) -> None:
    raise WorkerKilled


def listed(addresses: str = "ada@example.com", **fields: Any) -> RecipientList:
    return RecipientList.objects.create(**{"name": "managers", "addresses": addresses, **fields})


def prepared(addresses: str = "ada@example.com") -> list[Delivery]:
    opened(limit(scripted.instance("שלום 😀 DWPRD"), severity="critical"), MONDAY)
    return send_weekly_report(listed(addresses), WEEK, NEXT_MORNING)


def state_of(delivery: Delivery) -> str:
    delivery.refresh_from_db()
    return delivery.state


def part(mail: EmailMessage, kind: str) -> Any:
    (only,) = (piece for piece in mail.walk() if piece.get_content_type() == kind)
    return only.get_content()  # type: ignore[attr-defined]


def test_the_mail_is_readable_as_text_and_as_a_page_with_its_charts_and_the_pdf(post: Post):
    (delivery,) = prepared()

    deliver_due(timezone.now())

    (mail,) = post.mails
    assert (state_of(delivery), mail["Message-ID"]) == (State.SENT, delivery.message_id)
    assert mail["Subject"] == "One limit is broken, new this week."
    assert "One limit is broken, new this week." in part(mail, "text/plain")
    assert "DATA" in part(mail, "text/plain")
    picture = next(piece for piece in mail.walk() if piece.get_content_type() == "image/png")
    assert f"cid:{picture['Content-ID'].strip('<>')}" in part(mail, "text/html")
    first = pypdfium2.PdfDocument(part(mail, "application/pdf"))[0].get_textpage().get_text_bounded()
    assert "One limit is broken" in " ".join(first.split())


def test_what_was_sent_is_never_sent_again(post: Post):
    (delivery,) = prepared("ada@example.com, ada@example.com")
    deliver_due(timezone.now())

    send_weekly_report(RecipientList.objects.get(), WEEK, NEXT_MORNING)
    deliver_due(timezone.now() + timedelta(days=1))
    assert not hand_over(delivery.pk, timezone.now())

    assert len(post.mails) == 1


def test_a_report_that_was_sent_is_kept_as_sent(post: Post):
    (delivery,) = prepared()

    assert delivery.report is not None
    assert WeeklyReport.objects.get().sent_at == NEXT_MORNING
    assert compose_weekly_report(WEEK, NEXT_MORNING).pk != delivery.report.pk


@pytest.mark.parametrize(
    ("refusal", "state", "words"),
    [
        ("550 no such mailbox", State.FAILED, "550 no such mailbox"),
        ("450 try later", State.QUEUED, "450 try later"),
    ],
)
def test_a_recipient_who_is_refused_does_not_keep_the_others_from_their_mail(
    post: Post, refusal: str, state: str, words: str
):
    post.refused["bob@example.com"] = refusal
    ada, bob = prepared("ada@example.com\nbob@example.com")

    deliver_due(timezone.now())

    assert (state_of(ada), state_of(bob)) == (State.SENT, state)
    assert words in bob.reason


def test_a_bouncing_server_is_tried_again_after_growing_pauses_until_it_is_enough(post: Post):
    post.answer = "451 out of space"
    (delivery,) = prepared()
    pauses = []
    for _ in range(MOST_TRIES):
        Delivery.objects.update(next_try_at=None)
        before = timezone.now()
        deliver_due(before)
        delivery.refresh_from_db()
        if delivery.next_try_at:
            pauses.append(round((delivery.next_try_at - before) / timedelta(minutes=1)))

    assert pauses == [1, 2, 4, 8, 16, 32, 64]
    assert (delivery.state, delivery.tries) == (State.FAILED, MOST_TRIES)
    assert "451 out of space" in delivery.reason


def test_what_waits_for_its_next_try_is_left_alone(post: Post):
    post.answer = "451 later"
    (delivery,) = prepared()
    deliver_due(timezone.now())
    post.answer = "250 taken"

    assert deliver_due(timezone.now()) == 0
    deliver_due(timezone.now() + timedelta(minutes=2))

    assert len(post.mails) == 1 or state_of(delivery) == State.QUEUED


def test_a_server_that_hangs_on_the_message_leaves_its_fate_unknown_and_it_is_sent_once_more(
    post: Post, settings: Any
):
    settings.EMAIL_TIMEOUT = 2
    post.hangs = True
    (delivery,) = prepared()
    deliver_due(timezone.now())
    assert state_of(delivery) == State.UNKNOWN

    deliver_due(timezone.now())
    deliver_due(timezone.now())

    assert {mail["Message-ID"] for mail in post.mails} == {delivery.message_id}
    assert (len(post.mails), state_of(delivery), delivery.is_second) == (2, State.UNKNOWN, True)


def test_a_server_that_is_not_there_is_tried_again(post: Post, settings: Any):
    settings.EMAIL_PORT = 1
    (delivery,) = prepared()

    deliver_due(timezone.now())

    assert (state_of(delivery), delivery.is_second) == (State.QUEUED, False)
    assert "cannot be reached" in delivery.reason


def test_without_a_mail_server_the_row_says_so(settings: Any):
    settings.EMAIL_HOST = ""
    (delivery,) = prepared()

    deliver_due(timezone.now())

    assert state_of(delivery) == State.QUEUED
    assert delivery.reason == "No mail server is configured: set HEADROOM_SMTP_URL."


def test_nobody_on_the_list_is_no_error():
    assert prepared("") == []
    assert WeeklyReport.objects.get().sent_at is None


@pytest.mark.parametrize("where", ["_report", "prepare"])
def test_a_sender_killed_while_composing_has_prepared_nothing_and_begins_again(
    post: Post, monkeypatch: pytest.MonkeyPatch, where: str
):
    recipients = listed()
    with monkeypatch.context() as patch:
        patch.setattr(report_delivery, where, die)
        with pytest.raises(WorkerKilled):
            send_weekly_report(recipients, WEEK, NEXT_MORNING)
    assert not Delivery.objects.exists()

    send_weekly_report(recipients, WEEK, NEXT_MORNING)
    deliver_due(timezone.now())

    assert len(post.mails) == 1


def test_a_sender_killed_before_the_hand_over_sends_once(post: Post, monkeypatch: pytest.MonkeyPatch):
    (delivery,) = prepared()
    with monkeypatch.context() as patch:
        patch.setattr(handover, "_take", die)
        with pytest.raises(WorkerKilled):
            hand_over(delivery.pk, timezone.now())

    deliver_due(timezone.now())

    assert (len(post.mails), state_of(delivery), delivery.is_second) == (1, State.SENT, False)


@pytest.mark.parametrize(("where", "mails"), [("_send", 1), ("_end", 2)])
def test_a_sender_killed_between_hand_over_and_note_sends_once_more_under_the_same_name(
    post: Post, monkeypatch: pytest.MonkeyPatch, where: str, mails: int
):
    (delivery,) = prepared()
    with monkeypatch.context() as patch:
        patch.setattr(handover, where, die)
        with pytest.raises(WorkerKilled):
            hand_over(delivery.pk, timezone.now())
    assert state_of(delivery) == State.HANDING_OVER
    assert deliver_due(timezone.now()) == 0

    deliver_due(timezone.now() + Delivery.LONGEST + timedelta(minutes=1))
    deliver_due(timezone.now() + timedelta(days=1))

    assert {mail["Message-ID"] for mail in post.mails} == {delivery.message_id}
    assert (len(post.mails), state_of(delivery), delivery.is_second) == (mails, State.SENT, True)


def test_a_message_that_cannot_be_made_is_told_and_holds_up_nobody(
    post: Post, monkeypatch: pytest.MonkeyPatch
):
    ada, bob = prepared("ada@example.com bob@example.com")
    made = compose_mail

    def broken(delivery: Delivery) -> Any:
        if delivery.pk == ada.pk:
            raise RuntimeError
        return made(delivery)

    monkeypatch.setattr(handover, "compose_mail", broken)
    deliver_due(timezone.now())

    assert (state_of(ada), state_of(bob)) == (State.QUEUED, State.SENT)


def test_a_list_is_served_at_its_hour_in_its_zone_once_a_week_also_after_a_stop():
    recipients = listed(time_zone="America/Los_Angeles", last_week="2026-W25")
    opened(limit(scripted.instance()), MONDAY)

    early = send_due_reports(NEXT_MORNING + timedelta(hours=6))  # 06:00 in Los Angeles
    due = send_due_reports(NEXT_MORNING + timedelta(hours=30))
    again = send_due_reports(NEXT_MORNING + timedelta(hours=31))

    recipients.refresh_from_db()
    assert (early, len(due), again, recipients.last_week) == ([], 1, [], "2026-W26")


def test_the_command_sends_and_says_what_became_of_it(post: Post):
    opened(limit(scripted.instance()), MONDAY)
    out = StringIO()

    call_command("send_weekly_report", week="2026-W26", to="ada@example.com", stdout=out)

    assert out.getvalue() == "ada@example.com: sent\n"
    assert len(post.mails) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"to": "ada"}, "“ada” is not a mail address"),
        ({"list": "nobody"}, "There is no list named nobody"),
        ({"week": "soon", "to": "a@example.com"}, "“soon” is not a week"),
        ({"week": "2999-W01", "to": "a@example.com"}, "not over yet"),
    ],
)
def test_bad_input_of_the_command_is_answered_by_a_sentence(options: dict[str, str], sentence: str):
    with pytest.raises(CommandError) as refused:
        call_command("send_weekly_report", **options)

    assert sentence in str(refused.value)


def test_one_report_goes_to_two_lists_but_once_to_each_person():
    report = compose_weekly_report(WEEK, NEXT_MORNING)
    first = prepare(report, ["ada@example.com"], NEXT_MORNING, listed())

    second = prepare(report, ["ada@example.com", "bob@example.com"], NEXT_MORNING, listed(name="others"))

    assert (len(first), [delivery.recipient for delivery in second]) == (1, ["bob@example.com"])
