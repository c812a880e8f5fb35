"""Who signs in to a host."""

from collections.abc import Mapping
from typing import Any

from apps.collection.collector import CollectionError
from apps.inventory.models import Credential, Target
from apps.inventory.secrets import UnreadableSecret


def proof_of(target: Target, address: Mapping[str, Any]) -> tuple[str, str]:
    """The user and the password, or the key's passphrase, that are stored for this address. Raises CollectionError."""
    credential = target.credentials.filter(use=Credential.Use.COLLECT).first()
    if credential is None:
        return str(address.get("user", "")), ""
    try:
        return credential.username, credential.secret_at(address)
    except UnreadableSecret as error:
        raise CollectionError(str(error), needs_a_person=True) from None
