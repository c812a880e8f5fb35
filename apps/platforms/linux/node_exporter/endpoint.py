"""Where a page of node_exporter is, and who may fetch it."""

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from apps.inventory.host_names import wrong_host

PORT = 9100
PATH = "/metrics"
_PATH = re.compile(r"/[!-~]*")  # what may stand in the first line of a request


@dataclass(frozen=True)
class Endpoint:
    """A page over HTTP or HTTPS. `certificate` is the one that its authority, or its own, is known by; empty: the system's."""

    host: str
    port: int
    path: str
    is_secure: bool
    certificate: str = ""
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"


def endpoint_at(address: Mapping[str, Any], user: str, password: str) -> Endpoint:
    """The page at such an address."""
    return Endpoint(
        host=str(address.get("host", "")),
        port=int(address.get("port") or PORT),
        path=str(address.get("path") or PATH),
        is_secure=address.get("protocol") == "https",
        certificate=str(address.get("certificate") or ""),
        user=user,
        password=password,
    )


def wrong_path(path: str) -> str:
    """What is wrong with the path of a page; empty where nothing is to be seen."""
    if _PATH.fullmatch(path):
        return ""
    return f"“{path[:80]}” is not the path of a page; give one such as {PATH}."


def address_of_url(url: str, user: str, certificate: str, *, has_password: bool) -> dict[str, Any]:
    """The address of a page that is given as a URL. Raises ValueError, with a sentence."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise ValueError(f"“{url[:80]}” is not the URL of a page; give one such as http://db01:{PORT}{PATH}.")
    path = parts.path if parts.path.strip("/") else PATH
    wrong = wrong_host(parts.hostname) or wrong_path(path) or wrong_certificate(certificate)
    if wrong:
        raise ValueError(wrong)
    if bool(user) != has_password:
        raise ValueError("Give --user and --password-stdin with a password on standard input, or neither.")
    if parts.scheme == "http" and (user or certificate):
        raise ValueError("Passwords and certificates are for HTTPS alone; give a URL that begins with https.")
    return {
        "host": parts.hostname, "port": parts.port or PORT, "path": path, "protocol": parts.scheme,
        "certificate": certificate, "user": user,
    }  # fmt: skip


def wrong_certificate(certificate: str) -> str:
    """What is wrong with a certificate; empty where it is one, or none is given."""
    try:
        ssl.create_default_context(cadata=certificate or None)
    except (ssl.SSLError, ValueError, TypeError):  # of letters that no certificate has
        return "That is no certificate in PEM; give the lines from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----."
    return ""


def receiver_of(address: Mapping[str, Any]) -> dict[str, str]:
    """The parts of an address that say who receives a password, in one spelling."""
    return {
        "host": str(address.get("host") or "").casefold().rstrip("."),
        "port": str(address.get("port") or PORT),
        "protocol": str(address.get("protocol") or ""),
        "certificate": "".join(str(address.get("certificate") or "").split()),
    }


def address_in_words(address: Mapping[str, Any]) -> str:
    """Where an address leads, as a browser has it."""
    words = f"{address.get('protocol', 'http')}://{address.get('host', '?')}:{address.get('port', '?')}{address.get('path', '')}"
    return f"{words}, with a certificate of its own" if address.get("certificate") else words
