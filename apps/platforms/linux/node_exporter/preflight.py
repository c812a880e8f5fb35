"""Test connection to a node_exporter: network, TLS, answer and what can be read, step by step."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeVar

from apps.collection.collector import Account, CollectionError, ConnectionResult, ConnectionStep
from apps.platforms.linux.node_exporter.collector import collected_of
from apps.platforms.linux.node_exporter.endpoint import Endpoint, endpoint_at
from apps.platforms.linux.node_exporter.fetch import ask, connect, secure
from apps.platforms.linux.node_exporter.metrics_page import read_page
from apps.platforms.linux.source_steps import source_steps

Answer = TypeVar("Answer")


def test_endpoint(address: Mapping[str, Any], account: Account) -> ConnectionResult:
    """Try all that a collection does, and keep nothing; it ends at the first step without which nothing else works."""
    steps: list[ConnectionStep] = []
    with suppress(CollectionError):  # the step that failed says it
        _try(endpoint_at(address, account.username, account.password), steps)
    return ConnectionResult(steps)


test_endpoint.__test__ = False  # type: ignore[attr-defined]  # its name is what people press, not a test's


def _try(endpoint: Endpoint, steps: list[ConnectionStep]) -> None:
    with _step(steps, "Network", f"{endpoint.place} answers.", lambda: connect(endpoint)) as connected:
        ready = connected
        if endpoint.is_secure:
            ready = _step(steps, "TLS", "Its certificate is accepted.", lambda: secure(endpoint, connected))
        text = _step(steps, "Answer", "It sends a page.", lambda: ask(endpoint, ready))
    page = _step(steps, "Page", "It is that of a node_exporter.", lambda: read_page(text))
    now = datetime.now(UTC)
    tell = "It tells of a Linux host."
    steps += source_steps(_step(steps, "Host", tell, lambda: collected_of(page, endpoint.host, now, 0.0)))


def _step(steps: list[ConnectionStep], name: str, sentence: str, act: Callable[[], Answer]) -> Answer:
    """What an act gives, with the step that says how it went. Raises CollectionError."""
    began = time.monotonic()
    try:
        answer = act()
    except CollectionError as error:
        steps.append(ConnectionStep(name, False, str(error), time.monotonic() - began))
        raise
    steps.append(ConnectionStep(name, True, sentence, time.monotonic() - began))
    return answer
