"""S1: what was typed as a password for one address is sent to no other, by whichever door."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import asyncssh
import pytest
from django.urls import reverse

from apps.collection.collect import collect_target
from apps.collection.models import ConnectionTest
from apps.collection.tests.scripted import prepare
from apps.inventory.models import Credential, Deed, Target
from apps.inventory.register import point_at, register_target, set_password
from apps.web.pages.targets.tests.test_addresses import KEY, queued, text, token_in
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Clock, OracleServer, instance

__all__ = ["queued"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 2, 17, tzinfo=UTC)
ELSEWHERE = "The password was saved for another address; type it again."
SECRET = "lion's own secret"


class Trap:
    """Somebody's own SSH server, which lets nobody in and keeps every password it is sent."""

    def __init__(self) -> None:
        self.key = asyncssh.generate_private_key("ssh-ed25519")
        self.host_key = " ".join(self.key.export_public_key().decode().split()[:2])
        self.passwords: list[str] = []
        self.port = 0

    def validate(self, password: str) -> bool:
        self.passwords.append(password)
        return False


@pytest.fixture
def trap() -> Iterator[Trap]:
    made, is_ready, loop = Trap(), Event(), asyncio.new_event_loop()

    class Server(asyncssh.SSHServer):
        def begin_auth(self, username: str) -> bool:
            return True

        def password_auth_supported(self) -> bool:
            return True

        def validate_password(self, username: str, password: str) -> bool:
            return made.validate(password)

    async def listen() -> None:
        server = await asyncssh.listen("127.0.0.1", 0, server_factory=Server, server_host_keys=[made.key])
        made.port = server.get_port()
        is_ready.set()

    def live() -> None:
        asyncio.set_event_loop(loop)
        loop.create_task(listen())
        loop.run_forever()

    thread = Thread(target=live, daemon=True)
    thread.start()
    assert is_ready.wait(60)
    yield made
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)


@contextmanager
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port, and who connected to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        visits: list[object] = []

        def take() -> None:
            while True:
                try:
                    visits.append(server.accept())
                except OSError:
                    return

        Thread(target=take, daemon=True).start()
        yield server.getsockname()[1], visits
        server.shutdown(socket.SHUT_RDWR)


def host(**address: object) -> Target:
    fields = {"host": "127.0.0.1", "port": 22, "user": "watch", "key_file": "", "host_key": KEY} | address
    return register_target(
        "web1", kind="host", platform="linux", collector="linux-ssh", address=fields, now=NOW, username="watch",
        password=SECRET, interval_minutes=5,
    )  # fmt: skip


def oracle(**address: object) -> Target:
    fields = {"host": "127.0.0.1", "port": 1521, "service": "GISPRD"} | address
    return register_target(
        "GISPRD", kind="instance", platform="oracle", collector="oracle", address=fields, now=NOW,
        username="HEADROOM", password=SECRET,
    )  # fmt: skip


def test_a_planner_cannot_have_the_password_of_a_host_sent_to_a_server_of_their_own(planner, queued, trap):
    address = reverse("target_address", args=[host().pk])
    form = {"host": "127.0.0.1", "port": str(trap.port), "host_key": trap.host_key, "key": ""}

    tested = text(planner.post(address, form | {"test": "1"}))
    saved = text(planner.post(address, form))

    assert trap.passwords == []
    assert ELSEWHERE in tested
    assert ELSEWHERE in saved
    assert Target.objects.get().address["host_key"] == KEY
    assert queued == []
    assert not ConnectionTest.objects.exists()


def test_a_password_typed_for_another_server_is_sent_there_and_nothing_else_is(planner, queued, trap):
    address = reverse("target_address", args=[host().pk])
    form = {"host": "127.0.0.1", "port": str(trap.port), "host_key": trap.host_key, "key": ""}

    page = text(planner.post(address, form | {"test": "1", "password": "typed anew"}))

    assert set(trap.passwords) == {"typed anew"}
    assert "refused to sign in watch" in page
    assert "typed anew" not in page


