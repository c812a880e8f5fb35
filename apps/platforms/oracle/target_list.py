"""
Many instances at once: a CSV or a tnsnames.ora as rows that can be looked at before anything is registered.

Nothing here knows the database; a row says what is wrong with it in a sentence.
"""

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from apps.inventory.zones import time_zones
from apps.platforms.oracle.address import wrong_with
from apps.platforms.oracle.registration import COLUMNS
from apps.platforms.target_list import ProposedTarget, UnreadableList

MOST = 5000  # rows
LONGEST = 1_000_000  # letters
_LENGTHS = {"name": 80, "username": 128, "password": 1024, "group": 80, "environment": 40}  # letters


class Proposed(ProposedTarget):
    """One instance that could be registered."""

    @property
    def where(self) -> str:
        """The address for people."""
        if self.address.get("descriptor"):
            return str(self.address["descriptor"])
        last = self.address.get("service") or self.address.get("sid") or "?"
        return f"{self.address.get('host')}:{self.address.get('port')}/{last}"


def read_list(text: str, registered: Collection[str] = ()) -> list[Proposed]:
    """
    The instances of a CSV or a tnsnames.ora, whichever the text is. `registered` are names that are registered already.

    Raises UnreadableList.
    """
    text = re.sub(r"\r\n?", "\n", text).removeprefix("\ufeff").strip()
    if not text:
        raise UnreadableList("The list is empty. Give a CSV with a line of column names, or a tnsnames.ora.")
    if len(text) > LONGEST:
        raise UnreadableList(f"The list has {len(text):,} letters; give at most {LONGEST:,} at a time.")
    try:
        rows = list(_tnsnames(text) if is_tnsnames(text) else _csv(text))
    except csv.Error as error:
        raise UnreadableList(f"This is no CSV: {error}.") from None
    if not rows:
        raise UnreadableList("No instance was found in it.")
    if len(rows) > MOST:
        raise UnreadableList(f"It names {len(rows):,} instances; give at most {MOST:,} at a time.")
    return _with_problems(rows, {name.casefold() for name in registered})


def is_tnsnames(text: str) -> bool:
    """Whether a text looks like a tnsnames.ora rather than a CSV."""
    return re.search(r"=\s*\(\s*DESCRIPTION(_LIST)?\s*=", text, re.IGNORECASE) is not None


def _with_problems(rows: Sequence[Proposed], registered: set[str]) -> list[Proposed]:
    names: set[str] = set()
    instances = []
    for row in rows:
        problem = row.problem or _problem(row)
        if not problem and row.name.casefold() in registered:
            problem = f"There is a target named {row.name} already."
        if not problem and row.name.casefold() in names:
            problem = f"{row.name} is in the list twice; the first one counts."
        names.add(row.name.casefold())
        instances.append(Proposed(**{**vars(row), "problem": problem}))
    return instances


def _problem(row: Proposed) -> str:
    if not row.name:
        return "It has no name."
    for part, most in _LENGTHS.items():
        if len(getattr(row, part)) > most:
            return f"Its {part} has {len(getattr(row, part)):,} letters; at most {most} are possible."
    if any("\0" in text for text in (row.name, row.username, row.password, row.group, row.environment)):
        return "It has a character in it that nobody can type; enter it again."
    if row.time_zone and row.time_zone not in time_zones():
        return f"“{row.time_zone[:40]}” is not a time zone; give one such as Europe/Berlin."
    if wrong := wrong_with(row.address):
        return next(iter(wrong.values()))
    if row.address.get("descriptor"):
        return ""
    if not row.address.get("host"):
        return "It has no host."
    if not row.address.get("service") and not row.address.get("sid"):
        return "It has neither a service nor a SID."
    return ""


# CSV


def _csv(text: str) -> Iterator[Proposed]:
    first = text.splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    names = {(name or "").strip().lower().replace(" ", "_"): name for name in reader.fieldnames or ()}
    if "name" not in names:
        raise UnreadableList(
            f"The first line must name the columns: {', '.join(COLUMNS)}. “name” is missing in “{first[:80]}”."
        )
    unknown = sorted(set(names) - set(COLUMNS) - {""})
    if unknown:
        named = ", ".join(name[:40] for name in unknown[:5])
        raise UnreadableList(f"There is no column {named}; known are {', '.join(COLUMNS)}.")
    for line in reader:
        fields = {column: (line.get(names[column]) or "").strip() for column in names if column}
        if any(fields.values()):
            yield _from_line(reader.line_num, fields)


