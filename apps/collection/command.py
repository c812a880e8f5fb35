"""What the commands of operators share: they name a target, a day, a moment, and print one JSON line on request."""

import json
import sys
from argparse import ArgumentParser
from datetime import date, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.collection.full_disk import refuse_when_disk_is_full
from apps.collection.moments import BadMoment, parse_day, parse_moment
from apps.collection.today import is_closed
from apps.inventory.models import Target


class OperatorCommand(BaseCommand):
    """A command whose bad input is answered by one sentence and exit code 1."""

    requires_system_checks = ()  # they load every page, for a command that shows none; the tests run them

    def run_from_argv(self, argv: list[str]) -> None:
        """Answer arguments that cannot be read in the same way as those that make no sense."""
        try:
            super().run_from_argv(argv)
        except CommandError as error:
            self.stderr.write(f"CommandError: {error}")
            sys.exit(error.returncode)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.called_from_command_line = False  # it then raises, in place of printing its usage
        return parser

    def add_json(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def need_room(self) -> None:
        """Write nothing much while the disk is full, as the workers do: PostgreSQL needs what is left."""
        if reason := refuse_when_disk_is_full():
            raise CommandError(reason)

    def target(self, name: str) -> Target:
        """The target of this name, in any case."""
        target = Target.objects.named(name).first()
        if target is None:
            raise CommandError(f"There is no target named {name}. Registered are: {_names()}.")
        return target

    def moment(self, text: str | None) -> datetime:
        """The moment that was typed, or now."""
        if text is None:
            return timezone.now()
        try:
            return parse_moment(text)
        except BadMoment as error:
            raise CommandError(str(error)) from None

    def day(self, text: str | None) -> date | None:
        """The day that was typed, if any."""
        try:
            return None if text is None else parse_day(text)
        except BadMoment as error:
            raise CommandError(str(error)) from None

    def closed(self, targets: list[Target], on: date | None, now: datetime) -> list[Target]:
        """The targets whose day is closed, which alone may be judged; all of them where no day is given."""
        if on is None:
            return targets
        closed = [target for target in targets if is_closed(target, on, now)]
        if targets and not closed:
            raise CommandError(
                f"{on} is not closed yet: a day is judged once the reading that ends it was taken or is missed."
            )
        return closed

    def print_json(self, document: Any) -> None:
        self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))


def _names() -> str:
    names = list(Target.objects.in_estate().values_list("name", flat=True)[:11])
    if not names:
        return "none yet"
    return ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
