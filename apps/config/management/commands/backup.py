"""Write the database into one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.config.backup import BackupError, back_up, database
from apps.config.embedded import CannotStart


class Command(BaseCommand):
    help = "Write the database into FILE, while Headroom works or stands still."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            with database(is_alone=False) as address:
                back_up(address, file)
        except (BackupError, CannotStart) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(
            f"Written: {file}, {file.stat().st_size / 1e6:,.1f} MB. Keep a copy of the secret keys too, in another "
            "place: without them stored passwords have to be entered again."
        )
