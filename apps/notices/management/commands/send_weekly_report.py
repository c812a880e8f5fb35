"""Send the weekly report: to the lists that are due, to a list, or to an address."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils import timezone

from apps.collection.command import OperatorCommand
from apps.notices.handover import deliver_due
from apps.notices.models import Delivery, RecipientList, validate_addresses
from apps.notices.report_delivery import prepare, send_due_reports, send_weekly_report
from apps.reports.engine.week import BadWeek, last_complete_week, parse_week
from apps.reports.report_command import group_named
from apps.reports.weekly_report import compose_weekly_report


class Command(OperatorCommand):
    help = "Send the weekly report to the lists that are due, to a list whatever its hour, or to an address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--week", metavar="2026-W47", help="the last complete one by default")
        parser.add_argument("--list", help="this list, whatever its day and hour")
        parser.add_argument("--to", metavar="ADDRESS", help="this address")
        parser.add_argument("--group", help="with --to: only the targets of this group")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            made = self._prepare(now, options)
        except BadWeek as error:
            raise CommandError(str(error)) from None
        deliver_due(timezone.now())
        for delivery in Delivery.objects.filter(pk__in=[delivery.pk for delivery in made]).order_by("pk"):
            reason = f" ({delivery.reason})" if delivery.reason else ""
            self.stdout.write(f"{delivery.recipient}: {delivery.get_state_display()}{reason}")
        if not made:
            self.stdout.write("Nobody is due, or everybody has it already.")

    def _prepare(self, now: Any, options: dict[str, Any]) -> list[Delivery]:
        week = parse_week(options["week"]) if options["week"] else last_complete_week(now)
        if options["to"]:
            try:
                validate_addresses(options["to"])
            except ValidationError as error:
                raise CommandError(error.messages[0]) from None
            report = compose_weekly_report(week, now, group_named(options["group"]))
            return prepare(report, [options["to"]], now)
        if options["list"]:
            recipient_list = RecipientList.objects.filter(name__iexact=options["list"]).first()
            if recipient_list is None:
                names = ", ".join(RecipientList.objects.values_list("name", flat=True)) or "none yet"
                raise CommandError(f"There is no list named {options['list']}. There are: {names}.")
            return send_weekly_report(recipient_list, week, now)
        return send_due_reports(now)
