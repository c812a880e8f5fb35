"""What the commands that register a target share: its name, port, account and time zone, and what they answer."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.inventory.models import Target
from apps.inventory.register import BadTarget, register_target
from apps.platforms.registration import Registration


class AddTargetCommand(OperatorCommand):
    """A command that registers a target; what leads there is asked for by its technology."""

    registration: Registration
    usual_port: int
    first_reading: str  # a sentence without its stop: when it comes

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--port", type=int, default=self.usual_port)
        parser.add_argument("--time-zone", default="UTC")
        self.add_json(parser)

    def check_port(self, port: int) -> None:
        """Refuse what is no port."""
        if not 1 <= port <= 65535:
            raise CommandError(
                f"{port} is not a port; give a number from 1 to 65535, usually {self.usual_port}."
            )

    def typed_password(self) -> str:
        """The first line of standard input."""
        return sys.stdin.readline().rstrip("\r\n")

    def register(
        self, options: dict[str, Any], address: dict[str, Any], password: str, *, collector: str = ""
    ) -> None:
        """Register the target at an address, by the usual collector or by another, and say so."""
        target = self._registered(options, address, password, collector or self.registration.collector)
        if options["json"]:
            self.print_json({"target": target.name, "id": target.pk})
        else:
            self.stdout.write(f"{target.name} is registered; {self.first_reading}.")

    def _registered(
        self, options: dict[str, Any], address: dict[str, Any], password: str, collector: str
    ) -> Target:
        try:
            return register_target(
                options["name"],
                kind=self.registration.kind,
                platform=self.registration.platform,
                collector=collector,
                address=address,
                now=timezone.now(),
                username=options["user"],
                password=password,
                interval_minutes=self.registration.interval_minutes,
                time_zone=options["time_zone"],
            )
        except BadTarget as error:
            raise CommandError(str(error)) from None
