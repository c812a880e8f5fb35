"""Put a backup in the place of the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.config.backup import BackupError, database, restore
from apps.config.embedded import CannotStart


class Command(BaseCommand):
    help = "Put the backup in FILE in the place of everything in the database. Headroom has to stand still."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        try:
            with database(is_alone=True) as address:
                restore(address, file)
        except (BackupError, CannotStart) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            "Restored. Start Headroom: it brings a backup of an older version up to date. Stored passwords open with "
            "the secret keys of that time."
        )
