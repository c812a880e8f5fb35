"""
SshCollector: another machine, over one SSH connection.

The target's address has `host`, `port`, `user`, `host_key` (a line as in a public key file, stored when the host is
registered) and `key_file`, the path of a private key, and `processes` where these are to be read; its credential has the password, or the key's passphrase. Without
a stored host key nothing is sent anywhere: whoever answers could be anybody.
"""

import asyncio
import os
import re
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import asyncssh

from apps.collection.collector import Collected, CollectionError, SourceRun
from apps.inventory.models import Target
from apps.platforms.linux import filesystems, processes, sadf, switches
from apps.platforms.linux.clock import clock_notes
from apps.platforms.linux.collector import minutes_back
from apps.platforms.linux.devices import UDEV
from apps.platforms.linux.facts import booted_at, read_facts
from apps.platforms.linux.metrics.categories import FILESYSTEMS, SYSSTAT
from apps.platforms.linux.proof import proof_of
from apps.platforms.linux.sources import (
    FOR_FACTS,
    INTERRUPTS,
    MOUNTS,
    PAGE_SIZE,
    SOURCES,
    SUM_INTERRUPTS,
    add_sysstat,
    split_texts,
)

CONNECT = 20  # seconds to connect, and again to sign in
ANSWER = 30  # seconds for one command
WHOLE = 90  # seconds for everything
LARGEST_KEY = 64 * 1024  # bytes
_DATE = "date +%s"
_KINDS = (
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
)

asyncssh.set_log_level("WARNING")  # each connection would be worth three lines to it


def batch(with_processes: bool = False) -> str:
    """The one script that prints every file that is wanted, each under a line "==== path"; processes where asked for."""
    patterns = dict.fromkeys([*FOR_FACTS, *(path for source in SOURCES for path in source.files)])
    return f"""
export LC_ALL=C
printf '==== {switches.BEFORE}\\n'
{switches.script()}
for command in '{_DATE}' '{PAGE_SIZE}'; do printf '==== %s\\n' "$command"; $command; done
for file in {" ".join(patterns)}; do
    if [ -f "$file" ] && [ -r "$file" ]; then
        printf '\\n==== %s\\n' "$file"
        case "$file" in
            {INTERRUPTS}) {SUM_INTERRUPTS} "$file";;
            {UDEV}*) grep '^[LS]:' "$file";;
            *) cat "$file";;
        esac 2>/dev/null
    fi
done
sleep {switches.PAUSE}
printf '\\n==== {switches.AFTER}\\n'
{switches.script()}
{processes.script() if with_processes else ""}
exit 0
"""


@dataclass(frozen=True)
class Door:
    """How a host is reached and signed in to."""

    host: str
    port: int
    user: str
    host_key: str
    key_file: str = ""
    password: str = field(default="", repr=False)
    with_processes: bool = False

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"


class SshCollector:
    """Reads a Linux host as an ordinary user: nothing is installed there and nothing is written."""

    def collect(self, target: Target, slot: datetime) -> Collected:
        door = door_of(target)
        return asyncio.run(collect_through(door, timedelta(minutes=target.interval_minutes)))


def door_of(target: Target) -> Door:
    """The address and the credential of a target; what is missing is told to people."""
    door = door_at(target.address, *proof_of(target, target.address))
    if not door.host or not door.user:
        raise CollectionError(
            f"{target} has no host name or no user to sign in with; edit it.", needs_a_person=True
        )
    if not door.host_key:
        raise CollectionError(
            f"No host key is stored for {target}: compare its fingerprint and store it, then it is read.",
            needs_a_person=True,
        )
    return door


def door_at(address: Mapping[str, Any], user: str, password: str) -> Door:
    """How a host at such an address is reached and signed in to."""
    return Door(
        host=str(address.get("host", "")),
        port=int(address.get("port") or 22),
        user=user,
        host_key=str(address.get("host_key", "")),
        key_file=str(address.get("key_file", "")),
        password=password,
        with_processes=bool(address.get("processes")),
    )


