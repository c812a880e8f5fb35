"""Where the address of a host leads."""

import re
from collections.abc import Mapping
from typing import Any

_KEY = re.compile(r"([\w.@\-]+)\s+(AAAA[A-Za-z0-9+/]+)")


def receiver_of(address: Mapping[str, Any]) -> dict[str, str]:
    """
    The parts of an address that say who receives a password, in one spelling; of the host key, without its comment.

    The private key counts too: without one, its passphrase would be sent as a password.
    """
    key = _KEY.search(str(address.get("host_key") or ""))
    return {
        "host": str(address.get("host") or "").casefold().rstrip("."),
        "port": str(address.get("port") or 22),
        "host_key": f"{key[1]} {key[2]}" if key else str(address.get("host_key") or ""),
        "key_file": str(address.get("key_file") or ""),
    }
