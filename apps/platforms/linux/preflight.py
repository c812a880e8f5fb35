"""Test connection to a host: network, host key, sign-in and what can be read there, step by step."""

import asyncio
import socket
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from apps.collection.collector import Account, CollectionError, ConnectionResult, ConnectionStep
from apps.platforms.linux.keys import fingerprint_of
from apps.platforms.linux.source_steps import source_steps
from apps.platforms.linux.ssh import Door, collect_through, door_at, fetch_host_key

NETWORK_SECONDS = 3.0
KEY_SECONDS = 4.0  # so that whatever listens and says nothing is given up within 8 seconds
COMPARE = (
    "Compare it with what the host itself says of its key, on its console or over a connection you trust:"
)
FINGERPRINTS = "for key in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -lf $key; done"


def test_connection(door: Door) -> ConnectionResult:
    """
    Try all that a collection does, and keep nothing; it ends at the first step without which nothing else works.

    Without a stored host key nobody is signed in anywhere: the key is fetched, for a person to compare.
    """
    host_keys: list[str] = []
    steps = list(_steps(door, host_keys))
    return ConnectionResult(steps, host_keys[0] if host_keys else "")


test_connection.__test__ = False  # type: ignore[attr-defined]  # its name is what people press, not a test's


def test_account(address: Mapping[str, Any], account: Account) -> ConnectionResult:
    """The same for an address and an account as they are typed or stored."""
    return test_connection(door_at(address, account.username, account.password))


test_account.__test__ = False  # type: ignore[attr-defined]


def _steps(door: Door, host_keys: list[str]) -> Iterator[ConnectionStep]:
    began = time.monotonic()
    try:
        socket.create_connection((door.host, door.port), timeout=NETWORK_SECONDS).close()
    except OSError as error:
        yield ConnectionStep("Network", False, _unreachable(door, error), time.monotonic() - began)
        return
    yield ConnectionStep("Network", True, f"{door.place} answers.", time.monotonic() - began)
    began = time.monotonic()
    try:
        key, fingerprint = fetch_host_key(door.host, door.port, like=door.host_key, seconds=KEY_SECONDS)
    except CollectionError as error:
        yield ConnectionStep("Host key", False, str(error), time.monotonic() - began)
        return
    host_keys.append(key)
    yield _key_step(door, key, fingerprint, time.monotonic() - began)
    if fingerprint == fingerprint_of(door.host_key):
        yield from _inside(door)


def _unreachable(door: Door, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f"{door.host} cannot be reached: its name is not known to this machine."
    if isinstance(error, TimeoutError):
        return f"{door.place} did not answer within {NETWORK_SECONDS:.0f} s. Look at network and firewall."
    if isinstance(error, ConnectionRefusedError):
        return f"{door.place} refuses connections: no sshd listens at that port."
    return f"{door.place} cannot be reached: {error.strerror or error}."


def _key_step(door: Door, key: str, fingerprint: str, seconds: float) -> ConnectionStep:
    kind = key.partition(" ")[0]
    expected = fingerprint_of(door.host_key)
    if expected == fingerprint:
        return ConnectionStep(
            "Host key", True, f"It presents the key that was given, {fingerprint}.", seconds
        )
    if expected:
        sentence = (
            f"It presents another key ({fingerprint}) than the one given ({expected}): it was set up anew, or somebody else"
            " answers. Nothing was sent."
        )
        return ConnectionStep("Host key", False, sentence, seconds, COMPARE, FINGERPRINTS)
    sentence = f"It presents an {kind} key with the fingerprint {fingerprint}. Nobody was signed in: first compare it."
    return ConnectionStep("Host key", True, sentence, seconds, COMPARE, FINGERPRINTS)


def _inside(door: Door) -> Iterator[ConnectionStep]:
    """Sign in and read everything once."""
    began = time.monotonic()
    try:
        collected = asyncio.run(collect_through(door, timedelta(minutes=5)))
    except CollectionError as error:
        yield ConnectionStep("Sign-in", False, str(error), time.monotonic() - began)
        return
    yield ConnectionStep("Sign-in", True, f"{door.user} may sign in.", time.monotonic() - began)
    yield from source_steps(collected)
