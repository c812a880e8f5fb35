"""Review a day: the whole method after the collection."""

from argparse import ArgumentParser
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.inventory.models import Target
from apps.review.nightly import review_targets
from apps.review.waiting_days import days_to_review
from apps.thresholds.check import CheckResult
from apps.thresholds.command_output import check_as_json, check_in_words


class Command(OperatorCommand):
    help = "Review closed days that wait for it, or the day given, of every target."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--on", metavar="DAY")
        parser.add_argument("--target", help="only this one")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        on = self.day(options["on"])
        targets = [self.target(options["target"])] if options["target"] else list(Target.objects.in_estate())
        self.need_room()
        results = [result for target in self.closed(targets, on, now) for result in _review(target, on, now)]
        if options["json"]:
            self.print_json([check_as_json(result) for result in results])
            return
        if not results:
            self.stdout.write("Every closed day was reviewed already.")
        for result in results:
            self.stdout.write(check_in_words(result))


def _review(target: Target, on: date | None, now: datetime) -> list[CheckResult]:
    days = days_to_review(target, now) if on is None else [on]
    return [result for day in days for result in review_targets([target], day, now).results]
