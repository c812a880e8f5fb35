"""Test connection: network, sign-in, release and every view, step by step, with what to do where one fails."""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import oracledb
from cryptography import x509

from apps.collection.collector import Account, ConnectionResult, ConnectionStep
from apps.platforms.oracle.connect import Address, Connection, Login, OutOfTime, connect, place_of
from apps.platforms.oracle.errors import UNREADABLE, code_of, first_line, is_silence, meaning_of
from apps.platforms.oracle.grants import grant, needs_of, views_read
from apps.platforms.oracle.identity import Identity, identify
from apps.platforms.oracle.queries import PROBE_SECONDS, probe_of
from apps.platforms.oracle.read import Reader
from apps.platforms.oracle.versions import Scope
from apps.platforms.oracle.wallet import FILE, check_wallet

TEST_SECONDS = 8.0  # somebody waits for the answer
NETWORK_SECONDS = 3.0
ANSWER_SECONDS = 7.0  # from the beginning to having signed in; whatever says nothing is given up then
CLOCKS_AGREE = "Its clock agrees with this machine's"
SET_CLOCK = "Let both machines take their time from the same NTP servers."


def test_connection(address: Address, login: Login) -> list[ConnectionStep]:
    """Try all that a collection does, reading no rows; it ends at the first step without which nothing else works."""
    return list(_steps(address, login))


test_connection.__test__ = False  # type: ignore[attr-defined]  # its name is what people press, not a test's


def test_account(address: Address, account: Account) -> ConnectionResult:
    """The same for an address and an account as they are typed or stored."""
    login = Login(account.username, account.password, wallet_password=account.wallet_password)
    return ConnectionResult(test_connection(address, login))


test_account.__test__ = False  # type: ignore[attr-defined]


def _steps(address: Address, login: Login) -> Iterator[ConnectionStep]:
    starts_at = time.monotonic()
    ends_at = starts_at + TEST_SECONDS
    if not address.get("descriptor"):
        network = _network(address)
        yield network
        if not network.is_ok:
            return
        if address.get("protocol") == "tcps":
            certificate = _certificate(address, login)
            yield certificate
            if not certificate.is_ok:
                return
    began = time.monotonic()
    try:
        seconds = starts_at + ANSWER_SECONDS - began
        connection = Connection(connect(address, login, seconds), ends_at)
    except (oracledb.Error, OSError) as error:
        yield _failed("Sign-in", error, began)
        return
    try:
        yield ConnectionStep("Sign-in", True, _signed_in(login, connection), time.monotonic() - began)
        yield from _session_steps(Reader(connection, Scope()), login)
    finally:
        connection.close()


def _network(address: Address) -> ConnectionStep:
    began = time.monotonic()
    where = (str(address["host"]), int(address.get("port") or 1521))
    try:
        socket.create_connection(where, timeout=NETWORK_SECONDS).close()
    except OSError as error:
        return _failed("Network", error, began)
    return ConnectionStep("Network", True, f"{place_of(address)} answers.", time.monotonic() - began)


def _certificate(address: Address, login: Login) -> ConnectionStep:
    """Whom the certificate is made out to, whoever signed it: whether it is trusted shows when signing in."""
    began = time.monotonic()
    where = (str(address["host"]), int(address.get("port") or 1521))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if wallet := address.get("wallet"):
        with suppress(OSError):  # one without a key of ours, or of no use
            check_wallet(wallet, login.wallet_password)
            context.load_cert_chain(Path(wallet, FILE), password=login.wallet_password or "none")
    try:
        with (
            socket.create_connection(where, timeout=NETWORK_SECONDS) as plain,
            context.wrap_socket(plain) as encrypted,
        ):
            certificate = x509.load_der_x509_certificate(encrypted.getpeercert(binary_form=True) or b"")
    except TimeoutError:
        sentence = f"What answers there did not show a certificate within {NETWORK_SECONDS:.0f} s."
        return ConnectionStep(
            "Certificate", False, sentence, time.monotonic() - began, "Correct the port, or choose TCP."
        )
    except (OSError, ValueError) as error:
        return _failed("Certificate", error, began)
    ends = certificate.not_valid_after_utc
    sentence = (
        f"Made out to {certificate.subject.rfc4514_string()}, signed by {certificate.issuer.rfc4514_string()},"
        f" valid until {ends:%-d %B %Y}."
    )
    return ConnectionStep("Certificate", datetime.now(UTC) < ends, sentence, time.monotonic() - began)


def _signed_in(login: Login, connection: Connection) -> str:
    warning = f" The server warns: {connection.warning.partition(chr(10))[0]}" if connection.warning else ""
    return f"{login.username} may sign in.{warning}"


def _session_steps(reader: Reader, login: Login) -> Iterator[ConnectionStep]:
    began = time.monotonic()
    try:
        identity = identify(reader, ZoneInfo("UTC"))
    except OutOfTime:
        yield ConnectionStep("Release", False, "There was no time left to ask.", time.monotonic() - began)
        return
    except (oracledb.Error, OSError) as error:
        if code_of(error) in UNREADABLE:
            yield _unreadable("v$instance", error, began, login, reader.scope)
        else:
            yield _failed("Release", error, began, is_signed_in=True)
        return
    yield ConnectionStep("Release", True, _who(reader, identity), time.monotonic() - began)
    off = identity.clock_is_off
    yield ConnectionStep("Clock", not off, f"{off or CLOCKS_AGREE}.", 0.0, SET_CLOCK if off else "")
    reader.scope = identity.scope
    for view in views_read([identity.scope]):
        if needs_of(view) <= identity.scope.state:
            yield _view(reader, view, login)


def _view(reader: Reader, view: str, login: Login) -> ConnectionStep:
    """Ask a view for no rows: that is enough to know whether it may be read."""
    began = time.monotonic()

    def step(is_ok: bool, sentence: str) -> ConnectionStep:
        return ConnectionStep(view, is_ok, sentence, time.monotonic() - began, is_source=True)

    try:
        reader.rows(probe_of(view))
    except OutOfTime:
        return step(False, f"Not tried: the test is given {TEST_SECONDS:.0f} s.")
    except (oracledb.Error, OSError) as error:
        code = code_of(error)
        if code in UNREADABLE:
            return _unreadable(view, error, began, login, reader.scope)
        if is_silence(error):
            return step(False, f"It did not answer within {PROBE_SECONDS:.0f} s ({code}).")
        return step(False, f"{first_line(error)}.")
    return step(True, "Readable.")


def _unreadable(view: str, error: BaseException, began: float, login: Login, scope: Scope) -> ConnectionStep:
    sentence = f"{login.username} may not read it ({code_of(error)})."
    sql = grant([view], login.username, scope.release)
    return ConnectionStep(view, False, sentence, time.monotonic() - began, script=sql, is_source=True)


def _failed(name: str, error: BaseException, began: float, *, is_signed_in: bool = False) -> ConnectionStep:
    meaning, code = meaning_of(error, is_signed_in=is_signed_in)
    sentence = f"{meaning.words} ({code})." if code else f"{meaning.words}."
    remedy = meaning.remedy.replace(" on its page", "")  # somebody looks at it, and types it below
    return ConnectionStep(name, False, sentence[0].upper() + sentence[1:], time.monotonic() - began, remedy)


def _who(reader: Reader, identity: Identity) -> str:
    facts = reader.facts
    role = f", {facts['role'].lower()}, {facts['open_mode'].lower()}" if "role" in facts else ""
    return (
        f"Oracle {facts['version']}, instance {facts['instance_name']} on {identity.host_name}{role},"
        f" up {identity.up_for.days} days."
    )
