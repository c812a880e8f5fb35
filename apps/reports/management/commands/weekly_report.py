"""Compose the report of a week, and write it in the form asked for."""

from argparse import ArgumentParser
from typing import Any

from apps.reports.kinds.weekly import WEEKLY
from apps.reports.report_command import ReportCommand


class Command(ReportCommand):
    help = "Compose the report of a week, and write it as HTML, PDF, XLSX, plain text or JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--format", choices=tuple(WEEKLY.formats), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        self.write_report(WEEKLY, options)
