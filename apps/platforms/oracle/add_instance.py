"""Register an Oracle instance."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from apps.platforms.add_target import AddTargetCommand
from apps.platforms.oracle.address import wrong_with
from apps.platforms.oracle.registration import REGISTRATION


class Command(AddTargetCommand):
    help = "Register an Oracle instance; the password is read from standard input."
    registration = REGISTRATION
    usual_port = 1521
    first_reading = "its first reading comes within its next slot"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--host", required=True)
        parser.add_argument("--service", required=True)
        parser.add_argument("--user", required=True)
        parser.add_argument("--password-stdin", action="store_true", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        password = self.typed_password()
        if not password:
            raise CommandError("Give the password as the first line of standard input.")
        self.check_port(options["port"])
        address = {"host": options["host"], "port": options["port"], "service": options["service"]}
        if wrong := wrong_with(address):
            raise CommandError(" ".join(wrong.values()))
        self.register(options, address, password)
