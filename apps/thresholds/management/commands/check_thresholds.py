"""Judge a day: open, continue and close violations."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.collection.today import last_closed_day
from apps.inventory.models import Target
from apps.thresholds.check import check_thresholds
from apps.thresholds.command_output import check_as_json, check_in_words


class Command(OperatorCommand):
    help = "Judge the last closed day, or the one given, of every target, and say what opened, continued and closed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--on", metavar="DAY")
        parser.add_argument("--target", help="only this one")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        on = self.day(options["on"])
        targets = [self.target(options["target"])] if options["target"] else list(Target.objects.in_estate())
        days = [(target, on or last_closed_day(target, now)) for target in self.closed(targets, on, now)]
        checked = [check_thresholds(target, day, now) for target, day in days]
        if options["json"]:
            self.print_json([check_as_json(result) for result in checked])
            return
        for result in checked:
            self.stdout.write(check_in_words(result))
