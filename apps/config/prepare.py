"""
What has to be done before the first page: `python -m apps.config.prepare`.

Migrations, the first administrator, the first start. Every step may be taken again at every start. With --static the
static files are collected into HEADROOM_STATIC too. With --json the outcome is one line of JSON for the supervisor;
without, a sentence for people.
"""

import errno
import json
import os
import sys
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError

from apps.config.static_files import collect_static
from apps.inventory.example import get_example

TEMPORARY_FAILURE = 75  # as sysexits.h has it: the same may succeed later


def prepare() -> dict[str, Any]:
    """Take all the steps; return what `ensure_administrator` says, and which `programs` are to run beside Headroom."""
    call_command("migrate", interactive=False, verbosity=1, stdout=sys.stderr)
    answer = StringIO()
    call_command("ensure_administrator", "--json", stdout=answer)
    call_command("first_start", stdout=sys.stderr)
    example = get_example()
    programs = [asdict(program) for program in example.programs()] if example else []
    return {**json.loads(answer.getvalue()), "programs": programs}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    django.setup()
    if "--static" in sys.argv[1:]:
        try:
            collect_static(Path(str(settings.STATIC_ROOT)))
        except OSError as error:
            print(
                f"The files of the pages cannot be kept in {settings.STATIC_ROOT}: {error.strerror}.",
                file=sys.stderr,
            )
            sys.exit(TEMPORARY_FAILURE if error.errno == errno.ENOSPC else 1)
    try:
        answer = prepare()
    except OperationalError as error:
        print(f"The database cannot be used: {error}", file=sys.stderr)
        sys.exit(TEMPORARY_FAILURE)
    if "--json" in sys.argv[1:]:
        print(json.dumps(answer))
    elif answer["created"]:
        print(f"Sign in as {answer['username']} with the password {answer['password']}")


if __name__ == "__main__":
    main()
