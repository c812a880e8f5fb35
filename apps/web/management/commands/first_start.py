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
from apps.inventory.example import get_example
from apps.inventory.models import Target
from apps.inventory.register import register_target
from apps.platforms.registration import find_this_machine
from apps.snapshots.retention import ensure_ahead
from worker.schedule import install_schedule
from worker.tasks import collect_at_once, load_example


class Command(BaseCommand):
    help = "Make partitions, install the timetable, register this machine and load the demo, where missing."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        is_first = not Target.objects.exists()
        ensure_ahead(now.astimezone(UTC).date())
        install_schedule()
        install_templates()
        try:
            if is_first and (machine := register_this_machine()):
                collect_at_once(machine.pk, readings=2)
            if is_example_due(is_first=is_first):
                load_example.delay()
        except OperationalError as error:
            self.stderr.write(f"The broker does not answer yet ({error}); the timetable makes up for it.")


def is_example_due(*, is_first: bool) -> bool:
    """Whether to load the estate to look around in: at the first start where it is wanted, later what was begun."""
    example = get_example()
    if example is None:
        return False
    return (is_first and settings.HEADROOM_DEMO) or not example.progress().is_complete


def register_this_machine() -> Target | None:
    """This machine as a host, in its own time zone; None where no technology reads it."""
    machine = find_this_machine()
    if machine is None:
        return None
    return register_target(
        socket.gethostname().partition(".")[0] or "localhost",
        kind=Target.Kind.HOST,
        platform=machine.platform,
        collector=machine.collector,
        address={},
        now=timezone.now(),
        interval_minutes=machine.interval_minutes,
        time_zone=local_time_zone(),
        notes="The machine Headroom runs on.",
    )


def local_time_zone() -> str:
    """The zone this machine is set to, UTC where it does not say."""
    link = Path("/etc/localtime")
    _, is_zone, name = str(link.resolve()).partition("zoneinfo/") if link.exists() else ("", "", "")
    return name if is_zone and name not in ("", "localtime", "Etc/UTC") else "UTC"
