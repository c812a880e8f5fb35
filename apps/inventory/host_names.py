"""Names and addresses of machines as people type them."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Any

LONGEST_HOST = 255
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._\-]*[A-Za-z0-9_.])?")


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


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


def host_and_port(address: Mapping[str, Any]) -> str:
    """The host and the port of an address, with question marks in the place of what nobody gave."""
    return f"{address.get('host', '?')}:{address.get('port', '?')}"
