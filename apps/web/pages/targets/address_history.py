"""What happened to the address of a target, for people: who registered, tested, changed and first used it."""

from dataclasses import dataclass
from datetime import datetime

from apps.inventory.models import Credential, Deed, Target
from apps.platforms.registration import address_in_words
from apps.web.tables import Column, RowHead, Table

MOST = 50


@dataclass(frozen=True)
class AddressEvent:
    """One line of the record."""

    moment: datetime
    who: str
    what: str
    where: str


def record_of(target: Target) -> list[AddressEvent]:
    """What happened to its address, newest first, at most so many lines."""
    return [
        AddressEvent(
            moment=deed.moment,
            who=deed.actor_name or "Headroom",
            what=_what(deed),
            where=address_in_words(target.collector, deed.details.get("address", {})),
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


RECORD: Table[AddressEvent] = Table(
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
