"""The way to the mail server, which shows no password to anybody between: encrypted and verified, or not at all."""

import ssl
from smtplib import SMTPNotSupportedError
from typing import Any

from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend
from django.utils.functional import cached_property


class NoEncryption(Exception):
    """The mail server offers none where it is needed; the message says what to do."""


class EncryptedBackend(EmailBackend):
    """
    Django's, with certificates of one's own trusted beside the system's.

    With a password it insists on TLS, whatever the settings say. Raises NoEncryption, and what Django's raises.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.use_tls = self.use_tls or (bool(self.password) and not self.use_ssl)

    @cached_property
    def ssl_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if settings.HEADROOM_SMTP_CA:
            context.load_verify_locations(settings.HEADROOM_SMTP_CA)
        return context

    def open(self) -> bool | None:
        try:
            return super().open()
        except SMTPNotSupportedError:
            connection: Any = vars(self).get("_partial_connection")
            if not self.use_tls or isinstance(connection.sock, ssl.SSLSocket):
                raise  # it is about something else, such as signing in
            what = "the password" if self.password else "anything"
            raise NoEncryption(
                f"The mail server offers no encryption, so Headroom does not send it {what}: "
                f"let {self.host} offer STARTTLS, or name one that takes smtps:// in HEADROOM_SMTP_URL."
            ) from None
