"""The scripted platform, and mail servers that behave or do not."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from apps.collection.tests.scripted import scripted_platform as scripted_platform


class Post:
    """
    What a mail server took, and how it answers: `answer` to the message, `refused` recipients, `hangs` on data.

    `before` is called when a recipient is named, `then` when a message was taken and not yet answered.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.answer = "250 taken"
        self.refused: dict[str, str] = {}
        self.hangs = False
        self.passwords: list[bytes] = []
        self.were_encrypted: list[bool] = []
        self.before: Callable[[], Any] = lambda: None
        self.then: Callable[[], Any] = lambda: None

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.before()
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        self.were_encrypted.append(session.ssl is not None)
        if self.answer.startswith("2"):
            mail = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
        self.then()
        if self.hangs:
            await asyncio.sleep(60)
        return self.answer


class MailServer(Controller):  # type: ignore[misc]
    """Hands mails to a post, at a port that is its own from the beginning."""

    def __init__(self, post: Post, **options: Any) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        super().__init__(post, hostname="127.0.0.1", port=port, ready_timeout=60, **options)

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self.listener, ssl=self.ssl_context)


@pytest.fixture
def post(settings: Any) -> Iterator[Post]:
    """A mail server on this machine, which the product uses."""
    made = Post()
    controller = MailServer(made)
    controller.start()
    settings.EMAIL_BACKEND = "apps.notices.smtp.EncryptedBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", controller.port
    settings.EMAIL_TIMEOUT = 60
    settings.DEFAULT_FROM_EMAIL = "Headroom <headroom@headroom.example>"
    yield made
    controller.stop(no_assert=True)
