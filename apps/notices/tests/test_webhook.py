"""Webhooks: where they may go, what they carry, and what becomes of one that does not answer."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.utils import timezone

from apps.notices import webhook
from apps.notices.address import RefusedAddress, is_public, resolve
from apps.notices.digest import create_test_message as sample
from apps.notices.handover import hand_over
from apps.notices.models import Delivery, Subscriber

State = Delivery.State


class RoomHandler(BaseHTTPRequestHandler):
    """A chat room that keeps what it is told and answers as its server says."""

    server: "RoomServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.messages.append((dict(self.headers), json.loads(body)))
        while self.server.hesitates and not self.server.is_over.wait(0.1):
            self.wfile.write(self.server.drop)
        self.send_response(self.server.status)
        if self.server.status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class RoomServer(ThreadingHTTPServer):
    daemon_threads = True
    status, hesitates, drop = 200, False, b""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RoomHandler)
        self.messages: list[tuple[dict[str, str], Any]] = []
        self.is_over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?key=1"


@pytest.fixture
def room(settings: Any) -> Iterator[RoomServer]:
    settings.HEADROOM_WEBHOOK_PRIVATE = True
    server = RoomServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server
    server.is_over.set()
    server.shutdown()
    server.server_close()


def deliver_to(url: str, way: str = "json") -> Delivery:
    subscriber = Subscriber.objects.create(name=f"room {way}", way=way, url=url)
    delivery = sample(subscriber, timezone.now())
    hand_over(delivery.pk, timezone.now())
    delivery.refresh_from_db()
    return delivery


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "198.51.100.1",
    ],
)  # fmt: skip
def test_an_address_of_ones_own_network_is_not_public(address: str):
    assert not is_public(address)


def test_an_address_of_the_internet_is_public():
    assert is_public("93.184.215.14")
    assert is_public("2606:4700::1111")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost:9/", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "http://127.1/",
        "http://[::ffff:127.0.0.1]/",
    ],
)  # fmt: skip
def test_every_spelling_of_this_machine_is_refused(url: str):
    with pytest.raises(RefusedAddress, match="which is not a public address"):
        resolve(url, allow_private=False)


@pytest.mark.parametrize(
    "url",
    ["ftp://a.example/", "file:///etc/passwd", "gopher://a/", "https://", "https://u:p@a.example/", "http://a b/", "x",
     "http://a.example:99999/", "http://a.example/\r\nHost: b", "http://a.example/" + "a" * 3000],
)  # fmt: skip
def test_what_is_not_a_plain_address_of_the_web_is_refused(url: str):
    with pytest.raises(RefusedAddress):
        resolve(url, allow_private=True)


def test_a_name_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch):
    entries = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, 443)) for ip in ("93.184.215.14", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: entries)

    with pytest.raises(RefusedAddress, match=r"10\.0\.0\.1"):
        resolve("https://rebound.example/", allow_private=False)


@pytest.mark.django_db
def test_a_room_is_told_once_under_the_name_of_the_delivery(room: RoomServer):
    delivery = deliver_to(room.url)

    ((headers, body),) = room.messages
    assert delivery.state == State.SENT
    assert headers["X-Headroom-Delivery"] == delivery.message_id.strip("<>") == body["id"]
    assert body["notices"][0]["kind"] == "test"


@pytest.mark.django_db
def test_slack_and_teams_have_their_shapes_and_names_are_text_in_them(room: RoomServer):
    subscriber = Subscriber.objects.create(name="<!channel> & co", way="slack", url=room.url)
    hand_over(sample(subscriber, timezone.now()).pk, timezone.now())
    deliver_to(room.url, "teams")

    (_, slack), (_, teams) = room.messages
    assert "&lt;!channel&gt; &amp; co" in slack["text"]
    card = teams["attachments"][0]["content"]
    assert (card["type"], card["body"][0]["text"]) == ("AdaptiveCard", "Test from Headroom")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "state"),
    [(404, State.FAILED), (302, State.FAILED), (429, State.QUEUED), (503, State.QUEUED), (204, State.SENT)],
)
def test_an_answer_says_whether_it_is_tried_again_and_no_redirect_is_followed(
    room: RoomServer, status: int, state: str
):
    room.status = status

    assert deliver_to(room.url).state == state
    assert len(room.messages) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("drop", [b"", b"H"], ids=["never", "in drops"])
def test_one_that_answers_never_or_in_drops_is_cut_off(
    room: RoomServer, monkeypatch: pytest.MonkeyPatch, drop: bytes
):
    monkeypatch.setattr(webhook, "TOTAL", 0.5)
    room.hesitates, room.drop = True, drop  # as long as the test lasts

    delivery = deliver_to(room.url)

    assert delivery.state == State.UNKNOWN


@pytest.mark.django_db
def test_one_that_is_not_there_is_tried_again(settings: Any):
    settings.HEADROOM_WEBHOOK_PRIVATE = True

    assert deliver_to("http://127.0.0.1:1/").state == State.QUEUED


@pytest.mark.django_db
def test_a_private_address_that_was_stored_is_refused_when_it_is_used():
    delivery = deliver_to("http://127.0.0.1:1/")

    assert (delivery.state, "not a public address" in delivery.reason) == (State.FAILED, True)


@pytest.mark.django_db
def test_the_address_is_encrypted_at_rest(room: RoomServer):
    deliver_to(room.url)

    stored = Subscriber.objects.get()
    assert room.url not in str(stored.url) + stored.url.token
    assert stored.url.reveal(stored, "url") == room.url
