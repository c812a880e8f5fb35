"""What a new installation does by itself, and every later start repeats harmlessly."""

import socket
from datetime import UTC
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.advisors.templates import install_templates
from apps.demo.load import demo_progress
from apps.inventory.models import Target
from apps.inventory.register import register_target
from apps.snapshots.retention import ensure_ahead
from worker.schedule import install_schedule
from worker.tasks import collect_at_once, load_demo_estate

EVERY_MINUTES = 5


class Command(BaseCommand):
    help = "Make partitions, install the timetable, register this machine and load the demo estate, where missing."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        is_first = not Target.objects.exists()
        ensure_ahead(now.astimezone(UTC).date())
        install_schedule()
        install_templates()
        try:
            if is_first:
                collect_at_once(register_this_machine().pk, readings=2)
            if settings.HEADROOM_DEMO and (is_first or not demo_progress().is_complete):
                load_demo_estate.delay()
        except OperationalError as error:
            self.stderr.write(f"The broker does not answer yet ({error}); the timetable makes up for it.")


def register_this_machine() -> Target:
    """This machine as a host, in its own time zone."""
    return register_target(
        socket.gethostname().partition(".")[0] or "localhost",
        kind=Target.Kind.HOST,
        platform="linux",
        collector="linux",
        address={},
        now=timezone.now(),
        interval_minutes=EVERY_MINUTES,
        time_zone=local_time_zone(),
        notes="The machine Headroom runs on.",
    )


def local_time_zone() -> str:
    """The zone this machine is set to, UTC where it does not say."""
    link = Path("/etc/localtime")
    _, found, name = str(link.resolve()).partition("zoneinfo/") if link.exists() else ("", "", "")
    return name if found and name not in ("", "localtime", "Etc/UTC") else "UTC"
