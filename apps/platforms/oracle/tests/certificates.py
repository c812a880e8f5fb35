"""Certificates made for a test: an authority, what it signs, and wallets that trust it."""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID


@dataclass
class Holder:
    """A certificate with its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    def key_pem(self, password: str = "") -> bytes:
        hidden = BestAvailableEncryption(password.encode()) if password else NoEncryption()
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hidden)


def certify(name: str, authority: Holder | None = None, *, days: int = 30) -> Holder:
    """A certificate of this name, signed by the authority; without one it is an authority itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Example"),
            x509.NameAttribute(NameOID.COMMON_NAME, name),
        ]
    )
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(authority.certificate.subject if authority else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=60))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=authority is None, path_length=None), critical=True)
    )
    if authority:
        names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
        builder = builder.add_extension(names, critical=False)
    signed_with = authority.key if authority else key
    return Holder(builder.sign(signed_with, hashes.SHA256()), key)


def wallet(
    folder: Path, *trusted: Holder, own: Holder | None = None, password: str = "", name: str = "wallet"
) -> str:
    """A directory with an ewallet.pem of those who are trusted, and of one's own certificate where there is one."""
    place = folder / name
    place.mkdir()
    mine = own.key_pem(password) + own.pem if own else b""
    (place / "ewallet.pem").write_bytes(mine + b"".join(authority.pem for authority in trusted))
    return str(place)


def listener(
    folder: Path, holder: Holder, *, asks: Holder | None = None, newest: ssl.TLSVersion | None = None
) -> ssl.SSLContext:
    """What a listener shows; with `asks` it lets in only those whom this authority signed."""
    place = folder / "listener.pem"
    place.write_bytes(holder.key_pem() + holder.pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(place)
    if newest:
        context.maximum_version = newest
    if asks:
        context.load_verify_locations(cadata=asks.pem.decode())
        context.verify_mode = ssl.CERT_REQUIRED
    return context
