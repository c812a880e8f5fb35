"""Encrypted connections: the driver over TLS against a listener with a certificate, and what goes wrong with one."""

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.collection.collector import CollectionError
from apps.platforms.oracle import preflight
from apps.platforms.oracle.collector import Run
from apps.platforms.oracle.connect import Login
from apps.platforms.oracle.preflight import test_connection as check_connection
from apps.platforms.oracle.tests.certificates import Holder, certify, listener, wallet
from apps.platforms.oracle.tests.conftest import LOGIN, target_of
from testing.oracle_server import Database, OracleServer

Encrypt = Callable[[ssl.SSLContext], OracleServer]


@pytest.fixture
def encrypt(database: Database) -> Iterator[Encrypt]:
    """Starts listeners that speak TCPS, and stops them when the test is over."""
    servers: list[OracleServer] = []

    def start(tls: ssl.SSLContext) -> OracleServer:
        users = {"HEADROOM": "secret-of-gis"}
        servers.append(OracleServer(database, service="GISPRD", users=users, tls=tls).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def authority() -> Holder:
    return certify("The authority")


@pytest.fixture(scope="module")
def certificate(authority: Holder) -> Holder:
    return certify("gis.example.com", authority)


@pytest.fixture
def server(encrypt: Encrypt, certificate: Holder, tmp_path: Path) -> OracleServer:
    return encrypt(listener(tmp_path, certificate))


def read(server: OracleServer, login: Login = LOGIN, **address: object) -> None:
    address = {"protocol": "tcps", "host": "localhost"} | address
    collected = Run(target_of(server, **address), [login]).collect()
    assert collected.failed == []
    assert len(collected.sources) > 20


def refused(server: OracleServer, login: Login = LOGIN, **address: object) -> CollectionError:
    with pytest.raises(CollectionError) as caught:
        read(server, login, **address)
    return caught.value


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_an_instance_is_read_over_tcps_with_a_wallet(encrypt, authority, certificate, tmp_path, newest):
    server = encrypt(listener(tmp_path, certificate, newest=newest))

    read(server, wallet=wallet(tmp_path, authority))


def test_the_name_of_the_certificate_may_be_given_where_the_host_has_another(server, authority, tmp_path):
    place = wallet(tmp_path, authority)

    read(server, wallet=place, host="127.0.0.1", server_dn="CN=gis.example.com,O=Example")


def test_a_descriptor_leads_there_too(server, authority, tmp_path):
    descriptor = (
        f"(DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=localhost)(PORT={server.port}))"
        "(CONNECT_DATA=(SERVICE_NAME=GISPRD)))"
    )

    read(server, wallet=wallet(tmp_path, authority), descriptor=descriptor)


def test_a_listener_that_asks_for_a_certificate_gets_that_of_the_wallet(
    encrypt, authority, certificate, tmp_path
):
    server = encrypt(listener(tmp_path, certificate, asks=authority))
    mine = certify("headroom", authority)
    place = wallet(tmp_path, authority, own=mine, password="open sesame")
    stranger = certify("headroom", certify("Somebody"))

    read(server, Login("HEADROOM", "secret-of-gis", wallet_password="open sesame"), wallet=place)

    error = refused(server, wallet=wallet(tmp_path, authority, own=stranger, name="strangers"))
    assert "hangs up like this" in str(error)


@pytest.mark.parametrize(
    ("password", "sentence"),
    [("", "its wallet has a password, and none was given"), ("shazam", "its wallet has another password")],
)
def test_a_wallet_that_cannot_be_opened_is_told_and_nobody_is_asked_at_the_terminal(
    server, authority, tmp_path, password, sentence
):
    mine = certify("headroom", authority)
    place = wallet(tmp_path, authority, own=mine, password="open sesame")

    error = refused(server, Login("HEADROOM", "secret-of-gis", wallet_password=password), wallet=place)

    assert sentence in str(error)
    assert "Give the wallet's password on its page." in str(error)
    assert "shazam" not in str(error)


def test_a_certificate_that_nobody_known_signed_is_refused_before_the_password_is_sent(server, tmp_path):
    error = refused(server, wallet=wallet(tmp_path, certify("Another authority")))

    assert str(error) == (
        "GISPRD was not read: its certificate is signed by nobody whom the wallet trusts. Put the certificate of its"
        " authority into ewallet.pem; somebody else may be answering."
    )
    assert not error.is_worth_retrying
    assert not error.needs_a_person


def test_another_distinguished_name_is_refused(server, authority, tmp_path):
    error = refused(server, wallet=wallet(tmp_path, authority), server_dn="CN=pay.example.com,O=Example")

    assert "made out to another distinguished name than the one given (DPY-6002)" in str(error)


def test_a_certificate_for_another_host_is_refused(server, authority, tmp_path):
    error = refused(server, wallet=wallet(tmp_path, authority), host="127.0.0.1")

    assert "made out to another name than the host's (DPY-6006)" in str(error)


def test_a_certificate_that_has_expired_is_told(encrypt, authority, tmp_path):
    server = encrypt(listener(tmp_path, certify("gis.example.com", authority, days=-1)))

    error = refused(server, wallet=wallet(tmp_path, authority))

    assert "its certificate has expired. Have it renewed." in str(error)


def test_a_wallet_that_is_none_says_what_to_check_and_nothing_of_the_files_here(server, tmp_path):
    empty, junk = tmp_path / "empty", tmp_path / "junk"
    empty.mkdir()
    junk.mkdir()
    (junk / "ewallet.pem").write_text("no certificate at all")

    sentences = [str(refused(server, wallet=str(directory))) for directory in (empty, junk)]

    assert f"its wallet cannot be used ({empty}/ewallet.pem). Check that its directory holds" in sentences[0]
    assert sentences[0] == sentences[1].replace("junk", "empty")


def test_a_listener_without_tcps_and_one_with_it_are_told_apart(server, database, serve, monkeypatch):
    monkeypatch.setattr(preflight, "NETWORK_SECONDS", 0.5)
    plain = serve(database)
    with pytest.raises(CollectionError, match="A listener that wants TCPS"):
        Run(target_of(server), [LOGIN]).collect()

    steps = check_connection(target_of(plain, protocol="tcps").address, LOGIN)

    assert [(step.name, step.is_ok) for step in steps] == [("Network", True), ("Certificate", False)]
    assert steps[1].remedy == "Correct the port, or choose TCP."


def test_the_test_shows_whom_the_certificate_is_made_out_to(server, authority, tmp_path):
    address = target_of(server, protocol="tcps", host="localhost", wallet=wallet(tmp_path, authority)).address

    steps = check_connection(address, LOGIN)

    assert steps[1].name == "Certificate"
    assert steps[1].sentence.startswith(
        "Made out to CN=gis.example.com,O=Example, signed by CN=The authority,O=Example, valid until "
    )
    assert all(step.is_ok for step in steps)


def test_the_test_shows_the_certificate_even_where_it_is_not_trusted(server, tmp_path):
    place = wallet(tmp_path, certify("Another authority"))
    address = target_of(server, protocol="tcps", host="localhost", wallet=place).address

    steps = check_connection(address, LOGIN)

    assert [(step.name, step.is_ok) for step in steps] == [
        ("Network", True),
        ("Certificate", True),
        ("Sign-in", False),
    ]
