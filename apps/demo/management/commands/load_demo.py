from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.demo.load import BadHistory, load_demo


class Command(BaseCommand):
    help = "Load the fictional estate, or go on where loading it was stopped."
    requires_system_checks = ()  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=120, help="how many days of history (default: 120)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            progress = load_demo(options["days"])
        except BadHistory as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The demo estate is loaded: {progress.total} days of targets.")
