"""The socket of the web server: the supervisor holds it, so that no restart of the web loses it."""

import errno
import http.client
import socket

from apps.config.embedded import CannotStart
from apps.config.embedded.child import say

PORTS_TO_TRY = 100
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # addresses to bind to, and where they answer


def listen(host: str, first_port: int) -> socket.socket:
    """Take the wanted port, or the next free one. The supervisor keeps it, so that no restart of the web loses it."""
    for port in range(first_port, min(first_port + PORTS_TO_TRY, 65536)):
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            listener = socket.create_server(address[:2], family=family, backlog=1024)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise CannotStart(
                f"Headroom cannot listen on {host}, port {port}: {error.strerror}. Check HEADROOM_BIND and HEADROOM_PORT."
            ) from None
        if first_port and port != first_port:
            say(f"Port {first_port} is taken, so Headroom takes {port}.")
        return listener
    raise CannotStart(
        f"The ports from {first_port} to {port} are all taken: set HEADROOM_PORT to a free one."
    )


def address_of(listener: socket.socket) -> str:
    """The address to open in a browser."""
    host, port = listener.getsockname()[:2]
    if host in EVERYWHERE:
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def answers(listener: socket.socket) -> bool:
    """Whether somebody answers there, whatever it is, and however the database and the broker are."""
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(EVERYWHERE.get(host, host), port, timeout=5)
    try:
        connection.request("GET", "/healthz?part=web", headers={"Host": "localhost"})
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
