"""The command that sends the weekly report, in a process that knows the scripted platform: `python -m … --list NAME`."""

import sys

import django

if __name__ == "__main__":
    django.setup()

    from django.core.management import call_command

    from apps.collection.tests import scripted

    scripted.register()
    call_command("send_weekly_report", *sys.argv[1:])
