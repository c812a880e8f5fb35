"""One page over HTTP or HTTPS: no redirect, limited in time and size, and a sentence for whatever goes wrong."""

import socket
import ssl
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from threading import Event, Timer

from apps.collection.collector import CollectionError
from apps.platforms.linux.node_exporter.endpoint import Endpoint

CONNECT = 5.0  # seconds to connect, and again for the handshake of TLS
ANSWER = 20.0  # seconds for the page as a whole
LARGEST = 16 * 1024 * 1024  # bytes
_CHUNK = 64 * 1024
_MB = 1024 * 1024


def fetch_page(endpoint: Endpoint) -> str:
    """The page as it stands now. Raises CollectionError."""
    with connect(endpoint) as connected:
        return ask(endpoint, secure(endpoint, connected) if endpoint.is_secure else connected)


def connect(endpoint: Endpoint) -> socket.socket:
    """A connection without a word said. Raises CollectionError."""
    try:
        return socket.create_connection((endpoint.host, endpoint.port), timeout=CONNECT)
    except (OSError, UnicodeError) as error:
        raise CollectionError(_unreachable(endpoint, error), is_worth_retrying=True) from None


def _unreachable(endpoint: Endpoint, error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return f"{endpoint.host} cannot be reached: its name is not known to this machine."
    if isinstance(error, TimeoutError):
        return f"{endpoint.place} did not answer within {CONNECT:.0f} s. Look at network and firewall."
    if isinstance(error, ConnectionRefusedError):
        return f"{endpoint.place} refuses connections: nothing listens at that port."
    return f"{endpoint.place} cannot be reached: {getattr(error, 'strerror', None) or error}."


def secure(endpoint: Endpoint, connected: socket.socket) -> ssl.SSLSocket:
    """The same connection with TLS, to whoever has a certificate for this host. Raises CollectionError."""
    context = ssl.create_default_context(cadata=endpoint.certificate or None)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # a certificate that was given is trusted as it is
    secured = context.wrap_socket(connected, server_hostname=endpoint.host, do_handshake_on_connect=False)
    try:
        with _cut_after(CONNECT, secured):
            secured.do_handshake()
    except ssl.SSLCertVerificationError as error:
        secured.close()
        raise CollectionError(
            f"The certificate of {endpoint.place} is not accepted: {error.verify_message.rstrip('.')}. Give the certificate of its"
            " authority, or its own."
        ) from None
    except (OSError, ValueError):
        secured.close()
        raise CollectionError(
            f"{endpoint.place} does not answer by TLS: it speaks HTTP alone, or another version."
        ) from None
    return secured


@contextmanager
def _cut_after(seconds: float, connected: socket.socket) -> Iterator[Event]:
    """An answer that comes in drops keeps no worker. The event says whether it was cut."""
    is_cut = Event()

    def cut() -> None:
        is_cut.set()
        try:
            connected.shutdown(socket.SHUT_RDWR)
        except OSError:
            connected.close()

    timer = Timer(seconds, cut)
    timer.start()
    try:
        yield is_cut
    finally:
        timer.cancel()


def ask(endpoint: Endpoint, connected: socket.socket) -> str:
    """The page, of a connection that is ready for it. Raises CollectionError."""
    connected.settimeout(ANSWER)
    connection = HTTPConnection(endpoint.host, endpoint.port)
    connection.sock = connected
    with _cut_after(ANSWER, connected) as is_cut:
        try:
            connection.request("GET", endpoint.path, headers=_headers(endpoint))
            return _read(endpoint, connection.getresponse())
        except (OSError, HTTPException, ValueError) as error:
            raise _broken(endpoint, error, is_late=is_cut.is_set()) from None
        finally:
            connection.close()


def _headers(endpoint: Endpoint) -> dict[str, str]:
    headers = {"Accept": "text/plain;version=0.0.4", "User-Agent": "Headroom", "Connection": "close"}
    if endpoint.user:
        proof = b64encode(f"{endpoint.user}:{endpoint.password}".encode()).decode()
        headers["Authorization"] = f"Basic {proof}"
    return headers


def _broken(endpoint: Endpoint, error: Exception, *, is_late: bool) -> CollectionError:
    if is_late or isinstance(error, TimeoutError):
        return CollectionError(
            f"{endpoint.place} did not send its page within {ANSWER:.0f} s.", is_worth_retrying=True
        )
    if isinstance(error, IncompleteRead):
        sentence = f"{endpoint.place} broke the connection: its page ends within a line."
        return CollectionError(sentence, is_worth_retrying=True)
    if isinstance(error, OSError):
        reason = error.strerror or "it said nothing"
        return CollectionError(f"{endpoint.place} broke the connection: {reason}.", is_worth_retrying=True)
    return CollectionError(f"What answers at {endpoint.place} does not speak HTTP; look at the port.")


def _read(endpoint: Endpoint, response: HTTPResponse) -> str:
    if response.status != 200:
        raise _refused(endpoint, response.status)
    chunks, size = [], 0
    while chunk := response.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST:
            raise CollectionError(
                f"{endpoint.place} sends more than {LARGEST // _MB} MB; that is not the page of one host."
            )
    page = b"".join(chunks)
    if response.length or not page.endswith(b"\n"):  # a page ends with its last line
        raise IncompleteRead(page[-_CHUNK:])
    return page.decode(errors="replace")


def _refused(endpoint: Endpoint, status: int) -> CollectionError:
    if status == 401 and not endpoint.user:
        return CollectionError(
            f"{endpoint.place} asks for a user and a password (status 401).", needs_a_person=True
        )
    if status in (401, 403):
        return CollectionError(
            f"{endpoint.place} refuses the user or the password (status {status}).", needs_a_person=True
        )
    if status == 404:
        return CollectionError(f"{endpoint.place} has nothing at {endpoint.path} (status 404).")
    if 300 <= status < 400:
        return CollectionError(
            f"{endpoint.place} sends the asker elsewhere (status {status}); give the address that it sends to."
        )
    if status == 400 and not endpoint.is_secure:
        return CollectionError(f"{endpoint.place} refuses the request (status 400); it may want HTTPS.")
    return CollectionError(
        f"{endpoint.place} answered with status {status}.", is_worth_retrying=status >= 500
    )
