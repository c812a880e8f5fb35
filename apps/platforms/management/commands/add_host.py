"""Register a Linux host."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.inventory.register import BadTarget, register_target

EVERY_MINUTES = 5


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
        parser.add_argument("--password-stdin", action="store_true")
        parser.add_argument("--time-zone", default="UTC")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        address: dict[str, Any] = {}
        password = sys.stdin.readline().rstrip("\r\n") if options["password_stdin"] else ""
        if not options["local"]:
            for field in ("host", "user", "host_key"):
                if not options[field]:
                    raise CommandError(f"Give --{field.replace('_', '-')}, or --local for this machine.")
            address = {key: options[key] for key in ("host", "port", "user", "host_key")} | {
                "key_file": options["key"]
            }
        try:
            target = register_target(
                options["name"],
                kind="host",
                platform="linux",
                collector="linux" if options["local"] else "linux-ssh",
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
