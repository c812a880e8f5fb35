"""A host by the page of its node_exporter: the same statistics as from its own files, and a sentence for what goes wrong."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from apps.collection.collect import collect_target
from apps.collection.collector import Account, Collected, CollectionError, Reading
from apps.inventory.models import Target
from apps.inventory.register import register_target
from apps.platforms.linux.metrics.categories import (
    DEVICES,
    FILESYSTEMS,
    INTERFACES,
    KERNEL,
    NODES,
    PROCESSORS,
    TCP,
)
from apps.platforms.linux.node_exporter import fetch
from apps.platforms.linux.node_exporter.collector import collect_from, collected_of
from apps.platforms.linux.node_exporter.endpoint import Endpoint
from apps.platforms.linux.node_exporter.metrics_page import read_page
from apps.platforms.linux.node_exporter.preflight import test_endpoint
from apps.platforms.linux.tests.exporter_server import PAGE, answer, exporter, make_certificate, public_part
from apps.platforms.linux.tests.measured import figures, sample, value
from apps.platforms.linux.tests.test_collector import skip_aloud, source
from conftest import free_port

NOW = datetime.fromtimestamp(1_700_003_601, UTC)


def collected(text: str) -> Collected:
    return collected_of(read_page(text), "db01", NOW, 0.0)


def readings(outcome: Collected) -> list[Reading]:
    return [reading for run in outcome.sources for reading in run.readings]


def test_a_page_gives_the_readings_of_the_files_it_was_made_from():
    outcome = collected(PAGE)

    assert outcome.failed == []
    kernel = source(outcome, KERNEL).readings
    assert value(kernel, "cpu_user_ticks") == 3000
    assert value(kernel, "cpu_system_ticks") == 525
    assert value(kernel, "cpu_total_ticks") == 18025
    assert value(kernel, "host_cpus") == 2
    assert value(kernel, "load_1") == 7.71
    assert value(kernel, "tasks") is None
    assert value(kernel, "host_mem_total_kb") == 8388608
    assert value(kernel, "host_hugepages_total") == 35893
    assert value(kernel, "host_hugepage_size_kb") == 2048
    assert value(kernel, "host_page_size_kb") == 4
    assert value(kernel, "psi_cpu_some_us") == 1.5e6
    assert value(kernel, "vm_faults") == 100
    assert value(kernel, "vm_major_faults") is None  # it was no number
    assert value(source(outcome, PROCESSORS).readings, "processor_busy_ticks", "0") == 1625
    assert value(source(outcome, TCP).readings, "tcp_retransmitted") == 8


def test_devices_filesystems_and_interfaces_are_watched_as_elsewhere():
    outcome = collected(PAGE)

    devices = source(outcome, DEVICES).readings
    assert {reading.component for reading in devices} == {"sda", "vg-data"}
    assert value(devices, "disk_read_sectors", "vg-data") == 80
    assert value(devices, "disk_write_ms", "sda") == 250
    spaces = source(outcome, FILESYSTEMS).readings
    assert value(spaces, "host_fs_size_mb", "/u01/my data") == 20
    assert value(spaces, "host_fs_used_pct", "/u01/my data") == 50
    assert value(spaces, "host_fs_inodes_pct", "/u01/my data") == 25
    interfaces = source(outcome, INTERFACES).readings
    assert {reading.component for reading in interfaces} == {"eth0"}
    assert value(interfaces, "net_speed_mbit", "eth0") == 1000
    assert outcome.facts["device_of//u01/my data"] == "vg-data"
    assert outcome.facts["device_of//"] == "sda"


def test_the_facts_and_the_moments_are_those_of_the_host():
    outcome = collected(PAGE)

    assert outcome.facts["hostname"] == "dbhost1"
    assert outcome.facts["distribution"] == "Rocky Linux 9.4"
    assert outcome.facts["node_exporter"] == "1.8.2"
    assert "container" not in outcome.facts
    assert outcome.captured_at == datetime.fromtimestamp(1_700_003_600.5, UTC)
    assert outcome.started_at == datetime.fromtimestamp(1_700_000_000, UTC)
    assert outcome.notes == []


def test_a_restart_is_seen_by_the_moment_of_the_start():
    later = PAGE.replace("node_boot_time_seconds 1.7e+09", "node_boot_time_seconds 1.7000035e+09")

    assert collected(later).started_at == datetime.fromtimestamp(1_700_003_500, UTC)


def test_another_clock_is_named():
    outcome = collected(PAGE.replace("1.7000036005e+09", "1.7000030e+09"))

    assert outcome.notes == [
        "The clock of db01 is 601 seconds behind this machine's: its days are shifted by that."
    ]


def test_what_a_page_lacks_is_said_and_the_rest_is_read():
    lines = [
        line for line in PAGE.splitlines(True) if not line.startswith(("node_netstat", "node_disk_read"))
    ]
    failed = 'node_scrape_collector_success{collector="netstat"} 0\n'
    outcome = collected("".join(lines).replace(failed.replace("} 0", "} 1"), failed))

    assert {run.category: run.error for run in outcome.failed} == {
        DEVICES: "The page has nothing of diskstats: these collectors of node_exporter are switched off.",
        TCP: "node_exporter says that its collector netstat failed.",
    }


def test_what_is_no_page_of_node_exporter_is_refused():
    for text, sentence in {
        "<html><body>Node Exporter</body></html>\n": "is not a page of metrics",
        "go_goroutines 8\n": "none of its series begins with node_",
        "": "none of its series begins with node_",
        'node_load1{x="1 2\n': "is not a page of metrics",
    }.items():
        with pytest.raises(CollectionError, match=sentence):
            read_page(text)


@pytest.mark.parametrize("cut", range(0, len(PAGE), 97))
def test_a_page_that_is_cut_anywhere_is_read_or_refused(cut):
    with suppress(CollectionError):
        collected(PAGE[:cut])


def test_the_pages_of_a_real_host_have_their_figures():
    scrapes = [collected(sample(f"node_exporter/host-a_scrape{number}.prom.txt")) for number in (1, 2, 3)]

    first, second, _ = map(readings, scrapes)
    assert value(first, "load_1") == 2.97
    assert [value(readings(scrape), "load_1") for scrape in scrapes[1:]] == [4.22, 5.77]
    busy = [value(read, "processor_busy_ticks", "0") or 0 for read in (first, second)]
    assert value(second, "processor_idle_ticks", "0") is not None
    assert busy[1] > busy[0]
    seconds = (scrapes[1].captured_at - scrapes[0].captured_at).total_seconds()
    assert seconds == pytest.approx(60.74, abs=0.005)
    written = [value(read, "disk_write_sectors", "vda") or 0 for read in (first, second)]
    assert written[0] * 512 == 6.2602084352e10
    assert (written[1] - written[0]) * 512 == 1_829_965_824
    day = figures(first, second, seconds=seconds)
    assert day["host_disk_write_kb", "vda"] == pytest.approx(1_829_965_824 / 1024 / seconds)
    assert day["host_cpu_user_pct", ""] == pytest.approx(
        100
        * _grown(first, second, "cpu_user_ticks", "cpu_nice_ticks")
        / _grown(first, second, "cpu_total_ticks")
    )
    assert scrapes[0].facts["hostname"] == "host-a"
    assert scrapes[0].started_at == datetime.fromtimestamp(1_795_218_330, UTC)


def _grown(before: list[Reading], after: list[Reading], *metrics: str) -> float:
    return sum((value(after, metric) or 0) - (value(before, metric) or 0) for metric in metrics)


def test_the_page_of_the_project_itself_has_its_figures():
    outcome = collected(sample("node_exporter/node_exporter_e2e_linux.prom.txt"))

    kernel = source(outcome, KERNEL).readings
    assert value(kernel, "load_1") == 0.21
    assert value(kernel, "host_mem_total_kb") == 3.831959552e9 / 1024
    assert value(kernel, "host_cpus") == 8
    assert (value(kernel, "host_sockets"), value(kernel, "host_cores")) == (1, 4)
    assert value(source(outcome, PROCESSORS).readings, "processor_idle_ticks", "0") == 1_087_069 + 220
    sectors = value(source(outcome, DEVICES).readings, "disk_read_sectors", "sda")
    assert sectors == pytest.approx(5.13713216512e11 / 512)
    assert value(source(outcome, NODES).readings, "node_mem_total_kb", "0") == 1.3740271616e11 / 1024


def test_the_page_of_another_system_is_not_measured():
    page = sample("node_exporter/node_exporter_e2e_solaris.prom.txt")

    with pytest.raises(CollectionError, match="has nothing of a Linux host: neither processors nor memory"):
        collected(page)


# over a line


def endpoint(port: int, **more: object) -> Endpoint:
    return Endpoint(**{"host": "127.0.0.1", "port": port, "path": "/metrics", "is_secure": False} | more)  # type: ignore[arg-type]


def refused(port: int, **more: object) -> CollectionError:
    with pytest.raises(CollectionError) as caught:
        collect_from(endpoint(port, **more))
    return caught.value


def test_a_page_is_fetched_once_and_asked_for_by_its_path():
    with exporter(answer()) as server:
        outcome = collect_from(endpoint(server.port, path="/own/metrics?collect[]=cpu"))

    assert outcome.failed == []
    assert [request.splitlines()[0] for request in server.requests] == [
        "GET /own/metrics?collect[]=cpu HTTP/1.1"
    ]
    assert "Authorization" not in server.requests[0]


ANSWERS = {
    "a password is wanted": (answer("", "401 Unauthorized"), "asks for a user and a password (status 401)."),
    "nothing there": (answer("", "404 Not Found"), "has nothing at /metrics (status 404)."),
    "elsewhere": (answer("", "302 Found", Location="http://127.0.0.1:1/"), "sends the asker elsewhere"),
    "HTTPS": (answer("", "400 Bad Request"), "it may want HTTPS."),
    "a fault": (answer("", "503 Service Unavailable"), "answered with status 503."),
    "a web site": (answer("<html></html>\n"), "is not a page of metrics; look at port and path."),
    "other metrics": (answer("mysql_up 1\n"), "but not of node_exporter"),
    "cut": (answer()[:-300], "broke the connection: its page ends within a line."),
    "cut in a line": (answer(PAGE[:-1]), "its page ends within a line."),
    "cut between chunks": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"%x\r\n" % 16
        + PAGE[:16].encode()
        + b"\r\n",
        "broke the connection: its page ends within a line.",
    ),
    "another protocol": (b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP; look at the port."),
    "nothing": (b"", "broke the connection"),
}


@pytest.mark.parametrize(("response", "sentence"), ANSWERS.values(), ids=ANSWERS)
def test_each_answer_that_is_no_page_has_its_sentence(response, sentence):
    with exporter(response) as server:
        error = refused(server.port)

    assert sentence in str(error)
    assert error.needs_a_person == ("401" in sentence)
    assert error.is_worth_retrying == (
        "503" in sentence or "broke" in sentence or "within a line" in sentence
    )


def test_what_listens_nowhere_has_its_sentence():
    error = refused(free_port())

    assert "refuses connections: nothing listens at that port." in str(error)
    assert error.is_worth_retrying


def test_a_page_that_comes_in_drops_is_given_up(monkeypatch):
    monkeypatch.setattr(fetch, "ANSWER", 0.5)

    def drip(asking: socket.socket) -> None:
        asking.sendall(b"HTTP/1.1 200 OK\r\n")
        for _ in range(50):
            asking.sendall(b"X: y\r\n")
            time.sleep(0.1)

    began = time.monotonic()
    with exporter(drip) as server:
        error = refused(server.port)

    assert "did not send its page within 0 s." in str(error)
    assert error.is_worth_retrying
    assert time.monotonic() - began < 8


def test_a_page_without_an_end_is_given_up(monkeypatch):
    monkeypatch.setattr(fetch, "LARGEST", 200_000)

    def flood(asking: socket.socket) -> None:
        asking.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        with suppress(OSError):
            while True:
                asking.sendall(b"# nothing\n" * 1000)

    with exporter(flood) as server:
        assert "that is not the page of one host" in str(refused(server.port))


def test_over_tls_only_a_certificate_that_is_known_is_talked_to(tmp_path):
    certificate = make_certificate(tmp_path)
    public = public_part(certificate)

    with exporter(answer(), certificate) as server:
        unknown = refused(server.port, is_secure=True)
        other_name = refused(server.port, is_secure=True, host="localhost", certificate=public)
        outcome = collect_from(
            endpoint(server.port, is_secure=True, certificate=public, user="prom", password="lion")
        )

    assert "is not accepted: self-signed certificate. Give the certificate of its authority" in str(unknown)
    assert "is not accepted: Hostname mismatch" in str(other_name)
    assert outcome.failed == []
    assert len(server.requests) == 1  # nothing was said to whom nobody knows
    assert "Authorization: Basic cHJvbTpsaW9u" in server.requests[0]


def test_a_server_without_tls_is_named():
    with exporter(answer()) as server:
        assert "does not answer by TLS" in str(refused(server.port, is_secure=True))


def test_a_test_goes_step_by_step_and_ends_where_nothing_follows(tmp_path):
    certificate = make_certificate(tmp_path)
    with exporter(answer(), certificate) as server:
        address = {"host": "127.0.0.1", "port": server.port, "path": "/metrics", "protocol": "https"}
        stranger = test_endpoint(address, Account(""))
        friend = test_endpoint(address | {"certificate": public_part(certificate)}, Account(""))

    assert [(step.name, step.is_ok) for step in stranger.steps] == [("Network", True), ("TLS", False)]
    assert [step.name for step in friend.steps][:5] == ["Network", "TLS", "Answer", "Page", "Host"]
    assert all(step.is_ok for step in friend.steps if step.name != "Note")  # its clock is years behind
    assert sum(step.is_source for step in friend.steps) == 6


# the real one


@pytest.fixture(scope="module")
def real_exporter(tmp_path_factory) -> Iterator[int]:
    """A node_exporter of the distribution, on loopback."""
    binary = shutil.which("prometheus-node-exporter") or shutil.which("node_exporter")
    if not binary:
        skip_aloud("prometheus-node-exporter is not installed")
    port = free_port()
    command = [str(binary), f"--web.listen-address=127.0.0.1:{port}"]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            assert server.poll() is None, "node_exporter ended"
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(60)


def test_a_real_node_exporter_tells_what_the_kernel_tells(real_exporter):
    outcome = collect_from(endpoint(real_exporter))

    assert outcome.failed == []
    kernel = source(outcome, KERNEL).readings
    assert value(kernel, "host_cpus") == os.cpu_count()
    installed = re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())
    assert installed is not None
    assert value(kernel, "host_mem_total_kb") == float(installed[1])
    assert "/" in {reading.component for reading in source(outcome, FILESYSTEMS).readings}
    started = re.search(r"^btime (\d+)", Path("/proc/stat").read_text(), flags=re.MULTILINE)
    assert started is not None
    assert outcome.started_at is not None
    assert abs(outcome.started_at.timestamp() - int(started[1])) <= 1
    assert abs(outcome.captured_at - datetime.now(UTC)) < timedelta(minutes=1)
    assert outcome.facts["hostname"] == socket.gethostname()


@pytest.mark.django_db
def test_a_registered_host_is_collected_on_its_rhythm(real_exporter):
    now = timezone.now()
    target = register_target(
        "db01", kind=Target.Kind.HOST, platform="linux", collector="linux-node-exporter", interval_minutes=5, now=now,
        address={"host": "127.0.0.1", "port": real_exporter, "path": "/metrics", "protocol": "http", "user": ""},
        username="", password="", time_zone="UTC",
    )  # fmt: skip

    run = collect_target(target, now.replace(second=0, microsecond=0), now)

    assert (run.state, run.reason, run.failed_sources) == ("complete", "", [])
    assert run.series > 40