def fetch_host_key(host: str, port: int = 22, like: str = "", seconds: float = CONNECT) -> tuple[str, str]:
    """
    The key a host presents now, as a line to store, and its fingerprint for a person to compare.

    A host has keys of several kinds: it is asked for the kind of the key `like`, if that is one. Raises CollectionError.
    """
    try:
        kinds = _host_key_kinds(asyncssh.import_public_key(like))
    except asyncssh.KeyImportError:
        kinds = list(_KINDS)

    async def ask() -> asyncssh.SSHKey | None:
        async with asyncio.timeout(seconds):
            return await asyncssh.get_server_host_key(host, port, config=None, server_host_key_algs=kinds)

    try:
        key = asyncio.run(ask())
    except (OSError, asyncssh.Error) as error:
        raise _unreachable(f"{host}:{port}", error, seconds) from None
    if key is None:
        raise CollectionError(f"{host}:{port} presented no host key.")
    return key.export_public_key().decode().strip(), key.get_fingerprint()


async def collect_through(door: Door, interval: timedelta) -> Collected:
    """Read a host once, in bounded time; `interval` is how long ago it was read before. Raises CollectionError."""
    async with _connected_in_time(door) as connection:
        return await _collect(connection, door, interval)


async def ask(door: Door, script: str) -> str:
    """What one shell script prints on a host, in bounded time. Raises CollectionError."""
    async with _connected_in_time(door) as connection:
        return await _run(connection, script)


@asynccontextmanager
async def _connected_in_time(door: Door) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """A connection for one visit, which ends when its time is over. Raises CollectionError."""
    try:
        async with asyncio.timeout(WHOLE), _connected(door) as connection:
            yield connection
    except TimeoutError:
        raise CollectionError(
            f"{door.place} did not answer within {WHOLE} seconds.", is_worth_retrying=True
        ) from None
    except asyncssh.Error as error:
        raise CollectionError(
            f"The connection to {door.place} broke: {error}.", is_worth_retrying=True
        ) from None


@asynccontextmanager
async def _connected(door: Door) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """A connection to exactly the machine whose key is stored. Raises CollectionError with a sentence for people."""
    stored = _stored_key(door)
    try:
        connection = await asyncssh.connect(
            door.host,
            door.port,
            username=door.user,
            known_hosts=([stored], [], []),
            server_host_key_algs=_host_key_kinds(stored),
            agent_path=None,
            config=None,
            connect_timeout=CONNECT,
            login_timeout=CONNECT,
            keepalive_interval=10,
            **_proof(door),
        )
    except asyncssh.HostKeyNotVerifiable:
        raise _changed_key(door) from None
    except asyncssh.PermissionDenied:
        raise CollectionError(
            f"{door.place} refused to sign in {door.user}: check the password or the key.",
            needs_a_person=True,
        ) from None
    except asyncssh.KeyExchangeFailed as error:
        raise CollectionError(f"{door.place} and Headroom have no way to talk in common: {error}.") from None
    except (OSError, asyncssh.Error) as error:
        raise _unreachable(door.place, error) from None
    async with connection:
        yield connection


def _stored_key(door: Door) -> asyncssh.SSHKey:
    try:
        return asyncssh.import_public_key(door.host_key)
    except asyncssh.KeyImportError:
        raise CollectionError(
            f"The host key stored for {door.place} is not one; store it again.", needs_a_person=True
        ) from None


def _host_key_kinds(stored: asyncssh.SSHKey) -> list[str]:
    """The stored kind of key first, then every other: a host with a new kind of key is to show it, not to hang up."""
    mine = [algorithm.decode() for algorithm in stored.sig_algorithms]
    return list(dict.fromkeys([*mine, *_KINDS]))


def _proof(door: Door) -> dict[str, Any]:
    """What the user is signed in by: a private key, else the password. Each is tried alone, for tries are counted."""
    if not door.key_file:
        return {
            "client_keys": None,
            "password": door.password,
            "preferred_auth": "password,keyboard-interactive",
        }
    try:
        key = asyncssh.import_private_key(_content_of(door.key_file), door.password or None)
    except (OSError, ValueError):
        # one sentence for all that can be wrong: who may name a file must not learn from it which files there are
        raise CollectionError(
            f"The private key {door.key_file} for {door.place} cannot be used. Check that the file is there, that"
            " whoever runs Headroom may read it, that it is a private key, and that its passphrase was given.",
            needs_a_person=True,
        ) from None
    return {"client_keys": [key], "preferred_auth": "publickey"}


def _content_of(key_file: str) -> bytes:
    """A private key's file, which is small and a file. Raises OSError."""
    path = Path(key_file)
    if not path.is_file() or path.stat().st_size > LARGEST_KEY:
        raise OSError
    return path.read_bytes()


