"""
A calendar file of days (RFC 5545; no Django).

Days are whole-day events, which every calendar takes: to-dos are left out by many. A line ends with CR LF and has at most
75 octets, longer ones are folded; commas, semicolons, backslashes and line breaks in texts are escaped.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

OCTETS = 75
PRODUCT = "-//Headroom//Due days//EN"


@dataclass(frozen=True)
class CalendarEntry:
    """One day in a calendar. `uid` stays the same for ever; `sequence` grows with each change of it."""

    uid: str
    on: date
    summary: str
    description: str = ""
    url: str = ""
    sequence: int = 0
    is_cancelled: bool = False


def calendar_file(name: str, entries: Iterable[CalendarEntry], now: datetime) -> str:
    """A calendar with a name and its entries, as the text of a file."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"]
    lines.append(f"X-WR-CALNAME:{escape(name)}")
    for entry in entries:
        lines += _event(entry, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in fold(line))


def _event(entry: CalendarEntry, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{entry.uid}"
    yield f"DTSTAMP:{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{entry.on:%Y%m%d}"
    if entry.on < date.max:
        yield f"DTEND;VALUE=DATE:{entry.on + timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{escape(entry.summary)}"
    if entry.description:
        yield f"DESCRIPTION:{escape(entry.description)}"
    if entry.url:
        yield f"URL:{''.join(entry.url.split())}"
    yield f"SEQUENCE:{entry.sequence}"
    yield f"STATUS:{'CANCELLED' if entry.is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def escape(text: str) -> str:
    """A text as a value: RFC 5545, 3.3.11. Control characters, which no value may have, are left out."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(sign for sign in text if sign in "\n\t" or (ord(sign) >= 32 and ord(sign) != 127))
    for sign, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(sign, written)
    return text


def fold(line: str) -> Iterator[str]:
    """The parts of a line, each of at most 75 octets, the later ones behind a blank: RFC 5545, 3.1."""
    part, octets = "", 0
    for sign in line:
        size = len(sign.encode())
        if octets + size > OCTETS:
            yield part
            part, octets = " ", 1
        part += sign
        octets += size
    yield part
