"""Write any report, by its name."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from apps.reports.registry import all_reports, find_report
from apps.reports.report_command import ReportCommand


class Command(ReportCommand):
    help = "Compose a report of a week, and write it; each comes as JSON and HTML at least."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="which report, such as weekly")
        super().add_arguments(parser)
        parser.add_argument("--format", default="html")

    def handle(self, *args: Any, **options: Any) -> None:
        report = find_report(options["name"])
        if report is None:
            names = ", ".join(report.key for report in all_reports())
            raise CommandError(f"There is no report named {options['name']}. There are: {names}.")
        self.write_report(report, options)
