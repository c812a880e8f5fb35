"""What the commands share that write a report."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.inventory.models import Group
from apps.reports.engine.week import BadWeek, last_complete_week, parse_week
from apps.reports.registry import ReportKind


class ReportCommand(OperatorCommand):
    """A command that composes a report of a week, and writes it in the form asked for."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--week", metavar="2026-W47", help="the last complete one by default")
        parser.add_argument("--group", help="only the targets of this group")
        parser.add_argument("--output", metavar="FILE", help="standard output by default")

    def write_report(self, report: ReportKind, options: dict[str, Any]) -> None:
        """Write a report as the options say; what cannot be is answered in a sentence."""
        now, form = timezone.now(), report.formats.get(options["format"])
        if form is None:
            raise CommandError(f"{report.title} comes as {', '.join(report.formats)}.")
        try:
            week = parse_week(options["week"]) if options["week"] else last_complete_week(now)
            made = form.make(report.compose(week, now, group_named(options["group"])))
        except BadWeek as error:
            raise CommandError(str(error)) from None
        if options["output"]:
            _write(Path(options["output"]), made)
        elif options["format"] in ("pdf", "xlsx"):
            sys.stdout.buffer.write(made)
        else:
            self.stdout.write(made.decode())


def _write(file: Path, made: bytes) -> None:
    try:
        file.write_bytes(made)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None


def group_named(name: str | None) -> Group | None:
    """The group of this name; None where all targets are meant."""
    if not name:
        return None
    group = Group.objects.filter(name__iexact=name).first()
    if group is None:
        names = ", ".join(Group.objects.values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no group named {name}. There are: {names}.")
    return group
