"""Which addresses a webhook may have: public ones alone, unless a setting allows the private."""

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

LONGEST = 2000
_NAT64 = IPv6Network("64:ff9b::/96")  # addresses of IPv4 within IPv6


class RefusedAddress(ValueError):
    """A webhook may not go there; the message says why."""


@dataclass(frozen=True)
class Place:
    """Where to connect to: the very address that was checked, so that no second look-up can answer otherwise."""

    scheme: str
    host: str
    port: int
    path: str
    ip: str


def read_address(url: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and path. Raises RefusedAddress for what is not a plain address of the web."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise RefusedAddress(
            "That is not an address; write one like https://hooks.example.com/abc."
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > LONGEST:
        raise RefusedAddress("That is not an address; write one like https://hooks.example.com/abc.")
    if parts.username or parts.password or any(ord(sign) <= 32 or ord(sign) > 126 for sign in url):
        raise RefusedAddress("The address may hold neither a user name nor blanks.")
    return (
        parts.scheme,
        parts.hostname,
        port,
        (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )


def resolve(url: str, *, allow_private: bool) -> Place:
    """
    Look the host up, and refuse it when any of its addresses is not public. Raises RefusedAddress, or OSError where
    the name is not known.
    """
    scheme, host, port, path = read_address(url)
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in entries]
    for address in addresses:
        if not allow_private and not is_public(address):
            raise RefusedAddress(
                f"{host} is {address}, which is not a public address. "
                "HEADROOM_WEBHOOK_PRIVATE=1 allows addresses of your own network."
            )
    return Place(scheme, host, port, path, addresses[0])


def is_public(text: str) -> bool:
    """Whether an address belongs to the internet, whatever it is wrapped in."""
    address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if address in _NAT64:
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
    return address.is_global and not address.is_multicast and not address.is_reserved
