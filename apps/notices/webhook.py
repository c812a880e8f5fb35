"""What a webhook is sent, in each shape, and the sending: one connection, no redirect, limited in time and size."""

import json
import socket
import ssl
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from threading import Timer
from typing import Any

from django.conf import settings

from apps.notices.address import Place, resolve
from apps.notices.models import Delivery, Subscriber

CONNECT, TOTAL = 5.0, 15.0  # seconds
MOST = 20  # notices in a message of a chat
RETRIED = (408, 425, 429)


class NotHandedOver(Exception):
    """It surely did not arrive; `is_final` says that it never will."""

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.is_final = is_final


class FateUnknown(Exception):
    """It may have arrived."""


def compose_body(delivery: Delivery, way: str) -> dict[str, Any]:
    """The message in the shape that the other side reads."""
    lines = [f"{notice['text']}" for notice in delivery.notices[:MOST]]
    more = len(delivery.notices) - len(lines)
    if more > 0:
        lines.append(f"and {more} more: {settings.HEADROOM_URL}/violations")
    if way == Subscriber.Way.SLACK:
        listed = "\n".join(f"• {_slack(line)}" for line in lines)
        return {"text": f"*{_slack(delivery.subject)}*\n{listed}"}
    if way == Subscriber.Way.TEAMS:
        blocks = [{"type": "TextBlock", "text": delivery.subject, "weight": "Bolder", "wrap": True}]
        blocks += [{"type": "TextBlock", "text": line, "wrap": True} for line in lines]
        card = {
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard",
            "version": "1.4",
            "body": blocks,
        }
        content = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
        return {"type": "message", "attachments": [content]}
    return {
        "id": delivery.message_id.strip("<>"),
        "subject": delivery.subject,
        "made_at": delivery.made_at.isoformat(),
        "notices": delivery.notices,
    }


def _slack(text: str) -> str:
    """Slack's own marks are text in what people named."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def post(url: str, body: Mapping[str, Any], message_id: str) -> None:
    """Post once. Raises RefusedAddress, NotHandedOver or FateUnknown."""
    try:
        place = resolve(url, allow_private=settings.HEADROOM_WEBHOOK_PRIVATE)
        connected = _connect(place)
    except OSError as error:
        raise NotHandedOver(f"It does not answer: {error.strerror or error}.") from None
    timer = Timer(TOTAL, _cut, [connected])
    timer.start()
    try:
        status = _ask(place, connected, json.dumps(body, ensure_ascii=False).encode(), message_id)
    except (OSError, HTTPException) as error:
        raise FateUnknown(
            f"It took the message and did not answer in time: {type(error).__name__}."
        ) from None
    finally:
        timer.cancel()
        connected.close()
    if 200 <= status < 300:
        return
    is_final = status < 500 and status not in RETRIED
    raise NotHandedOver(f"It answered with status {status}.", is_final=is_final)


def _connect(place: Place) -> socket.socket:
    plain = socket.create_connection((place.ip, place.port), timeout=CONNECT)
    if place.scheme == "http":
        plain.settimeout(TOTAL)
        return plain
    secured = ssl.create_default_context().wrap_socket(plain, server_hostname=place.host)
    secured.settimeout(TOTAL)
    return secured


def _cut(connected: socket.socket) -> None:
    """An answer that comes in drops keeps no worker."""
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:
        connected.close()


def _ask(place: Place, connected: socket.socket, body: bytes, message_id: str) -> int:
    connection = HTTPConnection(place.host, place.port)
    connection.sock = connected
    connection.request(
        "POST",
        place.path,
        body,
        {
            "Content-Type": "application/json",
            "User-Agent": "Headroom",
            "X-Headroom-Delivery": message_id.strip("<>"),
        },
    )
    return connection.getresponse().status
