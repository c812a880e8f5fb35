"""What the instances on one machine take of it: figures that stand side by side, and sums that are held against the machine."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GuestColumn:
    """A figure of an instance, without a unit of what is counted; where it `adds_up`, that of all instances is their sum."""

    metric: str
    head: str
    unit: str = ""
    component: str = ""
    adds_up: bool = True


@dataclass(frozen=True, kw_only=True)
class GuestSum:
    """Figures of all instances together, and the subject on which the machine says how much there is, or is at work."""

    title: str
    metrics: tuple[str, ...]
    subject: str
    unit: str = ""


@dataclass(frozen=True)
class Guests:
    """How the instances of a platform stand on the page of the machine that they share."""

    columns: tuple[GuestColumn, ...]
    sums: tuple[GuestSum, ...] = ()


_declared: dict[str, Guests] = {}


def add_guests(platform: str, guests: Guests) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _declared[platform] = guests


def guests_of(platform: str) -> Guests | None:
    """How the instances of a platform stand there; None where it declares nothing."""
    return _declared.get(platform)