def test_a_key_fetched_from_another_server_does_not_bring_the_password_there(planner, queued, trap):
    address = reverse("target_address", args=[host().pk])
    form = {"host": "127.0.0.1", "port": str(trap.port), "host_key": "", "key": ""}

    fetched = text(planner.post(address, form | {"test": "1"}))
    fields = {
        "host_key": trap.host_key,
        "fetched": trap.host_key,
        "is_compared": "on",
        "tested": token_in(fetched),
    }
    again = text(planner.post(address, form | fields | {"test": "1"}))
    saved = text(planner.post(address, form | fields))

    assert trap.host_key in fetched
    assert trap.passwords == []
    assert ELSEWHERE in again
    assert ELSEWHERE in saved


@pytest.mark.parametrize(
    "change",
    [
        {"service": "OTHER"},
        {"service": "", "sid": "GISPRD"},
        {"host": "localhost"},
        {"descriptor": "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT={port}))(CONNECT_DATA=(SID=X)))"},
    ],
    ids=["service", "SID", "host", "descriptor"],
)  # fmt: skip
def test_a_password_of_oracle_is_typed_again_for_each_other_address(planner, queued, change):
    with listener() as (port, visits):
        target = oracle(port=port)
        form = {"host": "127.0.0.1", "port": str(port), "service": "GISPRD", "protocol": "tcp"}
        form |= {name: value.format(port=port) for name, value in change.items()}
        address = reverse("target_address", args=[target.pk])

        tested = text(planner.post(address, form | {"test": "1"}))
        saved = text(planner.post(address, form))

        assert visits == []
    assert ELSEWHERE in tested
    assert ELSEWHERE in saved
    target.refresh_from_db()
    assert target.address["service"] == "GISPRD"


def test_passwords_of_a_wallet_and_of_a_standby_are_typed_again_too(planner, queued):
    with listener() as (port, visits):
        target = oracle(port=port, protocol="tcps", wallet="/etc/one")
        set_password(target, "wallet", "of the wallet", Credential.Use.WALLET)
        set_password(target, "SB", "of the standby", Credential.Use.STANDBY)
        address = reverse("target_address", args=[target.pk])
        form = {
            "host": "127.0.0.1", "port": str(port), "service": "GISPRD", "protocol": "tcps", "wallet": "/etc/two",
            "password": "x",
        }  # fmt: skip

        page = text(planner.post(address, form | {"test": "1"}))
        typed = {"wallet_password": "w", "standby_password": "s"}
        assert page.count(f'-wrong">{ELSEWHERE}') == 2
        assert visits == []
        planner.post(address, form | typed)

    target.refresh_from_db()
    passwords = {
        credential.use: (credential.username, credential.peek_at(target.address))
        for credential in target.credentials.all()
    }
    assert passwords == {"collect": ("HEADROOM", "x"), "standby": ("SB", "s"), "wallet": ("wallet", "w")}


def test_the_stored_password_serves_for_its_own_address_in_any_spelling(planner, queued):
    database = instance("GISPRD", clock=Clock(NOW), started_at=NOW - timedelta(days=9))
    with OracleServer(database, service="GISPRD", users={"HEADROOM": SECRET}) as server:
        target = oracle(port=server.port, host="localhost")
        form = {"host": "LOCALHOST", "port": str(server.port), "service": "gisprd", "protocol": "tcp"}

        page = text(
            planner.post(reverse("target_address", args=[target.pk]), form | {"test": "1", "password": ""})
        )

    assert "HEADROOM may sign in." in page


@pytest.mark.parametrize("made", [host, oracle])
def test_a_collection_at_an_address_without_its_password_says_so_and_is_not_tried_again(made):
    with listener() as (port, visits):
        target = made()
        point_at(target, target.address | {"port": port})

        run = collect_target(target, NOW, NOW)

        assert visits == []
    assert ELSEWHERE in run.reason
    assert not run.is_worth_retrying
    target.refresh_from_db()
    assert ELSEWHERE in target.blocked_because


