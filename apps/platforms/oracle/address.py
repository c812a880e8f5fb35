"""Addresses of instances as people type them: what cannot be, in a sentence for each part of it."""

import ipaddress
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import oracledb

_NAME = re.compile(r"[\w.$#\-]+")  # services, SIDs, instances
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._\-]*[A-Za-z0-9_.])?")


def wrong_with(address: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with the parts of an address, by their names; empty where nothing is to be seen."""
    found = {}
    if address.get("descriptor"):
        found["descriptor"] = wrong_descriptor(str(address["descriptor"]))
    else:
        found["host"] = wrong_host(str(address.get("host") or ""))
        for part, word in (("service", "service"), ("sid", "SID")):
            found[part] = _wrong_name(str(address.get(part) or ""), word)
    found["wallet"] = _wrong_wallet(str(address.get("wallet") or ""))
    found["server_dn"] = _wrong_dn(str(address.get("server_dn") or ""))
    return {part: sentence for part, sentence in found.items() if sentence}


def wrong_host(host: str) -> str:
    """What is wrong with the name or address of a machine; empty where nothing is to be seen or nothing was given."""
    if not host or _HOST.fullmatch(host) or _is_ipv6(host):
        return ""
    if "://" in host or "/" in host:
        return f"“{host}” is not the name of a host; give the name alone, without // and what follows a /."
    if re.fullmatch(r"[^:]+:\d+", host):
        return f"“{host}” has a port in it; give the host alone and the port in its own box."
    return f"“{host}” is not the name or address of a host; give one such as db01.example.com or 10.0.0.7."


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
    parameters = oracledb.ConnectParams()
    try:
        parameters.parse_connect_string(descriptor)
    except (oracledb.Error, ValueError) as error:
        if "no addresses" in str(error):
            return "The descriptor names no host: it needs (ADDRESS=(PROTOCOL=TCP)(HOST=…)(PORT=…))."
        return f"The descriptor is not understood: {str(error).rpartition(chr(10))[2].rstrip('.')}."
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
