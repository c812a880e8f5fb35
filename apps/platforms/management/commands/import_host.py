"""Store what a host's own tools wrote: files of sar or sadf."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import HostFileReport, look_into, store_file


class Command(OperatorCommand):
    help = "Store the days of a host from files that sar or sadf wrote; --preview only says what is in them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--target", required=True, help="the host they are of")
        parser.add_argument("--preview", action="store_true", help="store nothing")
        parser.add_argument("--other-name", action="store_true", help="the files may name the host otherwise")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target, now = self.target(options["target"]), timezone.now()
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
            except UnreadableFile as error:
                failed.append(f"{path}: {error}")
                continue
            if options["json"]:
                self.print_json(report.as_json())
            else:
                self.stdout.write(
                    "\n".join(_lines(report, "to be stored" if options["preview"] else "stored"))
                )
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


def _lines(report: HostFileReport, stored: str) -> Iterator[str]:
    file = report.file
    yield f"{report.name}: {file.format} of {file.host_name or 'a host without a name'} ({file.host_label})"
    if report.wrong_host:
        yield f"  {report.wrong_host}"
    for outcome in report.outcomes:
        mark = stored if outcome.is_stored else "not stored"
        yield f"  {outcome.on}  {outcome.share:5.0%} of the day  {mark}: {outcome.sentence}"
    yield f"  understood: {', '.join(file.understood)}"
    if file.ignored:
        yield f"  not read: {'; '.join(file.ignored)}"
    yield from (f"  {note}" for note in file.notes)