def _from_line(number: int, fields: dict[str, str]) -> Proposed:
    port, problem = fields.get("port") or "1521", ""
    if not is_port(port):
        port, problem = "1521", _no_port(port)
    address: dict[str, Any] = {}
    if fields.get("descriptor"):
        address["descriptor"] = fields["descriptor"]
    else:
        address = {"host": fields.get("host", ""), "port": int(port)}
        address |= (
            {"sid": fields["sid"]}
            if fields.get("sid") and not fields.get("service")
            else {"service": fields.get("service", "")}
        )
    return Proposed(
        line=number,
        name=fields.get("name", ""),
        address=address,
        username=fields.get("user", ""),
        password=fields.get("password", ""),
        time_zone=fields.get("time_zone", ""),
        group=fields.get("group", ""),
        environment=fields.get("environment", ""),
        problem=problem,
    )


def is_port(text: str) -> bool:
    """Whether a text is the number of a port."""
    return text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65535


def _no_port(text: str) -> str:
    return f"“{text[:20]}” is not a port; give a number from 1 to 65535."


# tnsnames.ora


def _tnsnames(text: str) -> Iterator[Proposed]:
    bare = re.sub(
        r"[ \t]+", " ", re.sub(r"#[^\n]*", "", text)
    )  # long blanks would be gone through again and again
    at = counted = 0
    line = 1
    while entry := _ENTRY.search(bare, at):
        line += bare.count("\n", counted, entry.start(1))
        counted = entry.start(1)
        descriptor, at = _balanced(bare, entry.end())
        names = [name.strip() for name in entry[1].split(",") if name.strip()]
        problem = "" if descriptor else "Its brackets do not close."
        address, wrong = _address(re.sub(r"\s+", "", descriptor))
        for name in names:
            yield Proposed(line=line, name=name.split(".")[0], address=address, problem=problem or wrong)
    if not at:
        raise UnreadableList("No entry such as NAME = (DESCRIPTION = …) was found in it.")


_ENTRY = re.compile(r"^ ?([\w.$,\-][\w.$,\- ]{0,199}?) ?=\s*(?=\()", re.MULTILINE)


def _balanced(text: str, start: int) -> tuple[str, int]:
    """The text in brackets that begins here, and where it ends; empty where it does not end."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start : at + 1], at + 1
    return "", len(text)


def _address(descriptor: str) -> tuple[dict[str, Any], str]:
    """Host, port and service where the descriptor says no more than these, else the descriptor; and what is wrong."""
    values = {name: re.findall(rf"\({name}=([^()]*)\)", descriptor, re.IGNORECASE) for name in _PARTS}
    parts = {part.lower() for part in re.findall(r"\((\w+)=", descriptor)}
    is_plain = all(len(matches) <= 1 for matches in values.values()) and parts <= _PLAIN
    host, port = values["HOST"], values["PORT"]
    if not is_plain or not host or (values["PROTOCOL"] or ["TCP"])[0].upper() != "TCP":
        return {"descriptor": descriptor}, ""
    last = {"service": values["SERVICE_NAME"][0]} if values["SERVICE_NAME"] else {}
    if not last and values["SID"]:
        last = {"sid": values["SID"][0]}
    instance = {"instance": values["INSTANCE_NAME"][0]} if values["INSTANCE_NAME"] else {}
    number, wrong = (port[0], "") if port else ("1521", "")
    if not is_port(number):
        number, wrong = "1521", _no_port(number)
    return {"host": host[0], "port": int(number), **last, **instance}, wrong


_PARTS = ("PROTOCOL", "HOST", "PORT", "SERVICE_NAME", "SID", "INSTANCE_NAME")
_PLAIN = {
    "description", "address_list", "address", "connect_data", "server", *(part.lower() for part in _PARTS),
}  # fmt: skip
