"""S5: a password goes to the mail server encrypted, to a server that proves who it is, or not at all."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.utils import timezone

from apps.notices.handover import deliver_due
from apps.notices.models import Delivery
from apps.notices.tests.conftest import MailServer, Post
from apps.notices.tests.test_mail import prepared

pytestmark = pytest.mark.django_db

PASSWORD = "secret of the relay"
Serve = Callable[..., Post]


def make_certificate(folder: Path) -> Path:
    """A key and a certificate that signs itself, of this machine, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "mail.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return make_certificate(tmp_path)


@pytest.fixture
def serve(settings: Any, certificate: Path) -> Iterator[Serve]:
    """Start a mail server which Headroom signs in to; what arrived stands in what is returned."""
    signed_in: list[bytes] = []

    def authenticate(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        signed_in.append(data.password)
        return AuthResult(success=data.password == PASSWORD.encode())

    def start(*, has_tls: bool) -> Post:
        made = Post()
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        controller = MailServer(
            made,
            authenticator=authenticate,
            auth_require_tls=False,
            tls_context=context if has_tls else None,
        )
        controller.start()
        servers.callback(controller.stop, no_assert=True)
        settings.EMAIL_PORT = controller.port
        made.passwords = signed_in
        return made

    settings.EMAIL_BACKEND = "apps.notices.smtp.EncryptedBackend"
    settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = "127.0.0.1", 60
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "headroom", PASSWORD
    with ExitStack() as servers:
        yield start


def deliver() -> Delivery:
    (delivery,) = prepared()
    deliver_due(timezone.now())
    delivery.refresh_from_db()
    return delivery


def test_a_server_with_starttls_gets_the_password_under_tls(serve: Serve, settings: Any, certificate: Path):
    settings.HEADROOM_SMTP_CA = certificate
    server = serve(has_tls=True)

    delivery = deliver()

    assert (delivery.state, delivery.reason) == (Delivery.State.SENT, "")
    assert (len(server.mails), server.passwords, server.were_encrypted) == (1, [PASSWORD.encode()], [True])


def test_a_server_without_starttls_is_not_given_the_password(serve: Serve):
    server = serve(has_tls=False)

    delivery = deliver()

    assert (server.mails, server.passwords) == ([], [])
    assert delivery.state == Delivery.State.QUEUED
    assert delivery.reason == (
        "The mail server offers no encryption, so Headroom does not send it the password: let 127.0.0.1 offer "
        "STARTTLS, or name one that takes smtps:// in HEADROOM_SMTP_URL."
    )


def test_a_server_that_nobody_vouches_for_is_not_given_the_password(serve: Serve):
    server = serve(has_tls=True)

    delivery = deliver()

    assert (server.mails, server.passwords) == ([], [])
    assert delivery.reason.startswith(
        "The mail server's certificate is not trusted: self-signed certificate."
    )
    assert "HEADROOM_SMTP_CA" in delivery.reason


def test_a_relay_that_asks_for_no_password_may_do_without_encryption(serve: Serve, settings: Any):
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    server = serve(has_tls=False)

    assert deliver().state == Delivery.State.SENT
    assert (len(server.mails), server.passwords) == (1, [])


@pytest.mark.parametrize("answer", [b"454 not now\r\n", b"220 go ahead\r\n250 in the clear after all\r\n"])
def test_a_server_that_lies_about_starttls_is_not_given_the_password(
    serve: Serve, settings: Any, answer: bytes
):
    """It offers STARTTLS; then it has none, or goes on in the clear."""
    heard: list[bytes] = []

    def lie(listener: socket.socket) -> None:
        talk, _ = listener.accept()
        with suppress(ConnectionResetError), talk, talk.makefile("rb") as lines:
            talk.sendall(b"220 liar\r\n")
            for line in lines:
                heard.append(line)
                if line.startswith(b"ehlo"):
                    talk.sendall(b"250-liar\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n")
                else:
                    talk.sendall(answer if line.startswith(b"STARTTLS") else b"250 yes\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.EMAIL_PORT = listener.getsockname()[1]
        liar = threading.Thread(target=lie, args=[listener], daemon=True)
        liar.start()
        delivery = deliver()
        liar.join(60)

    assert delivery.state == Delivery.State.QUEUED
    assert "cannot be reached" in delivery.reason
    assert any(line.startswith(b"STARTTLS") for line in heard)
    assert not [line for line in heard if b"AUTH" in line or PASSWORD.encode() in line]
