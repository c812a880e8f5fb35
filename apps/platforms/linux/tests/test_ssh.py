"""Another machine is read over SSH: from a real sshd on this one, and from servers that do not behave."""

import asyncio
import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue
from threading import Thread

import asyncssh
import pytest
from django.utils import timezone

from apps.collection.collector import CollectionError
from apps.inventory.models import Credential, Target
from apps.platforms.linux import ssh
from apps.platforms.linux.devices import UDEV
from apps.platforms.linux.metrics.categories import (
    DEVICES,
    FILESYSTEMS,
    KERNEL,
    PROCESSES,
    PROCESSORS,
    THREADS,
)
from apps.platforms.linux.source_steps import source_steps
from apps.platforms.linux.ssh import Door, SshCollector, batch, fetch_host_key
from apps.platforms.linux.tests.measured import value
from apps.platforms.linux.tests.test_collector import skip_aloud, source
from conftest import free_port

SLOT = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)


def public(key: asyncssh.SSHKey) -> str:
    return key.export_public_key().decode().strip()


@dataclass
class Server:
    port: int
    host_key: str
    key_file: str
    user: str

    def door(self, **changed) -> Door:
        address = {
            "host_key": self.host_key,
            "key_file": self.key_file,
            "user": self.user,
            "password": "",
        } | changed
        return Door(host="127.0.0.1", port=self.port, **address)


def read(door: Door):
    return asyncio.run(ssh.collect_through(door, timedelta(minutes=5)))


def refused(door: Door) -> CollectionError:
    with pytest.raises(CollectionError) as caught:
        read(door)
    return caught.value


@pytest.fixture(scope="module")
def sshd(tmp_path_factory) -> Iterator[Server]:
    """A real sshd on loopback with a host key of its own, which lets in whoever runs the tests."""
    binary = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if not binary:
        skip_aloud("openssh-server is not installed")
    folder: Path = tmp_path_factory.mktemp("sshd")
    host, user = asyncssh.generate_private_key("ssh-ed25519"), asyncssh.generate_private_key("ssh-ed25519")
    for name, key in (("host", host), ("user", user)):
        key.write_private_key(folder / name)
        (folder / name).chmod(0o600)
    (folder / "authorized").write_text(public(user) + "\n")
    port = free_port()
    (folder / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized\n"
        "PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication yes\n"
    )
    if os.getuid() == 0:  # whose sshd wants this folder; it stays, for others may be at the same test
        Path("/run/sshd").mkdir(0o755, exist_ok=True)
    command = [str(binary), "-D", "-e", "-f", str(folder / "config")]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, server)
        yield Server(port, public(host), str(folder / "user"), getpass.getuser())
    finally:
        server.terminate()
        server.wait(60)


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        assert server.poll() is None, "sshd ended"
        time.sleep(0.05)
    raise AssertionError("sshd does not listen")


def test_a_host_is_read_over_one_connection(sshd):
    collected = read(sshd.door())

    assert collected.failed == []
    assert {KERNEL, DEVICES, FILESYSTEMS, PROCESSORS, THREADS} <= {run.category for run in collected.sources}
    assert value(source(collected, KERNEL).readings, "host_cpus") == os.cpu_count()
    assert value(source(collected, KERNEL).readings, "host_page_size_kb") == os.sysconf("SC_PAGE_SIZE") / 1024
    assert "/" in {reading.component for reading in source(collected, FILESYSTEMS).readings}
    assert (value(source(collected, THREADS).readings, "thread_voluntary_per_s") or 0) > 0
    assert collected.facts["hostname"] == socket.gethostname()
    assert collected.facts["boot_id"] == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert collected.started_at is not None
    assert collected.notes == []
    assert PROCESSES not in {run.category for run in collected.sources}  # nobody asked for them


def test_processes_are_read_where_somebody_asked_for_them(sshd):
    collected = read(sshd.door(with_processes=True))

    assert collected.failed == []
    tally = source(collected, PROCESSES).tally
    mine = [member for member in tally.members if member.identity.startswith(f"{os.getpid()} ")]
    assert [member.components["account"] for member in mine] == [getpass.getuser()]
    assert f"{len(tally.members)} processes." in {step.sentence for step in source_steps(collected)}


