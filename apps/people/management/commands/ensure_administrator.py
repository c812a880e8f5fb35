"""Make the first account, with a generated password that is shown once."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.people.models import User
from apps.people.roles import give_password


class Command(BaseCommand):
    help = "Create the administrator if there is no account yet, and print the generated password once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON line")

    def handle(self, *args: Any, **options: Any) -> None:
        outcome: dict[str, object] = {"created": False, "username": None, "password": None}
        if not User.objects.filter(is_superuser=True).exists():
            administrator = User(username="admin", is_staff=True, is_superuser=True)
            password = give_password(administrator)
            administrator.save()
            outcome = {"created": True, "username": "admin", "password": password}
        if options["json"]:
            self.stdout.write(json.dumps(outcome))
        elif outcome["created"]:
            self.stdout.write(
                f"Administrator admin, password {outcome['password']}. The first sign-in asks for another one."
            )
        else:
            self.stdout.write("There is an administrator already.")
