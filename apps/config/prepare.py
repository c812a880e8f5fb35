"""
What has to be done in the database before the first page: `python -m apps.config.prepare`.

Migrations, the first administrator, the first start. Every step may be taken again at every start. With --json the
outcome is one line of JSON for the supervisor; without, a sentence for people.
"""

import json
import os
import sys
from io import StringIO
from typing import Any

import django
from django.core.management import call_command
from django.db import OperationalError


def prepare() -> dict[str, Any]:
    """Take all the steps; return what `ensure_administrator` says."""
    call_command("migrate", interactive=False, verbosity=1, stdout=sys.stderr)
    answer = StringIO()
    call_command("ensure_administrator", "--json", stdout=answer)
    call_command("first_start", stdout=sys.stderr)
    return dict(json.loads(answer.getvalue()))


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    django.setup()
    try:
        administrator = prepare()
    except OperationalError as error:
        sys.exit(f"The database cannot be used: {error}")
    if "--json" in sys.argv[1:]:
        print(json.dumps(administrator))
    elif administrator["created"]:
        print(f"Sign in as {administrator['username']} with the password {administrator['password']}")


if __name__ == "__main__":
    main()
