"""The messages that were sent, as rows of a file."""

from collections.abc import Iterable, Iterator, Sequence

from apps.notices.models import Delivery
from apps.reports.sheets import Cell

DELIVERIES = ("state", "to", "what", "prepared, UTC", "ended, UTC", "tries", "why")


def deliveries(rows: Iterable[Delivery]) -> Iterator[Sequence[Cell]]:
    for one in rows:
        state = f"{one.get_state_display()}{', sent twice' if one.is_second else ''}"
        yield state, one.recipient, one.subject, one.made_at, one.ended_at, one.tries, one.reason
