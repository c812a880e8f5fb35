"""Store what a host's own tools wrote: files of sar or sadf."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError
from django.utils import timezone

from apps.charts.words import count
from apps.collection.command import OperatorCommand
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import HostFileReport, OtherHost, look_into, store_file, take_back_days


class Command(OperatorCommand):
    help = "Store the days of a host from files that sar or sadf wrote; --preview only says what is in them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--target", required=True, help="the host they are of")
        parser.add_argument("--preview", action="store_true", help="store nothing")
        parser.add_argument(
            "--take-back", action="store_true", help="take back the days that files of these names gave"
        )
        parser.add_argument("--other-name", action="store_true", help="the files may name the host otherwise")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target, now = self.target(options["target"]), timezone.now()
        if options["take_back"]:
            for path in map(Path, options["files"]):
                days = take_back_days(target, path.name, None, now)
                self.stdout.write(f"{path.name}: {count(len(days), 'day')} taken back")
            return
        if not options["preview"]:
            self.need_room()
        failed = []
        for path in map(Path, options["files"]):
            try:
                with _opened(path) as file:
                    if options["preview"]:
                        report = look_into(target, file, path.name, now)
                    else:
                        report = store_file(target, file, path.name, now, is_confirmed=options["other_name"])
            except OtherHost as error:
                failed.append(f"{path}: {error} If they are, run it again with --other-name.")
                continue
            except UnreadableFile as error:
                failed.append(f"{path}: {error}")
                continue
            if options["json"]:
                self.print_json(report.as_json())
            else:
                self.stdout.write("\n".join(_lines(report, is_preview=options["preview"])))
        if failed:
            raise CommandError("\n".join(failed))


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise UnreadableFile(f"it cannot be opened: {error.strerror}.") from None
    with file:
        yield file


def _lines(report: HostFileReport, *, is_preview: bool) -> Iterator[str]:
    file, stored = report.file, "to be stored" if is_preview else "stored"
    yield f"{report.name}: {file.format} of {file.host_name or 'a host without a name'} ({file.host_label})"
    if report.wrong_host and is_preview:
        yield f"  {report.wrong_host}"
    for outcome in report.outcomes:
        mark = stored if outcome.is_stored else "not stored"
        yield f"  {outcome.on}  {outcome.share:5.0%} of the day  {mark}: {outcome.sentence}"
    yield f"  understood: {', '.join(file.understood)}"
    if file.ignored:
        yield f"  not read: {'; '.join(file.ignored)}"
    yield from (f"  {note}" for note in file.notes)
