"""The profile of a target."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.collection.today import today_of
from apps.outlook.command_output import profile_as_json
from apps.outlook.profile import read_profile_outlook
from apps.thresholds.judge import JudgedRow


class Command(OperatorCommand):
    help = "Print the profile of a target: today beside 7, 30 and 90 days ago, with thresholds and states."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target")
        parser.add_argument("--on", metavar="DAY", help="the profile of this day instead of today's")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target = self.target(options["target"])
        day = self.day(options["on"])
        if day is None:
            today = today_of(target, timezone.now())
            if today is None:
                raise CommandError(
                    f"{target.name} has no figures yet: two readings are needed for the first ones."
                )
            day = today.day
        profile_outlook = read_profile_outlook(target, day, timezone.now())
        if options["json"]:
            self.print_json(profile_as_json(profile_outlook))
            return
        self.stdout.write(f"{target.name}, {day:%A %-d %B %Y}")
        if profile_outlook.unread is not None:
            self.stdout.write(f"{target.name} {profile_outlook.unread.because}")
        for section in profile_outlook.judged.profile.sections:
            for sentence in section.missing:
                self.stdout.write(f"{section.title}: {sentence}")
        for row in profile_outlook.judged.rows:
            outlook = profile_outlook.outlooks.get(row.row.key)
            self.stdout.write(_line(row, outlook.closing_words if outlook else ""))


def _line(judged: JudgedRow, closing: str) -> str:
    row = judged.row
    cells = [row.then[90], row.then[30], row.then[7], row.today]
    values = [
        cell.presence.replace("_", " ")
        if cell.value is None
        else f"{cell.value:.4g}{'*' if cell.length else ''}"
        for cell in cells
    ]
    lengths = dict.fromkeys(f"{cell.day}: {cell.length}" for cell in cells if cell.length)
    name = f"{row.metric.called(row.component)} ({row.unit})"
    limit = judged.threshold.notation if judged.threshold else "none"
    return (
        f"{name:44}"
        + "".join(f"{value:>13}" for value in values)
        + f"{limit:>12}  {'; '.join([closing or judged.state or '-', *lengths])}"
    )