@pytest.mark.django_db
def test_a_registered_host_is_read_with_its_stored_key(sshd):
    address = {
        "host": "127.0.0.1",
        "port": sshd.port,
        "user": sshd.user,
        "host_key": sshd.host_key,
        "key_file": sshd.key_file,
    }
    target = Target.objects.create(
        name="far",
        kind="host",
        platform="linux",
        collector="linux-ssh",
        address=address,
        registered_at=timezone.now(),
    )

    collected = SshCollector().collect(target, SLOT)

    assert collected.failed == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"host": "db1", "user": "watch"}, "No host key is stored for far"),
        ({"host": "db1", "host_key": "ssh-ed25519 AAAA"}, "far has no host name or no user"),
        ({"user": "watch"}, "far has no host name or no user"),
    ],
)
def test_a_host_that_cannot_be_trusted_or_found_is_not_asked(address, sentence):
    target = Target.objects.create(
        name="far",
        kind="host",
        platform="linux",
        collector="linux-ssh",
        address=address,
        registered_at=timezone.now(),
    )

    with pytest.raises(CollectionError, match=sentence) as caught:
        SshCollector().collect(target, SLOT)

    assert caught.value.needs_a_person


def test_a_changed_host_key_is_refused_before_anything_is_sent(sshd):
    for algorithm in ("ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"):
        error = refused(sshd.door(host_key=public(asyncssh.generate_private_key(algorithm))))

        assert error.needs_a_person
        assert "presents another host key than the stored one" in str(error)


def test_a_wrong_private_key_is_refused_and_not_tried_again(sshd, tmp_path):
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(tmp_path / "other")

    error = refused(sshd.door(key_file=str(tmp_path / "other")))

    assert error.needs_a_person
    assert f"127.0.0.1:{sshd.port} refused to sign in {sshd.user}" in str(error)


def test_a_wrong_password_is_refused_and_not_tried_again(sshd):
    error = refused(sshd.door(key_file="", password="not this one"))

    assert error.needs_a_person
    assert not error.is_worth_retrying


def test_a_private_key_that_cannot_be_used_says_what_to_check_and_nothing_of_the_files_here(sshd, tmp_path):
    """S13: a file that is not there, one that may not be read, a folder, a device and no key are told alike."""
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(tmp_path / "locked", passphrase="secret")
    (tmp_path / "junk").write_text("no key at all")
    paths = [tmp_path / "none", tmp_path / "locked", tmp_path / "junk", tmp_path, Path("/dev/zero")]

    errors = [(path, refused(sshd.door(key_file=str(path)))) for path in paths]

    assert all(error.needs_a_person for _, error in errors)
    assert len({str(error).replace(str(path), "FILE") for path, error in errors}) == 1
    assert f"The private key {tmp_path / 'none'} for" in str(errors[0][1])
    assert "Check that the file is there, that whoever runs Headroom may read it" in str(errors[0][1])


def test_a_stored_host_key_that_is_none_is_told(sshd):
    assert "is not one; store it again" in str(refused(sshd.door(host_key="ssh-ed25519 nonsense")))


def test_a_host_that_is_not_there_is_worth_another_try(sshd):
    nobody = Door(
        host="127.0.0.1", port=free_port(), user="x", host_key=sshd.host_key, key_file=sshd.key_file
    )

    error = refused(nobody)

    assert error.is_worth_retrying
    assert "cannot be reached: " in str(error)
    assert "Connection refused" in str(error)


def test_a_host_whose_name_nobody_knows_is_worth_another_try(sshd):
    unknown = Door(
        host="no-such-host.invalid", port=22, user="x", host_key=sshd.host_key, key_file=sshd.key_file
    )

    error = refused(unknown)

    assert error.is_worth_retrying
    assert str(error) == "no-such-host.invalid:22 cannot be reached: its name is not known."


