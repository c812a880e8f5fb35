"""Register a Linux host."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.collector import CollectionError
from apps.collection.command import OperatorCommand
from apps.inventory.host_names import wrong_host
from apps.inventory.register import BadTarget, register_target
from apps.platforms.linux.keys import key_line
from apps.platforms.linux.registration import REGISTRATION, THIS_MACHINE
from apps.platforms.linux.ssh import fetch_host_key

EVERY_MINUTES = REGISTRATION.interval_minutes


class Command(OperatorCommand):
    help = "Register a Linux host that is read over SSH, or this machine with --local."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--local", action="store_true", help="this machine, without SSH")
        parser.add_argument("--host", default="")
        parser.add_argument("--port", type=int, default=22)
        parser.add_argument("--user", default="")
        parser.add_argument("--key", default="", help="path of the private key file")
        parser.add_argument("--host-key", default="", help="the host's public key, as in known_hosts")
        parser.add_argument(
            "--fingerprint",
            default="",
            help="of the host's key, in its place: the key is fetched and compared",
        )
        parser.add_argument("--password-stdin", action="store_true")
        parser.add_argument("--time-zone", default="UTC")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        address: dict[str, Any] = {}
        password = sys.stdin.readline().rstrip("\r\n") if options["password_stdin"] else ""
        if not options["local"]:
            for field in ("host", "user"):
                if not options[field]:
                    raise CommandError(f"Give --{field}, or --local for this machine.")
            if wrong := wrong_host(options["host"]):
                raise CommandError(wrong)
            if not 1 <= options["port"] <= 65535:
                raise CommandError(
                    f"{options['port']} is not a port; give a number from 1 to 65535, usually 22."
                )
            if not options["key"] and not password:
                raise CommandError("Give --key, or --password-stdin and a password on standard input.")
            address = {
                "host": options["host"],
                "port": options["port"],
                "user": options["user"],
                "key_file": options["key"],
                "host_key": host_key_of(
                    **{key: options[key] for key in ("host", "port", "host_key", "fingerprint")}
                ),
            }
        try:
            target = register_target(
                options["name"],
                kind="host",
                platform=REGISTRATION.platform,
                collector=(THIS_MACHINE if options["local"] else REGISTRATION).collector,
                address=address,
                now=timezone.now(),
                username=options["user"],
                password=password,
                interval_minutes=EVERY_MINUTES,
                time_zone=options["time_zone"],
            )
        except BadTarget as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.print_json({"target": target.name, "id": target.pk})
        else:
            self.stdout.write(f"{target.name} is registered; it is read every {EVERY_MINUTES} minutes.")


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
