"""Register a Linux host."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apps.collection.collector import CollectionError
from apps.inventory.host_names import wrong_host
from apps.platforms.add_target import AddTargetCommand
from apps.platforms.linux.keys import key_line
from apps.platforms.linux.node_exporter.endpoint import address_of_url
from apps.platforms.linux.node_exporter.registration import NODE_EXPORTER
from apps.platforms.linux.registration import FILES, REGISTRATION, THIS_MACHINE
from apps.platforms.linux.ssh import fetch_host_key


class Command(AddTargetCommand):
    help = "Register a Linux host that is read over SSH, or this machine with --local."
    registration = REGISTRATION
    usual_port = 22
    first_reading = f"it is read every {REGISTRATION.interval_minutes} minutes"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--local", action="store_true", help="this machine, without SSH")
        parser.add_argument("--by-files", action="store_true", help="of any system, read from files alone")
        parser.add_argument(
            "--node-exporter", default="", metavar="URL", help="by the page of its node_exporter"
        )
        parser.add_argument(
            "--certificate", default="", metavar="FILE", help="PEM, that such a page is known by"
        )
        parser.add_argument("--host", default="")
        parser.add_argument("--user", default="")
        parser.add_argument("--key", default="", help="path of the private key file")
        parser.add_argument("--host-key", default="", help="the host's public key, as in known_hosts")
        parser.add_argument(
            "--fingerprint",
            default="",
            help="of the host's key, in its place: the key is fetched and compared",
        )
        parser.add_argument("--processes", action="store_true", help="read who uses the processors, too")
        parser.add_argument("--password-stdin", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        password = self.typed_password() if options["password_stdin"] else ""
        if options["by_files"]:
            self.first_reading = "give it files with manage.py import_host"
            self.register(options, {}, "", collector=FILES)
        elif options["local"]:
            self.register(options, {}, password, collector=THIS_MACHINE.collector)
        elif options["node_exporter"]:
            address = address_of_page(options, password)
            self.register(options, address, password, collector=NODE_EXPORTER)
        else:
            self.register(options, self._address(options, password), password)

    def _address(self, options: dict[str, Any], password: str) -> dict[str, Any]:
        for field in ("host", "user"):
            if not options[field]:
                raise CommandError(f"Give --{field}, or --local for this machine.")
        if wrong := wrong_host(options["host"]):
            raise CommandError(wrong)
        self.check_port(options["port"])
        if not options["key"] and not password:
            raise CommandError("Give --key, or --password-stdin and a password on standard input.")
        return {
            "host": options["host"],
            "port": options["port"],
            "user": options["user"],
            "key_file": options["key"],
            "host_key": host_key_of(
                **{key: options[key] for key in ("host", "port", "host_key", "fingerprint")}
            ),
        } | ({"processes": True} if options["processes"] else {})


def address_of_page(options: dict[str, Any], password: str) -> dict[str, Any]:
    """Where a page of node_exporter is that was given as a URL."""
    url, path = options["node_exporter"], options["certificate"]
    try:
        certificate = Path(path).read_text() if path else ""
        return address_of_url(url, options["user"], certificate, has_password=bool(password))
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from None


def host_key_of(host: str, port: int, host_key: str, fingerprint: str) -> str:
    """The host key to store: the one given, or the one presented if it has the fingerprint that was given."""
    if host_key:
        if line := key_line(host_key):
            return line
        raise CommandError(f"“{host_key[:40]}” is not a host key; give a line such as ssh-ed25519 AAAA….")
    try:
        line, presented = fetch_host_key(host, port)
    except CollectionError as error:
        raise CommandError(str(error)) from None
    if fingerprint == presented:
        return line
    if fingerprint:
        raise CommandError(f"{host} presents a key with the fingerprint {presented}, not {fingerprint}.")
    raise CommandError(
        f"{host} presents a key with the fingerprint {presented}. Compare it on the host (ssh-keygen -lf"
        f" /etc/ssh/ssh_host_ed25519_key.pub) and give it: --fingerprint {presented}"
    )
