"""What happened to the address of a target, for people: who registered, tested, changed and first used it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.inventory.models import Credential, Deed, Target
from apps.platforms.linux.keys import fingerprint_of
from apps.web.tables import Column, RowHead, Table

MOST = 50


@dataclass(frozen=True)
class Happened:
    """One line of the record."""

    moment: datetime
    who: str
    what: str
    where: str


def record_of(target: Target) -> list[Happened]:
    """What happened to its address, newest first, at most so many lines."""
    return [
        Happened(
            moment=deed.moment,
            who=deed.actor_name or "Headroom",
            what=_what(deed),
            where=address_in_words(deed.details.get("address", {})),
        )
        for deed in Deed.objects.filter(target=target, kind__in=OF_ADDRESS)[:MOST]
    ]


OF_ADDRESS = [
    Deed.Kind.TARGET_REGISTERED, Deed.Kind.ADDRESS_CHANGED, Deed.Kind.SECRET_SAVED, Deed.Kind.ADDRESS_USED,
    Deed.Kind.CONNECTION_TESTED,
]  # fmt: skip


def _what(deed: Deed) -> str:
    use = deed.details.get("use", Credential.Use.COLLECT)
    of = "" if use == Credential.Use.COLLECT else f" ({Credential.Use(use).label})"
    user = deed.details.get("username", "")
    return f"{deed.get_kind_display()}{f', as {user}' if user and not of else of}"


def address_in_words(address: Mapping[str, Any]) -> str:
    """Where an address leads; of a host key, the fingerprint."""
    if address.get("descriptor"):
        words = str(address["descriptor"])
    else:
        last = address.get("service") or address.get("sid")
        words = f"{address.get('host', '?')}:{address.get('port', '?')}{f'/{last}' if last else ''}"
    if key := address.get("host_key"):
        words += f", host key {fingerprint_of(str(key))}"
    for name, label in (("key_file", "private key"), ("wallet", "wallet"), ("server_dn", "server")):
        if address.get(name):
            words += f", {label} {address[name]}"
    return words


RECORD: Table[Happened] = Table(
    "address-record",
    "What happened to this address",
    (
        Column("when", lambda row: row.moment, css="nowrap"),
        RowHead("who", lambda row: row.who),
        Column("what", lambda row: row.what),
        Column("address", lambda row: row.where, css="quiet-text"),
    ),
    scrolls=False,
)
