from typing import Any

from django.core.management.base import BaseCommand

from apps.demo.remove import remove_demo


class Command(BaseCommand):
    help = "Remove the fictional estate with everything measured of it."
    requires_system_checks = ()  # they load every page

    def handle(self, *args: Any, **options: Any) -> None:
        count = remove_demo()
        self.stdout.write(f"{count} demo targets were removed." if count else "There is no demo estate.")
