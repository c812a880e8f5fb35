"""Store the days of a driver from files of CSV or JSON."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.forecasting.driver import Driver
from apps.forecasting.driver_register import describe_days, save_driver
from apps.forecasting.engine.driver_file import BadDriverDays, NewDays, read_days
from apps.inventory.models import Group


class Command(OperatorCommand):
    help = "Store the days of a driver, such as orders a day, from a file with the head day,value,planned, or from JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--driver", required=True, help="its name; made where there is none of this name")
        parser.add_argument("--unit", default="", help="what it counts, for a new one")
        scope = parser.add_mutually_exclusive_group()
        scope.add_argument("--target", help="what a new one may drive: a target, otherwise all")
        scope.add_argument("--group", help="or the targets of a group")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.need_room()
        now = timezone.now()
        new_days = self._read(options["file"])
        driver = Driver.objects.filter(name=options["driver"]).first() or self._new(options)
        save_driver(driver, new_days, by=driver.set_by, now=now)
        remarks = describe_days(driver, now.date())
        if options["json"]:
            measured, planned = len(new_days.measured), len(new_days.planned)
            self.print_json({"driver": driver.name, "days": measured, "planned": planned, "remarks": remarks})
        else:
            self.stdout.write("\n".join([f"{driver.name}: {new_days.summary} stored.", *remarks]))

    def _read(self, path: str) -> NewDays:
        try:
            return read_days(Path(path).read_bytes(), timezone.now().date())
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
        except BadDriverDays as error:
            raise CommandError(f"{path}: {error}") from None

    def _new(self, options: dict[str, Any]) -> Driver:
        if len(options["driver"]) > 80 or len(options["unit"]) > 40:
            raise CommandError("A name has at most 80 characters, a unit 40.")
        driver = Driver(name=options["driver"], unit=options["unit"])
        if options["target"]:
            driver.target = self.target(options["target"])
        elif options["group"]:
            driver.group = Group.objects.filter(name=options["group"]).first()
            if driver.group is None:
                raise CommandError(f"There is no group named {options['group']}.")
        return driver
