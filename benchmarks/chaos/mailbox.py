"""A mail server that takes everything and counts it by Message-ID."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Mailbox:
    """What arrived: how often each Message-ID did."""

    def __init__(self) -> None:
        self.arrivals = Counter[str]()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        self.arrivals[str(message_from_bytes(envelope.content)["Message-ID"]).strip()] += 1
        return "250 taken"


@contextmanager
def mailbox(port: int) -> Iterator[Mailbox]:
    made = Mailbox()
    server = Controller(made, hostname="127.0.0.1", port=port)
    server.start()
    try:
        yield made
    finally:
        server.stop()
