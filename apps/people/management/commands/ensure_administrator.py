"""Make the first account, with a generated password that is shown once."""

import json
import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.people.models import User


class Command(BaseCommand):
    help = "Create the administrator if there is no account yet, and print the generated password once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON line")

    def handle(self, *args: Any, **options: Any) -> None:
        told: dict[str, object] = {"created": False, "username": None, "password": None}
        if not User.objects.filter(is_superuser=True).exists():
            password = secrets.token_urlsafe(12)
            User.objects.create_superuser("admin", password=password)
            told = {"created": True, "username": "admin", "password": password}
        if options["json"]:
            self.stdout.write(json.dumps(told))
        elif told["created"]:
            self.stdout.write(
                f"Administrator admin, password {told['password']}. Change it after signing in."
            )
        else:
            self.stdout.write("There is an administrator already.")
