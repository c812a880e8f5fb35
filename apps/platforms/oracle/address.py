"""Addresses of instances as people type them: what cannot be, in a sentence for each part of it."""

import ipaddress
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import oracledb

LONGEST_HOST = 255
LONGEST = 4000  # characters of a descriptor
_NAME = re.compile(r"[\w.$#\-]+")  # services, SIDs, instances
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._\-]*[A-Za-z0-9_.])?")


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


def wrong_host(host: str) -> str:
    """What is wrong with the name or address of a machine; empty where nothing is to be seen or nothing was given."""
    if not host or (len(host) <= LONGEST_HOST and _HOST.fullmatch(host)) or _is_ipv6(host):
        return ""
    if len(host) > LONGEST_HOST:
        return f"The host has {len(host):,} characters; at most {LONGEST_HOST} are possible."
    if "://" in host or "/" in host:
        return (
            f"“{host[:80]}” is not the name of a host; give the name alone, without // and what follows a /."
        )
    if re.fullmatch(r"[^:]+:\d+", host):
        return f"“{host[:80]}” has a port in it; give the host alone and the port in its own box."
    return (
        f"“{host[:80]}” is not the name or address of a host; give one such as db01.example.com or 10.0.0.7."
    )


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


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


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
