"""Register an Oracle instance."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.inventory.register import BadTarget, register_target
from apps.platforms.oracle.address import wrong_with


class Command(OperatorCommand):
    help = "Register an Oracle instance; the password is read from standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--host", required=True)
        parser.add_argument("--port", type=int, default=1521)
        parser.add_argument("--service", required=True)
        parser.add_argument("--user", required=True)
        parser.add_argument("--password-stdin", action="store_true", required=True)
        parser.add_argument("--time-zone", default="UTC")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        password = sys.stdin.readline().rstrip("\r\n")
        if not password:
            raise CommandError("Give the password as the first line of standard input.")
        if not 1 <= options["port"] <= 65535:
            raise CommandError(
                f"{options['port']} is not a port; give a number from 1 to 65535, usually 1521."
            )
        address = {"host": options["host"], "port": options["port"], "service": options["service"]}
        if wrong := wrong_with(address):
            raise CommandError(" ".join(wrong.values()))
        try:
            target = register_target(
                options["name"],
                kind="instance",
                platform="oracle",
                collector="oracle",
                address=address,
                now=timezone.now(),
                username=options["user"],
                password=password,
                time_zone=options["time_zone"],
            )
        except BadTarget as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.print_json({"target": target.name, "id": target.pk})
        else:
            self.stdout.write(f"{target.name} is registered; its first reading comes within its next slot.")
