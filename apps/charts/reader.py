"""
How one reader wants numbers and days written: set around the making of a page, the same for everybody elsewhere.

Files, mails and the weekly report as it was sent are written outside, in the plain way.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import tzinfo

from apps.charts.names import NAMES, Names


@dataclass(frozen=True)
class Style:
    """The marks of numbers, order of a date ("day", "month" or "year" first), zone of moments, language of months."""

    decimal: str = "."
    thousands: str = ","
    order: str = "day"
    zone: tzinfo | None = None  # None: moments stay in the zone they are given in
    language: str = "en"

    @property
    def is_plain(self) -> bool:
        return self.decimal == "." and self.thousands == ","

    @property
    def names(self) -> Names:
        """The months and weekdays as this reader calls them."""
        return NAMES[self.language]

    def marked(self, text: str) -> str:
        """A number written with `,` and `.`, in the reader's marks."""
        return text if self.is_plain else text.translate({44: self.thousands, 46: self.decimal})


PLAIN = Style()
_style: ContextVar[Style] = ContextVar("style", default=PLAIN)


def style() -> Style:
    """The style of whoever reads what is being written."""
    return _style.get()


@contextmanager
def use_style(reader_style: Style) -> Iterator[None]:
    """Write numbers, days and moments in this style."""
    token = _style.set(reader_style)
    try:
        yield
    finally:
        _style.reset(token)
