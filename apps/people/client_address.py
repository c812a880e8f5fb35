"""Where a request comes from: the other side of the connection, or whom a trusted proxy names."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

NOWHERE = IPv4Address("0.0.0.0")  # a connection without an address: a unix socket
SITE_BITS = 64  # what one customer of a provider has of IPv6, and may change at will


def client_address(request: HttpRequest) -> IPv4Address | IPv6Address:
    """
    The address of whoever asks.

    X-Forwarded-For is believed as far as HEADROOM_TRUSTED_PROXIES wrote it: its right-most entry that is no such proxy.
    """
    address = _parse(request.META.get("REMOTE_ADDR", "")) or NOWHERE
    entries = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    while _is_trusted(address) and entries:
        named = _parse(entries.pop())
        if named is None:
            break
        address = named
    return address


def client_network(request: HttpRequest) -> str:
    """What sign-ins are counted by: an IPv4 address, or the first address of an IPv6 /64."""
    address = client_address(request)
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((address, SITE_BITS), strict=False).network_address)


def _is_trusted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in settings.HEADROOM_TRUSTED_PROXIES)


def _parse(entry: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it: 192.0.2.7, 192.0.2.7:4711, 2001:db8::7 or [2001:db8::7]:4711."""
    entry = entry.strip()
    if entry.startswith("["):
        entry = entry[1:].partition("]")[0]
    elif entry.count(":") == 1:
        entry = entry.partition(":")[0]
    try:
        address = ip_address(entry)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
