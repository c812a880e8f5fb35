"""What the commands share that judge days: which targets, which day, and how they say what came of it."""

from argparse import ArgumentParser
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.inventory.models import Target
from apps.thresholds.check import CheckResult
from apps.thresholds.command_output import check_as_json, check_in_words


class JudgingCommand(OperatorCommand):
    """A command that judges days of one target or of all."""

    words_of_none = ""  # said where no day was judged

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--on", metavar="DAY")
        parser.add_argument("--target", help="only this one")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        on = self.day(options["on"])
        targets = [self.target(options["target"])] if options["target"] else list(Target.objects.in_estate())
        results = [
            result for target in self.closed(targets, on, now) for result in self.judge(target, on, now)
        ]
        if options["json"]:
            self.print_json([check_as_json(result) for result in results])
            return
        for words in [check_in_words(result) for result in results] or [self.words_of_none]:
            if words:
                self.stdout.write(words)

    def judge(self, target: Target, on: date | None, now: datetime) -> list[CheckResult]:
        """Judge a day of a target, or the days that are due."""
        raise NotImplementedError
