"""Compute daily figures again from the readings, after a formula was corrected."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date

from apps.inventory.models import Target
from apps.snapshots.roll_up import readable_days, rebuild_figures


class Command(BaseCommand):
    help = "Roll up again the days of all targets, or of one, as far as their readings are kept."
    requires_system_checks = ()  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--target", help="only this one")
        parser.add_argument("--from", dest="since", metavar="DAY", help="only from this day on")

    def handle(self, *args: Any, **options: Any) -> None:
        targets = Target.objects.all()
        if options["target"]:
            targets = targets.named(options["target"])
            if not targets:
                raise CommandError(f"There is no target named {options['target']}.")
        since = parse_date(options["since"]) if options["since"] else None
        if options["since"] and since is None:
            raise CommandError(f"“{options['since']}” is not a day; write it like 2026-02-17.")
        if since is not None and since > timezone.now().date() + timedelta(days=1):
            raise CommandError(f"{since} lies in the future; give a day that was read.")
        for target in targets:
            readable = readable_days(target)
            if readable is None:
                continue
            first, last = readable
            days = rebuild_figures(target, max(first, since or first), last, timezone.now())
            self.stdout.write(f"{target.name}: {days} days.")