def _changed_key(door: Door) -> CollectionError:
    return CollectionError(
        f"{door.place} presents another host key than the stored one: it was set up anew, or somebody else answers."
        " Nothing was sent. Compare the fingerprint and store the new key.",
        needs_a_person=True,
    )


def _unreachable(place: str, error: Exception, seconds: float = CONNECT) -> CollectionError:
    reason = f"no answer within {seconds:.0f} seconds" if isinstance(error, TimeoutError) else _reason(error)
    return CollectionError(f"{place} cannot be reached: {reason}.", is_worth_retrying=True)


def _reason(error: Exception) -> str:
    """What the system calls it; of several addresses that failed, the first one's."""
    if isinstance(error, socket.gaierror):
        return "its name is not known"
    if match := re.search(r"\[Errno (\d+)\]", str(error)):
        return os.strerror(int(match[1]))
    return str(error).rstrip(".")


async def _run(connection: asyncssh.SSHClientConnection, script: str) -> str:
    """What a script prints, run by sh whatever the user's own shell is. Raises TimeoutError."""
    try:
        done = await connection.run("sh -s", input=script, timeout=ANSWER, errors="replace")
    except asyncssh.TimeoutError:
        raise TimeoutError from None
    return str(done.stdout or "")


async def _collect(connection: asyncssh.SSHClientConnection, door: Door, interval: timedelta) -> Collected:
    began = perf_counter()
    try:
        texts = split_texts(await _run(connection, batch(door.with_processes)))
    except TimeoutError:
        sentence = f"{door.place} did not finish a command within {ANSWER} seconds."
        raise CollectionError(sentence, is_worth_retrying=True) from None
    seconds = perf_counter() - began
    stat = texts.get("/proc/stat", "")
    if not stat:
        raise CollectionError(f"{door.place} shows {door.user} no /proc/stat: it is not Linux, or hides it.")
    ours = datetime.now(UTC)
    clock = texts.get(_DATE, "").strip()
    captured_at = datetime.fromtimestamp(int(clock), UTC) if clock.isdigit() else ours
    runs = [source.run(texts, seconds) for source in SOURCES]
    runs = [run for run, source in zip(runs, SOURCES, strict=True) if run.readings or not source.is_optional]
    runs += [run] if (run := processes.read_processes(texts, seconds)) else []
    spaces = await _read_filesystems(connection, texts.get(MOUNTS, ""))
    runs = await _read_sysstat(connection, texts, runs, captured_at, interval)
    return Collected(
        captured_at=captured_at,
        started_at=booted_at(stat),
        sources=[*runs, spaces],
        facts=read_facts(texts),
        notes=[
            *clock_notes(door.host, captured_at - ours),
            *filter(None, [switches.why_unknown(texts), processes.why_unknown(texts)]),
        ],
    )


async def _read_filesystems(connection: asyncssh.SSHClientConnection, mountinfo: str) -> SourceRun:
    """Mounts whose server hangs keep the command waiting: then the space of this host is told as not known."""
    began, error = perf_counter(), ""
    mounts = filesystems.worth_watching(mountinfo)
    spaces: list[filesystems.Space] = []
    try:
        if mounts:
            spaces = filesystems.parse_stat_output(await _run(connection, filesystems.stat_command(mounts)))
        error = "" if spaces else "No filesystem could be asked for its space."
    except TimeoutError:
        error = f"stat -f did not answer within {ANSWER} seconds: the server of a network mount is gone."
    seconds = perf_counter() - began
    readings = filesystems.readings_of(spaces)
    return SourceRun(name="stat -f", category=FILESYSTEMS, seconds=seconds, readings=readings, error=error)


async def _read_sysstat(
    connection: asyncssh.SSHClientConnection,
    texts: dict[str, str],
    runs: list[SourceRun],
    now: datetime,
    interval: timedelta,
) -> list[SourceRun]:
    began = perf_counter()
    try:
        texts |= split_texts(await _run(connection, sadf.script(minutes_back(interval))))
    except TimeoutError:
        sentence = f"sadf did not finish within {ANSWER} seconds; the figures come from /proc alone."
        return [
            *runs,
            SourceRun(name="sadf", category=SYSSTAT, seconds=perf_counter() - began, error=sentence),
        ]
    return add_sysstat(runs, texts, now, interval, perf_counter() - began)
