"""
Secrets at rest: Fernet with rotating keys. The keys come from HEADROOM_SECRET_KEYS, newest first, never from SECRET_KEY.

Fernet does not bind a text to its row, so model, field and row are part of what is encrypted: a ciphertext copied to
another row is refused. So is the fingerprint of the address that the secret was typed for, where its row has one: it is
compared here, where the secret is decrypted, so that no caller can send it anywhere else.
"""

import json
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models


class UnreadableSecret(Exception):
    """A stored secret cannot be decrypted with the keys at hand."""


class SavedElsewhere(UnreadableSecret):
    """A stored secret was typed for another address than the one it is wanted for."""


ELSEWHERE = "The password was saved for another address; type it again."


def _fernet() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.HEADROOM_SECRET_KEYS])


def encrypt(text: str, belongs_to: str, place: str = "") -> str:
    """Encrypt with the newest key; `belongs_to` names the row and field, `place` is the address's fingerprint."""
    contents = [belongs_to, text, place] if place else [belongs_to, text]
    return _fernet().encrypt(json.dumps(contents).encode()).decode()


def decrypt(token: str, belongs_to: str, place: str = "") -> str:
    """Decrypt with any key at hand, for the place it was saved for. Raises UnreadableSecret, SavedElsewhere."""
    owner, text, saved_for = contents_of(token)
    if owner != belongs_to:
        raise UnreadableSecret("The stored password belongs to another target; enter it again.")
    if text and saved_for != place:  # where none was given, none can go astray
        raise SavedElsewhere(ELSEWHERE)
    return text


def contents_of(token: str) -> tuple[str, str, str]:
    """Owner, text and place; the place is empty where none was kept. Raises UnreadableSecret."""
    try:
        owner, text, *place = json.loads(_fernet().decrypt(token.encode()))
    except InvalidToken:
        raise UnreadableSecret(
            "The stored password cannot be read with the keys of HEADROOM_SECRET_KEYS; enter it again."
        ) from None
    return str(owner), str(text), str(place[0]) if place else ""


def rotate(token: str) -> str:
    """The same secret under the newest key."""
    return _fernet().rotate(token.encode()).decode()


def owner_of(row: Any, field: str) -> str:
    """What a secret is bound to: target and use, or what its row names as its owner, and the field."""
    owner = getattr(row, "secret_owner", "") or f"{row.target_id}/{getattr(row, 'use', '')}"
    return f"{owner}/{field}"


class StoredSecret:
    """A secret as it is stored; `reveal` decrypts it for the row, and the place, that it belongs to."""

    def __init__(self, token: str) -> None:
        self.token = token

    def reveal(self, row: models.Model, field: str = "password", place: str = "") -> str:
        """The text. Raises UnreadableSecret, and SavedElsewhere where it was saved for another place."""
        return decrypt(self.token, owner_of(row, field), place)

    def __repr__(self) -> str:
        return "••••"

    __str__ = __repr__


class EncryptedTextField(models.TextField[Any, Any]):
    """
    Text kept encrypted. Assign a plain string; what is read back is a StoredSecret, which prints as dots.

    The model must have a `target` or a `secret_owner`: the secret is bound to it, to the field and to the row's use;
    and to the row's `secret_place`, the fingerprint of an address, if it has one.
    """

    def from_db_value(self, value: str | None, expression: object, connection: object) -> StoredSecret | None:
        return None if value is None else StoredSecret(value)

    def get_prep_value(self, value: Any) -> Any:
        """Only what `pre_save` encrypted reaches the database; an update or a filter with a plain text is a bug."""
        if value is None or isinstance(value, StoredSecret):
            return value and value.token
        raise TypeError("A secret is stored by saving its row, which encrypts it.")

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = getattr(model_instance, self.attname)
        if value is None or isinstance(value, StoredSecret):
            return value
        place = getattr(model_instance, "secret_place", "")
        secret = StoredSecret(encrypt(value, owner_of(model_instance, self.attname), place))
        setattr(model_instance, self.attname, secret)
        return secret
