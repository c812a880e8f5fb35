"""
Wallets of encrypted connections: what is wrong with one, before the driver meets it.

The driver passes over a key that it cannot open and is then turned away without a word of why.
"""

import re
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

FILE = "ewallet.pem"
_KEY = re.compile(rb"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?-----END \1-----", re.DOTALL)


class BadWallet(OSError):
    """The wallet is of no use; the message follows “its wallet”, `remedy` says what to do."""

    def __init__(self, words: str, remedy: str) -> None:
        super().__init__(words)
        self.remedy = remedy


def check_wallet(directory: str, password: str) -> None:
    """Raise BadWallet where the driver could not use the wallet of this directory with this password."""
    path = Path(directory) / FILE
    try:
        content = path.read_bytes()
        x509.load_pem_x509_certificates(content)
    except (OSError, ValueError):
        # one sentence for all of them: who may name a directory must not learn from it which files there are
        raise BadWallet(
            f"cannot be used ({path})",
            f"Check that its directory holds {FILE}, with certificates, readable for whoever runs Headroom. It is made"
            " of a wallet by: openssl pkcs12 -in ewallet.p12 -out ewallet.pem.",
        ) from None
    if key := _KEY.search(content):
        _open(key[0], password, path)


def _open(key: bytes, password: str, path: Path) -> None:
    try:
        load_pem_private_key(key, password.encode() if b"ENCRYPTED" in key else None)
    except (ValueError, TypeError):
        words = (
            "has another password than the one given" if password else "has a password, and none was given"
        )
        raise BadWallet(f"{words} ({path})", "Give the wallet's password on its page.") from None
