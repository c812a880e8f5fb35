"""Set a limit."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.catalog.registry import UnknownMetric
from apps.collection.command import OperatorCommand
from apps.thresholds.command_output import threshold_as_json
from apps.thresholds.engine.notation import BadNotation
from apps.thresholds.models import Severity
from apps.thresholds.peak_hours import targets_of_hours
from apps.thresholds.register import BadThreshold, add_threshold


class Command(OperatorCommand):
    help = "Set a limit on a statistic of a target, in the notation of the forms: 2, <1.5, >=95, 0, 10..20, no change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target")
        parser.add_argument("statistic", help="the key of the metric, for example wait_avg_ms")
        parser.add_argument("notation")
        parser.add_argument(
            "--component", default="", help="a name or a pattern such as DATA*; without it: all"
        )
        parser.add_argument("--severity", default=Severity.WARNING, choices=Severity.values)
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target = self.target(options["target"])
        try:
            made = add_threshold(
                options["statistic"],
                options["notation"],
                now=timezone.now(),
                target=target,
                component=options["component"],
                severity=options["severity"],
            )
        except (BadNotation, BadThreshold, UnknownMetric) as error:
            raise CommandError(str(error)) from None
        for threshold in made:
            if options["json"]:
                self.print_json(threshold_as_json(threshold))
            else:
                self.stdout.write(f"{target.name}: {threshold}, in {threshold.unit or 'plain numbers'}.")
        if not options["json"] and targets_of_hours(made):
            self.stdout.write(
                f"Past days have no figure of these hours yet: manage.py rebuild_figures --target {target.name}"
            )