def test_the_key_to_store_is_the_one_the_host_presents(sshd):
    line, fingerprint = fetch_host_key("127.0.0.1", sshd.port)

    assert line.split()[:2] == sshd.host_key.split()[:2]
    assert fingerprint.startswith("SHA256:")


def test_no_secret_is_shown_with_the_address():
    door = Door(host="h", port=22, user="u", host_key="k", password="very secret")

    assert "very secret" not in repr(door)


class _Guard(asyncssh.SSHServer):
    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == ("watch", "right")


@contextmanager
def misbehaving(answer: str | None) -> Iterator[Server]:
    """A server that signs in by password and answers every command the same, or never."""
    host_key, loop = asyncssh.generate_private_key("ssh-ed25519"), asyncio.new_event_loop()
    ready: Queue[int] = Queue()

    async def handle(process: asyncssh.SSHServerProcess[str]) -> None:
        await process.stdin.read()
        if answer is not None:
            process.stdout.write(answer)
            process.exit(0)

    def run() -> None:
        asyncio.set_event_loop(loop)
        serving = asyncssh.create_server(
            _Guard, "127.0.0.1", 0, server_host_keys=[host_key], process_factory=handle
        )
        ready.put(loop.run_until_complete(serving).get_port())
        loop.run_forever()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield Server(ready.get(timeout=60), public(host_key), "", "watch")
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)


@pytest.mark.django_db
def test_a_stored_password_opens_the_door():
    texts = "==== date +%s\n1000000000\n==== /proc/stat\ncpu 1 2 3 4\ncpu0 1 2 3 4\nbtime 900000000\n==== /proc/meminfo\nMemTotal: 9 kB\nMemFree: 3 kB\n"
    with misbehaving(texts) as server:
        address = {"host": "127.0.0.1", "port": server.port, "host_key": server.host_key}
        target = Target.objects.create(
            name="far",
            kind="host",
            platform="linux",
            collector="linux-ssh",
            address=address,
            registered_at=timezone.now(),
        )
        Credential.objects.create(target=target, username="watch", password="right")

        collected = SshCollector().collect(target, SLOT)

    assert collected.captured_at == datetime.fromtimestamp(1_000_000_000, UTC)
    assert collected.started_at == datetime.fromtimestamp(900_000_000, UTC)
    assert value(source(collected, KERNEL).readings, "cpu_total_ticks") == 10
    assert source(collected, FILESYSTEMS).error == "No filesystem could be asked for its space."
    assert collected.notes[0].startswith("The clock of 127.0.0.1 is ")
    assert "seconds behind this machine's" in collected.notes[0]


def test_a_machine_that_is_not_linux_is_told():
    with misbehaving("Welcome to the switch\n") as server:
        error = refused(server.door(password="right"))

    assert "shows watch no /proc/stat" in str(error)


def test_a_host_that_never_answers_is_left_after_its_time(monkeypatch):
    monkeypatch.setattr(ssh, "ANSWER", 0.3)
    with misbehaving(None) as server:
        error = refused(server.door(password="right"))

    assert error.is_worth_retrying
    assert "did not finish a command within" in str(error)


def test_the_batch_prints_files_under_their_names_in_a_plain_shell():
    assert "cmdline" not in batch()
    output = subprocess.run(["sh", "-s"], input=batch(), capture_output=True, text=True, check=True).stdout

    assert "==== /proc/stat\ncpu " in output
    assert "==== getconf PAGESIZE\n" in output


def test_of_what_udev_knows_the_batch_prints_links_and_ranks_alone(tmp_path):
    (tmp_path / "b8:16").write_text("S:disk/by-id/scsi-3600\nL:50\nI:99\nE:ID_SERIAL=3600\n")
    script = batch().replace(UDEV.removesuffix("/b"), str(tmp_path))

    output = subprocess.run(["sh", "-s"], input=script, capture_output=True, text=True, check=True).stdout

    assert f"\n==== {tmp_path}/b8:16\nS:disk/by-id/scsi-3600\nL:50\n" in output
    assert "ID_SERIAL" not in output
