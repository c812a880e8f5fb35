"""Addresses of instances as people type them: what cannot be, in a sentence for each part of it."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import oracledb

from apps.inventory.host_names import host_and_port, wrong_host

TIMES_LOGINS = "times_logins"  # in an address: logins are timed each night
LONGEST = 4000  # characters of a descriptor
_NAME = re.compile(r"[\w.$#\-]+")  # services, SIDs, instances


def wrong_with(address: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with the parts of an address, by their names; empty where nothing is to be seen."""
    sentences = {}
    if address.get("descriptor"):
        sentences["descriptor"] = wrong_descriptor(str(address["descriptor"]))
    else:
        sentences["host"] = wrong_host(str(address.get("host") or ""))
        for part, word in (("service", "service"), ("sid", "SID")):
            sentences[part] = _wrong_name(str(address.get(part) or ""), word)
    sentences["wallet"] = _wrong_wallet(str(address.get("wallet") or ""))
    sentences["server_dn"] = _wrong_dn(str(address.get("server_dn") or ""))
    return {part: sentence for part, sentence in sentences.items() if sentence}


def receiver_of(address: Mapping[str, Any]) -> dict[str, str]:
    """The parts of an address that say who receives a password, in one spelling."""
    place = {name: str(address.get(name) or "") for name in ("wallet", "server_dn")}
    if address.get("descriptor"):
        return place | {"descriptor": "".join(str(address["descriptor"]).split())}
    names = {name: str(address.get(name) or "").casefold() for name in ("service", "sid", "instance")}
    return (
        place
        | names
        | {
            "host": str(address.get("host") or "").casefold().rstrip("."),
            "port": str(address.get("port") or 1521),
            "protocol": str(address.get("protocol") or "tcp").casefold(),
        }
    )


def address_in_words(address: Mapping[str, Any]) -> str:
    """Where an address leads, with the wallet and the name of the server where the connection is encrypted."""
    if address.get("descriptor"):
        words = str(address["descriptor"])
    else:
        last = address.get("service") or address.get("sid")
        words = f"{host_and_port(address)}{f'/{last}' if last else ''}"
    for name, label in (("wallet", "wallet"), ("server_dn", "server")):
        if address.get(name):
            words += f", {label} {address[name]}"
    return words


def wrong_descriptor(descriptor: str) -> str:
    """What is wrong with a whole connect descriptor."""
    if not descriptor.upper().startswith("(DESCRIPTION") or descriptor.count("(") != descriptor.count(")"):
        return "A descriptor begins with (DESCRIPTION= and closes all its brackets."
    if len(descriptor) > LONGEST:  # its parser calls itself for each bracket, until the process dies
        return f"The descriptor has {len(descriptor):,} characters; at most {LONGEST:,} are possible."
    parameters = oracledb.ConnectParams()
    try:
        parameters.parse_connect_string(descriptor)
    except (oracledb.Error, ValueError) as error:
        if "no addresses" in str(error):
            return "The descriptor names no host: it needs (ADDRESS=(PROTOCOL=TCP)(HOST=…)(PORT=…))."
        return f"The descriptor is not understood: {str(error).rpartition(chr(10))[2][:200].rstrip('.')}."
    return ""


def _wrong_name(name: str, word: str) -> str:
    if not name or _NAME.fullmatch(name):
        return ""
    return f"“{name}” is not a {word}; give it as `lsnrctl services` prints it, in letters, digits and . _ - $ #."


def _wrong_wallet(directory: str) -> str:
    if not directory or PurePath(directory).is_absolute():
        return ""
    return f"“{directory}” is not a whole path; give one such as /etc/headroom/wallet."


def _wrong_dn(name: str) -> str:
    if not name or re.search(r"\w+\s*=\s*\S", name):
        return ""
    return f"“{name}” is not a distinguished name; give one such as CN=db01.example.com,O=Example."
