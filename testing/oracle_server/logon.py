"""
The password exchange with a 12c verifier: neither side ever sends the password in clear.

Both halves of a session key travel encrypted under the verifier; the session key proves that both know it.
"""

import hashlib
import secrets
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

VERIFIER_12C = 0x4815
VERIFIER_ROUNDS = 4096
SESSION_ROUNDS = 3
BLOCK = 16


class Exchange:
    """One sign-in: a challenge to the client, then the judgement of its answer."""

    def __init__(self, salt: bytes, password: str) -> None:
        self._password = password
        self._key = verifier_key(password, salt)
        self._half = secrets.token_bytes(32)
        self._session_salt = secrets.token_bytes(16)
        self._session_key = b""
        self.challenge: dict[str, tuple[str, int]] = {
            "AUTH_SESSKEY": (upper_hex(encrypt(self._key, self._half)), 0),
            "AUTH_VFR_DATA": (upper_hex(salt), VERIFIER_12C),
            "AUTH_PBKDF2_CSK_SALT": (upper_hex(self._session_salt), 0),
            "AUTH_PBKDF2_VGEN_COUNT": (str(VERIFIER_ROUNDS), 0),
            "AUTH_PBKDF2_SDER_COUNT": (str(SESSION_ROUNDS), 0),
        }

    def is_right(self, answer: dict[str, str]) -> bool:
        """Say whether the client's answer proves that it knows the password."""
        try:
            client_half = decrypt(self._key, bytes.fromhex(answer["AUTH_SESSKEY"]))[:32]
            secret = upper_hex(client_half + self._half).encode()
            self._session_key = hashlib.pbkdf2_hmac("sha512", secret, self._session_salt, SESSION_ROUNDS, 32)
            padded = decrypt(self._session_key, bytes.fromhex(answer["AUTH_PASSWORD"]))[BLOCK:]
        except (KeyError, ValueError):
            return False
        return padded == pad(self._password.encode())

    @property
    def proof(self) -> str:
        """What shows the client that the server knows the password too."""
        return upper_hex(encrypt(self._session_key, pad(secrets.token_bytes(BLOCK) + b"SERVER_TO_CLIENT")))


# The rounds are slow on purpose; an estate signs in as the same user again and again.
@lru_cache(maxsize=1024)
def verifier_key(password: str, salt: bytes) -> bytes:
    speedy = salt + b"AUTH_PBKDF2_SPEEDY_KEY"
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), speedy, VERIFIER_ROUNDS, 64)
    return hashlib.sha512(key + salt).digest()[:32]


def encrypt(key: bytes, plain: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.CBC(bytes(BLOCK))).encryptor()
    return encryptor.update(plain) + encryptor.finalize()


def decrypt(key: bytes, hidden: bytes) -> bytes:
    decryptor = Cipher(algorithms.AES(key), modes.CBC(bytes(BLOCK))).decryptor()
    return decryptor.update(hidden) + decryptor.finalize()


def pad(plain: bytes) -> bytes:
    missing = BLOCK - len(plain) % BLOCK
    return plain + bytes([missing] * missing)


def upper_hex(data: bytes) -> str:
    return data.hex().upper()
