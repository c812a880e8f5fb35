"""
How people register the targets of a technology: what the pages say, which forms they show, what is typed in them.

A technology declares it in its folder; the pages ask here and know no technology by name. Forms may need a driver, so they
are named by their dotted paths and loaded when a page first shows them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.utils.module_loading import import_string

from apps.inventory.host_names import host_and_port

if TYPE_CHECKING:
    from apps.platforms.forms import SecretForm, StoredSecrets
    from apps.platforms.target_list import ProposedTarget


@dataclass(frozen=True, kw_only=True)
class AccountUses:
    """What an account may be used for, where a target can have several: value and label, and a line of help."""

    choices: Sequence[tuple[str, str]]
    help_text: str


@dataclass(frozen=True, kw_only=True)
class ListSource:
    """How many targets are registered at once: `read` is the dotted path of what makes ProposedTargets of a text."""

    read: str
    things: str  # several, as they follow “Import a list of”
    files: str  # a line of help: which files it reads
    columns: Sequence[str]  # of a CSV

    def read_list(self, text: str, names: Collection[str]) -> "Sequence[ProposedTarget]":
        """The targets of a text; `names` are those that are registered already. Raises UnreadableList."""
        read = cast("Callable[[str, Collection[str]], Sequence[ProposedTarget]]", import_string(self.read))
        return read(text, names)


@dataclass(frozen=True, kw_only=True)
class Registration:
    """
    How a target of one kind is registered. `key` ends the address of its page, `thing` follows “Add”.

    `form` is the SecretForm of a new target, `address_form` the StoredSecrets of one that is registered. `address_words`
    tells people where an address leads.
    """

    key: str
    thing: str  # with its article: "a web server"
    lead: str  # the first sentence of the page
    platform: str
    kind: str
    collector: str
    form: str
    address_form: str = ""  # none: its targets have no address
    address_words: str = ""
    interval_minutes: int = 1440
    readings: int = 1  # taken at once, when a target is registered; 0: it is never asked
    host_source: str = ""  # where a target says on which machine it runs
    account_uses: AccountUses | None = None
    list_source: ListSource | None = None
    scripts: str = ""  # what returns the scripts that make its account, (title, text); the first one for most

    @property
    def label(self) -> str:
        """The thing without its article, as a button names it."""
        return self.thing.partition(" ")[2]

    @property
    def account_script(self) -> str:
        """The script that a DBA runs once to make the account; empty where none is needed."""
        if not self.scripts:
            return ""
        listed = cast("Callable[[], Sequence[tuple[str, str]]]", import_string(self.scripts))
        return listed()[0][1]

    def load_form(self) -> "type[SecretForm]":
        return cast("type[SecretForm]", import_string(self.form))

    def load_address_form(self) -> "type[StoredSecrets]":
        return cast("type[StoredSecrets]", import_string(self.address_form))


@dataclass(frozen=True, kw_only=True)
class ThisMachine:
    """How the machine that Headroom runs on is read, without an address."""

    platform: str
    collector: str
    interval_minutes: int


_machines: list[ThisMachine] = []  # one at most
_registrations: dict[str, Registration] = {}


def add_registrations(registrations: Sequence[Registration]) -> None:
    """Make known how targets are registered; later ones come after earlier ones on the pages."""
    for registration in registrations:
        if _registrations.setdefault(registration.key, registration) != registration:
            raise ValueError(f"Two technologies register their targets at “{registration.key}”.")


def add_this_machine(machine: ThisMachine) -> None:
    """Make known how the machine that Headroom runs on is read."""
    _machines[:] = [machine]


def find_this_machine() -> ThisMachine | None:
    return _machines[0] if _machines else None


def all_registrations() -> list[Registration]:
    return list(_registrations.values())


def find_registration(key: str) -> Registration | None:
    """How targets are registered on the page with this key."""
    return _registrations.get(key)


def registration_of(collector: str) -> Registration | None:
    """How the targets of a collector are registered; None of those that have no address."""
    return next(
        (registration for registration in _registrations.values() if registration.collector == collector),
        None,
    )


def load_forms() -> None:
    """Load every form, with the drivers that they need, before a page asks for the first."""
    for registration in _registrations.values():
        registration.load_form()


def address_in_words(collector: str, address: Mapping[str, Any]) -> str:
    """Where the address of a target leads, for people."""
    registration = registration_of(collector)
    if registration is None or not registration.address_words:
        return host_and_port(address)
    words = cast(Callable[[Mapping[str, Any]], str], import_string(registration.address_words))
    return words(address)
