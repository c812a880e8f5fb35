#!/usr/bin/env python
"""Headroom's commands."""

import gc
import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    gc.set_threshold(
        50_000, 20, 20
    )  # what is loaded stays: to search it for garbage while it grows takes a third of a start
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        if "connection" not in str(error):
            raise
        sys.exit(
            f"Headroom's database does not answer: start it with `make run`, or set HEADROOM_DATABASE_URL.\n{error}"
        )


if __name__ == "__main__":
    main()