def test_what_was_typed_for_a_test_serves_nobody_else_and_no_other_address(planner, queued):
    form = {
        "name": "A", "host": "127.0.0.1", "port": "1", "service": "s", "username": "HR", "time_zone": "UTC",
        "protocol": "tcp",
    }  # fmt: skip
    address = reverse("target_add", args=["instance"])

    page = text(planner.post(address, form | {"password": "tiger", "test": "1"}))
    token = {"tested": token_in(page)}
    elsewhere = text(planner.post(address, form | token | {"port": "2"}))
    somebody = text(planner.post(address, form | token | {"username": "SYSTEM"}))
    other_session = text(signed_in(is_planner=True).post(address, form | token))
    other_person = text(signed_in("mallory", is_planner=True).post(address, form | token))

    assert "tiger" not in page
    assert "Password is missing." in elsewhere
    assert "Password is missing." in somebody
    assert "Password is missing." in other_session
    assert "Password is missing." in other_person
    assert signed_in("mallory", is_planner=True).get(
        reverse("connection_test", args=[token["tested"]])
    ).status_code == 404  # fmt: skip
    assert not Target.objects.exists()
    planner.post(address, form | token)
    target = Target.objects.get()
    assert target.credentials.get().peek_at(target.address) == "tiger"


def test_what_was_typed_for_a_test_is_forgotten_after_minutes(planner, queued):
    form = {
        "name": "A", "host": "127.0.0.1", "port": "1", "service": "s", "username": "HR", "time_zone": "UTC",
        "protocol": "tcp",
    }  # fmt: skip
    page = text(
        planner.post(reverse("target_add", args=["instance"]), form | {"password": "tiger", "test": "1"})
    )
    ConnectionTest.objects.update(asked_at=datetime.now(UTC) - timedelta(minutes=16))

    late = text(planner.post(reverse("target_add", args=["instance"]), form | {"tested": token_in(page)}))

    assert "Password is missing." in late


def test_who_tested_changed_and_first_used_an_address_is_on_record_and_shown(planner, queued):
    prepare(NOW.date())
    database = instance("GISPRD", clock=Clock(NOW), started_at=NOW - timedelta(days=9))
    target = oracle()
    address = reverse("target_address", args=[target.pk])
    with OracleServer(database, service="GISPRD", users={"HEADROOM": "new"}) as server:
        form = {
            "host": "127.0.0.1", "port": str(server.port), "service": "GISPRD", "protocol": "tcp", "password": "new",
        }  # fmt: skip
        planner.post(address, form | {"test": "1"})
        planner.post(address, form)
        target.refresh_from_db()
        for _ in range(2):
            collect_target(target, NOW, NOW)
    page = text(planner.get(address))

    record = list(Deed.objects.order_by("pk").values_list("kind", "actor_name", "details__address__port"))
    assert record == [
        ("target_registered", "", 1521),
        ("connection_tested", "planner", server.port),
        ("address_changed", "planner", server.port),
        ("secret_saved", "planner", server.port),
        ("address_used", "", server.port),
    ]
    assert "What happened to this address" in page
    assert page.index("first signed in at this address, as HEADROOM") < page.index("gave it this address")
    assert f"127.0.0.1:{server.port}/GISPRD" in page
    assert SECRET not in str(list(Deed.objects.values()))
    assert "new" not in [value for deed in Deed.objects.all() for value in deed.details.values()]


def test_the_page_of_a_new_password_says_where_it_will_be_sent(planner):
    page = text(planner.get(reverse("target_password", args=[oracle(port=1777).pk])))

    assert "It is sent to 127.0.0.1:1777/GISPRD and nowhere else." in page
