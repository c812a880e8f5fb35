"""Store daily figures of the past from a CSV; --preview only says what was understood."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.charts.words import capital, count
from apps.collection.command import OperatorCommand
from apps.collection.engine.figure_rows import FIELDS, BadFigures, FigureColumns
from apps.collection.history.figure_files import (
    drop_file,
    give_file,
    map_file,
    start_storing,
    store_figures,
    take_back_file,
)
from apps.collection.history.figure_reading import FigureNames
from apps.collection.history.models import FigureFile


class Command(OperatorCommand):
    help = "Store daily figures of the past from a CSV of day, target, statistic, component, value, unit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="or, to take it back, the name it had")
        parser.add_argument("--target", help="of what its lines are, where no column says so")
        parser.add_argument(
            "--column", action="append", default=[], metavar="FIELD=COLUMN", help=f"of {', '.join(FIELDS)}"
        )
        parser.add_argument(
            "--statistic",
            action="append",
            default=[],
            metavar="NAME=KEY",
            help="what a name of the file means",
        )
        parser.add_argument("--preview", action="store_true", help="store nothing")
        parser.add_argument("--take-back", action="store_true", help="take back all that this file brought")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["take_back"]:
                self._take_back(Path(options["file"]).name)
            else:
                self._store(options)
        except BadFigures as error:
            raise CommandError(f"{options['file']}: {error}") from None

    def _take_back(self, name: str) -> None:
        file = FigureFile.objects.filter(name=name).defer("content").first()
        if file is None:
            raise CommandError(f"No file of this name was given: {name}.")
        days = take_back_file(file, timezone.now())
        self.stdout.write(f"{capital(count(days, 'day'))} of {name} taken back.")

    def _store(self, options: dict[str, Any]) -> None:
        file = self._give(options)
        if options["json"]:
            self.print_json({"file": file.name, "reason": file.reason or None, **file.report})
        else:
            self.stdout.write("\n".join(_lines(file)))
        if options["preview"] or file.reason:
            drop_file(file)
        if file.reason:
            raise BadFigures(file.reason)
        if not options["preview"]:
            self.need_room()
            start_storing(file, timezone.now())
            while store_figures(file.pk, timezone.now):
                pass

    def _give(self, options: dict[str, Any]) -> FigureFile:
        path, now = Path(options["file"]), timezone.now()
        target = self.target(options["target"]) if options["target"] else None
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
        file = give_file(path.name[-200:], content, target, None, now)
        columns, statistics = _pairs(options["column"]), _pairs(options["statistic"])
        if columns or statistics:
            if unknown := [name for name in columns if name not in FIELDS]:
                raise CommandError(f"“{unknown[0]}” is none of {', '.join(FIELDS)}.")
            guessed = FigureColumns(**file.columns)
            map_file(
                file,
                FigureColumns({**guessed.columns, **columns}, guessed.fixed, guessed.dates),
                FigureNames(statistics),
                now,
            )
        return file


def _pairs(texts: list[str]) -> dict[str, str]:
    pairs = dict(text.partition("=")[::2] for text in texts)
    if "" in pairs or "" in pairs.values():
        raise CommandError("Write what is put together with an equals sign, such as value=average.")
    return pairs


def _lines(file: FigureFile) -> Iterator[str]:
    report = file.report
    if "figures" not in report:
        return
    yield f"{file.name}: {count(report['figures'], 'figure')} of {count(report['days'], 'day')}, {len(report['targets'])} of our targets"
    for row in report["statistics"]:
        yield (
            f"  {row['name']}: {row['label']} ({row['key']}), {row['figures']} from {row['first']} to {row['last']},"
            f" {row['unit'] or 'no unit'} taken as {row['into'] or 'no unit'}"
        )
    if report["measured_days"]:
        yield f"  {count(report['measured_days'], 'day')} left as measured"
    for source, figures in report["stays"].items():
        yield f"  {count(figures, 'figure')} left as {source} has them"
    for problem in report["problems"]:
        yield f"  line {problem['line']}: {problem['text']} ({count(problem['lines'], 'line')} left out)"
