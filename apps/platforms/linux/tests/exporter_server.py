"""A server on loopback that shows one page, as well or as badly as a test wants, with a certificate if asked."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from threading import Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

PAGE = """\
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="user"} 10
node_cpu_seconds_total{cpu="0",mode="nice"} 1
node_cpu_seconds_total{cpu="0",mode="system"} 5.25
node_cpu_seconds_total{cpu="0",mode="idle"} 80
node_cpu_seconds_total{cpu="0",mode="iowait"} 4
node_cpu_seconds_total{cpu="1",mode="user"} 20
node_cpu_seconds_total{cpu="1",mode="idle"} 60
node_boot_time_seconds 1.7e+09
node_time_seconds 1.7000036005e+09
node_context_switches_total 5.047942e+06
node_procs_running 6
node_load1 7.71
node_load5 8.87
node_load15 8.86
node_memory_MemTotal_bytes 8.589934592e+09
node_memory_MemFree_bytes 1.048576e+06
node_memory_MemAvailable_bytes 4.294967296e+09
node_memory_HugePages_Total 35893
node_memory_Hugepagesize_bytes 2.097152e+06
node_vmstat_pgfault 100
node_vmstat_pgmajfault +Inf
node_pressure_cpu_waiting_seconds_total 1.5
node_disk_info{device="dm-0",major="253",minor="0"} 1
node_disk_info{device="sda",major="8",minor="0"} 1
node_disk_device_mapper_info{device="dm-0",name="vg-data"} 1
node_filesystem_size_bytes{device="/dev/mapper/vg-data",fstype="xfs",mountpoint="/u01/my data"} 2.097152e+07
node_filesystem_free_bytes{device="/dev/mapper/vg-data",fstype="xfs",mountpoint="/u01/my data"} 1.048576e+07
node_filesystem_avail_bytes{device="/dev/mapper/vg-data",fstype="xfs",mountpoint="/u01/my data"} 1.048576e+07
node_filesystem_files{device="/dev/mapper/vg-data",fstype="xfs",mountpoint="/u01/my data"} 100
node_filesystem_files_free{device="/dev/mapper/vg-data",fstype="xfs",mountpoint="/u01/my data"} 75
node_filesystem_size_bytes{device="/dev/sda2",fstype="ext4",mountpoint="/"} 1.048576e+06
node_filesystem_free_bytes{device="/dev/sda2",fstype="ext4",mountpoint="/"} 524288
node_filesystem_avail_bytes{device="/dev/sda2",fstype="ext4",mountpoint="/"} 524288
node_filesystem_files{device="/dev/sda2",fstype="ext4",mountpoint="/"} 10
node_filesystem_files_free{device="/dev/sda2",fstype="ext4",mountpoint="/"} 5
node_network_speed_bytes{device="eth0"} 1.25e+08
node_network_speed_bytes{device="eth1"} -125000
node_netstat_Tcp_OutSegs 53280
node_netstat_Tcp_RetransSegs 8
node_scrape_collector_success{collector="netstat"} 1
node_uname_info{machine="x86_64",nodename="dbhost1",release="5.14.0",sysname="Linux"} 1
node_os_info{pretty_name="Rocky Linux 9.4"} 1
node_exporter_build_info{version="1.8.2"} 1
""" + "".join(
    f'{name}{{device="{device}"}} {value}\n'
    for device, values in {
        "sda": (7, 512 * 8, 0.5, 3, 512 * 4, 0.25, 0.1, 0.2),
        "dm-0": (70, 512 * 80, 5, 30, 512 * 40, 2.5, 1, 2),
        "loop0": (9, 9, 9, 9, 9, 9, 9, 9),
    }.items()
    for name, value in zip(
        (
            "node_disk_reads_completed_total", "node_disk_read_bytes_total", "node_disk_read_time_seconds_total",
            "node_disk_writes_completed_total", "node_disk_written_bytes_total", "node_disk_write_time_seconds_total",
            "node_disk_io_time_seconds_total", "node_disk_io_time_weighted_seconds_total",
        ),
        values,
        strict=True,
    )
) + "".join(
    f'node_network_{direction}_{what}_total{{device="{device}"}} {value}\n'
    for device, value in {"eth0": 1000, "lo": 5}.items()
    for direction in ("receive", "transmit")
    for what in ("bytes", "packets", "errs", "drop")
)  # fmt: skip

Answer = bytes | Callable[[socket.socket], None]


def answer(body: str | bytes = PAGE, status: str = "200 OK", **headers: str) -> bytes:
    """An answer as it goes over the line."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + content


@dataclass
class Exporter:
    """Where it listens, and what it was asked."""

    port: int
    requests: list[str] = field(default_factory=list)


@contextmanager
def exporter(say: Answer, certificate: Path | None = None) -> Iterator[Exporter]:
    """A server that says the same to whoever asks."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = Exporter(listener.getsockname()[1])
    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)

    def serve() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            with suppress(OSError), plain:
                plain.settimeout(10)
                talk(context.wrap_socket(plain, server_side=True) if context else plain)

    def talk(asking: socket.socket) -> None:
        with asking:
            server.requests.append(asking.recv(65536).decode(errors="replace"))
            if callable(say):
                say(asking)
            else:
                asking.sendall(say)

    thread = Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(15)


def make_certificate(folder: Path) -> Path:
    """A key and the certificate of 127.0.0.1 that it signed itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "db01")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "exporter.pem"
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file


def public_part(certificate: Path) -> str:
    """The certificate alone, as people give it."""
    return certificate.read_text().partition("-----END PRIVATE KEY-----")[2].strip()
