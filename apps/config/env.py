"""
Settings from the environment, or from the file that NAME_FILE names; an empty one counts as not given.

A wrong setting stops the program with a sentence that says which, what it is and what is expected.
"""

import os
import ssl
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import environ

MOST_DIGITS = 18  # of a number


class WrongSetting(SystemExit):
    """Ends the program; the message is what its user reads."""


def text(name: str, default: str = "") -> str:
    """What the setting says, without the line's end a file has."""
    file = os.environ.get(f"{name}_FILE")
    if not file:
        return os.environ.get(name, "").strip() or default
    try:
        value = Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise WrongSetting(f"{name}_FILE names {file}, which cannot be read: {reason}.") from None
    return value or default


def flag(name: str, default: bool) -> bool:
    """1 or 0."""
    value = text(name).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    if value:
        raise WrongSetting(f"{name} is {value!r}; expected is 1 or 0.")
    return default


def integer(name: str, default: int, *, least: int, most: int) -> int:
    """A whole number within limits."""
    value = text(name, str(default))
    is_number = value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS
    if not is_number or not least <= int(value) <= most:
        raise WrongSetting(f"{name} is {value[:40]!r}; expected is a whole number from {least} to {most}.")
    return int(value)


def path(name: str, default: Path) -> Path:
    """A folder or file, absolute."""
    return Path(text(name, str(default))).expanduser().absolute()


def site_url(name: str, default: str) -> SplitResult:
    """The address people use: scheme, host and perhaps a port, nothing behind it."""
    value = text(name, default)
    try:
        url = urlsplit(value)
        complete = url.scheme in ("http", "https") and url.hostname and (url.port or 1)
    except ValueError:
        complete = False
    if not complete or url.username or url.path.strip("/") or url.query or url.fragment:
        raise WrongSetting(
            f"{name} is {value!r}; expected is an address without a path, such as https://headroom.example.com."
        )
    return url._replace(path="")


def database(name: str, default: str) -> dict[str, Any]:
    """Django's description of a PostgreSQL database, from postgresql://user:password@host:port/name."""
    address = text(name, default)
    try:
        described = environ.Env.db_url_config(address) if "://" in address else {}
    except ValueError:
        described = {}
    if described.get("ENGINE") != "django.db.backends.postgresql" or not described["NAME"]:
        # the address is not repeated: it holds a password
        raise WrongSetting(
            f"{name} is not the address of a PostgreSQL database; expected is "
            "postgresql://user:password@host:5432/name."
        )
    return dict(described)


def broker(name: str, default: str) -> str:
    """The address of a Redis or Valkey."""
    address = text(name, default)
    schemes = ("redis://", "rediss://", "redis+socket://", "valkey://", "valkeys://", "memory://")
    if not address.startswith(schemes):
        raise WrongSetting(
            f"{name} is not the address of a Redis or Valkey; expected is redis://:password@host:6379/0."
        )
    return address


@dataclass(frozen=True)
class Smtp:
    """A mail server; without a host there is none."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    use_tls: bool = False  # STARTTLS
    use_ssl: bool = False


def smtp(name: str) -> Smtp:
    """
    A mail server, from smtp://, smtp+tls:// or smtps://user:password@host:port.

    A password never goes in the clear: with one, smtp:// is smtp+tls://, but for the port it stands for.
    """
    address = text(name)
    if not address:
        return Smtp()
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    try:
        url = urlsplit(address)
        port = url.port or ports[url.scheme]
        complete = bool(url.hostname) and not url.path.strip("/") and not url.query and not url.fragment
    except (ValueError, KeyError):
        complete = False
    if not complete:
        # the address is not repeated: it holds a password
        raise WrongSetting(
            f"{name} is not the address of a mail server; expected is smtp://host:25, "
            "smtp+tls://user:password@host:587 or smtps://user:password@host:465."
        )
    if bool(url.username) != bool(url.password):
        raise WrongSetting(
            f"{name} has {'a user without a password' if url.username else 'a password without a user'}; "
            "give both, or neither where the mail server asks for none."
        )
    return Smtp(
        str(url.hostname),
        port,
        unquote(url.username or ""),
        unquote(url.password or ""),
        use_tls=url.scheme == "smtp+tls" or (url.scheme == "smtp" and bool(url.password)),
        use_ssl=url.scheme == "smtps",
    )


def certificates(name: str) -> Path | None:
    """A file of certificates (PEM) that are trusted beside the system's; None where none is named."""
    if not text(name):
        return None
    file = path(name, Path())
    try:
        ssl.create_default_context(cafile=str(file))
    except (ssl.SSLError, OSError) as error:
        reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else error.strerror
        raise WrongSetting(
            f"{name} names {file}, which cannot be used: {reason}; expected is a file of certificates (PEM)."
        ) from None
    return file


def networks(name: str) -> Sequence[IPv4Network | IPv6Network]:
    """Addresses and networks, separated by commas or blanks."""
    try:
        return [ip_network(entry) for entry in text(name).replace(",", " ").split()]
    except ValueError as error:
        raise WrongSetting(
            f"{name} is not understood: {error}; expected are addresses or networks such as 10.0.0.5 or "
            "10.0.0.0/24, separated by commas."
        ) from None


def fernet_keys(name: str, default: str) -> Sequence[str]:
    """Keys for secrets at rest, newest first, separated by commas or blanks."""
    keys = text(name, default).replace(",", " ").split()
    for key in keys:
        try:
            raw = urlsafe_b64decode(key)
        except ValueError:
            raw = b""
        if len(raw) != 32:
            raise WrongSetting(
                f"{name} holds something that is not a key; expected are keys of 32 bytes in URL-safe base64, "
                "newest first, separated by commas."
            )
    return keys
